import { AuthError } from '../base/errors.ts'
import { systemPorts } from '../base/ports.ts'
import { compileHosts } from '../http/origin/host-list.ts'
import type { AuthAction } from '../http/request.ts'
import type { AuthConfig } from './auth-config.ts'
import { type Env, trustsForwarded } from './env.ts'
import { createLogger } from './redacting-logger.ts'

/**
 * Returns the URL of an action, for integrations that send requests to the service.
 *
 * @param protocol the protocol without a header `X-Forwarded-Proto`; a trailing colon is optional.
 * @param config the base path, or a configuration with one. If `trustHost` is a list, other hosts are rejected.
 * @throws {AuthError} if neither the environment nor the headers have a valid host.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  env: Env,
  config: string | Pick<AuthConfig, 'basePath' | 'logger' | 'trustHost'> = {},
): URL {
  const { basePath, logger, trustHost } =
    typeof config === 'string'
      ? { basePath: config, logger: undefined, trustHost: undefined }
      : config
  const configured = env['AUTH_URL'] || env['NEXTAUTH_URL']
  if (configured) {
    const url = new URL(configured)
    const hasPath = url.pathname !== '/'
    if (!basePath || basePath === '/') return join(url.origin, hasPath ? url.pathname : '', action)
    if (hasPath && url.pathname !== basePath) {
      createLogger(logger, false, systemPorts.console).warn('env-url-basepath-mismatch')
    }
    return join(url.origin, basePath, action)
  }
  const scheme = firstOf(headers.get('x-forwarded-proto')) ?? (protocol || 'https')
  const hosts = [headers.get('x-forwarded-host'), headers.get('host')].flatMap(
    (header) => firstOf(header) ?? [],
  )
  if (hosts.length === 0) throw new AuthError('the request has no Host header; set AUTH_URL')
  const trusted = trustHost ?? trustsForwarded(env)
  const origins = hosts.map((host) => originOf(scheme, host))
  const origin = Array.isArray(trusted)
    ? origins.find((each) => each !== undefined && compileHosts(trusted)(each))
    : origins[0]
  if (origin === undefined) {
    throw new AuthError(
      'the host of the request is invalid or not in `trustHost`; set AUTH_URL, or `trustHost`',
    )
  }
  return join(origin, basePath ?? '', action)
}

/** Returns `undefined` if scheme and host do not form an origin. */
function originOf(scheme: string, host: string): string | undefined {
  const site = `${scheme.replace(/:$/, '')}://${host}`
  const url = URL.canParse(site) ? new URL(site) : undefined
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : undefined
}

/** Returns the first entry of a list, which is from the browser; proxies append to it. */
function firstOf(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

function join(origin: string, path: string, action: string): URL {
  const segments = path.split('/').filter((segment) => segment !== '')
  return new URL(`${origin}/${[...segments, action].join('/')}`)
}
