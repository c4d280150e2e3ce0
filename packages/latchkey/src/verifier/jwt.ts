import type { Awaitable } from '../base/awaitable.ts'
import type { Secret } from '../base/crypto/crypto.ts'
import { isJsonObject } from '../base/encoding/json.ts'
import { JWTSessionError, MissingSecret, toError } from '../base/errors.ts'
import { kindOfValue } from '../base/kind-of-value.ts'
import { systemPorts } from '../base/ports.ts'
import { readAllChunked, readChunked } from '../http/cookies/cookie-chunks.ts'
import { type CookieJar, parseCookies } from '../http/cookies/cookies.ts'
import type { JWT } from '../model/jwt.ts'
import { AGE_LIMIT } from '../option-checks/judge.ts'
import type { JWTDecodeParams, JWTEncodeParams } from '../options/auth-config.ts'
import { cookieSpecs } from '../options/cookie-policy.ts'
import { type Env, processEnv } from '../options/env.ts'
import type { LoggerInstance } from '../options/logger.ts'
import { secretsOf } from '../options/secrets.ts'
import { NEXT_AUTH_4_COOKIE, nextAuth4TokenOpener } from '../protocols/sealing/next-auth-4.ts'
import { createSealer, whyUnopened } from '../protocols/sealing/sealer.ts'

export type { DefaultJWT, JWT } from '../model/jwt.ts'
export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from '../options/auth-config.ts'

/** Seconds: 30 days. */
const MAX_AGE = 30 * 24 * 60 * 60

/**
 * Seals claims as a session token: compact JWE with direct encryption (RFC 7516).
 *
 * @throws {TypeError} without a secret, if `token` is not a plain object, or if `maxAge` is not a number of seconds
 *   that ends at a date.
 */
export async function encode<Payload = JWT>({
  token,
  salt,
  secret,
  maxAge = MAX_AGE,
}: Omit<JWTEncodeParams, 'token' | 'secret'> &
  Secrets & {
    token?: Payload | undefined
  }): Promise<string> {
  const claims: unknown = token === undefined ? {} : token
  if (!isClaims(claims)) {
    throw new TypeError(`encode: \`token\` must be an object of claims, got ${kindOfValue(token)}`)
  }
  if (!(typeof maxAge === 'number' && Math.abs(maxAge) < AGE_LIMIT)) {
    throw new TypeError(
      `encode: \`maxAge\` must be a number of seconds below ${AGE_LIMIT}, got ${typeof maxAge === 'number' ? maxAge : kindOfValue(maxAge)}`,
    )
  }
  return createSealer(sealingSecrets(secret), salt).seal(claims, maxAge, systemPorts)
}

/** The secret of a token, or a list of accepted secrets. */
interface Secrets {
  secret: Secret | readonly Secret[]
}

function sealingSecrets(secret: Secrets['secret']): readonly Secret[] {
  const all = typeof secret === 'string' || secret instanceof Uint8Array ? [secret] : secret
  return (all ?? []).filter((one) => one?.length > 0)
}

/** Arrays, dates, maps and similar objects have no claims, or lose them in JSON. */
function isClaims(value: unknown): value is Record<string, unknown> {
  return isJsonObject(value) && Object.prototype.toString.call(value) === '[object Object]'
}

/**
 * Opens a session token.
 *
 * @returns the claims, or `null` without a token.
 * @throws {JWTSessionError} if the token was sealed with another secret, was changed, or has expired.
 */
export async function decode<Payload = JWT>({
  token,
  salt,
  secret,
}: Omit<JWTDecodeParams, 'secret'> & Secrets): Promise<Payload | null> {
  if (!token) return null
  if (typeof token !== 'string') throw new JWTSessionError('the token must be a string')
  const secrets = sealingSecrets(secret)
  const opened = await createSealer(secrets, salt).open(token, systemPorts)
  if (!opened) {
    const why = await whyUnopened(token, secrets, salt, systemPorts)
    throw new JWTSessionError(`the token cannot be opened: ${why}`)
  }
  return opened.claims as Payload
}

type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface GetTokenParams<Raw extends boolean = false> {
  /** A web `Request` or a Node.js request, for example of an API route in the `pages` directory. */
  req: Request | { headers: Headers | NodeHeaders }
  secret?: string | readonly string[] | undefined
  /** Whether the site uses https, for the default name of the cookie. @default whether `AUTH_URL` does, or `VERCEL` is set */
  secureCookie?: boolean
  cookieName?: string
  /** @default the cookie name */
  salt?: string
  /** Returns the token as a string, without opening it. */
  raw?: Raw
  decode?: (params: JWTDecodeParams) => Awaitable<JWT | null>
  /**
   * Other libraries whose session tokens are accepted if the request has none of Latchkey: `next-auth@4`.
   *
   * @default none
   * @see docs/how-to/move-from-next-auth-4.md#gettoken
   */
  acceptSessionsFrom?: readonly 'next-auth@4'[] | undefined
  /** Its `debug` receives the reason if a token cannot be opened. */
  logger?: Partial<LoggerInstance>
}

/**
 * Returns the session token of a request, from its cookie or, without a cookie, from `Authorization: Bearer`.
 *
 * @returns `null` without a token, or if the token cannot be opened.
 * @throws {MissingSecret} if there is a token but no secret.
 */
export async function getToken(params: GetTokenParams<true> & { raw: true }): Promise<string | null>
export async function getToken(params: GetTokenParams): Promise<JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secret, secureCookie = usesHttps(processEnv()), raw = false } = params
  if (!req) throw new TypeError('getToken: `req` is missing; pass the request')
  const headers = req.headers instanceof Headers ? req.headers : fromNode(req.headers)
  const cookieName = params.cookieName ?? cookieSpecs(secureCookie).sessionToken.name
  const jar = parseCookies(headers.get('cookie'))
  const acceptsEarlier = params.acceptSessionsFrom?.includes('next-auth@4') ?? false
  const earlierName = `${secureCookie ? '__Secure-' : ''}${NEXT_AUTH_4_COOKIE}`
  const bearer = bearerToken(headers)
  const earlier = acceptsEarlier ? readChunked(jar, earlierName) : undefined
  const token = readChunked(jar, cookieName) ?? earlier ?? bearer
  if (!token) return null
  if (raw) return token
  const secrets = secretsOf(secret)
  if (secrets.length === 0)
    throw new MissingSecret('getToken: `secret` is missing; pass the secret of the application')
  const salt = params.salt ?? cookieName
  const opened = await openFirst(candidates(jar, cookieName, bearer), salt, secrets, params)
  if (opened !== null || !acceptsEarlier) return opened
  const openEarlier = nextAuth4TokenOpener(secrets)
  for (const each of candidates(jar, earlierName, bearer)) {
    const opened = await openEarlier(each, systemPorts)
    if (opened) return opened
  }
  return null
}

/** Opens the first of several values that can be opened: a cookie that came more than once has several. */
async function openFirst(
  values: readonly string[],
  salt: string,
  secret: readonly string[],
  { decode: open = decode, logger }: Pick<GetTokenParams, 'decode' | 'logger'>,
): Promise<JWT | null> {
  for (const token of values) {
    try {
      const opened = await open({ token, salt, secret })
      if (opened !== null) return opened
    } catch (error) {
      logger?.debug?.('getToken', { error: toError(error).message })
    }
  }
  return null
}

/** Without an address, a deployment on Vercel has https. */
function usesHttps(env: Env): boolean {
  const address = env['AUTH_URL'] || env['NEXTAUTH_URL']
  return address ? /^\s*https:/i.test(address) : Boolean(env['VERCEL'])
}

/** Returns the values of a cookie, or without one the bearer token. */
function candidates(jar: CookieJar, name: string, bearer: string | undefined): readonly string[] {
  const first = readChunked(jar, name)
  if (first === undefined) return bearer === undefined ? [] : [bearer]
  return [...new Set([first, ...readAllChunked(jar, name)])]
}

/** Omits the pseudo-headers of HTTP/2. The stand-in for a request in a test may have no headers. */
function fromNode(headers: NodeHeaders = {}): Headers {
  const given = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && name[0] !== ':',
  )
  return new Headers(given.map(([name, value]): [string, string] => [name, String(value)]))
}

function bearerToken(headers: Headers): string | undefined {
  const [scheme, value] = headers.get('authorization')?.split(' ') ?? []
  if (scheme !== 'Bearer' || !value) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
