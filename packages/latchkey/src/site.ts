import { excerpt } from './encoding/excerpt.ts'
import { AuthError } from './errors.ts'
import { ignoredProxy, ignoresProxy } from './http/ignored-proxy.ts'
import type { Arrived } from './http/pending-request.ts'
import { publicOrigin } from './http/public-origin.ts'
import {
  addressUnlike,
  askedElsewhere,
  isLoopback,
  notAsked,
  shownElsewhere,
} from './http/shown-address.ts'
import type { AuthConfig } from './options/auth-config.ts'
import type { Awaitable } from './options/awaitable.ts'
import { type Env, trustsForwarded, withEnv } from './options/env.ts'
import type { WarningCode } from './options/logger.ts'
import { around } from './options/markers.ts'
import { createLogger } from './options/redacting-logger.ts'
import { systemPorts } from './ports.ts'
import { withStateCookie } from './session/state-cookie.ts'

/** A configuration, or a function that receives the request and returns one. */
export type ConfigSource<Config extends AuthConfig> =
  | Config
  | ((request: Request | undefined) => Awaitable<Config>)

/** The origin of a request, and the configuration for it. */
export interface Arrival {
  /** The site's own scheme, host and port, whatever the runtime saw. */
  readonly origin: string
  readonly config: AuthConfig
}

/** An application's site: its configuration, filled in from the environment, and its address. */
export interface Site {
  config(request?: Request): Promise<AuthConfig>
  arrive(request: Request): Promise<Arrival>
  /** The same at once, where the configuration does not depend on a request. */
  readonly arriveAt: ((request: Arrived) => Arrival) | undefined
  /** Scheme, host and port, if they are configured. */
  readonly origin: string | undefined
  /** The configuration, where it does not depend on a request. */
  readonly fixed: AuthConfig | undefined
}

/** @throws {AuthError} when the environment says something that cannot be used. */
export function createSite<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  given: Env,
): Site {
  const env = withOldNames(given)
  const origin = originOf(env['AUTH_URL'])
  const forwarded = trustsForwarded(env)
  const complete = completer(env, origin)
  const own = (request: Request | undefined): Awaitable<AuthConfig> =>
    typeof source === 'function' ? source(request) : source

  const said = new Set<WarningCode>()
  const warn = (code: WarningCode, detail: string, { logger, debug = false }: AuthConfig): void => {
    if (said.has(code)) return
    said.add(code)
    createLogger(logger, debug, systemPorts.console).warn(code, detail)
  }

  /** What a proxy says is ignored until somebody says that it may. */
  const lookForProxy = ({ url, headers }: Arrived, config: AuthConfig): void => {
    if (ignoresProxy(new URL(url).protocol, headers.get('x-forwarded-proto')))
      warn('proxy-not-trusted', ignoredProxy('AUTH_TRUST_HOST=true'), config)
  }

  const lookForAddress = ({ headers }: Arrived, taken: string, config: AuthConfig): void => {
    const shown = shownElsewhere(headers, taken)
    if (shown !== undefined) warn('address-mismatch', addressUnlike(shown, taken), config)
  }

  /** In development nothing stands in front, so that what the runtime sees is what the browser asked for. */
  const looksForPlace = origin !== undefined && env['NODE_ENV'] !== 'production'
  const lookForPlace = (request: Arrived, taken: string, config: AuthConfig): void => {
    const asked = askedElsewhere(request, taken)
    if (asked !== undefined) warn('address-mismatch', notAsked(asked, taken), config)
  }

  const arriveAt = (request: Arrived, config: AuthConfig): Arrival => {
    const completed = complete(config)
    const trusts = config.trustHost ?? forwarded
    // Where the host is not trusted either, the request is refused.
    const isDeaf = origin === undefined && !trusts && completed.trustHost !== false
    if (isDeaf) lookForProxy(request, config)
    const address = publicOrigin(request, origin, trusts)
    if (request.method === 'POST') lookForAddress(request, address, config)
    if (looksForPlace) lookForPlace(request, address, config)
    return { origin: address, config: completed }
  }

  return {
    origin,
    fixed: typeof source === 'function' ? undefined : complete(source),
    config: async (request) => complete(await own(request)),
    arrive: async (request) => arriveAt(request, await own(request)),
    arriveAt: typeof source === 'function' ? undefined : (request) => arriveAt(request, source),
  }
}

/** Fills configurations in, each once. */
function completer(env: Env, origin: string | undefined): (config: AuthConfig) => AuthConfig {
  const complete = (config: AuthConfig): AuthConfig => {
    const wrapped = config.session?.stateCookie ? { [around]: [withStateCookie] } : {}
    const filled = { ...withEnv(env, config), ...wrapped }
    // Every request counts as one for the configured address, whatever host it names.
    const isList = Array.isArray(filled.trustHost) && origin !== undefined
    return Object.freeze(isList ? { ...filled, trustHost: true } : filled)
  }
  const completed = new WeakMap<AuthConfig, AuthConfig>()
  return (config) => {
    let known = completed.get(config)
    if (!known) completed.set(config, (known = complete(config)))
    return known
  }
}

/** The names that variables had in version 4 count where the new ones are not set. */
export function withOldNames(env: Env): Env {
  const named = (value: string | undefined): PropertyDescriptor => ({ value, enumerable: true })
  // Not copied: some frameworks tell the value of a name, and no names.
  return Object.create(env, {
    AUTH_URL: named(env['AUTH_URL'] || env['NEXTAUTH_URL']),
    AUTH_SECRET: named(env['AUTH_SECRET'] || env['NEXTAUTH_SECRET']),
  }) as Env
}

/** @throws {AuthError} when it is set to something else than an address. */
export function originOf(url: string | undefined): string | undefined {
  if (!url) return undefined
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' }
  // Ignoring it would leave the choice of the host to whoever sends a request.
  if (!/^https?:$/.test(protocol)) {
    throw new AuthError(
      `AUTH_URL must be an http or https address, got ${JSON.stringify(excerpt(url))}${likely(url)}`,
    )
  }
  return origin
}

/** What was probably meant: most forget the scheme. */
function likely(url: string): string {
  const host = url.replace(/^[a-z]*:?\/\//i, '')
  const scheme = isLoopback(host.split(/[:/]/, 1)[0] ?? '') ? 'http' : 'https'
  const address = `${scheme}://${host}`
  return URL.canParse(address) && new URL(address).hostname !== ''
    ? `; set AUTH_URL=${address}`
    : ''
}
