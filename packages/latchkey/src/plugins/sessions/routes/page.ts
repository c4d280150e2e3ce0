import * as v from 'valibot'
import { type Answer, type Call, noticeIn } from '../../../entries/plugin.ts'
import { type Own, PAGE } from '../own.ts'
import { DONE, type Question, questionPage, sessionsPage } from '../pages/sessions.ts'
import type { SessionInfo } from '../session-info.ts'
import type { SessionsKey } from '../texts.ts'
import { needCaller } from './caller.ts'

interface Shown {
  readonly confirm?: Question | undefined
}

export const input: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(v.picklist(['others', 'all'])),
})

/** `GET account/sessions`: the page; the list for a program. */
export async function page(call: Call<Shown>, own: Own): Promise<Answer> {
  const {
    request,
    input: { confirm },
    csrfField,
  } = call
  const { host, lister } = own
  const { userId, sid } = await needCaller(call, own)
  const parts = {
    texts: await host.site.text<SessionsKey>(request),
    page: host.site.path(PAGE),
    end: host.site.path('sessions/end'),
    rename: host.site.path('sessions/rename'),
    endOthers: host.site.path('sessions/end-others'),
    endAll: host.site.path('sessions/end-all'),
    csrfField,
  }
  const sessions = await (await lister()).list(userId, sid)
  if (confirm) {
    const count = sessions.filter(({ current }) => confirm === 'all' || !current).length
    return { page: questionPage(confirm, count, parts) }
  }
  const providerNames = await namesOf(sessions, host)
  const done = noticeIn(call, DONE)
  return { page: sessionsPage(sessions, done, { ...parts, providerNames }), json: { sessions } }
}

/** Returns the names of the providers that the sessions began with, by id. */
async function namesOf(
  sessions: readonly SessionInfo[],
  host: Own['host'],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const id of new Set(sessions.map(({ provider }) => provider))) {
    const name = id === undefined ? undefined : (await host.providers.client(id))?.name
    if (id !== undefined && name !== undefined) names.set(id, name)
  }
  return names
}
