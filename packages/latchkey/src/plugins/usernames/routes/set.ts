import * as v from 'valibot'
import type { Answer, Call } from '../../../entries/plugin.ts'
import { rename } from '../flows/rename.ts'
import type { Own } from '../own.ts'
import { nameField } from './fields.ts'

interface Input {
  readonly name: string
}

export const input: v.GenericSchema<Input> = v.strictObject({ name: nameField })

/** `POST usernames/set`: for pages and scripts of the application. */
export async function set(call: Call<Input>, own: Own): Promise<Answer> {
  const { input, callbackUrl } = call
  return { to: callbackUrl, json: { name: await rename(input.name, call, callbackUrl, own) } }
}
