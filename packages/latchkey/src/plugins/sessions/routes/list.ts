import { definedOnly } from '../../../encoding/defined-only.ts'
import type { Answer, Call } from '../../../plugin-kit.ts'
import type { Own } from '../own.ts'
import { needCaller } from './caller.ts'

/** `GET sessions/list` */
export async function list({ current }: Call, own: Own): Promise<Answer> {
  const { userId, sid } = await needCaller(current, own)
  const sessions = await (await own.lister()).list(userId, sid)
  return { json: { sessions, ...definedOnly({ limit: own.settings.limit }) } }
}

/** `GET sessions/current` */
export async function current(call: Call, own: Own): Promise<Answer> {
  const caller = await needCaller(call.current, own)
  return { json: await (await own.lister()).current(caller) }
}
