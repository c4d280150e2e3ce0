import * as v from 'valibot'
import type { Answer, Call } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { nameField } from './fields.ts'

interface Input {
  readonly name: string
}

export const input: v.GenericSchema<Input> = v.strictObject({ name: nameField })

/** `GET usernames/free` */
export async function free({ input }: Call<Input>, { names }: Own): Promise<Answer> {
  return { json: { free: await (await names()).isFree(input.name) } }
}
