import { type CurrentSession, Problem, provedAt, type SafeUrl } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'

/** Seconds since the last proof of identity within which factors can be changed. */
const FRESH = 600

/** Checks for a proof of a short time ago, with as many factors as the account has. @throws {Problem} */
export async function needOwnLevel(
  session: CurrentSession,
  back: SafeUrl,
  { host }: Pick<Own, 'host'>,
): Promise<void> {
  await host.sessions.needFresh(session, FRESH, back)
}

/** Checks for a second factor of a short time ago. @throws {Problem} `reauthentication_required` */
export async function needSecond(
  session: CurrentSession,
  back: SafeUrl,
  { host }: Pick<Own, 'host'>,
): Promise<void> {
  await host.sessions.needFresh(session, { maxAge: FRESH, factors: 2 }, back)
}

/** The methods of second factors that are no recovery codes. */
const LASTING: readonly string[] = ['otp', 'pop', 'mca']

/**
 * The same with a second factor that is no recovery code: a person who found one must not remove what the owner has.
 *
 * @throws {Problem} `reauthentication_required`
 */
export async function needLasting(
  session: CurrentSession,
  back: SafeUrl,
  own: Pick<Own, 'host'>,
): Promise<void> {
  await needSecond(session, back, own)
  const known = await session.facts.known()
  const { amr = [] } = known
  if (!amr.includes('recovery')) return
  const from = own.host.ports.now() / 1000 - FRESH
  if (LASTING.some((method) => amr.includes(method) && provedAt(method, known) >= from)) return
  throw new Problem('reauthentication_required', 'a recovery code removes no factor', {
    next: own.host.site.path('reauthenticate', { way: 'totp', callbackUrl: back }),
    members: { max_age: FRESH, acr_values: 'urn:latchkey:acr:2' },
  })
}
