import { callsByName } from '../calls-by-name.ts'
import type { AuthConfig, ConfigSource, Env, ProtectOptions } from '../index.ts'
import type { Authorize, Guarded, PageGuard } from './parts.ts'

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

/**
 * Asks whether a request may go on to a page for those who are signed in. Without a session nobody does,
 * but to what is open to everybody: the actions, and the application's own pages for signing in.
 *
 * @param authorized which of them may go on, if not all.
 */
export async function guard<S>(
  latchkey: PageGuard<S>,
  request: Request,
  authorized: Authorize<S> | undefined,
): Promise<Guarded & { response: Response | undefined; session: S | null; headers: Headers }> {
  const { response, open, session, headers } = await latchkey.protect(request, {
    authorized: onlySignedIn(authorized),
  })
  const isLetIn = open === true || Boolean(session)
  const refusal = isLetIn ? undefined : Response.json({ message: 'Unauthorized' }, { status: 401 })
  const { pathname } = new URL(request.url)
  return { response: response ?? refusal, session, headers, path: pathname, open: open === true }
}

/** Of those who are signed in, the ones that may go on; all of them, if nobody chooses. */
function onlySignedIn<S>(
  authorized: Authorize<S> | undefined,
): NonNullable<ProtectOptions<S>['authorized']> {
  return ({ request, auth }) => auth !== null && (authorized ? authorized({ request, auth }) : true)
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
  return basePathIn(env) === undefined ? withDefaults(source, { basePath }) : source
}

/** A configuration with what it does not say itself. The given one is not touched. */
export function withDefaults<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  defaults: Pick<AuthConfig, 'basePath' | 'trailingSlash'>,
): ConfigSource<Config> {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  const completed = new WeakMap<Config, Config>()
  const complete = (config: Config): Config => {
    const missing = names.filter((name) => config[name] === undefined)
    if (missing.length === 0) return config
    let known = completed.get(config)
    if (!known) {
      const further = Object.fromEntries(missing.map((name) => [name, defaults[name]]))
      completed.set(config, (known = { ...config, ...further }))
    }
    return known
  }
  return typeof source === 'function'
    ? async (request) => complete(await source(request))
    : complete(source)
}

/** What plugins offer, with a request that may be left out. */
export type ApisOfRequest<Apis> = { readonly [Name in keyof Apis]: WithoutRequest<Apis[Name]> }

type WithoutRequest<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (
    request: infer Who,
    ...rest: infer Rest
  ) => infer Returned
    ? Request extends Who
      ? (request?: Who, ...rest: Rest) => Returned
      : Api[Name]
    : Api[Name]
}

type Callable = Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => unknown>>>>

/**
 * What the plugins of an instance offer, where the instance is made with the first request.
 *
 * @param known the request that a framework knows: it is given to what is called without one.
 */
export function apiThrough<Apis extends object>(
  find: () => Promise<{ readonly api: object }>,
  known?: () => Promise<Request>,
): Apis {
  return callsByName(async (plugin, name, [first, ...rest]) => {
    const { api } = await find()
    return (api as Callable)[plugin]?.[name]?.(first ?? (await known?.()), ...rest)
  }) as Apis
}
