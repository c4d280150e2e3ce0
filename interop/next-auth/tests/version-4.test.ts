import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as LatchkeyJwt from 'latchkey/jwt'
import type * as LatchkeyNext from 'latchkey/next'
import type * as LatchkeyReact from 'latchkey/react'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../../packages/latchkey/src/adapters/memory/index.ts'
import { ensureBuilt } from '../../../tools/ensure-built.ts'
import { withoutFrameworks } from './support/without-frameworks.ts'

/*
 * The public functions of next-auth 4 with inputs, played on next-auth 4 and on Latchkey. A row without `differs` has
 * the same result on both. A row with it names the sentence of the guide that tells the difference.
 */

const ORIGIN = 'https://app.example'
const SECRET = 'a secret of an application that moves, 0123'
const ADDRESSES = ['AUTH_URL', 'NEXTAUTH_URL'] as const
const FURTHER = ['VERCEL', 'VERCEL_URL', 'NEXTAUTH_SECRET', 'AUTH_SECRET'] as const

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = readFileSync(join(root, 'docs/how-to/move-from-next-auth-4.md'), 'utf8').replaceAll(
  /\s+/g,
  ' ',
)

// Both read their address when they are loaded.
for (const name of ADDRESSES) vi.stubEnv(name, ORIGIN)
for (const name of FURTHER) vi.stubEnv(name, undefined)

ensureBuilt()

function load<T>(module: () => unknown): T {
  return withoutFrameworks(() => module() as T)
}

/** Functions whose types differ on both sides; the rows compare what they return. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = (...args: any[]) => any

interface Side {
  readonly name: 'next-auth 4' | 'latchkey'
  readonly jwt: Record<'encode' | 'decode' | 'getToken', Loose>
  readonly react: Record<
    'getSession' | 'getProviders' | 'getCsrfToken' | 'signIn' | 'signOut',
    Loose
  >
  /** What the route of the application responds. */
  serve(request: Request, options: Options): Promise<Response>
  /** The session on the server. */
  session(request: Request, options: Options): Promise<unknown>
  guard(request: Request, options: Options): Promise<Response | undefined>
}

interface Options {
  readonly secret: string
  readonly providers: readonly object[]
  readonly adapter?: object
  readonly session?: object
  readonly callbacks?: Readonly<Record<string, Loose>>
  readonly logger: object
  readonly acceptSessionsFrom: readonly 'next-auth@4'[]
}

const theirs = load<Loose & { getServerSession: Loose; default: Loose }>(() =>
  require('next-auth-4'),
)
const { withAuth } = load<{ withAuth: Loose }>(() => require('next-auth-4/middleware'))
const { default: NextAuth } = load<typeof LatchkeyNext>(() => require('latchkey/next'))

/** The request and response of the pages directory. */
async function inPages(
  request: Request,
  run: (req: object, res: object) => Promise<unknown>,
): Promise<Response> {
  const url = new URL(request.url)
  const headers = new Headers()
  let status = 200
  let body: string | null = null
  const res = {
    status: (code: number) => {
      status = code
      return res
    },
    getHeader: (name: string) =>
      name.toLowerCase() === 'set-cookie' ? headers.getSetCookie() : headers.get(name),
    setHeader(name: string, value: string | readonly string[]) {
      headers.delete(name)
      for (const one of [value].flat()) headers.append(name, one)
      return res
    },
    json(value: unknown) {
      body = JSON.stringify(value)
    },
    send(value: unknown) {
      body = typeof value === 'string' ? value : JSON.stringify(value)
    },
    end() {},
  }
  const req = {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: cookiesOf(request),
    query: {
      ...Object.fromEntries(url.searchParams),
      nextauth: url.pathname.split('/').slice(3),
    },
    body: Object.fromEntries(new URLSearchParams(await request.text())),
  }
  await run(req, res)
  return new Response(body, { status, headers })
}

function cookiesOf(request: Request): Record<string, string> {
  const pairs = (request.headers.get('cookie') ?? '').split('; ').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => [
      pair.slice(0, pair.indexOf('=')),
      decodeURIComponent(pair.slice(pair.indexOf('=') + 1)),
    ]),
  )
}

/** A request with what Next.js adds. */
function nextRequest(path: string, headers: Record<string, string> = {}): Request {
  const request = new Request(ORIGIN + path, { headers })
  const { pathname, search, origin, href } = new URL(request.url)
  return Object.assign(request, {
    nextUrl: { pathname, search, origin, href, basePath: '' },
    cookies: cookiesOf(request),
  })
}

const sides: readonly [Side, Side] = [
  {
    name: 'next-auth 4',
    jwt: load(() => require('next-auth-4/jwt')),
    react: load(() => require('next-auth-4/react')),
    serve: (request, options) =>
      inPages(request, (req, res) => theirs.default(req, res, { ...options })),
    async session(request, options) {
      let session: unknown
      await inPages(request, async (req, res) => {
        session = await theirs.getServerSession(req, res, { ...options })
      })
      return session
    },
    guard: (request, { secret }) => withAuth({ secret })(request),
  },
  {
    name: 'latchkey',
    jwt: load<typeof LatchkeyJwt>(() => require('latchkey/jwt')),
    react: load<typeof LatchkeyReact>(() => require('latchkey/react')),
    serve(request, options) {
      const { handlers } = NextAuth({ ...options, trustHost: true } as never)
      return handlers[request.method as 'GET' | 'POST'](request)
    },
    async session(request, options) {
      const { auth } = NextAuth({ ...options, trustHost: true } as never)
      return (auth as Loose)(
        { headers: Object.fromEntries(request.headers) },
        {
          getHeader() {},
          setHeader() {},
          appendHeader() {},
        },
      )
    },
    async guard(request, { secret, acceptSessionsFrom }) {
      const callbacks = { authorized: ({ auth }: { auth: unknown }) => auth !== null }
      const { auth } = NextAuth({ secret, acceptSessionsFrom, providers: [], callbacks } as never)
      return (auth as Loose)(request, {})
    },
  },
]

/** Somebody's browser, in front of the application as one side serves it. */
class Visit {
  readonly #side: Side
  readonly #options: Options
  readonly cookies = new Map<string, string>()
  /** Where the page was sent. */
  readonly went: string[] = []

  constructor(side: Side, options: Options) {
    this.#side = side
    this.#options = options
    const { went } = this
    const location = {
      get href() {
        return `${ORIGIN}/page`
      },
      set href(url: string) {
        went.push(url)
      },
      assign: (url: string) => went.push(url),
      reload() {},
    }
    vi.stubGlobal('window', { location })
    vi.stubGlobal('location', location)
    // A page of Next.js, where both have the same base path.
    vi.stubGlobal('next', { version: '16.1.0' })
    vi.stubGlobal('localStorage', { setItem() {} })
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => this.send(url, init))
  }

  get cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ')
  }

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(new URL(url, ORIGIN), init)
    if (this.cookies.size > 0) request.headers.set('cookie', this.cookie)
    const response = await this.#side.serve(request, this.#options)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0|1970/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  async signIn(password: string): Promise<unknown> {
    return this.#side.react.signIn('credentials', { password, redirect: false })
  }
}

const password = {
  id: 'credentials',
  name: 'Credentials',
  type: 'credentials',
  credentials: { password: {} },
  async authorize({ password }: { password?: string }) {
    if (password === 'locked') throw new Error('locked')
    return password === 'right' ? { id: 'u1', name: 'Ada', email: 'ada@app.example' } : null
  },
}
// What version 4 makes of the options of a provider.
const provider = { ...password, options: password }
const github = {
  id: 'github',
  name: 'GitHub',
  type: 'oauth',
  authorization: 'https://github.example/authorize',
  token: 'https://github.example/token',
  userinfo: 'https://github.example/user',
  clientId: 'id',
  clientSecret: 'secret',
  checks: ['state'],
  profile: ({ id }: { id: string }) => ({ id }),
}
const mail = {
  id: 'email',
  name: 'Email',
  type: 'email',
  server: 'smtp://mail.example',
  from: 'app@app.example',
  maxAge: 3600,
  async sendVerificationRequest() {},
}
const silent = { error() {}, warn() {}, debug() {} }

const options = (further: Partial<Options> = {}): Options => ({
  secret: SECRET,
  providers: [provider, github],
  logger: silent,
  acceptSessionsFrom: ['next-auth@4'],
  ...further,
})

const ada = { name: 'Ada', email: 'ada@app.example', sub: 'u1' }
const COOKIE = 'next-auth.session-token'

/** A token that version 4 made. Both sides read it. */
function sealed(claims: object = ada, secret = SECRET): Promise<string> {
  return sides[0].jwt.encode({ token: claims, secret })
}

const asking = (headers: Record<string, string>): Request => nextRequest('/page', headers)

const claimsOf = (token: typeof ada | null): object | null =>
  token && { name: token.name, email: token.email, sub: token.sub }

interface Row {
  readonly call: string
  readonly input: string
  play(side: Side): Promise<unknown>
  readonly differs?: { readonly theirs: unknown; readonly ours: unknown; readonly guide: string }
}

/** `getToken` as it stands after the codemod. */
const tokenOf = ({ name, jwt }: Side, params: object): Promise<typeof ada | null> =>
  jwt.getToken(name === 'latchkey' ? { acceptSessionsFrom: ['next-auth@4'], ...params } : params)

const read = (input: string, headers: () => Promise<Record<string, string>>, env = {}): Row => ({
  call: 'getToken',
  input,
  async play(side) {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value as string)
    const req = asking(await headers())
    return claimsOf(await tokenOf(side, { req, secret: SECRET }))
  },
})

const HTTP = { AUTH_URL: 'http://localhost:3000', NEXTAUTH_URL: 'http://localhost:3000' }

const tokens: readonly Row[] = [
  read('no cookie', async () => ({})),
  read('a cookie over https', async () => ({ cookie: `__Secure-${COOKIE}=${await sealed()}` })),
  read('the name of http over https', async () => ({ cookie: `${COOKIE}=${await sealed()}` })),
  read('a cookie over http', async () => ({ cookie: `${COOKIE}=${await sealed()}` }), HTTP),
  read('no address, on Vercel', async () => ({ cookie: `__Secure-${COOKIE}=${await sealed()}` }), {
    AUTH_URL: undefined,
    NEXTAUTH_URL: undefined,
    VERCEL: '1',
  }),
  read('pieces', async () => {
    const token = await sealed()
    const name = `__Secure-${COOKIE}`
    return { cookie: `${name}.0=${token.slice(0, 80)}; ${name}.1=${token.slice(80)}` }
  }),
  read('a bearer token', async () => ({ authorization: `Bearer ${await sealed()}` })),
  read('another secret', async () => ({
    cookie: `__Secure-${COOKIE}=${await sealed(ada, 'another secret, 0123456789abcdef')}`,
  })),
  read('no token', async () => ({ cookie: `__Secure-${COOKIE}=x` })),
  {
    call: 'getToken',
    input: 'raw',
    async play(side) {
      const token = await sealed()
      const req = asking({ cookie: `__Secure-${COOKIE}=${token}` })
      return (await tokenOf(side, { req, raw: true })) === (token as never)
    },
  },
  {
    call: 'getToken',
    input: 'secureCookie: false',
    async play(side) {
      const req = asking({ cookie: `${COOKIE}=${await sealed()}` })
      return claimsOf(await tokenOf(side, { req, secret: SECRET, secureCookie: false }))
    },
  },
  {
    call: 'getToken',
    input: 'a session of its own',
    async play(side) {
      const visit = new Visit(side, options())
      await visit.signIn('right')
      const req = asking({ cookie: visit.cookie })
      return claimsOf(await tokenOf(side, { req, secret: SECRET }))
    },
  },
  {
    call: 'getToken',
    input: 'times of the token',
    async play(side) {
      const req = asking({ cookie: `__Secure-${COOKIE}=${await sealed()}` })
      return Object.keys((await tokenOf(side, { req, secret: SECRET })) ?? {}).sort()
    },
  },
  {
    call: 'getToken',
    input: 'the secret of the environment',
    async play(side) {
      vi.stubEnv('NEXTAUTH_SECRET', SECRET)
      const req = asking({ cookie: `__Secure-${COOKIE}=${await sealed()}` })
      return tokenOf(side, { req }).then(claimsOf, (error: Error) => error.name)
    },
    differs: { theirs: ada, ours: 'MissingSecret', guide: '`secret` is required' },
  },
  {
    call: 'getToken',
    input: 'a cookie of version 4, without the option',
    async play({ jwt }) {
      const req = asking({ cookie: `__Secure-${COOKIE}=${await sealed()}` })
      return claimsOf(await jwt.getToken({ req, secret: SECRET }))
    },
    differs: {
      theirs: ada,
      ours: null,
      guide: 'With `acceptSessionsFrom` it also reads tokens of version 4',
    },
  },
  {
    call: 'getToken',
    input: 'no request',
    play: (side) => tokenOf(side, { secret: SECRET }).then(claimsOf, () => 'throws'),
  },
]

const coding = (input: string, salt: string | undefined, differs?: Row['differs']): Row => ({
  call: 'encode and decode',
  input,
  async play({ jwt }) {
    const shared = salt === undefined ? { secret: SECRET } : { secret: SECRET, salt }
    try {
      const token = await jwt.encode({ token: ada, ...shared })
      return claimsOf(await jwt.decode({ token, ...shared }))
    } catch {
      return 'throws'
    }
  },
  ...(differs && { differs }),
})

const codecs: readonly Row[] = [
  coding('a salt', 'purpose'),
  coding('no salt', undefined, {
    theirs: ada,
    ours: 'throws',
    guide: '`encode` and `decode` of `latchkey/jwt` need `salt`',
  }),
  {
    call: 'decode',
    input: 'no token',
    play: ({ jwt }) => jwt.decode({ secret: SECRET, salt: 'x' }),
  },
  {
    call: 'decode',
    input: 'no token of this secret',
    play: ({ jwt }) => jwt.decode({ token: 'x', secret: SECRET, salt: 'x' }).catch(() => 'throws'),
  },
]

const visiting = (
  call: string,
  input: string,
  play: (react: Side['react'], visit: Visit) => Promise<unknown>,
  further: Partial<Options> = {},
): Row => ({
  call,
  input,
  play: (side) => play(side.react, new Visit(side, options(further))),
})

/** What a page reads of a result. The value of no error differs, see the row of it. */
const told = (result: { error?: string | null; ok?: boolean; url?: string | null } | undefined) =>
  result && { error: result.error ?? null, ok: result.ok, url: result.url }

/** A target without the callback URL, which the cookie has as well. */
const pathOf = (url: string | null | undefined): string | null | undefined =>
  url && new URL(url, ORIGIN).pathname

const refusing = (signIn: Loose): Partial<Options> => ({ callbacks: { signIn } })

const browser: readonly Row[] = [
  visiting('getSession', 'nobody', ({ getSession }) => getSession()),
  visiting('getSession', 'somebody', async ({ getSession }, visit) => {
    await visit.signIn('right')
    return (await getSession()).user
  }),
  visiting('getProviders', '', async ({ getProviders }) => getProviders()),
  visiting('getCsrfToken', '', async ({ getCsrfToken }) => typeof (await getCsrfToken())),
  visiting('signIn', 'redirect: false, the right password', async (_, visit) =>
    told((await visit.signIn('right')) as object),
  ),
  visiting('signIn', 'redirect: false, a wrong password', async (_, visit) =>
    told((await visit.signIn('wrong')) as object),
  ),
  {
    ...visiting('signIn', 'the value of no error', async (_, visit) => {
      const { error } = (await visit.signIn('right')) as { error: unknown }
      return error
    }),
    differs: { theirs: null, ours: undefined, guide: '`error` is `undefined` instead of `null`' },
  },
  {
    ...visiting('signIn', 'the status of a wrong password', async (_, visit) => {
      const { status } = (await visit.signIn('wrong')) as { status: number }
      return status
    }),
    differs: { theirs: 401, ours: 200, guide: '`status` is 200 after a refusal, too' },
  },
  {
    ...visiting('signIn', '`authorize` throws', async (_, visit) =>
      told((await visit.signIn('locked')) as object),
    ),
    differs: {
      theirs: { error: 'locked', ok: false, url: null },
      ours: { error: 'Configuration', ok: false, url: null },
      guide: '`throw new Error(message)` in `authorize`',
    },
  },
  visiting(
    'signIn',
    'the callback returns false',
    async (_, visit) => told((await visit.signIn('right')) as object),
    refusing(() => false),
  ),
  {
    ...visiting(
      'signIn',
      'the callback throws',
      async (_, visit) => told((await visit.signIn('right')) as object),
      refusing(() => {
        throw new Error('banned')
      }),
    ),
    differs: {
      theirs: { error: 'banned', ok: true, url: null },
      ours: { error: 'AccessDenied', ok: false, url: null },
      guide: '`throw new Error(message)` in the `signIn` callback',
    },
  },
  visiting(
    'signIn',
    'the callback returns an address',
    async (_, visit) => {
      const result = told((await visit.signIn('right')) as object)
      return { error: result?.error, url: pathOf(result?.url) }
    },
    refusing(() => `${ORIGIN}/welcome`),
  ),
  visiting('signIn', 'a password, and a redirect', async ({ signIn }, visit) => {
    await signIn('credentials', { password: 'right', callbackUrl: '/inbox' })
    return visit.went.map(pathOf)
  }),
  visiting('signIn', 'no provider', async ({ signIn }, visit) => {
    await signIn()
    return visit.went.map(pathOf)
  }),
  visiting('signIn', 'an unknown provider', async ({ signIn }, visit) => {
    await signIn('gitlab')
    return visit.went.map(pathOf)
  }),
  visiting('signIn', 'a provider', async ({ signIn }, visit) => {
    await signIn('github', {}, { login: 'ada' })
    const [url = ''] = visit.went
    return [url.split('?')[0], new URL(url).searchParams.get('login')]
  }),
  {
    ...visiting('signIn', 'a provider with redirect: false', async ({ signIn }, visit) => {
      const result = await signIn('github', { redirect: false })
      return result ? 'returns' : visit.went.length
    }),
    differs: {
      theirs: 1,
      ours: 'returns',
      guide: '`redirect: false` also holds for providers with OAuth',
    },
  },
  visiting(
    'signIn',
    'an address',
    async ({ signIn }) => {
      const result = told(await signIn('email', { email: 'ada@app.example', redirect: false }))
      return { ...result, url: pathOf(result?.url) }
    },
    { providers: [mail], adapter: memoryAdapter(), session: { strategy: 'jwt' } },
  ),
  visiting('signOut', 'redirect: false', async ({ signOut, getSession }, visit) => {
    await visit.signIn('right')
    const result = await signOut({ redirect: false, callbackUrl: '/bye' })
    return [pathOf(result.url), await getSession(), visit.went]
  }),
  visiting('signOut', '', async ({ signOut, getSession }, visit) => {
    await visit.signIn('right')
    await signOut({ callbackUrl: '/bye' })
    return [visit.went.map(pathOf), await getSession()]
  }),
]

const answer = (path: string, more: (response: Response) => unknown = () => undefined): Row => ({
  call: 'NextAuth',
  input: `GET /api/auth/${path}`,
  async play(side) {
    const response = await new Visit(side, options()).send(`/api/auth/${path}`)
    return [response.status, await more(response)]
  },
})

const server: readonly Row[] = [
  ...[false, true].map(
    (isSignedIn): Row => ({
      call: 'getServerSession',
      input: isSignedIn ? 'somebody' : 'nobody',
      async play(side) {
        const visit = new Visit(side, options())
        if (isSignedIn) await visit.signIn('right')
        const session = await side.session(asking({ cookie: visit.cookie }), options())
        return (session as { user: unknown } | null)?.user
      },
    }),
  ),
  {
    call: 'getServerSession',
    input: 'a session of version 4',
    async play(side) {
      const cookie = `__Secure-${COOKIE}=${await sealed()}`
      const session = await side.session(asking({ cookie }), options())
      return (session as { user: { name: string } } | null)?.user.name
    },
  },
  answer('providers', async (response) => Object.keys((await response.json()) as object)),
  answer('csrf', async (response) => Object.keys((await response.json()) as object)),
  answer('signin'),
  answer('signout'),
  answer('error?error=AccessDenied'),
  answer('verify-request'),
  {
    ...answer('session', (response) => response.json()),
    differs: {
      theirs: [200, {}],
      ours: [200, null],
      guide: '`GET /api/auth/session` without a session is `null` instead of `{}`',
    },
  },
]

const guards: readonly Row[] = [
  {
    call: 'withAuth',
    input: 'nobody',
    async play(side) {
      const response = await side.guard(nextRequest('/account?tab=1'), options())
      const to = new URL(response?.headers.get('location') ?? '', ORIGIN)
      return [
        to.origin + to.pathname,
        new URL(to.searchParams.get('callbackUrl') ?? '', ORIGIN).href,
      ]
    },
  },
  {
    call: 'withAuth',
    input: 'somebody',
    async play(side) {
      const cookie = `__Secure-${COOKIE}=${await sealed()}`
      const response = await side.guard(nextRequest('/account', { cookie }), options())
      return response?.headers.get('location') ?? 'passes'
    },
  },
]

const table: readonly Row[] = [...codecs, ...tokens, ...browser, ...server, ...guards]

describe('APP-4: the public functions of next-auth 4, beside those of Latchkey', () => {
  beforeEach(() => {
    for (const name of ADDRESSES) vi.stubEnv(name, ORIGIN)
    for (const name of FURTHER) vi.stubEnv(name, undefined)
  })
  afterEach(() => vi.unstubAllGlobals())
  afterAll(() => vi.unstubAllEnvs())

  test.each(table.map((row) => [row.call, row.input, row] as const))(
    '%s: %s',
    async (_call, _input, { play, differs }) => {
      const results = []
      for (const side of sides) {
        results.push(await play(side))
        for (const name of ADDRESSES) vi.stubEnv(name, ORIGIN)
      }
      const [first, second] = results
      if (!differs) return expect(second).toEqual(first)
      expect([first, second]).toEqual([differs.theirs, differs.ours])
      expect(first).not.toEqual(second)
      expect(guide.includes(differs.guide), differs.guide).toBe(true)
    },
  )

  test('all public functions are in the table', () => {
    const called = new Set(table.flatMap(({ call }) => call.split(' and ')))
    const functions = [sides[0].jwt, sides[0].react, theirs, { withAuth }]
      .flatMap((module) => Object.entries(module))
      .filter(([name, value]) => typeof value === 'function' && name !== 'default')
      .map(([name]) => name)
    // Components and hooks: the tests of latchkey/react have them in a browser.
    const elsewhere = ['SessionProvider', 'useSession', 'unstable_getServerSession']
    expect(functions.filter((name) => !called.has(name) && !elsewhere.includes(name))).toEqual([])
  })
})
