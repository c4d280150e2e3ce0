import { implicit$FirstArg, inlinedQrl, type QRL } from '@builder.io/qwik'
import { isServer } from '@builder.io/qwik/build'
import {
  type Action,
  globalActionQrl,
  type Loader,
  type RequestEventCommon,
  routeLoaderQrl,
} from '@builder.io/qwik-city'
import {
  type AuthConfig,
  createLatchkey,
  type Env,
  isActionPath,
  isAuthError,
  type Latchkey,
  type PluginApis,
  type Session,
  type SessionOf,
  type SignOutOptions,
} from '../entries/index.ts'
import { withClientAddress } from '../http/origin/client-address.ts'
import { modeOf } from './built.ts'
import { isForOne, keepFromCaches } from './caching.ts'
import { apiThrough, askForProof, basePathIn, mountedAt, proofGuards } from './mounted.ts'
import type { NeededProof, ProofGuards } from './parts.ts'
import { perEvent } from './per-event.ts'

export {
  type Account,
  type AuthConfig as QwikAuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type DefaultSession,
  type Profile,
  type Session,
  type User,
} from '../entries/index.ts'

/** The input of `useSignIn`: the fields of a form, for example `options.redirectTo`, or the argument of `submit`. */
export interface QwikSignInInput {
  /** Without it, the visitor is redirected to the sign-in page. */
  providerId?: string
  /** The page after the sign-in. @default the same page */
  redirectTo?: string
  /** The fields of the provider: `email`, or those of credentials. */
  options?: { redirectTo?: string; [field: string]: unknown }
  authorizationParams?: string | URLSearchParams | Record<string, string>
}

/** The `value` of `useSignIn` if the sign-in was refused. */
export interface QwikSignInFailure {
  failed: true
  error: 'AccessDenied' | 'CredentialsSignin'
  /** The `code` of a `CredentialsSignin` of the application. */
  code?: string
}

/**
 * The functions for a Qwik application: the exports of `routes/plugin@auth.ts`. `requireFresh` and `requireFactors` end a loader,
 * an action or a handler of a user whose proof of identity is too old or too weak: with the redirect to the page that asks for
 * one, or for a script with 403 and its address in `next`.
 */
export interface QwikAuthResult<S = Session, Apis extends object = object>
  extends ProofGuards<RequestEventCommon, void> {
  /** The functions of the plugins, by plugin name, on the server. Their first argument is the request of an event. */
  readonly api: Apis
  /**
   * Handles the actions, calls the `authorized` callback, and reads the session for later handlers, also as
   * `sharedMap.get('session')`.
   */
  onRequest(event: RequestEventCommon): Promise<void>
  /** Returns the session, or `null`. */
  useSession: Loader<S | null>
  /** Signs in, and redirects the visitor. Returns failures that the visitor can fix. */
  useSignIn: Action<QwikSignInFailure | undefined, QwikSignInInput>
  /** Signs out, and redirects to `redirectTo`, by default the same page. `federated` and `forget`: see {@link SignOutOptions}. */
  useSignOut: Action<undefined, SignOutOptions>
}

/** The configuration of an application, for one request. */
type ConfigOf<Config> = (event: RequestEventCommon) => Config | Promise<Config>

/**
 * Latchkey for Qwik City 1. The function is called once for each request. It is also built for the browser, and never
 * loaded there.
 *
 * The base path is `/auth`, unless the configuration or `AUTH_URL` has another one.
 */
export const QwikAuth$: <const Config extends AuthConfig>(
  config: ConfigOf<Config>,
) => QwikAuthResult<SessionOf<Config>, PluginApis<Config>> =
  /* @__PURE__ */ implicit$FirstArg(QwikAuthQrl)

/** The function to which the compiler of Qwik changes {@link QwikAuth$}. */
export function QwikAuthQrl<Config extends AuthConfig>(
  config: QRL<ConfigOf<Config>>,
): QwikAuthResult<SessionOf<Config>, PluginApis<Config>> {
  const server = isServer ? serve(config as unknown as ConfigOf<AuthConfig>) : undefined
  return {
    api: apiThrough(async () => ({ api: server?.api ?? {} })),
    onRequest: async (event) => server?.onRequest(event),
    ...proofGuards(async (event, needed) => {
      if (!server) throw new Error('a proof of identity can only be checked on the server')
      await server.prove(event, needed)
    }),
    useSession: routeLoaderQrl(
      inlinedQrl(
        ({ sharedMap }) => sharedMap.get('session') as SessionOf<Config> | null,
        'latchkeySession',
      ),
      { id: 'latchkey-session' },
    ),
    useSignIn: globalActionQrl(
      inlinedQrl(async (input, event) => server?.signIn(input, event), 'latchkeySignIn'),
      { id: 'latchkey-sign-in' },
    ),
    useSignOut: globalActionQrl(
      inlinedQrl(async (input, event) => server?.signOut(input, event), 'latchkeySignOut'),
      { id: 'latchkey-sign-out' },
    ),
  }
}

/** The part that exists on the server only; it is not built for the browser. */
interface QwikServer {
  /** `undefined` before the first request, which has the environment. */
  readonly api: object | undefined
  onRequest(event: RequestEventCommon): Promise<void>
  signIn(input: QwikSignInInput, event: RequestEventCommon): Promise<QwikSignInFailure | undefined>
  signOut(input: SignOutOptions, event: RequestEventCommon): Promise<undefined>
  prove(event: RequestEventCommon, needed: NeededProof): Promise<void>
}

function serve(source: ConfigOf<AuthConfig>): QwikServer {
  const configs = perEvent<Promise<AuthConfig>>('config')
  const configured = async (request?: Request): Promise<AuthConfig> =>
    configs.get(request as Request) as Promise<AuthConfig>
  let known: { latchkey: Latchkey; env: Env } | undefined

  /** Returns the instance. The first request provides the environment. */
  const siteOf = ({ env: { get } }: RequestEventCommon): { latchkey: Latchkey; env: Env } => {
    if (known) return known
    const variable = (name: string): string | undefined =>
      name === 'NODE_ENV' ? modeOf(get(name)) : get(name)
    const env: Env = new Proxy({}, { get: (_target, name) => variable(String(name)) })
    return (known = { latchkey: createLatchkey(mountedAt(configured, '/auth', env), env), env })
  }

  /** Returns a request for the page of an event, with the configuration of the event. */
  const visitOf = (event: RequestEventCommon): Request => {
    const { request, method, url } = event
    const config = configs.once(request, async () => source(event))
    const page = new URL(url)
    page.searchParams.delete('qaction')
    const visit = new Request(page, { method, headers: request.headers })
    configs.set(visit, config)
    return visit
  }

  return {
    get api() {
      return known?.latchkey.api
    },
    async onRequest(event) {
      const { method, sharedMap, url } = event
      const { latchkey, env } = siteOf(event)
      const visit = visitOf(event)
      const config = await configured(visit)
      const { basePath = basePathIn(env) ?? '/auth', callbacks } = config
      // The path of a data request ends with a slash in place of the file.
      const isData = asksForData(event)
      const isAction = isActionPath(url.pathname, basePath, isData || config.trailingSlash)
      if (isAction || (await latchkey.answers(visit))) {
        if (isData) throw event.text(404, '')
        const answer = await latchkey.handler(
          withClientAddress(event.request, event.clientConn?.ip),
        )
        // Qwik adds its headers to those of the event.
        if (isForOne(answer.headers)) keepFromCaches(event.headers)
        throw event.send(answer)
      }
      // An action sets its cookies later, and could not remove a cookie that is set here.
      const isRead = method === 'GET' || method === 'HEAD'
      if (callbacks?.authorized) {
        const { response, session, headers } = await latchkey.protect(visit, {
          native: event.request,
        })
        if (isRead) setCookies(event, headers)
        leave(event, response)
        sharedMap.set('session', session)
      } else if (isRead) {
        const { session, headers } = await latchkey.session(visit)
        setCookies(event, headers)
        sharedMap.set('session', session)
      } else sharedMap.set('session', await latchkey.auth(visit))
    },
    async signIn({ providerId, redirectTo, options, authorizationParams }, event) {
      const visit = visitOf(event)
      const target = options?.redirectTo ?? redirectTo ?? visit.url
      try {
        const answer = await siteOf(event).latchkey.signIn(
          visit,
          providerId ? String(providerId) : undefined,
          { ...options, redirectTo: String(target) },
          authorizationParams,
        )
        return follow(event, answer)
      } catch (error) {
        if (!isAuthError(error)) throw error
        const { type } = error
        if (type !== 'AccessDenied' && type !== 'CredentialsSignin') throw error
        if (type === 'AccessDenied') return event.fail(403, { error: type })
        return event.fail(401, {
          error: type,
          ...('code' in error ? { code: String(error.code) } : {}),
        })
      }
    },
    async signOut({ redirectTo, federated, forget }, event) {
      const visit = visitOf(event)
      const how = { redirectTo: String(redirectTo ?? visit.url), federated, forget }
      const answer = await siteOf(event).latchkey.signOut(visit, how)
      event.sharedMap.set('session', null)
      return follow(event, answer)
    },
    async prove(event, needed) {
      const { latchkey } = siteOf(event)
      leave(event, await askForProof(latchkey, visitOf(event), needed))
    },
  }
}

/** Sends a response in place of the page, if there is one. Qwik's router loads the page if it gets no data. */
function leave(event: RequestEventCommon, response: Response | undefined): void {
  if (response) throw asksForData(event) ? event.text(401, '') : event.send(response)
}

/** Sets the cookies of a response on the event, and redirects the visitor to its location. */
function follow(event: RequestEventCommon, { headers }: Response): undefined {
  setCookies(event, headers)
  const url = headers.get('location') ?? '/'
  if (!asksForData(event)) throw event.redirect(302, url)
  // Qwik's router follows this header. With a redirect it would lose the cookies and the URL.
  event.headers.set('location', url)
  return undefined
}

/** Returns whether Qwik's router requests the data of a page. If it gets none, it loads the page. */
function asksForData({ request }: RequestEventCommon): boolean {
  return new URL(request.url).pathname.endsWith('/q-data.json')
}

/** Sets cookies with all their attributes, some of which Qwik does not know. */
function setCookies(event: RequestEventCommon, headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) keepFromCaches(event.headers)
  for (const line of cookies) {
    const end = line.indexOf('=')
    event.cookie.set(line.slice(0, end), line.slice(end + 1))
  }
}
