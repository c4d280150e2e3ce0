import {
  type AdapterUser,
  type Call,
  type CurrentSession,
  Problem,
  type SafeUrl,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { PAGES } from '../without-pages.ts'

/** A person who is signed in. */
export interface Caller {
  readonly user: AdapterUser
  readonly session: CurrentSession
  readonly sid: string
  /** Where a form of the application wants to go afterwards. */
  readonly callbackUrl: SafeUrl
}

/**
 * Returns the person who calls. Programs that act for a user do not look after the account.
 *
 * @throws {Problem} `unauthenticated` without a session of a person.
 */
export async function callerOf(
  { current, callbackUrl }: Pick<Call<unknown>, 'current' | 'callbackUrl'>,
  { host }: Pick<Own, 'host'>,
): Promise<Caller> {
  if (!current || current.holder !== undefined)
    throw new Problem('unauthenticated', 'the session is not one of a person')
  const user = await host.store?.getUser(String(current.user.id))
  if (!user) throw new Problem('unauthenticated', 'the user is deleted')
  return { user, session: current, sid: await current.facts.sid(), callbackUrl }
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
