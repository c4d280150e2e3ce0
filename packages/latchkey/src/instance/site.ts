import type { Awaitable } from '../base/awaitable.ts'
import { excerpt } from '../base/encoding/excerpt.ts'
import { AuthError } from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import { ignoredProxy, ignoresProxy, schemeUnlike } from '../http/origin/ignored-proxy.ts'
import { publicOrigin } from '../http/origin/public-origin.ts'
import {
  addressUnlike,
  differentAddress,
  isLoopback,
  requestedElsewhere,
  shownElsewhere,
} from '../http/origin/shown-address.ts'
import { normalizeBasePath } from '../http/paths/base-path.ts'
import type { Arrived } from '../http/pending-request.ts'
import { requestFault } from '../http/request-fault.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { type Env, pathOf, trustsForwarded, withEnv } from '../options/env.ts'
import type { WarningCode } from '../options/logger.ts'
import { stateCookieWith } from '../options/markers.ts'
import { createLogger } from '../options/redacting-logger.ts'
import { stateCookie } from '../session/carriers/state-cookie.ts'

/** A configuration, or a function that receives the request and returns one. */
export type ConfigSource<Config extends AuthConfig> =
  | Config
  | ((request: Request | undefined) => Awaitable<Config>)

/** The origin of a request, and the configuration for it. */
export interface Arrival {
  /** The public scheme, host and port of the site. */
  readonly origin: string
  readonly config: AuthConfig
}

/** The site of an application: its configuration, completed from the environment, and its address. */
export interface Site {
  config(request?: Request): Promise<AuthConfig>
  /** @throws {AuthError} if the value is not a request of the web. */
  arrive(request: Request): Promise<Arrival>
  /** The same without a promise, if the configuration does not depend on the request. */
  readonly arriveAt: ((request: Arrived) => Arrival) | undefined
  /** Scheme, host and port, if they are configured. */
  readonly origin: string | undefined
  /** The configuration, if it does not depend on the request. */
  readonly fixed: AuthConfig | undefined
}

/** @throws {AuthError} if a variable of the environment is invalid. */
export function createSite<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  given: Env,
): Site {
  const env = withOldNames(given)
  const origin = originOf(env['AUTH_URL'])
  const forwarded = trustsForwarded(env)
  const own = (request: Request | undefined): Awaitable<AuthConfig> =>
    typeof source === 'function' ? source(request) : source

  const warned = new Set<WarningCode>()
  const warn = (code: WarningCode, detail: string, { logger, debug = false }: AuthConfig): void => {
    if (warned.has(code)) return
    warned.add(code)
    createLogger(logger, debug, systemPorts.console).warn(code, detail)
  }

  const lookForPath = (config: AuthConfig): void => {
    const { basePath } = config
    const path = pathOf(env['AUTH_URL']) ?? '/'
    if (typeof basePath !== 'string' || path === '/') return
    if (normalizeBasePath(path) === normalizeBasePath(basePath)) return
    warn(
      'env-url-basepath-mismatch',
      `AUTH_URL has the path ${path}, and \`basePath\`, which is used, is ${basePath}; remove the path from AUTH_URL`,
      config,
    )
  }
  const complete = completer(env, origin, lookForPath)

  /** Headers of a proxy are ignored until the application trusts them. */
  const lookForProxy = ({ url, headers }: Arrived, config: AuthConfig): void => {
    if (ignoresProxy(new URL(url).protocol, headers.get('x-forwarded-proto')))
      warn('proxy-not-trusted', ignoredProxy('AUTH_TRUST_HOST=true'), config)
  }

  const isHttp = origin?.startsWith('http:') ?? false
  const lookForScheme = ({ headers }: Arrived, config: AuthConfig): void => {
    if (origin && ignoresProxy('http', headers.get('x-forwarded-proto')))
      warn('address-mismatch', schemeUnlike(origin), config)
  }

  const lookForAddress = ({ headers }: Arrived, taken: string, config: AuthConfig): void => {
    const shown = shownElsewhere(headers, taken)
    if (shown !== undefined) warn('address-mismatch', addressUnlike(shown, taken), config)
  }

  /** In development there is no proxy, so the runtime sees the address that the browser requested. */
  const looksForPlace = origin !== undefined && env['NODE_ENV'] !== 'production'
  const lookForPlace = (request: Arrived, taken: string, config: AuthConfig): void => {
    const requested = requestedElsewhere(request, taken)
    if (requested !== undefined)
      warn('address-mismatch', differentAddress(requested, taken), config)
  }

  const arriveAt = (request: Arrived, config: AuthConfig): Arrival => {
    const completed = complete(config)
    const trusts = config.trustHost ?? forwarded
    // Without any trusted host, the request is refused.
    const ignoresHeaders = origin === undefined && !trusts && completed.trustHost !== false
    if (ignoresHeaders) lookForProxy(request, config)
    if (isHttp) lookForScheme(request, config)
    const address = publicOrigin(request, origin, trusts)
    if (request.method === 'POST') lookForAddress(request, address, config)
    if (looksForPlace) lookForPlace(request, address, config)
    return { origin: address, config: completed }
  }

  return {
    origin,
    fixed: typeof source === 'function' ? undefined : complete(source),
    config: async (request) => complete(await own(request)),
    async arrive(request) {
      const fault = requestFault(request, '`request` must be a Request')
      if (fault !== undefined) throw new AuthError(fault)
      return arriveAt(request, await own(request))
    },
    arriveAt: typeof source === 'function' ? undefined : (request) => arriveAt(request, source),
  }
}

/** Completes configurations from the environment, each once. */
function completer(
  env: Env,
  origin: string | undefined,
  look: (config: AuthConfig) => void,
): (config: AuthConfig) => AuthConfig {
  const complete = (config: AuthConfig): AuthConfig => {
    look(config)
    const marked = config.session?.stateCookie ? { [stateCookieWith]: stateCookie } : {}
    const session = { ...config.session, userId: config.session?.userId ?? true }
    const filled = { ...withEnv(env, config), session, ...marked }
    // With AUTH_URL, the host of a request does not matter.
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

/** Adds the variable names of version 4 as a fallback. */
export function withOldNames(env: Env): Env {
  const named = (value: string | undefined): PropertyDescriptor => ({ value, enumerable: true })
  // Not copied, because the environment of some frameworks cannot be enumerated.
  return Object.create(env, {
    AUTH_URL: named(env['AUTH_URL'] || env['NEXTAUTH_URL']),
    AUTH_SECRET: named(env['AUTH_SECRET'] || env['NEXTAUTH_SECRET']),
  }) as Env
}

/** Returns the origin of `AUTH_URL`. @throws {AuthError} if it is not an http or https URL. */
export function originOf(url: string | undefined): string | undefined {
  if (!url) return undefined
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' }
  // If an invalid value were ignored, the sender of a request would determine the host.
  if (!/^https?:$/.test(protocol)) {
    throw new AuthError(
      `AUTH_URL must be an http or https URL, got ${JSON.stringify(excerpt(url))}${likely(url)}`,
    )
  }
  return origin
}

/** Returns the probable URL, with the scheme that is often missing. */
function likely(url: string): string {
  const host = url.replace(/^[a-z]*:?\/\//i, '')
  const scheme = isLoopback(host.split(/[:/]/, 1)[0] ?? '') ? 'http' : 'https'
  const address = `${scheme}://${host}`
  return URL.canParse(address) && new URL(address).hostname !== ''
    ? `; set AUTH_URL=${address}`
    : ''
}
