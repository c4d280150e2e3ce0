import {
  AuthError,
  isAuthError,
  lineOf,
  MissingSecret,
  toError,
  UnsupportedStrategy,
  UntrustedHost,
} from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import { warnOnceOnConsole } from '../base/warnings.ts'
import { compileCallbacks } from '../core/compile/callbacks.ts'
import { sessionAges, tokenSecret } from '../core/compile/session-options.ts'
import {
  isAmbiguous,
  readAllChunked,
  readChunked,
  withOneValue,
} from '../http/cookies/cookie-chunks.ts'
import type { CookieJar } from '../http/cookies/cookies.ts'
import { compileHosts } from '../http/origin/host-list.ts'
import { publicOrigin } from '../http/origin/public-origin.ts'
import type { SessionOf } from '../instance/create-latchkey.ts'
import { originOf, withOldNames } from '../instance/site.ts'
import type { JWT } from '../model/jwt.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { sessionCookieName } from '../options/cookie-policy.ts'
import { type Env, processEnv, secretsIn, trustsForwarded } from '../options/env.ts'
import { secretsOf } from '../options/secrets.ts'
import { strategyOf } from '../options/strategy.ts'
import { NEXT_AUTH_4_COOKIE, nextAuth4Opener } from '../protocols/sealing/next-auth-4.ts'
import { type EdgeHalf, uncheckedBy, type WithEdgeHalf } from '../session/at-edge.ts'
import { ownClaims, restored } from '../session/claims.ts'
import { type SessionFacts, sealedFacts } from '../session/facts.ts'
import { createJwtDecoder, whyNotDecoded } from '../session/keeping/jwt-codec.ts'
import {
  applyJwtCallback,
  expiryOf,
  openToken,
  publicSession,
} from '../session/keeping/jwt-sessions.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { Revocations } from './revocations.ts'

export type { SessionOf } from '../instance/create-latchkey.ts'
export {
  createTokenVerifier,
  type TokenClaims,
  type TokenSource,
  type TokenVerifierOptions,
  type VerifyToken,
} from './token-verifier.ts'

/** The part of a configuration that is needed to read sessions. Other members are ignored. */
export type VerifierConfig = Partial<
  Pick<
    AuthConfig,
    | 'acceptSessionsFrom'
    | 'adapter'
    | 'callbacks'
    | 'cookies'
    | 'jwt'
    | 'logger'
    | 'plugins'
    | 'secret'
    | 'session'
    | 'trustHost'
    | 'useSecureCookies'
  >
> & {
  /** The ended sessions: `revocations({ url })` of `latchkey/verify/revocations`. @default ended sessions are not checked */
  revocations?: Revocations | undefined
}

/** Returns the session, or `null` without one. Sets no cookie and emits no event. */
export interface Verify<Config extends VerifierConfig = VerifierConfig> {
  (input: Request | Headers): Promise<SessionOf<Config> | null>
  /** Also returns the reason if there is no session. */
  result(input: Request | Headers): Promise<Verified<Config>>
}

export interface Verified<Config extends VerifierConfig = VerifierConfig> {
  readonly session: SessionOf<Config> | null
  /** The session could not be read; nobody is signed out. */
  readonly failed: boolean
  /** The session was ended. */
  readonly ended: boolean
}

/**
 * Reads sealed sessions from cookies. It returns the same session as `createLatchkey(config).auth`,
 * but needs no providers, adapter and pages. If the secret or the URL is omitted, it is read
 * from the environment. If a session cannot be read, the reason is logged to `logger`, or else to the console.
 *
 * @throws {UnsupportedStrategy} if the sessions are stored in a database.
 * @throws {MissingSecret} without a secret.
 */
export function createVerifier<const Config extends VerifierConfig>(
  config: Config,
  given: Env = processEnv(),
): Verify<Config> {
  const complete: AuthConfig = { ...config, providers: [] }
  if (strategyOf(complete) === 'database') {
    throw new UnsupportedStrategy(
      "sessions are in a database, so only the adapter can read them; set `session: { strategy: 'jwt' }`, or use `createLatchkey(config).auth`",
    )
  }
  const env = withOldNames(given)
  const { trustHost = trustsForwarded(env), useSecureCookies, cookies, logger } = config
  const configured = originOf(env['AUTH_URL'])
  // With AUTH_URL, the host of a request does not matter.
  const isTrusted =
    Array.isArray(trustHost) && configured === undefined ? compileHosts(trustHost) : () => true
  const fail = (error: Error): Verified<Config> => {
    if (logger?.error) logger.error(error)
    else console.error(`[latchkey][error] ${lineOf(error)}`)
    // A refused token means that there is no session.
    const isRefused = isAuthError(error) && error.type === 'JWTSessionError'
    return { session: null, failed: !isRefused, ended: false }
  }
  const plugins = (config.plugins ?? []) as readonly WithEdgeHalf[]
  for (const plugin of config.revocations ? [] : plugins) {
    const unchecked = uncheckedBy(plugin, systemPorts)
    if (unchecked === undefined) continue
    const detail = `${unchecked}; set \`revocations\` (latchkey/verify/revocations), or let the application decide about important requests`
    if (logger?.warn) logger.warn('sessions-unchecked', detail)
    else warnOnceOnConsole(console, 'sessions-unchecked', detail)
  }
  const hooks = plugins.flatMap((plugin) => plugin.atEdge?.(systemPorts) ?? [])
  const read = reader(complete, env, config.revocations, hooks)

  const result: Verify<Config>['result'] = async (input) => {
    const isRequest = input instanceof Request
    const origin = isRequest ? publicOrigin(input, configured, trustHost) : configured
    if (origin !== undefined && !isTrusted(origin)) {
      return fail(new UntrustedHost('the host of a request is not in `trustHost`'))
    }
    const asked = sessionRequest(input, origin)
    const name = sessionCookieName(useSecureCookies ?? asked.secure, cookies)
    try {
      const session = await read(asked, name)
      const ended = session === ENDED
      return { session: ended ? null : (session as SessionOf<Config> | null), failed: false, ended }
    } catch (error) {
      return fail(toError(error))
    }
  }
  return Object.assign(async (input: Request | Headers) => (await result(input)).session, {
    result,
  })
}

/** Returned instead of an ended session. */
const ENDED = Symbol('ended')

/** Returns a function that reads the session from its cookies. @throws if the token is invalid or cannot be read. */
function reader(
  config: AuthConfig,
  env: Env,
  revocations: Revocations | undefined,
  hooks: readonly EdgeHalf[],
): (request: SessionRequest, cookieName: string) => Promise<unknown> {
  const own = secretsOf(config.secret).length > 0 ? config.secret : undefined
  const secret = tokenSecret(config, own ?? secretsIn(env))
  const secrets = secretsOf(secret)
  if (secrets.length === 0) throw new MissingSecret('set `secret` (or AUTH_SECRET)')
  const userId = config.session?.userId ?? true
  const callbacks = compileCallbacks({ ...config, session: { ...config.session, userId } })
  const { maxAge, tokenMaxAge } = sessionAges(config)
  const decode = createJwtDecoder(
    { secret, maxAge: tokenMaxAge, decode: config.jwt?.decode },
    clock,
  )
  const why = whyNotDecoded({ secret, decode: config.jwt?.decode }, clock)
  const openEarlier = config.acceptSessionsFrom?.length ? nextAuth4Opener(secrets) : undefined
  // The proofs of plugins use `secret`, even if `jwt.secret` seals the sessions.
  const revoked = revocations?.with(secretsOf(own ?? secretsIn(env)))

  return async (given, cookieName) => {
    const { request, claims } = await newest(given, cookieName)
    if (claims && (await isEnded(claims, request, cookieName))) return ENDED
    const told = claims && (await tokenFor(claims))
    if (!claims || !told) return null
    const expires = expiryOf(claims, clock.now(), maxAge)
    let session = (await publicSession(told, new Date(expires), callbacks)) ?? null
    for (const { shown } of hooks) {
      if (!session || !shown) continue
      session = await shown(session, await factsOf(claims, request, cookieName))
    }
    return session
  }

  /** Returns the token after the `jwt` callback, with the claims of plugins as they were. */
  async function tokenFor(claims: JWT): Promise<JWT | null> {
    if (hooks.length === 0 || !callbacks.jwt) return applyJwtCallback(claims, callbacks)
    // A copy, because the callback may change its argument.
    const token = await applyJwtCallback(structuredClone(claims), callbacks)
    return token && restored(token, claims, ownClaims(hooks))
  }

  async function factsOf(
    claims: JWT,
    request: SessionRequest,
    cookieName: string,
  ): Promise<SessionFacts> {
    const token = (): string => readChunked(request.cookies, cookieName) ?? ''
    return sealedFacts(claims, token, expiryOf(claims, clock.now(), maxAge))
  }

  async function isEnded(
    claims: JWT,
    request: SessionRequest,
    cookieName: string,
  ): Promise<boolean> {
    const token = readChunked(request.cookies, cookieName) ?? ''
    if (hooks.length > 0 && (await isRefused(await factsOf(claims, request, cookieName), request)))
      return true
    return (await revoked?.isEnded(claims, token)) ?? false
  }

  async function isRefused(facts: SessionFacts, request: SessionRequest): Promise<boolean> {
    for (const { onRead } of hooks) {
      const verdict = await onRead?.(facts, { now: clock.now(), readOnly: true, request })
      if (verdict === 'ended' || verdict === 'replaced') return true
      if (verdict === 'unsure')
        throw new AuthError(
          'a plugin cannot check without the store whether a session is still valid',
        )
    }
    return false
  }

  /** If a cookie came more than once, returns the newest session that is valid, or else the first result. */
  async function newest(
    given: SessionRequest,
    cookieName: string,
  ): Promise<{ request: SessionRequest; claims: JWT | undefined }> {
    let best: { request: SessionRequest; claims: JWT } | undefined
    if (isAmbiguous(given.cookies, cookieName)) {
      for (const value of readAllChunked(given.cookies, cookieName)) {
        const request = { ...given, cookies: withOneValue(given.cookies, cookieName, value) }
        const claims = await open(request.cookies, cookieName).catch(() => undefined)
        if (!claims || Number(claims['iat']) <= Number(best?.claims['iat'])) continue
        if (!(await isEnded(claims, request, cookieName))) best = { request, claims }
      }
    }
    return best ?? { request: given, claims: await open(given.cookies, cookieName) }
  }

  async function open(jar: CookieJar, cookieName: string): Promise<JWT | undefined> {
    const value = readChunked(jar, cookieName)
    if (value !== undefined || !openEarlier) {
      return (await openToken(value, cookieName, { decode, why }))?.claims
    }
    const prefix = cookieName.startsWith('__Secure-') ? '__Secure-' : ''
    const earlier = readChunked(jar, prefix + NEXT_AUTH_4_COOKIE)
    const claims = earlier === undefined ? undefined : await openEarlier(earlier, clock)
    // As if the session had just been written, which the application does when it can set cookies.
    return claims && { ...claims, iat: Math.floor(clock.now() / 1000) }
  }
}

const clock = { now: (): number => Date.now() }
