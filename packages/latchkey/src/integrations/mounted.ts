import { callsByName } from '../base/calls-by-name.ts'
import { isAuthError } from '../base/errors.ts'
import type { AuthConfig, ConfigSource, Env, ProtectOptions } from '../entries/index.ts'
import type {
  Authorize,
  Guarded,
  NeededProof,
  PageGuard,
  ProofGuard,
  ProofGuards,
} from './parts.ts'

/** Returns the environment, or an empty one if the runtime has none. */
export function processEnv(): Env {
  const { process } = globalThis as { process?: { env?: Env } }
  return process?.env ?? {}
}

/** Returns the path of `AUTH_URL` in the environment, if it has one. */
export function basePathIn(env: Env): string | undefined {
  const url = env['AUTH_URL'] || env['NEXTAUTH_URL'] || ''
  const path = URL.canParse(url) ? new URL(url).pathname : '/'
  return path === '/' ? undefined : path
}

/**
 * Decides whether a request may continue to a page that requires a session. Without a session, only the actions and the
 * configured pages are open.
 *
 * @param authorized decides which users may continue; all of them by default.
 * @param hasRouter whether scripts of the framework request pages, which must be redirected.
 */
export async function guard<S>(
  latchkey: PageGuard<S>,
  request: Request,
  authorized: Authorize<S> | undefined,
  hasRouter: boolean = false,
): Promise<Guarded & { response: Response | undefined; session: S | null; headers: Headers }> {
  const { response, open, session, headers } = await latchkey.protect(request, {
    authorized: onlySignedIn(authorized),
    redirectsOnlyPages: !hasRouter,
  })
  const isLetIn = open === true || Boolean(session)
  const refusal = isLetIn ? undefined : Response.json({ message: 'Unauthorized' }, { status: 401 })
  const { pathname } = new URL(request.url)
  return { response: response ?? refusal, session, headers, path: pathname, open: open === true }
}

/** Returns an `authorized` callback that requires a session, and calls the given one if there is one. */
function onlySignedIn<S>(
  authorized: Authorize<S> | undefined,
): NonNullable<ProtectOptions<S>['authorized']> {
  return ({ request, auth }) => auth !== null && (authorized ? authorized({ request, auth }) : true)
}

/**
 * Returns the function with which a guard lets only users continue whose proof of identity is recent and strong enough. Others
 * get the response that asks for one.
 */
export function withProof<S>(latchkey: ProofGuard, needed: NeededProof): Authorize<S> {
  return async ({ request }) => (await askForProof(latchkey, request, needed)) ?? true
}

/** Returns the response that asks for a proof of identity, unless the one in the session is recent and strong enough. */
export async function askForProof(
  latchkey: ProofGuard,
  request: Request,
  needed: NeededProof,
): Promise<Response | undefined> {
  const { redirectTo: _, asPage: __, ...need } = needed
  try {
    await latchkey.requireProof(request, need)
    return undefined
  } catch (error) {
    if (!isAuthError(error) || error.type !== 'StepUpRequired') throw error
    return latchkey.stepUpResponse(request, needed)
  }
}

/** Returns a request for the page that sent it, to which a proof leads back: its own address is not the one of a page. */
export function fromPage({ url, headers }: Request): Request {
  return new Request(url, { method: 'POST', headers })
}

/** Returns both guards of a framework. */
export function proofGuards<Event, Answer>(
  ask: (event: Event, needed: NeededProof) => Promise<Answer>,
): ProofGuards<Event, Answer> {
  return {
    requireFresh: (event, maxAge, options = {}) => ask(event, { ...options, maxAge }),
    requireFactors: (event, factors, options = {}) => ask(event, { ...options, factors }),
  }
}

/**
 * Returns a copy of a configuration with the default base path of a framework, unless the configuration or `AUTH_URL`
 * has a path. Its sessions are those of Auth.js, without the id of the user, unless the configuration asks for it.
 */
export function mountedAt<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  basePath: string,
  env: Env,
): ConfigSource<Config> {
  const session = { userId: false }
  return withDefaults(source, basePathIn(env) === undefined ? { basePath, session } : { session })
}

/** Returns a copy of a configuration with defaults for missing options. */
export function withDefaults<Config extends AuthConfig>(
  source: ConfigSource<Config>,
  defaults: Pick<AuthConfig, 'basePath' | 'trailingSlash' | 'session'>,
): ConfigSource<Config> {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  const defaultOf = (config: Config, name: keyof typeof defaults): unknown =>
    name === 'session'
      ? { ...config.session, userId: config.session?.userId ?? defaults.session?.userId }
      : defaults[name]
  const completed = new WeakMap<Config, Config>()
  const complete = (config: Config): Config => {
    const missing = names.filter((name) => name === 'session' || config[name] === undefined)
    if (missing.length === 0) return config
    let known = completed.get(config)
    if (!known) {
      const further = Object.fromEntries(missing.map((name) => [name, defaultOf(config, name)]))
      completed.set(config, (known = { ...config, ...further }))
    }
    return known
  }
  return typeof source === 'function'
    ? async (request) => complete(await source(request))
    : complete(source)
}

/** The functions of plugins, with an optional request. */
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
 * Returns the functions of the plugins of an instance that is created with the first request.
 *
 * @param known returns the current request of the framework, for calls without a request.
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
