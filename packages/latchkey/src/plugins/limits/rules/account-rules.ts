import type { LimitRule, LimitRules } from '../../../entries/plugin.ts'

const MINUTE = 60
const QUARTER: number = 15 * MINUTE
const HOUR: number = 60 * MINUTE
const DAY: number = 24 * HOUR

const network = (limit: number, window: number): LimitRule => ({ by: 'network', limit, window })
const typed = (limit: number, window: number): LimitRule => ({ by: 'identifier', limit, window })
const stranger = (limit: number, window: number): LimitRule => ({
  ...typed(limit, window),
  unknownDevices: true,
})

/** A mail to an address that somebody typed. */
const mailed = [network(10, HOUR), typed(3, HOUR), typed(6, DAY)]
/** A link or code of a step that a browser began, whose id is counted as the identifier. The values cannot be guessed. */
const step = [network(30, HOUR), typed(10, QUARTER)]
/** A proof of somebody who is signed in. Somebody else may have found a session, and locks the owner out of no known browser. */
const signedIn: readonly LimitRule[] = [
  { by: 'session', limit: 10, window: QUARTER, unknownDevices: true },
  { by: 'user', limit: 20, window: DAY, unknownDevices: true },
  { by: 'device', limit: 10, window: QUARTER },
  { by: 'device', limit: 20, window: DAY },
]

/** The names of actions of accounts that have default rules. */
export type AccountAction =
  | 'password.sign-in'
  | 'password.sign-up'
  | 'password.forgot'
  | 'password.resend'
  | 'password.reset'
  | 'password.verify'
  | 'address.confirm'
  | 'password.change'
  | 'reauthenticate'
  | 'email-code.send'
  | 'email-code.verify'
  | 'usernames.free'
  | 'account.export'
  | 'account.delete'

const RULES: Readonly<Record<AccountAction, readonly LimitRule[]>> = {
  // A person mistypes three to five times; an office behind one address signs in once a day.
  'password.sign-in': [
    network(30, QUARTER),
    network(300, DAY),
    stranger(10, QUARTER),
    stranger(50, DAY),
    { by: 'pair', limit: 5, window: MINUTE },
    { by: 'device', limit: 10, window: QUARTER },
    { by: 'device', limit: 50, window: DAY },
  ],
  'password.sign-up': [
    network(10, HOUR),
    network(50, DAY),
    typed(3, HOUR),
    { by: 'site', limit: 2000, window: HOUR, store: 'process', over: 'challenge' },
  ],
  'password.forgot': mailed,
  'password.resend': mailed,
  'password.reset': step,
  'password.verify': step,
  'address.confirm': step,
  'password.change': signedIn,
  reauthenticate: signedIn,
  'email-code.send': [network(20, HOUR), typed(5, HOUR), typed(10, DAY)],
  'email-code.verify': [network(60, QUARTER)],
  'usernames.free': [network(30, MINUTE)],
  'account.export': [{ by: 'user', limit: 3, window: DAY }],
  'account.delete': [{ by: 'user', limit: 3, window: DAY }],
}

/** Returns the default rules of actions of accounts, for `limits` of the plugin that has these actions. */
export function accountRules(...names: AccountAction[]): LimitRules {
  return Object.fromEntries(names.map((name) => [name, RULES[name]]))
}
