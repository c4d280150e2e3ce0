import type { LimitRule, LimitRules } from '../../entries/plugin.ts'
import type { CodeRules } from '../../entries/plugin-accounts.ts'

const QUARTER: number = 15 * 60
const HOUR: number = 60 * 60
const DAY: number = 24 * HOUR

/** The bounds of codes by mail, as those of codes for sign-ins. */
export const CODE_RULES: CodeRules = {
  length: 6,
  expiresIn: 600,
  tries: 5,
  resendAfter: 60,
  perAddress: { limit: 10, window: DAY },
}

/** Attempts of a user: in each known browser apart, so that whoever has the password or a session uses up none there. */
const own = (limit: number, window: number): readonly LimitRule[] => [
  { by: 'user', limit, window, unknownDevices: true },
  { by: 'device', limit, window },
]

const OF_NETWORK: LimitRule = { by: 'network', limit: 60, window: QUARTER }

/** Guesses of codes. Who attacks an account from elsewhere does not lock its owner out of a known browser. */
const GUESSES: readonly LimitRule[] = [
  OF_NETWORK,
  { by: 'user', limit: 5, window: QUARTER, unknownDevices: true },
  { by: 'device', limit: 10, window: QUARTER },
  // A sign-in waits for ten minutes. Somebody else may have found a session, too.
  { by: 'session', limit: 10, window: QUARTER, unknownDevices: true },
]

/** By action. */
export const LIMITS: LimitRules = {
  'two-factor.totp': GUESSES,
  'two-factor.recovery': GUESSES,
  'two-factor.email': GUESSES,
  // Codes of all kinds together, also in a known browser. A sign-in waits for less than the window, so no more are compared in it.
  'two-factor.waiting': [{ by: 'session', limit: 10, window: QUARTER }],
  'two-factor.send': [{ by: 'network', limit: 20, window: HOUR }, ...own(5, HOUR), ...own(10, DAY)],
  // What a key signs cannot be guessed.
  'two-factor.passkey': [OF_NETWORK, { by: 'session', limit: 20, window: QUARTER }],
  'two-factor.enrol': own(20, HOUR),
  'two-factor.confirm': own(10, QUARTER),
}
