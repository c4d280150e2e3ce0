import {
  type Awaitable,
  checkOptions,
  isJsonObject,
  type LimitBy,
  type LimitRule,
  type LimitRules,
  listOf,
  type OptionKinds,
  oneOf,
  optionError,
  required,
  someFunction,
  someText,
  wholeNumber,
} from '../../entries/plugin.ts'
import type { ChallengePort } from './challenge/port.ts'
import { DEFAULT_RULES } from './rules/default-rules.ts'

/** The source of the address of a client, if proxies are in front of the site. */
export type ClientAddress =
  | { readonly hops: number }
  | { readonly proxies: readonly string[] }
  | { readonly header: string; readonly proxies?: readonly string[] }

/** Options of the plugin. */
export interface LimitsOptions {
  /**
   * Where attempts are counted: `adapter` counts for all instances together, `process` in this process alone.
   *
   * @default 'adapter'
   */
  readonly store?: 'adapter' | 'process' | undefined
  /**
   * Source of the address of the client: `{ hops }`, `{ proxies }` or `{ header, proxies }`.
   *
   * - `hops`: the n-th entry of `X-Forwarded-For`, from the right. Use it if all requests pass n proxies.
   * - `proxies`: the last entry that is not in these networks, if one of them sent the request.
   * - `header`: a header that the platform sets, for example `cf-connecting-ip`, or `forwarded` (RFC 7239), of which the last
   *   entry counts. With `proxies`, it is read only from these.
   *
   * @default the connection
   */
  readonly client?: ClientAddress | undefined
  /** Rules by action, which replace the default ones; `false` removes the rules of an action. @default those below */
  readonly rules?: LimitRules | undefined
  /**
   * Networks that are not counted, for example `10.0.0.0/8`.
   *
   * Rules by identifier still apply.
   *
   * @default []
   */
  readonly exempt?: readonly string[] | undefined
  /**
   * Sends the limit that a program reached as `RateLimit` and `RateLimit-Policy` (a draft of the IETF).
   *
   * @default true
   */
  readonly headers?: boolean | undefined
  /**
   * Sends the mail `new-device` to a user who signs in with a new browser, and has one that is known already.
   *
   * It needs records and a mail provider with `sendMail`; without them, none is sent.
   *
   * @default true
   */
  readonly newDeviceMail?: boolean | undefined
  /**
   * The challenge of suspicious attempts, for example `proofOfWork()` of `latchkey/plugins/limits/proof-of-work`.
   *
   * @default false
   */
  readonly challenge?: false | ChallengePort | undefined
  /**
   * When an attempt needs the answer to the challenge: `suspicious`, `always`, `never`, or a function that decides.
   *
   * `suspicious` is an attempt with an unknown browser, after half of a limit by network or identifier was used, or
   * during an attack on the whole site, or if the hook `isBot` says so.
   *
   * @default 'suspicious'
   */
  readonly challengeWhen?:
    | 'suspicious'
    | 'always'
    | 'never'
    | ((attempt: AttemptAtAction) => Awaitable<boolean>)
    | undefined
  /** Functions of the application that judge attempts and addresses. @default {} */
  readonly hooks?: LimitsHooks | undefined
}

/** An attempt, for functions of the application. */
export interface AttemptAtAction {
  /** The name of the action, for example `password.sign-in`. */
  readonly action: string
  readonly request: Request
}

/** An attempt with what is known about it. */
export interface JudgedAttempt extends AttemptAtAction {
  /** The address of the client, if it is known. */
  readonly address: string | undefined
  /** What was typed: an address or a name. */
  readonly identifier: string | undefined
  /** Whether the user signed in with this browser before. */
  readonly isKnownBrowser: boolean
  /** The same in a word: `new` is any other browser. */
  readonly device: 'known' | 'new'
  /** Whether half of a limit by network or identifier is used. */
  readonly isHalfUsed: boolean
  /** The rules of the action that apply to the attempt. */
  readonly counts: readonly JudgedCount[]
}

/** How much of a rule is used. A store says whether a limit is reached, and not how many attempts there were. */
export interface JudgedCount extends Pick<LimitRule, 'by' | 'limit' | 'window'> {
  /** Whether half of the limit is used. Only rules by network and identifier know it before the limit is reached. */
  readonly isHalfUsed: boolean
  /** Whether the limit is reached. The attempt is then refused, unless the rule asks for a challenge. */
  readonly isReached: boolean
}

/** Functions of the application that judge attempts and addresses. */
export interface LimitsHooks {
  /** Returns whether a program sends the request. It makes an attempt suspicious, and refuses nothing by itself. */
  isBot?(attempt: AttemptAtAction): Awaitable<boolean>
  /** Returns whether an address belongs to a service for throw-away mailboxes, for example `disposableAddresses()`. */
  isDisposable?(address: string): Awaitable<boolean>
  /**
   * Decides about an attempt that was counted and may be challenged: a sign-up, a sign-in with a password, and a request for a
   * mail. `undefined` leaves the decision to `challengeWhen`. Without a challenge, only `refuse` has an effect.
   */
  decide?(attempt: JudgedAttempt): Awaitable<'allow' | 'challenge' | 'refuse' | undefined>
}

/** The options with their defaults. */
export interface Settings {
  readonly store: 'adapter' | 'process'
  readonly client: ClientAddress | undefined
  readonly rules: LimitRules
  /** Whether built-in actions are counted, and not only what plugins declare. */
  readonly isForAll: boolean
  readonly exempt: readonly string[]
  readonly headers: boolean
  readonly newDeviceMail: boolean
  readonly challenge: ChallengePort | undefined
  readonly challengeWhen: NonNullable<LimitsOptions['challengeWhen']>
  readonly hooks: LimitsHooks
}

const WHO: readonly LimitBy[] = [
  'network',
  'identifier',
  'pair',
  'device',
  'user',
  'session',
  'site',
]
const MOST_ATTEMPTS = 1_000_000
const NETWORKS = listOf('networks', someText.fits)

const RULE: OptionKinds<LimitRule> = {
  by: required(oneOf(...WHO)),
  limit: required(wholeNumber(1, MOST_ATTEMPTS)),
  window: required(wholeNumber(1, MOST_ATTEMPTS)),
  store: oneOf('process'),
  unknownDevices: 'boolean',
  over: oneOf('challenge'),
}

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: LimitsOptions): Settings {
  checkOptions('limits', options, {
    store: oneOf('adapter', 'process'),
    client: true,
    rules: { expected: 'an object with lists of rules by action', fits: isJsonObject },
    exempt: NETWORKS,
    headers: 'boolean',
    newDeviceMail: 'boolean',
    challenge: oneOf(false, {
      expected: 'a challenge, for example proofOfWork() of latchkey/plugins/limits/proof-of-work',
      fits: isChallenge,
    }),
    challengeWhen: oneOf('suspicious', 'always', 'never', someFunction),
    hooks: { isBot: 'function', isDisposable: 'function', decide: 'function' },
  })
  const {
    store = 'adapter',
    client,
    rules = {},
    exempt = [],
    headers = true,
    newDeviceMail = true,
    challenge = false,
    challengeWhen = 'suspicious',
    hooks = {},
  } = options
  checkRules(rules)
  if (client !== undefined) checkClient(client)
  return {
    store,
    client,
    rules,
    isForAll: true,
    exempt,
    headers,
    newDeviceMail,
    challenge: challenge || undefined,
    challengeWhen,
    hooks,
  }
}

function checkClient(client: ClientAddress): void {
  const expected = '{ hops }, { proxies } or { header, proxies }'
  const kinds = { hops: wholeNumber(1, 32), header: someText, proxies: NETWORKS }
  const given: { hops?: unknown; header?: unknown; proxies?: unknown } = client
  checkOptions('limits', given, kinds, { member: 'client', expected })
  const isGiven = (value: unknown): boolean => value !== undefined
  // With `hops`, no connection is compared with the proxies.
  const isMixed = isGiven(given.hops) && (isGiven(given.proxies) || isGiven(given.header))
  if (isMixed || !Object.values(given).some(isGiven))
    throw optionError(
      `limits(): \`client\` must be ${expected}, got ${JSON.stringify(client)}`,
      'limits',
    )
}

function isChallenge(value: unknown): boolean {
  const { id, field, verify, render } = Object(value) as Partial<ChallengePort>
  return (
    typeof id === 'string' &&
    typeof field === 'string' &&
    typeof verify === 'function' &&
    typeof render === 'function'
  )
}

function checkRules(rules: LimitRules): void {
  const lists = oneOf(false, listOf('rules'))
  for (const [name, own] of Object.entries(rules)) {
    const member = `rules[${JSON.stringify(name.slice(0, 40))}]`
    checkOptions('limits', { [member]: own }, { [member]: lists })
    for (const [at, rule] of (own || []).entries())
      checkOptions('limits', rule, RULE, { member: `${member}[${at}]` })
  }
}

/** The settings without an application's choices: only what plugins declare is counted. */
export const ofPlugins: Settings = { ...settingsOf({}), isForAll: false }

/** Whether a rule counts in this process alone. */
export const isOfProcess = ({ store }: LimitRule, settings: Pick<Settings, 'store'>): boolean =>
  (store ?? settings.store) === 'process'

/** Returns the rules of all actions: those of the application, of plugins, and of built-in actions. */
export function rulesWith(settings: Settings, ofPlugins: LimitRules): LimitRules {
  return { ...(settings.isForAll && DEFAULT_RULES), ...ofPlugins, ...settings.rules }
}
