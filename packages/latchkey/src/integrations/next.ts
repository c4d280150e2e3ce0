import { parseSetCookie } from 'cookie'
import { cookies, headers } from 'next/headers'
import { redirect as leave } from 'next/navigation'
import { NextResponse } from 'next/server'
import * as React from 'react'
import {
  type AuthConfig,
  type AuthorizationParams,
  type ConfigSource,
  createLatchkey,
  type Latchkey,
  type Session,
  type SessionCallbacks,
  type SessionOf,
  type UntypedConfig,
} from '../index.ts'
import { mountedAt, processEnv } from './mounted.ts'
import { withCookies } from './set-cookies.ts'

export {
  type Account,
  type AuthConfig as NextAuthConfig,
  AuthError,
  CredentialsSignin,
  customFetch,
  type Profile,
  type Session,
  type User,
} from '../index.ts'

/** A request with who sent it. */
export type NextAuthRequest<S = Session> = Request & { auth: S | null }

/** A handler that is told who is signed in; in a proxy it may return nothing to go on. */
type Handler<S> = (
  request: NextAuthRequest<S>,
  // Routes and proxies each have a type of their own for it.
  // oxlint-disable-next-line typescript/no-explicit-any
  context: any,
) => unknown

/** Of a page of the `pages` directory. */
interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly url?: string | undefined
}
interface NodeResponse {
  getHeader(name: string): string | number | string[] | undefined
  setHeader(name: string, value: string[]): unknown
}

/** Who is signed in, wherever that is asked. */
export interface NextAuthFunction<S = Session> {
  /** In a server component, a server function or a route. Sets no cookie, so it extends nothing. */
  (): Promise<S | null>
  /** As the proxy itself. */
  (request: Request, event: unknown): Promise<Response>
  /** Around a handler of a route, or of the proxy. */
  (handler: Handler<S>): (request: Request, context: unknown) => Promise<Response>
  /** In a route of the `pages` directory. */
  (request: NodeRequest, response: NodeResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: { req: NodeRequest; res: NodeResponse }): Promise<S | null>
}

export interface NextSignInOptions {
  /** @default the page that the form was on */
  redirectTo?: string
  /** `false`: give the address back instead of going there. @default true */
  redirect?: boolean
  [field: string]: unknown
}

/** What a configuration gives to a Next.js application. */
export interface NextAuthResult<S = Session> {
  /** For `app/api/auth/[...nextauth]/route.ts`. */
  readonly handlers: {
    GET(request: Request): Promise<Response>
    POST(request: Request): Promise<Response>
  }
  readonly auth: NextAuthFunction<S>
  /**
   * Signs in, in a server function. Throws what Next.js takes for a redirect.
   *
   * @throws {AuthError} when it fails.
   */
  signIn<Options extends FormData | NextSignInOptions>(
    provider?: string,
    options?: Options,
    params?: AuthorizationParams,
  ): Promise<Options extends { redirect: false } ? string : never>
  /** Signs out, in a server function. Throws what Next.js takes for a redirect. */
  signOut<Options extends { redirectTo?: string; redirect?: boolean }>(
    options?: Options,
  ): Promise<Options extends { redirect: false } ? { redirect: string } : never>
  /** Hands data to the `jwt` or `session` callback, in a server function. */
  unstable_update(data: unknown): Promise<S | null>
}

/**
 * Latchkey for Next.js 15 and 16.
 *
 * @param source mounted at `/api/auth`, unless it says otherwise. A function is called with the
 *   request, or with nothing where Next.js has none.
 */
export default function NextAuth<const Config extends UntypedConfig, S extends Session = Session>(
  config: Config & SessionCallbacks<S>,
): NextAuthResult<SessionOf<Config>>
export default function NextAuth<const Config extends AuthConfig>(
  source: ConfigSource<Config>,
): NextAuthResult<SessionOf<Config>>
export default function NextAuth<Config extends AuthConfig>(
  source: ConfigSource<Config>,
): NextAuthResult<SessionOf<Config>> {
  type S = SessionOf<Config>
  const env = processEnv()
  // Judged at the first request: while the application is built, its environment may not be there.
  const lazily: ConfigSource<Config> = typeof source === 'function' ? source : () => source
  const latchkey = createLatchkey(mountedAt(lazily, '/api/auth', env), env)

  const ambient = oncePerRender(async () => latchkey.auth(await headers()))

  const proxy = async (request: Request): Promise<Response> => {
    const { response, headers } = await protectPage(latchkey, request)
    return withCookies(response ?? goOn(request, headers), { headers })
  }

  const around =
    (handler: Handler<S>) =>
    async (request: Request, context: unknown): Promise<Response> => {
      const { response, session, headers } = await protectPage(latchkey, request)
      if (response) return withCookies(response, { headers })
      const known = Object.assign(request, { auth: session })
      const answer = await handler(known, context)
      // A handler that signs out has the last word.
      return withCookies(answer instanceof Response ? answer : goOn(request, headers), { headers })
    }

  const fromPages = async (request: NodeRequest, response: NodeResponse): Promise<S | null> => {
    const { session, headers: cookies } = await latchkey.session(toRequest(request))
    const before = [response.getHeader('set-cookie') ?? []].flat().map(String)
    response.setHeader('set-cookie', [...before, ...cookies.getSetCookie()])
    return session
  }

  const auth = ((...args: readonly unknown[]) => {
    const [first, second] = args
    if (first === undefined) return ambient()
    if (typeof first === 'function') return around(first as Handler<S>)
    if (first instanceof Request) return proxy(first)
    const { req, res } = first as { req?: NodeRequest; res?: NodeResponse }
    return req && res
      ? fromPages(req, res)
      : fromPages(first as NodeRequest, second as NodeResponse)
  }) as NextAuthFunction<S>

  return {
    handlers: latchkey.handlers,
    auth,
    async signIn(provider, options, params) {
      const { redirectTo, redirect = true, ...fields } = fieldsOf(options)
      const target = redirectTo === undefined ? {} : { redirectTo: String(redirectTo) }
      const request = await ambientRequest()
      const answer = await latchkey.signIn(request, provider, { ...fields, ...target }, params)
      const url = await keep(answer)
      if (isNo(redirect)) return url as never
      return leave(url)
    },
    async signOut(options) {
      const { redirectTo, redirect = true } = fieldsOf(options)
      const target = redirectTo === undefined ? {} : { redirectTo: String(redirectTo) }
      const url = await keep(await latchkey.signOut(await ambientRequest(), target))
      if (isNo(redirect)) return { redirect: url } as never
      return leave(url)
    },
    async unstable_update(data) {
      const request = await ambientRequest()
      const { session, headers: set } = await latchkey.updateSession(request, data)
      await keepCookies(set)
      return session
    },
  }
}

/** While one page is made, it is asked once. Only React on a server can remember that. */
function oncePerRender<T>(work: () => Promise<T>): () => Promise<T> {
  const { cache } = React as { cache?: <F>(work: F) => F }
  return cache ? cache(work) : work
}

/** In the application, a path has neither the base path of Next.js nor a locale. */
function protectPage<Config extends AuthConfig>(
  latchkey: Latchkey<Config>,
  request: Request,
): ReturnType<Latchkey<Config>['protect']> {
  const { nextUrl } = request as { nextUrl?: { pathname?: string } }
  const path = nextUrl?.pathname
  return latchkey.protect(request, path === undefined ? {} : { path })
}

/** On to the page, which sees the session as it is from now on. */
function goOn(request: Request, cookies: Headers): Response {
  const set = cookies.getSetCookie()
  if (set.length === 0) return NextResponse.next()
  const sent = new Map<string, string>()
  for (const pair of (request.headers.get('cookie') ?? '').split(/; */)) {
    const end = pair.indexOf('=')
    if (end > 0) sent.set(pair.slice(0, end), pair.slice(end + 1))
  }
  for (const line of set) {
    const [pair = ''] = line.split(';')
    const end = pair.indexOf('=')
    const [name, value] = [pair.slice(0, end), pair.slice(end + 1)]
    if (value === '') sent.delete(name)
    else sent.set(name, value)
  }
  const forwarded = new Headers(request.headers)
  forwarded.set('cookie', Array.from(sent, ([name, value]) => `${name}=${value}`).join('; '))
  return NextResponse.next({ request: { headers: forwarded } })
}

/** A request as the page that called a server function would send it. */
async function ambientRequest(): Promise<Request> {
  const sent = new Headers(await headers())
  // A server function is a form that the page sends; what comes of it leads back to the page.
  return new Request(`${originOf(sent)}/`, { method: 'POST', headers: sent })
}

function originOf(sent: Headers): string {
  const scheme = sent.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https' ? 'https' : 'http'
  const origin = `${scheme}://${sent.get('host') ?? 'localhost'}`
  return URL.canParse(origin) ? origin : 'http://localhost'
}

function toRequest({ headers: sent, url = '/' }: NodeRequest): Request {
  const all = new Headers()
  for (const [name, values] of Object.entries(sent)) {
    for (const value of [values ?? []].flat()) all.append(name, value)
  }
  return new Request(new URL(url, originOf(all)), { headers: all })
}

/** Sets the cookies of an answer. @returns where it leads. */
async function keep(answer: Response): Promise<string> {
  await keepCookies(answer.headers)
  return answer.headers.get('location') ?? '/'
}

async function keepCookies(set: Headers): Promise<void> {
  const jar = await cookies()
  for (const line of set.getSetCookie()) {
    const { name, value = '', ...options } = parseSetCookie(line)
    jar.set(name, value, options)
  }
}

/** What a form or an object says; a field that a form repeats is a list. */
function fieldsOf(options: FormData | object | undefined): Record<string, unknown> {
  if (!(options instanceof FormData)) return { ...options }
  const fields: Record<string, unknown> = {}
  for (const name of new Set(options.keys())) {
    const all = options.getAll(name)
    // Next.js adds fields of its own to the forms of server functions.
    if (!name.startsWith('$ACTION_')) fields[name] = all.length > 1 ? all : all[0]
  }
  return fields
}

/** A form can only say it with a text. */
function isNo(redirect: unknown): boolean {
  return redirect === false || redirect === 'false'
}
