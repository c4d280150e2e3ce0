import * as v from 'valibot'
import { Problem, type RunRoute } from '../../../entries/plugin.ts'
import type { Parts } from '../parts.ts'

/** The longest name of an action. */
const LONGEST = 100

export const action: v.GenericSchema<{ action: string }> = v.object({
  action: v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST)),
})

/** Draws a challenge for an action, in the form of the challenge: for `altcha`, that of its widget. */
export const drawChallenge: RunRoute<Parts, { action: string }> = async (
  { request, input },
  { challenges },
) => {
  const asked = await (await challenges())?.ask(input.action, request)
  if (!asked) throw new Problem('not_found')
  return { json: asked.parameters }
}
