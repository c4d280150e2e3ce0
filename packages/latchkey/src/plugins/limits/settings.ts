import { optionError } from '../../entries/plugin.ts'

/**
 * The subject of a count: the network of a client, a typed identifier, both together, a user, a session, or the site.
 */
export type LimitBy = 'network' | 'identifier' | 'pair' | 'user' | 'session' | 'site'

/** A number of attempts within a time. */
export interface LimitRule {
  /** What is counted: `network`, `identifier`, `pair` (both), `user`, `session` or `site`. */
  readonly by: LimitBy
  /** Number of attempts. */
  readonly limit: number
  /** Seconds in which they are counted. */
  readonly window: number
  /** `process` counts in this process alone, whatever the option `store` is. */
  readonly store?: 'process'
}

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
   * - `header`: a header that the platform sets, for example `cf-connecting-ip`. With `proxies`, it is read only from
   *   these.
   *
   * @default the connection
   */
  readonly client?: ClientAddress | undefined
  /** Rules by action, which replace the default ones; `false` removes the rules of an action. @default those below */
  readonly rules?: Readonly<Record<string, readonly LimitRule[] | false>> | undefined
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
}

/** The options with their defaults. */
export interface Settings {
  readonly store: 'adapter' | 'process'
  readonly client: ClientAddress | undefined
  readonly rules: Readonly<Record<string, readonly LimitRule[] | false>>
  readonly exempt: readonly string[]
  readonly headers: boolean
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * By action. A user mistypes a password three to five times, and each user in an office behind one address signs in
 * once a day.
 */
const DEFAULT_RULES: Readonly<Record<string, readonly LimitRule[]>> = {
  post: [{ by: 'network', limit: 300, window: MINUTE, store: 'process' }],
  'credentials.sign-in': [
    { by: 'network', limit: 30, window: 15 * MINUTE },
    { by: 'network', limit: 300, window: DAY },
    { by: 'pair', limit: 5, window: MINUTE },
  ],
  'mail.send': [
    { by: 'network', limit: 20, window: HOUR },
    { by: 'identifier', limit: 5, window: HOUR },
    { by: 'identifier', limit: 10, window: DAY },
  ],
  'mail-code.verify': [{ by: 'network', limit: 60, window: 15 * MINUTE }],
  'passkey.options': [{ by: 'network', limit: 120, window: 15 * MINUTE, store: 'process' }],
  'callback.failed': [{ by: 'network', limit: 60, window: 15 * MINUTE, store: 'process' }],
  'device.code': [
    { by: 'network', limit: 20, window: 15 * MINUTE },
    { by: 'site', limit: 1000, window: MINUTE },
  ],
  'device.token': [{ by: 'network', limit: 300, window: MINUTE, store: 'process' }],
  'device.enter': [{ by: 'network', limit: 20, window: 15 * MINUTE }],
  'native.token': [{ by: 'network', limit: 60, window: 15 * MINUTE, store: 'process' }],
  'token.issue': [{ by: 'session', limit: 60, window: MINUTE, store: 'process' }],
}

const WHO: readonly LimitBy[] = ['network', 'identifier', 'pair', 'user', 'session', 'site']
const MOST_ATTEMPTS = 1_000_000

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: LimitsOptions): Settings {
  const { store = 'adapter', client, rules = {}, exempt = [], headers = true } = options
  if (store !== 'adapter' && store !== 'process') {
    throw optionError(
      `limits(): \`store\` must be 'adapter' or 'process', got ${shown(store)}`,
      'limits',
    )
  }
  for (const [name, own] of Object.entries(rules)) {
    for (const rule of own || []) checkRule(name, rule)
  }
  if (client !== undefined) checkClient(client)
  return { store, client, rules: { ...DEFAULT_RULES, ...rules }, exempt, headers }
}

/** The compiler does not check options that JavaScript passes. */
function checkClient(client: ClientAddress): void {
  const { hops, header, proxies } = Object(client) as Readonly<Record<string, unknown>>
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
  if (hops === undefined && proxies === undefined && !isText(header)) {
    throw optionError(
      `limits(): \`client\` must be { hops }, { proxies } or { header, proxies }, got ${shown(client)}`,
      'limits',
    )
  }
  if (proxies !== undefined && !(Array.isArray(proxies) && proxies.every(isText))) {
    throw optionError(
      `limits(): \`client.proxies\` must be a list of networks, got ${shown(proxies)}`,
      'limits',
    )
  }
  const isCount = Number.isSafeInteger(hops) && Number(hops) >= 1 && Number(hops) <= 32
  if (hops !== undefined && !isCount) {
    throw optionError(
      `limits(): \`client.hops\` must be a whole number from 1 to 32, got ${shown(hops)}`,
      'limits',
    )
  }
}

function checkRule(name: string, { by, limit, window }: LimitRule): void {
  if (!WHO.includes(by)) {
    throw optionError(
      `limits(): \`by\` of a rule of ${shown(name)} must be one of ${WHO.join(', ')}, got ${shown(by)}`,
      'limits',
    )
  }
  const isWhole = (value: number): boolean =>
    Number.isSafeInteger(value) && value >= 1 && value <= MOST_ATTEMPTS
  for (const [member, value] of Object.entries({ limit, window })) {
    if (isWhole(value)) continue
    throw optionError(
      `limits(): \`${member}\` of a rule of ${shown(name)} must be a whole number from 1 to ${MOST_ATTEMPTS}, got ${shown(value)}`,
      'limits',
    )
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
}
