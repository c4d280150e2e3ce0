import {
  type AdapterUser,
  type Awaitable,
  checkOptions,
  listOf,
  type OptionRule,
  oneOf,
  type Session,
  seconds,
  someText,
  type User,
} from '../../../entries/plugin.ts'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'
import { refuse } from '../option-checks.ts'
import { SCOPES } from '../scopes.ts'

/** An API that takes tokens. */
export interface AudienceOptions {
  /** Scopes that a token for this API may have. @default none */
  readonly scopes?: readonly string[] | undefined
  /** Seconds until a token for this API expires, 30 to 3600. @default `maxAge` of all */
  readonly maxAge?: number | undefined
  /**
   * Asks the store for each token whether the session is still valid.
   *
   * It needs the plugin `sessions`.
   *
   * @default false
   */
  readonly sensitive?: boolean | undefined
}

/** The arguments of `claims` and `mayIssue`. */
export interface TokenRequest {
  /** The session as the browser receives it. */
  readonly session: Session
  readonly user: User | AdapterUser
  readonly audience: string
  /** The requested scopes; all of the audience if none were requested. */
  readonly scopes: readonly string[]
}

/** Options of signed tokens. */
export interface JwtOptions {
  /** The APIs, by their value of `aud`: at least one, each with the options below. */
  readonly audiences: Readonly<Record<string, AudienceOptions>>
  /**
   * The algorithm: `ES256`, or `EdDSA` (Ed25519), the only one with derived keys.
   *
   * @default `'ES256'`, with derived keys `'EdDSA'`
   */
  readonly alg?: SigningAlgorithm | undefined
  /** Seconds until a token expires, 30 to 3600. @default 300 */
  readonly maxAge?: number | undefined
  /**
   * The keys that sign: `records`, `derived`, or a list of private keys (JWK).
   *
   * `'records'` makes keys, stores them sealed and replaces them in time. `'derived'` derives them from `secret`,
   * without a store. The first key of a list signs.
   *
   * @default 'records'
   */
  readonly keys?: 'records' | 'derived' | readonly JsonWebKey[] | undefined
  /** Seconds until the next key signs. @default 7776000 (90 days) */
  readonly rotateEvery?: number | undefined
  /** Seconds for which a key is published before it signs. @default 86400 */
  readonly publishAhead?: number | undefined
  /** Seconds for which a key stays published after its last token expired. @default 86400 */
  readonly keepAfter?: number | undefined
  /** The value of `iss`. @default origin and base path */
  readonly issuer?: string | undefined
  /** The value of `client_id`. @default 'latchkey' */
  readonly clientId?: string | undefined
  /**
   * Returns additional claims.
   *
   * It receives `{ session, user, audience, scopes }`. It cannot set `iss`, `sub`, `aud`, `client_id`, `iat`, `exp`,
   * `jti`, `sid`, `auth_time`, `amr`, `acr`, `scope`, `nbf`, `cnf`, `act` and `azp`. If it returns one of them, the
   * library logs the warning `token-claims`.
   *
   * @default none
   */
  readonly claims?:
    | ((asked: TokenRequest) => Awaitable<Readonly<Record<string, unknown>>>)
    | undefined
  /**
   * Returns whether this user may have the token, or the list of scopes that it may have.
   *
   * It receives `{ session, user, audience, scopes }`.
   *
   * @default everybody
   */
  readonly mayIssue?: ((asked: TokenRequest) => Awaitable<boolean | readonly string[]>) | undefined
}

/** An API, with the defaults. */
export interface Audience {
  readonly scopes: readonly string[]
  /** In seconds. */
  readonly maxAge: number
  readonly sensitive: boolean
}

/** The options with their defaults; ages are in seconds. */
export interface JwtSettings extends Pick<JwtOptions, 'issuer' | 'claims' | 'mayIssue'> {
  readonly audiences: ReadonlyMap<string, Audience>
  readonly alg: SigningAlgorithm
  readonly keys: 'records' | 'derived' | readonly JsonWebKey[]
  readonly rotateEvery: number
  readonly publishAhead: number
  readonly keepAfter: number
  readonly clientId: string
  /** The longest lifetime of all audiences. */
  readonly longestAge: number
}

const DAY = 86_400
const DECADE = 10 * 365 * DAY
const LONGEST_AUDIENCE = 500
/** Of a token. */
const AGE: OptionRule = seconds(30, 3600)
const ISSUER: OptionRule = {
  expected: 'a URL without a query, a fragment and a slash at its end',
  fits: (value) =>
    typeof value === 'string' && /^https?:\/\/[^?#\s]*[^?#\s/]$/.test(value) && URL.canParse(value),
}

/** @throws {TypeError} for an invalid option. */
export function jwtSettings(options: JwtOptions): JwtSettings {
  checkOptions(
    'tokens',
    options,
    {
      audiences: true,
      alg: oneOf('ES256', 'EdDSA'),
      maxAge: AGE,
      keys: oneOf('records', 'derived', listOf('keys')),
      rotateEvery: seconds(60, DECADE),
      publishAhead: seconds(0, DECADE),
      keepAfter: seconds(0, DECADE),
      issuer: ISSUER,
      clientId: someText,
      claims: 'function',
      mayIssue: 'function',
    },
    { member: 'jwt' },
  )
  const {
    audiences,
    keys = 'records',
    alg = keys === 'derived' ? 'EdDSA' : 'ES256',
    maxAge = 300,
    rotateEvery = 90 * DAY,
    publishAhead = DAY,
    keepAfter = DAY,
    issuer,
    clientId = 'latchkey',
    claims,
    mayIssue,
  } = options
  checkSigning(keys, alg)
  if (rotateEvery <= publishAhead)
    refuse(
      'jwt',
      `\`rotateEvery\` must be above \`publishAhead\`, which is ${publishAhead}, got ${rotateEvery}`,
    )
  if (Array.isArray(audiences))
    refuse('jwt', '`audiences` must be an object with the names of the APIs, got a list')
  const entries = Object.entries(audiences ?? {})
  if (entries.length === 0) refuse('jwt', '`audiences` must name at least one API')
  const named = entries.map(([name, own]) => [name, audienceOf(name, own, maxAge)] as const)
  return {
    audiences: new Map(named),
    keys,
    alg,
    rotateEvery,
    publishAhead,
    keepAfter,
    issuer,
    clientId,
    claims,
    mayIssue,
    longestAge: Math.max(...named.map(([, own]) => own.maxAge)),
  }
}

function checkSigning(
  keys: NonNullable<JwtOptions['keys']>,
  alg: NonNullable<JwtOptions['alg']>,
): void {
  if (keys === 'derived' && alg !== 'EdDSA')
    refuse('jwt', 'derived keys are Ed25519; remove `alg`, or set `keys: "records"`')
  if (keys !== 'records' && keys !== 'derived') checkKeys(keys, alg)
}

function audienceOf(name: string, own: AudienceOptions, usual: number): Audience {
  const where = `audiences[${JSON.stringify(name.slice(0, 60))}]`
  checkOptions(
    'tokens',
    own,
    { scopes: SCOPES, maxAge: AGE, sensitive: 'boolean' },
    { member: `jwt.${where}` },
  )
  const { scopes = [], maxAge, sensitive = false } = own
  if (name === '' || name.length > LONGEST_AUDIENCE)
    refuse('jwt', `${where}: the name must have 1 to ${LONGEST_AUDIENCE} characters`)
  return { scopes, maxAge: maxAge ?? usual, sensitive }
}

/** The errors do not show values of keys, which are secret. */
function checkKeys(keys: readonly JsonWebKey[], alg: SigningAlgorithm): void {
  const [kty, crv] = alg === 'ES256' ? ['EC', 'P-256'] : ['OKP', 'Ed25519']
  if (keys.length === 0) refuse('jwt', '`keys` is an empty list; add a private key')
  for (const [at, key] of keys.entries()) {
    if (key?.kty !== kty || key.crv !== crv)
      refuse('jwt', `\`keys[${at}]\` must be a key for ${alg}: kty ${kty}, crv ${crv}`)
    if (typeof key.d !== 'string')
      refuse(
        'jwt',
        `\`keys[${at}]\` is a public key; use a private key, which has the member \`d\``,
      )
  }
}
