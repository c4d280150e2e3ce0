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
import { compileHosts } from '../http/origin/host-list.ts'
import { publicOrigin } from '../http/origin/public-origin.ts'
import { originOf, withOldNames } from '../instance/site.ts'
import type { SessionOf } from '../instance/types.ts'
import type { JWT } from '../model/jwt.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { sessionCookieName } from '../options/cookie-policy.ts'
import { type Env, processEnv, secretsIn, trustsForwarded } from '../options/env.ts'
import { secretsOf } from '../options/secrets.ts'
import { strategyOf } from '../options/strategy.ts'
import { withBrought } from '../plan/brought-plugins.ts'
import { nextAuth4Opener } from '../protocols/sealing/next-auth-4.ts'
import { type EdgeHalf, uncheckedBy, type WithEdgeHalf } from '../session/at-edge.ts'
import type { Carried, Carrier } from '../session/carrier.ts'
import { findInCookie } from '../session/carriers/cookie.ts'
import { findNextAuth4 } from '../session/carriers/next-auth-4.ts'
import { newestFirst } from '../session/carriers/repeated.ts'
import { ownClaims, restored } from '../session/claims.ts'
import { type SessionFacts, sealedFacts } from '../session/facts.ts'
import { createJwtDecoder, type JwtCodec, whyNotDecoded } from '../session/keeping/jwt-codec.ts'
import {
  applyJwtCallback,
  expiryOf,
  openToken,
  publicSession,
} from '../session/keeping/sealed-read.ts'
import type { SessionCallbacks } from '../session/services.ts'
import { sessionRequest } from '../session/session-request.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { RevocationReader, Revocations } from './revocations.ts'

export type { SessionOf } from '../instance/types.ts'
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
  const { trustHost = trustsForwarded(env), logger } = config
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
  const plugins = (withBrought(config).plugins ?? []) as readonly WithEdgeHalf[]
  for (const plugin of config.revocations ? [] : plugins) {
    const unchecked = uncheckedBy(plugin, systemPorts)
    if (unchecked === undefined) continue
    const detail = `${unchecked}; set \`revocations\` (latchkey/verify/revocations), or let the application decide about important requests`
    if (logger?.warn) logger.warn('sessions-unchecked', detail)
    else warnOnceOnConsole(console, 'sessions-unchecked', detail)
  }
  const hooks = plugins.flatMap((plugin) => plugin.atEdge?.(systemPorts) ?? [])
  const reader = readerOf(complete, env, config.revocations, hooks)

  const result: Verify<Config>['result'] = async (input) => {
    const isRequest = input instanceof Request
    const origin = isRequest ? publicOrigin(input, configured, trustHost) : configured
    if (origin !== undefined && !isTrusted(origin)) {
      return fail(new UntrustedHost('the host of a request is not in `trustHost`'))
    }
    try {
      const session = await read(reader, sessionRequest(input, origin))
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

/** The parts of a configuration that sessions are read with. */
interface Reader {
  readonly carriers: readonly Pick<Carrier, 'find'>[]
  readonly hooks: readonly EdgeHalf[]
  readonly callbacks: SessionCallbacks
  readonly maxAge: number
  /** Returns the purpose of a token: the name of its cookie. */
  saltOf(secure: boolean): string
  readonly codec: Pick<JwtCodec, 'decode' | 'why'>
  readonly openEarlier: ReturnType<typeof nextAuth4Opener> | undefined
  readonly revoked: RevocationReader | undefined
}

/** An opened session. */
interface OpenSession {
  readonly claims: JWT
  readonly value: string
}

/** Compiles the carriers, the keeping and the hooks of a configuration, as far as they work without a store. */
function readerOf(
  config: AuthConfig,
  env: Env,
  revocations: Revocations | undefined,
  hooks: readonly EdgeHalf[],
): Reader {
  const { cookies, useSecureCookies, session, jwt, acceptSessionsFrom } = config
  const own = secretsOf(config.secret).length > 0 ? config.secret : undefined
  const secret = tokenSecret(config, own ?? secretsIn(env))
  const secrets = secretsOf(secret)
  if (secrets.length === 0) throw new MissingSecret('set `secret` (or AUTH_SECRET)')
  const { maxAge, tokenMaxAge } = sessionAges(config)
  const isSecure = (secure: boolean): boolean => useSecureCookies ?? secure
  const saltOf = (secure: boolean): string => sessionCookieName(isSecure(secure), cookies)
  const isCookieSecure = cookies?.sessionToken?.options?.secure
  return {
    carriers: [
      ...hooks.flatMap(({ carriers = [] }) => carriers),
      { find: (request) => findInCookie(request, saltOf(request.secure), true) },
      // Opened only if they are accepted.
      { find: (request) => findNextAuth4(request, isCookieSecure ?? isSecure(request.secure)) },
    ],
    hooks,
    callbacks: compileCallbacks({
      ...config,
      session: { ...session, userId: session?.userId ?? true },
    }),
    maxAge,
    saltOf,
    codec: {
      decode: createJwtDecoder({ secret, maxAge: tokenMaxAge, decode: jwt?.decode }, clock),
      why: whyNotDecoded({ secret, decode: jwt?.decode }, clock),
    },
    openEarlier: acceptSessionsFrom?.length ? nextAuth4Opener(secrets) : undefined,
    // The proofs of plugins use `secret`, even if `jwt.secret` seals the sessions.
    revoked: revocations?.with(secretsOf(own ?? secretsIn(env))),
  }
}

/** Reads the session of a request. @throws if the token is invalid or cannot be read. */
async function read(reader: Reader, request: SessionRequest): Promise<unknown> {
  const { hooks, callbacks, maxAge } = reader
  const carried = await find(reader, request)
  const opened = carried && (await open(reader, carried))
  if (!opened) return null
  if (await isEnded(reader, opened, request)) return ENDED
  const own = hooks.length > 0 ? ownClaims(hooks) : undefined
  const restore = own && ((token: JWT, claims: JWT) => restored(token, claims, own))
  const token = await applyJwtCallback(opened.claims, callbacks, restore)
  if (!token) return null
  const expires = expiryOf(opened.claims, clock.now(), maxAge)
  let session = (await publicSession(token, new Date(expires), callbacks)) ?? null
  for (const { shown } of hooks) {
    if (!session || !shown) continue
    session = await shown(session, await factsOf(reader, opened), { request })
  }
  return session
}

/** Returns what the first carrier finds. Of several values of one cookie, the newest valid one counts. */
async function find(reader: Reader, request: SessionRequest): Promise<Carried | null | undefined> {
  for (const carrier of reader.carriers) {
    const carried = await carrier.find(request)
    if (carried === undefined) continue
    // Without a store, nobody knows the users of programs.
    if (carried === null || 'refuse' in carried) return null
    const [newest] = await newestFirst(carried, async (one) => {
      const opened = await open(reader, one)
      const isValid = opened && !(await isEnded(reader, opened, request))
      return isValid ? Number(opened.claims['iat']) : undefined
    })
    return newest
  }
  return undefined
}

/** Opens a value. @returns `null` for one of another library that cannot be opened. */
async function open(
  { openEarlier, codec, saltOf }: Reader,
  { value, secure, from }: Carried,
): Promise<OpenSession | null> {
  if (!from) return { value, claims: (await openToken(value, saltOf(secure), codec)).claims }
  const claims = await openEarlier?.(value, clock)
  // As if the session had just been written, which the application does when it can set cookies.
  return claims ? { value, claims: { ...claims, iat: Math.floor(clock.now() / 1000) } } : null
}

async function factsOf({ maxAge }: Reader, { claims, value }: OpenSession): Promise<SessionFacts> {
  return sealedFacts(claims, () => value, expiryOf(claims, clock.now(), maxAge))
}

/** Returns whether a plugin or the list of ended sessions refuses a session. */
async function isEnded(
  reader: Reader,
  opened: OpenSession,
  request: SessionRequest,
): Promise<boolean> {
  const how = { now: clock.now(), readOnly: true, request }
  for (const { onRead } of reader.hooks) {
    const verdict = onRead && (await onRead(await factsOf(reader, opened), how))
    if (verdict === 'ended' || verdict === 'replaced') return true
    if (verdict === 'unsure')
      throw new AuthError(
        'a plugin cannot check without the store whether a session is still valid',
      )
  }
  return (await reader.revoked?.isEnded(opened.claims, opened.value)) ?? false
}

const clock = { now: (): number => Date.now() }
