import { AuthError } from '../errors.ts'
import { systemPorts } from '../ports.ts'
import type { AuthAction } from '../request.ts'
import type { AuthConfig } from './auth-config.ts'
import type { Env } from './env.ts'
import { createLogger } from './redacting-logger.ts'

/**
 * The address of an action, for integrations that ask the service themselves.
 *
 * @param protocol used when no header says otherwise; a trailing colon is optional.
 * @param config the base path, or a configuration that has one.
 * @throws {AuthError} when neither the environment nor the headers name a host.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  env: Env,
  config: string | Pick<AuthConfig, 'basePath' | 'logger'> = {},
): URL {
  const { basePath, logger } = typeof config === 'string' ? { basePath: config } : config
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
  const host = firstOf(headers.get('x-forwarded-host')) ?? firstOf(headers.get('host'))
  if (!host) throw new AuthError('the request names no host; set AUTH_URL')
  const scheme = firstOf(headers.get('x-forwarded-proto')) ?? (protocol || 'https')
  const site = `${scheme.replace(/:$/, '')}://${host}`
  const url = URL.canParse(site) ? new URL(site) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new AuthError('the request names no usable host; set AUTH_URL')
  }
  return join(url.origin, basePath ?? '', action)
}

/** Proxies append to a list; what the browser asked for comes first. */
function firstOf(header: string | null): string | undefined {
  return header?.split(',')[0]?.trim() || undefined
}

function join(origin: string, path: string, action: string): URL {
  const segments = path.split('/').filter((segment) => segment !== '')
  return new URL(`${origin}/${[...segments, action].join('/')}`)
}
