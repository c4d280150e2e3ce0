import type { Call, SafeUrl } from '../../../entries/plugin.ts'
import { type Person, personOf } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import { PAGES } from '../without-pages.ts'

/** A person who looks after the account. */
export interface Caller extends Person {
  readonly sid: string
  /** Where a form of the application wants to go afterwards. */
  readonly callbackUrl: SafeUrl
}

/** @throws {Problem} `unauthenticated` without a session of a person. */
export async function callerOf(
  call: Pick<Call<unknown>, 'current' | 'callbackUrl'>,
  { host }: Pick<Own, 'host'>,
): Promise<Caller> {
  const person = await personOf(call, host)
  return { ...person, sid: await person.session.facts.sid(), callbackUrl: call.callbackUrl }
}

/**
 * Checks that the caller proved their identity recently.
 *
 * @param page where a browser continues afterwards, below the base path. Without the pages of the account, it goes to the
 * callback URL.
 * @throws {Problem} `reauthentication_required`
 */
export async function needSensitive(
  { session, callbackUrl }: Pick<Caller, 'session' | 'callbackUrl'>,
  page: string,
  { host, settings }: Pick<Own, 'host' | 'settings'>,
  params: Readonly<Record<string, string>> = {},
  seconds: number = settings.fresh.sensitive,
): Promise<void> {
  const isGone = !settings.pages && PAGES.includes(page)
  const back = isGone ? callbackUrl : host.site.path(page, params)
  await host.sessions.needFresh(session, seconds, back)
}
