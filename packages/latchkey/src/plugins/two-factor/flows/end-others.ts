import {
  type CurrentSession,
  type RecordKind,
  recordKind,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { endSessions } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'

/** Ends the sign-ins of a user that wait for a further step: what they need has changed. @param except the key of one */
export async function endPending(
  userId: string,
  { host }: Pick<Own, 'host'>,
  except?: string,
): Promise<void> {
  const waiting = waitingIn(host)
  for await (const { key } of waiting.each(userId)) if (key !== except) await waiting.delete(key)
}

/** Milliseconds in which a right code that is being proved can still complete a sign-in that ends. */
const MOMENT = 5000

/** Ends one of them in a moment: the code of a request at the same time may be right. */
export async function endWaiting(key: string, { host }: Pick<Own, 'host'>): Promise<void> {
  const end = new Date(host.ports.now() + MOMENT)
  await waitingIn(host).update(key, (_, { expires }) =>
    expires && expires > end ? { expires: end } : undefined,
  )
}

function waitingIn(host: Own['host']): RecordKind<object> {
  return recordKind<object>(host, 'pending-sign-in', {
    shape: (data) => data,
    hasSecretKeys: true,
  })
}

/**
 * Ends what began with one factor, for a user who has a second one from now on: all other sessions, all sign-ins that wait, and
 * that other browsers are known. Each known browser has guesses of its own at the second factor.
 */
export async function endOfOneFactor(
  userId: string,
  { session, request }: { readonly session: CurrentSession; readonly request: SiteRequest },
  own: Pick<Own, 'host'>,
): Promise<void> {
  await own.host.attempts.forgetBrowsers(userId, request)
  await endOthers(userId, session, own)
}

/** Ends all sessions of a user but the current one, and all that wait. */
export async function endOthers(
  userId: string,
  current: CurrentSession | null,
  own: Pick<Own, 'host'>,
): Promise<void> {
  await endPending(userId, own)
  await endSessions(userId, 'factor-changed', own.host, current?.facts)
}
