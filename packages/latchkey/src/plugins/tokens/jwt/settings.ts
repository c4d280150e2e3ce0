import type { SigningAlgorithm } from '../../../jose/access-token.ts'
import type { Session } from '../../../model/session.ts'
import type { AdapterUser, User } from '../../../model/user.ts'
import type { Awaitable } from '../../../options/awaitable.ts'
import { checkScopes } from '../scopes.ts'

/** An API that takes tokens. */
export interface AudienceOptions {
  /** What a token may allow there. @default none */
  readonly scopes?: readonly string[] | undefined
  /** Seconds for which its tokens are good, 30 to 3600. @default `maxAge` of all */
  readonly maxAge?: number | undefined
  /** Asks the store whether the session goes on, for each token. Needs the plugin `sessions`. @default false */
  readonly sensitive?: boolean | undefined
}

/** Whom a token is for, and where. */
export interface TokenRequest {
  /** What the browser is told of the session. */
  readonly session: Session
  readonly user: User | AdapterUser
  readonly audience: string
  /** Those that were asked for; all of the audience where none were. */
  readonly scopes: readonly string[]
}

/** Options of signed tokens. */
export interface JwtOptions {
  /** The APIs, by what `aud` of their tokens says; at least one. */
  readonly audiences: Readonly<Record<string, AudienceOptions>>
  /** @default 'ES256', with derived keys 'EdDSA' */
  readonly alg?: SigningAlgorithm | undefined
  /** Seconds for which a token is good, 30 to 3600. @default 300 */
  readonly maxAge?: number | undefined
  /**
   * Where the signing keys come from: they are made, stored sealed and replaced in time (`records`), made of `secret`
   * (`derived`, Ed25519 only), or yours: private keys, of which the first signs.
   *
   * @default 'records'
   */
  readonly keys?: 'records' | 'derived' | readonly JsonWebKey[] | undefined
  /** Seconds after which another key signs. @default 7776000 (90 days) */
  readonly rotateEvery?: number | undefined
  /** Seconds for which a key is published before it signs. @default 86400 */
  readonly publishAhead?: number | undefined
  /** Seconds for which a key stays published after its last token is over. @default 86400 */
  readonly keepAfter?: number | undefined
  /** What `iss` says. @default origin and base path of the site */
  readonly issuer?: string | undefined
  /** What `client_id` says. @default 'latchkey' */
  readonly clientId?: string | undefined
  /** Further claims. Those that say whose the token is, and what it is good for, cannot be set. */
  readonly claims?:
    | ((asked: TokenRequest) => Awaitable<Readonly<Record<string, unknown>>>)
    | undefined
  /**
   * May this user have this token? A list: only with these scopes.
   *
   * @default everybody who is signed in, with all scopes they ask for
   */
  readonly mayIssue?: ((asked: TokenRequest) => Awaitable<boolean | readonly string[]>) | undefined
}

/** An API, with the defaults. */
export interface Audience {
  readonly scopes: readonly string[]
  /** Seconds. */
  readonly maxAge: number
  readonly sensitive: boolean
}

/** The same with their defaults; ages are seconds. */
export interface JwtSettings extends Pick<JwtOptions, 'issuer' | 'claims' | 'mayIssue'> {
  readonly audiences: ReadonlyMap<string, Audience>
  readonly alg: SigningAlgorithm
  readonly keys: 'records' | 'derived' | readonly JsonWebKey[]
  readonly rotateEvery: number
  readonly publishAhead: number
  readonly keepAfter: number
  readonly clientId: string
  /** Of all audiences. */
  readonly longestAge: number
}

const DAY = 86_400
const LONGEST_AUDIENCE = 500

/** @throws {TypeError} for an option that is none. */
export function jwtSettings({
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
}: JwtOptions): JwtSettings {
  if (alg !== 'ES256' && alg !== 'EdDSA')
    fail(`\`alg\` must be ES256 or EdDSA, got ${JSON.stringify(alg)}`)
  if (keys === 'derived' && alg !== 'EdDSA')
    fail('derived keys are Ed25519: leave out `alg`, or store keys with `keys: "records"`')
  if (Array.isArray(keys)) checkKeys(keys, alg)
  else if (keys !== 'records' && keys !== 'derived')
    fail(`\`keys\` must be 'records', 'derived' or a list of keys, got ${JSON.stringify(keys)}`)
  checkSeconds('maxAge', maxAge, 30, 3600)
  checkSeconds('publishAhead', publishAhead, 0)
  checkSeconds('keepAfter', keepAfter, 0)
  checkSeconds('rotateEvery', rotateEvery, Math.max(60, publishAhead + 1))
  if (issuer !== undefined) checkIssuer(issuer)
  if (typeof clientId !== 'string' || clientId === '') fail('`clientId` must be a text')
  for (const [option, value] of Object.entries({ claims, mayIssue }))
    if (value !== undefined && typeof value !== 'function') fail(`\`${option}\` must be a function`)
  if (Array.isArray(audiences))
    fail('`audiences` must be an object with the names of the APIs, got a list')
  const entries = Object.entries(audiences ?? {})
  if (entries.length === 0) fail('`audiences` must name at least one API')
  const named = entries.map(([name, own]) => [name, audienceOf(name, own, maxAge)] as const)
  return {
    audiences: new Map(named),
    keys: keys as JwtSettings['keys'],
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

function audienceOf(name: string, own: AudienceOptions, usual: number): Audience {
  const where = `audiences[${JSON.stringify(name.slice(0, 60))}]`
  if (Object(own) !== own) fail(`\`${where}\` must be an object, got ${JSON.stringify(own)}`)
  const { scopes = [], maxAge, sensitive = false } = own
  if (name === '' || name.length > LONGEST_AUDIENCE)
    fail(`${where}: a name has 1 to ${LONGEST_AUDIENCE} characters`)
  checkSeconds(`${where}.maxAge`, maxAge ?? usual, 30, 3600)
  checkScopes(`${where}.scopes`, scopes)
  return { scopes, maxAge: maxAge ?? usual, sensitive }
}

/** Not which of its values: they are secret. */
function checkKeys(keys: readonly JsonWebKey[], alg: SigningAlgorithm): void {
  const [kty, crv] = alg === 'ES256' ? ['EC', 'P-256'] : ['OKP', 'Ed25519']
  if (keys.length === 0) fail('`keys` is an empty list; the first key signs')
  for (const [at, key] of keys.entries()) {
    if (key?.kty !== kty || key.crv !== crv)
      fail(`\`keys[${at}]\` must be a key for ${alg}: kty ${kty}, crv ${crv}`)
    if (typeof key.d !== 'string')
      fail(`\`keys[${at}]\` is public; private keys have a member \`d\``)
  }
}

function checkIssuer(issuer: string): void {
  const isFit = /^https?:\/\/[^?#\s]+$/.test(issuer) && URL.canParse(issuer)
  if (!isFit || issuer.endsWith('/'))
    fail(
      `\`issuer\` must be an address without query, fragment and slash at its end, got ${JSON.stringify(issuer)}`,
    )
}

function checkSeconds(option: string, value: number, least: number, most = 10 * 365 * DAY): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  fail(
    `\`${option}\` must be a whole number of seconds from ${least} to ${most}, got ${String(value)}`,
  )
}

function fail(message: string): never {
  throw new TypeError(`tokens({ jwt }): ${message}`)
}
