import type { Host } from '../../../entries/plugin.ts'
import type { BreachedPort } from './breached.ts'
import { isExpected, type KnownWords } from './expected.ts'
import { countCodePoints, foldPassword, isTooLongToRead, normalizePassword } from './normal-form.ts'
import type { RuleSettings } from './rule-settings.ts'

/** A reason for which a new password is refused. */
export interface PasswordReason {
  readonly code:
    | 'too_short'
    | 'too_long'
    | 'common'
    | 'expected'
    | 'breached'
    | 'unchanged'
    | 'not_text'
  readonly params?: { readonly min?: number; readonly max?: number }
}

/** What is known about the user and the site. */
export interface PasswordContext extends KnownWords {
  /** The current password, or a function that returns whether a password is the current one. */
  readonly current?: string | ((password: string) => Promise<boolean>) | undefined
}

/**
 * Returns the reasons for which a new password is refused; none if it may be set. Called only when a password is set, never
 * at a sign-in.
 *
 * @param log where outages of the list of breaches are logged, at most once a minute.
 */
export async function checkPassword(
  password: string,
  about: PasswordContext,
  settings: RuleSettings,
  log?: Pick<Host, 'logger' | 'ports'>,
): Promise<readonly PasswordReason[]> {
  const { minLength, maxLength, isBlocked, breached } = settings
  const tooLong: PasswordReason = { code: 'too_long', params: { max: maxLength } }
  if (isTooLongToRead(password)) return [tooLong]
  const text = normalizePassword(password)
  if (text === undefined) return [{ code: 'not_text' }]
  const length = countCodePoints(text)
  if (length > maxLength) return [tooLong]
  const reasons: PasswordReason[] = []
  if (length < minLength) reasons.push({ code: 'too_short', params: { min: minLength } })
  if (await isCurrent(text, about.current)) reasons.push({ code: 'unchanged' })
  if (await isBlocked?.(foldPassword(text))) reasons.push({ code: 'common' })
  if (isExpected(text, about)) reasons.push({ code: 'expected' })
  // Nothing of a password that is refused anyhow leaves the machine.
  if (breached && reasons.length === 0 && (await isBreached(text, breached, log)))
    reasons.push({ code: 'breached' })
  return reasons
}

async function isCurrent(text: string, current: PasswordContext['current']): Promise<boolean> {
  if (typeof current === 'function') return current(text)
  return current !== undefined && normalizePassword(current) === text
}

/** A list of breached passwords that does not answer: how many passwords were not looked up, and when that was logged. */
interface Outage {
  unchecked: number
  loggedAt: number
}

const outages = new WeakMap<BreachedPort, Outage>()
const LOG_INTERVAL = 60_000

/** Returns whether a password is on a list of breaches. A list that does not answer locks nobody out. */
export async function isBreached(
  text: string,
  breached: BreachedPort,
  log: Pick<Host, 'logger' | 'ports'> | undefined,
): Promise<boolean> {
  try {
    return await breached.isBreached(text)
  } catch (cause) {
    const outage = outages.get(breached) ?? { unchecked: 0, loggedAt: Number.NEGATIVE_INFINITY }
    outages.set(breached, outage)
    outage.unchecked++
    const now = log?.ports.monotonic() ?? 0
    if (log && now - outage.loggedAt >= LOG_INTERVAL) {
      const many = outage.unchecked === 1 ? '1 password was' : `${outage.unchecked} passwords were`
      log.logger.error(
        new Error(`${many} not looked up among those of known breaches, and accepted`, { cause }),
      )
      outage.unchecked = 0
      outage.loggedAt = now
    }
    return false
  }
}
