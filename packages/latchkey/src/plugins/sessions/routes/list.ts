import * as v from 'valibot'
import { type Answer, type Call, definedOnly } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { askedFor } from './administrator.ts'
import { needCaller } from './caller.ts'
import { userIdField } from './fields.ts'

interface Input {
  readonly userId?: string | undefined
}

export const input: v.GenericSchema<Input> = v.strictObject({ userId: v.optional(userIdField) })

/** `GET sessions/list` */
export async function list(call: Call<Input>, own: Own): Promise<Answer> {
  const { caller, userId, isOfOther } = await askedFor(call, 'list', own)
  const sessions = await (await own.lister()).list(userId, isOfOther ? undefined : caller.sid)
  return { json: { sessions, ...definedOnly({ limit: own.settings.limit }) } }
}

/** `GET sessions/current` */
export async function current(call: Call, own: Own): Promise<Answer> {
  const caller = await needCaller(call, own)
  return { json: await (await own.lister()).current(caller) }
}
