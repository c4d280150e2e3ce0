import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { type Own, PAGE } from '../own.ts'
import { needCaller } from './caller.ts'
import * as fields from './fields.ts'

interface Input {
  readonly id: string
  readonly name: string
}

export const input: v.GenericSchema<Input> = v.strictObject({
  id: fields.idField,
  name: fields.nameField,
})

/** `POST sessions/rename` */
export async function rename(call: Call<Input>, own: Own): Promise<Answer> {
  const { input } = call
  const { host, lister } = own
  const { userId, sid } = await needCaller(call, own)
  const json = await (await lister()).rename(userId, input.id, input.name, sid)
  if (!json) throw new Problem('not_found', 'the user has no such session')
  return { json, to: host.site.path(PAGE), notice: { id: 'name' } }
}
