import { describe, expect, test } from 'vitest'
import {
  type AuthConfig,
  createLatchkey,
  isAuthAction,
  type ProtectOptions,
} from '../../src/entries/index.ts'

// Whoever asks for a page ends somewhere: each combination of what `authorized` says, of the pages of an
// application, and of where a framework mounts, guards and names them is walked from several pages.

const origin = 'https://app.example'
const SESSION = '__Secure-authjs.session-token'
/** What a browser gives up after. */
const MANY = 10

type Authorized = NonNullable<ProtectOptions['authorized']>

const to =
  (target: string | ((url: URL) => string)): Authorized =>
  ({ request }) => {
    const location = typeof target === 'string' ? target : target(new URL(request.url))
    return new Response(null, { status: 307, headers: { location } })
  }

const onlyOthers =
  (verdict: Authorized): Authorized =>
  (visiting) =>
    visiting.auth !== null || verdict(visiting)

const answers: Readonly<Record<string, Authorized>> = {
  yes: () => true,
  no: () => false,
  nothing: () => undefined,
  'no, to others': onlyOthers(() => false),
  'a relative page': to('/plans'),
  'a page, to others': onlyOthers(to('/plans')),
  'a page in full': to(`${origin}/plans`),
  'a page elsewhere': to('https://other.example/plans'),
  'the page itself': to(({ href }) => href),
  'the page itself, relatively': to(({ pathname, search }) => pathname + search),
  'the page itself, over http': to(({ href }) => href.replace('https:', 'http:')),
  'the page with one more parameter': to((url) => {
    url.searchParams.set('lang', 'en')
    return url.href
  }),
  'the page without its query': to(({ pathname }) => pathname),
  'the page with a way back to it': to(({ pathname, href }) => {
    return `${pathname}?${new URLSearchParams({ next: href })}`
  }),
  'the sign-in page': to('/login'),
  'the sign-in page, with the way back': to(({ href }) => {
    return `/login?${new URLSearchParams({ callbackUrl: href })}`
  }),
  'the sign-in action': to('/auth/signin'),
  'the error page': to('/problem'),
  'the error action, to others': onlyOthers(to('/auth/error?error=AccessDenied')),
}

const pages: Readonly<Record<string, NonNullable<AuthConfig['pages']>>> = {
  'none of its own': {},
  'its own': { signIn: '/login', signOut: '/bye', error: '/problem', verifyRequest: '/look' },
  'its own, with slashes at the end': { signIn: '/login/', signOut: '/bye/', error: '/problem/' },
  'its own, with a query': { signIn: '/login?from=here', error: '/problem?kind=auth' },
  'its own, in full': { signIn: `${origin}/login`, error: `${origin}/problem` },
  'its own, over http': { signIn: 'http://app.example/login' },
  'its own, at another name of the site': { signIn: 'https://www.app.example/login' },
  'its own, elsewhere': { signIn: 'https://id.example/login' },
  'its own, without a slash in front': { signIn: 'login' },
  'an empty one': { signIn: '' },
  'a query alone': { signIn: '?login' },
  'errors at the sign-in page': { signIn: '/login', error: '/login' },
  'where ours are': { signIn: '/auth/signin', signOut: '/auth/signout', error: '/auth/error' },
  'where ours are, with a slash at the end': { signIn: '/auth/signin/', error: '/auth/error/' },
  'where ours are, with a query': { signIn: '/auth/signin?a=b', error: '/auth/error?a=b' },
  'where ours are, in full': { signIn: `${origin}/auth/signin`, error: `${origin}/auth/error` },
  'errors at our sign-in page': { error: '/auth/signin' },
  'each where another of ours is': { signIn: '/auth/error', error: '/auth/signin' },
  'in a ring of ours': { signIn: '/auth/signout', signOut: '/auth/error', error: '/auth/signin' },
}

interface Framework {
  /** What its addresses begin with, which it keeps from the application. */
  readonly base?: string
  /** Where the service is. @default '/auth' */
  readonly mount?: string
  readonly slash?: 'always' | 'never'
  /** Does the configuration say so? */
  readonly says?: boolean
}

const frameworks: Readonly<Record<string, Framework>> = {
  'any framework': {},
  'one that adds slashes': { slash: 'always' },
  'one that adds slashes, and says so': { slash: 'always', says: true },
  'one that removes slashes': { slash: 'never' },
  'one with a base path': { base: '/docs' },
  'one with the service elsewhere': { mount: '/api/auth' },
}

/** Which paths are guarded. */
const matchers: Readonly<Record<string, (path: string) => boolean>> = {
  everything: () => true,
  'all but the service': (path) => !path.startsWith('/auth/'),
  'some pages': (path) => /^\/(?:private|login)/.test(path),
}

const starts = [
  '/private?a=b',
  '/',
  '/login',
  '/problem/',
  '/auth/signin',
  '/auth/error?error=AccessDenied',
  '/auth/signout',
  '/auth/callback/nobody',
]

/** How many redirects follow one another. */
async function walk(
  latchkey: ReturnType<typeof createLatchkey>,
  { base = '', mount = '/auth', slash }: Framework,
  guards: (path: string) => boolean,
  start: string,
  cookie: string,
): Promise<string[]> {
  const seen: string[] = []
  let next: string | null = origin + base + start.replace('/auth', mount)
  while (next !== null && seen.length < MANY) {
    seen.push(next)
    const url: URL = new URL(next)
    // The proxy in front of it asks for https, and the other name leads to the same application.
    if (!/^(?:www\.)?app\.example$/.test(url.host)) break
    if (url.protocol === 'http:') {
      next = next.replace('http:', 'https:')
      continue
    }
    if (!`${url.pathname}/`.startsWith(`${base}/`)) break
    const path = url.pathname.slice(base.length) || '/'
    const right = slash === 'always' ? path.replace(/\/?$/, '/') : path.replace(/(?!^)\/$/, '')
    if (slash && right !== path) {
      url.pathname = base + right
      next = url.href
      continue
    }
    const request = new Request(url, { headers: { cookie } })
    const { response } = guards(path)
      ? await latchkey.protect(request, base ? { path } : {})
      : { response: undefined }
    const [action = ''] = path.slice(mount.length + 1).split('/')
    const served = path.startsWith(`${mount}/`) && isAuthAction(action)
    const answer: Response | undefined =
      response ?? (served ? await latchkey.handler(request) : undefined)
    const location: string | null = answer?.headers.get('location') ?? null
    next = location === null ? null : new URL(location, url).href
  }
  return seen
}

/** Walks from everywhere with each configuration. @returns what does not end */
async function circlesIn(
  framework: Framework,
  authorized: Authorized | undefined,
  given: Partial<AuthConfig> = {},
  guarded: typeof matchers = matchers,
): Promise<string[]> {
  const circles: string[] = []
  const basePath = (framework.base ?? '') + (framework.mount ?? '/auth')
  for (const [which, own] of Object.entries(pages)) {
    const config: AuthConfig = {
      providers: [],
      secret: 'a secret of these tests, 0123456789abcdef',
      basePath,
      trailingSlash: framework.says === true,
      pages: own,
      logger: { error() {}, warn() {}, debug() {} },
      callbacks: { ...(authorized && { authorized }) },
      // What is in a session does not matter here, and this is done thousands of times.
      jwt: { encode: () => 'token', decode: () => ({ sub: '1' }) },
      ...given,
    }
    const latchkey = createLatchkey(() => config, { AUTH_URL: origin + basePath })
    for (const [where, guards] of Object.entries(guarded)) {
      for (const cookie of ['', `${SESSION}=token`]) {
        for (const start of starts) {
          const seen = await walk(latchkey, framework, guards, start, cookie)
          if (seen.length < MANY) continue
          circles.push(`${which}; ${where}; ${cookie ? 'user' : 'nobody'}: ${seen.join(' → ')}`)
        }
      }
    }
  }
  return circles
}

describe.each(Object.keys(frameworks))('in %s', (name) => {
  const framework = frameworks[name] ?? {}

  test.each(Object.keys(answers))(
    'no visitor is caught in a redirect loop by "%s"',
    async (answer) => {
      expect(await circlesIn(framework, answers[answer])).toEqual([])
    },
  )

  test('no visitor is caught in a redirect loop by a configuration that cannot be used', async () => {
    // Where a page is guarded it throws.
    const guarded = { nothing: () => false }
    expect(await circlesIn(framework, undefined, { secret: '' }, guarded)).toEqual([])
  })
})
