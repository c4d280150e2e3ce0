import {
  type AuthConfig,
  type ConfigSource,
  type Env,
  isAuthAction,
  type ProtectOptions,
} from '../index.ts'

/** The environment, where the runtime has one. */
export function processEnv(): Env {
  const { process } = globalThis as { process?: { env?: Env } }
  return process?.env ?? {}
}

/** The base path of the address in the environment, if that has one. */
export function basePathIn(env: Env): string | undefined {
  const url = env['AUTH_URL'] || env['NEXTAUTH_URL'] || ''
  const path = URL.canParse(url) ? new URL(url).pathname : '/'
  return path === '/' ? undefined : path
}

/** Is this the path of an action? Other pages of the application may be below the base path, too. */
export function isActionPath(path: string, basePath: string): boolean {
  const base = basePath.replace(/\/$/, '')
  const [action = ''] = path.slice(base.length + 1).split('/')
  return path.startsWith(`${base}/`) && isAuthAction(action)
}

/** Of those who are signed in, the ones that may go on; all of them, if nobody chooses. */
export function onlySignedIn(
  authorized: ProtectOptions['authorized'],
): NonNullable<ProtectOptions['authorized']> {
  return (visiting) => visiting.auth !== null && (authorized ? authorized(visiting) : true)
}

/**
 * A configuration that is mounted where a framework's applications expect it, unless it says where
 * itself, or the address in the environment does. The given one is not touched.
 */
export function mountedAt<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  basePath: string,
  env: Env,
): ConfigSource<Config> {
  if (basePathIn(env) !== undefined) return source
  const mounted = new WeakMap<Config, Config>()
  const mount = (config: Config): Config => {
    if (config.basePath !== undefined) return config
    let known = mounted.get(config)
    if (!known) mounted.set(config, (known = { ...config, basePath }))
    return known
  }
  return typeof source === 'function'
    ? async (request) => mount(await source(request))
    : mount(source)
}
