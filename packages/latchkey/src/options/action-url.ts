import { AuthError } from '../errors.ts'
import { compileHosts } from '../http/host-list.ts'
import { systemPorts } from '../ports.ts'
import type { AuthAction } from '../request.ts'
import type { AuthConfig } from './auth-config.ts'
import { type Env, trustsForwarded } from './env.ts'
import { createLogger } from './redacting-logger.ts'

/**
 * The address of an action, for integrations that ask the service themselves.
 *
 * @param protocol used when no header says otherwise; a trailing colon is optional.
 * @param config the base path, or a configuration that has one. Where `trustHost` is a list, another
 *   host is not usable.
 * @throws {AuthError} when neither the environment nor the headers name a host.
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
  if (hosts.length === 0) throw new AuthError('the request names no host; set AUTH_URL')
  const trusted = trustHost ?? trustsForwarded(env)
  const origins = hosts.map((host) => originOf(scheme, host))
  const origin = Array.isArray(trusted)
    ? origins.find((each) => each !== undefined && compileHosts(trusted)(each))
    : origins[0]
  if (origin === undefined) {
    throw new AuthError('the request names no usable host; set AUTH_URL, or `trustHost`')
  }
  return join(origin, basePath ?? '', action)
}

/** `undefined` when the two make no bare address. */
function originOf(scheme: string, host: string): string | undefined {
  const site = `${scheme.replace(/:$/, '')}://${host}`
  const url = URL.canParse(site) ? new URL(site) : undefined
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
    ? url.origin
    : undefined
}

/** Proxies append to a list; what the browser asked for comes first. */
function firstOf(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

function join(origin: string, path: string, action: string): URL {
  const segments = path.split('/').filter((segment) => segment !== '')
  return new URL(`${origin}/${[...segments, action].join('/')}`)
}
