import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { skipCSRFCheck } from '../../src/options/markers.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email, oauth } from '../../src/providers/define.ts'
import GitHub from '../../src/providers/github.ts'

const ORIGIN = 'https://app.example'

const mail = email({ id: 'mail', name: 'Mail', sendVerificationRequest: async () => {} })
const login = Credentials({
  authorize: () => null,
  credentials: {
    username: { label: 'User name', placeholder: 'ada', required: true },
    pin: { type: 'password', maxlength: 4, onfocus: 'alert(1)', disabled: false },
  },
})

const everything: Partial<AuthConfig> = {
  providers: [GitHub({ clientId: 'id' }), mail, login],
  adapter: memoryAdapter(),
  session: { strategy: 'jwt' },
}

const PAGES = [
  ['/auth/signin', 200],
  ['/auth/signin?error=CredentialsSignin', 200],
  ['/auth/signout', 200],
  ['/auth/verify-request?provider=mail&type=email', 200],
  ['/auth/error', 200],
  ['/auth/error?error=Configuration', 500],
  ['/auth/error?error=AccessDenied', 403],
  ['/auth/error?error=Verification', 403],
  ['/auth/error?error=constructor', 200],
  ['/auth/callback/mail?token=t&email=ada%40example.com', 200],
] as const

for (const [path, status] of PAGES) {
  describe(`the page ${path}`, () => {
    for (const theme of [
      {},
      { logo: 'https://cdn.example/logo.png', brandColor: '#fc0', colorScheme: 'dark' },
    ] as const) {
      test(`T-WEB-3: has the status ${status}, and headers that keep it to itself${'logo' in theme ? ', with a theme too' : ''}`, async () => {
        const it = createWorld({ ...everything, theme })
        const answer = await it.get(path)
        expect(answer.status).toBe(status)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(answer.headers.get('cache-control')).toContain('no-store')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('referrer-policy')).toBe('strict-origin')
        expect(answer.headers.get('x-frame-options')).toBe('DENY')

        const page = await answer.text()
        const policy = answer.headers.get('content-security-policy') ?? ''
        const [style = ''] = textsOf(page, 'style')
        const [script] = textsOf(page, 'script')
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain(`style-src ${hashOf(style)}`)
        expect(policy.includes('script-src')).toBe(script !== undefined)
        expect(policy).toContain(script === undefined ? '' : `script-src ${hashOf(script)}; img`)
        expect(script !== undefined).toBe(page.includes('<form'))
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).toContain("base-uri 'none'")
        expect(policy).toContain(`img-src ${'logo' in theme ? 'https://cdn.example' : "'self'"}`)

        expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
        expect(page).toMatch(/<h1>[^<]+<\/h1>/)
        expect(page.replace(/<script>.*?<\/script>/s, '')).not.toMatch(
          /<script|javascript:|\son\w+=|style="|<link|<iframe|@import|url\(/i,
        )
        const loaded = [...page.matchAll(/src="([^"]*)"/g)].map(([, url]) => url)
        expect(loaded).toEqual('logo' in theme ? ['https://cdn.example/logo.png'] : [])
        const hosts = [...page.matchAll(/(?:href|action)="(https?:\/\/[^/"]+)/g)].map(
          ([, url]) => url,
        )
        expect(new Set([ORIGIN, ...hosts])).toEqual(new Set([ORIGIN]))
      })
    }
  })
}

/** The texts of all elements of a name. */
function textsOf(page: string, name: 'style' | 'script'): readonly string[] {
  const found = page.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))
  return [...found].map(([, text = '']) => text)
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

describe('the sign-in page', () => {
  const read = async (config: Partial<AuthConfig>, path = '/auth/signin'): Promise<string> =>
    (await createWorld(config).get(path)).text()

  test('has a form for each provider', async () => {
    const page = await read(everything)
    expect(page.match(/<form /g)).toHaveLength(3)
    expect(page).toContain('<form action="/auth/signin/github" method="post">')
    expect(page).toContain('Continue with GitHub')
    expect(page).toContain('<form action="/auth/signin/mail" method="post">')
    expect(page).toContain('<label for="input-email-for-mail-provider">')
    expect(page).toMatch(
      /<input id="input-email-for-mail-provider" type="email" name="email"[^>]* required/,
    )
    expect(page).toContain('<form action="/auth/callback/credentials" method="post">')
    expect(page).toMatch(/<label for="input-username-for-credentials-provider">User name</)
    expect(page).toMatch(
      /<input id="input-username-for-credentials-provider" type="text" name="username"[^>]* placeholder="ada" required>/,
    )
    expect(page).toMatch(
      /<input id="input-pin-for-credentials-provider" type="password" name="pin"[^>]* maxlength="4">/,
    )
    expect(page).toContain('>pin</label>')
  })

  test('calls a provider without a name by its id', async () => {
    const { name: _, ...nameless } = GitHub({ clientId: 'id' })
    const page = await read({ providers: [nameless as never] })
    expect(page).toContain('<span>Continue with github</span></button>')
  })

  test('has the token of the visitor in each form, and the target where no cookie keeps it', async () => {
    const it = createWorld(everything)
    const page = await (await it.get('/auth/signin?callbackUrl=/a%26b')).text()
    const tokens = [...page.matchAll(/name="csrfToken" value="(\w+)"/g)].map(([, token]) => token)
    expect(tokens).toEqual(Array(3).fill(await it.csrfToken()))
    expect(page.match(/name="callbackUrl" value="https:\/\/app.example\/a&amp;b"/g)).toHaveLength(1)
    expect(await (await it.get('/auth/signin')).text()).toContain('https://app.example/a&amp;b')
  })

  test('shows credentials without fields as a button, for example for guests', async () => {
    const guest = Credentials({ id: 'guest', name: 'Guest', authorize: () => ({ id: 'g' }) })
    const page = await read({ providers: [guest] })
    expect(page).toContain('<form action="/auth/callback/guest" method="post">')
    expect(page).toContain('>Sign in with Guest</button>')
    expect(page.match(/<input/g)).toHaveLength(1)
    const hidden = { ...guest, credentials: undefined as never }
    expect(await read({ providers: [hidden] })).not.toContain('<form')
  })

  test('fills in the address from the query', async () => {
    expect(await read(everything, '/auth/signin?email=ada%22%3E%3Cb%3E')).toContain(
      'name="email" value="ada&quot;&gt;&lt;b&gt;"',
    )
  })

  test('reads no other parameter', async () => {
    const page = await read(everything, '/auth/signin?csrfToken=evil&providers=1&host=evil&theme=x')
    expect(page).not.toContain('evil')
    expect(page).toContain('Continue with GitHub')
  })

  const OTHER = 'choose another way'
  for (const [error, text] of [
    ['Signin', OTHER],
    ['OAuthSignin', OTHER],
    ['OAuthCallbackError', OTHER],
    ['OAuthCreateAccount', OTHER],
    ['EmailCreateAccount', OTHER],
    ['Callback', OTHER],
    ['OAuthAccountNotLinked', 'the same way as the first time'],
    ['EmailSignin', 'could not be sent'],
    ['CredentialsSignin', 'What you entered is wrong'],
    ['AccountNotLinked', 'belongs to another account'],
    ['SessionLimit', 'Sign out on one of them'],
    ['PendingExpired', 'not finished within ten minutes'],
    ['constructor', 'did not work'],
    ['__proto__', 'did not work'],
    ['<b>', 'did not work'],
  ] as const) {
    test(`explains ${error}`, async () => {
      const page = await read(everything, `/auth/signin?error=${encodeURIComponent(error)}`)
      // What went wrong is where the focus is, and the first thing that is read out.
      expect(
        /role="alert" id="problem" tabindex="-1" autofocus>.*?<p>(?:<a [^>]*>)?([^<]*)</.exec(
          page,
        )?.[1],
      ).toContain(text)
      expect(page).toContain('<title>Error: Sign in to app.example</title>')
      expect(page).not.toContain('<b>')
    })
  }

  test('names the reason for which it is shown, which is no error', async () => {
    const page = await read(everything, '/auth/signin?error=SessionRequired')
    expect(page).toContain('<p class="lead">Sign in to see this page.')
    expect(page).toContain('<title>Sign in to app.example</title>')
    expect(page).not.toContain('role="alert"')
  })

  test('explains the first of two errors, and shows nothing for an empty one', async () => {
    expect(await read(everything, '/auth/signin?error=EmailSignin&error=Signin')).toContain(
      'could not be sent',
    )
    expect(await read(everything, '/auth/signin?error=')).not.toContain('role="alert"')
  })

  test('has no token if CSRF protection is off', async () => {
    const page = await read({ ...everything, skipCSRFCheck })
    expect(page.match(/name="csrfToken" value=""/g)).toHaveLength(3)
  })

  test('is shown to each visitor with their own values', async () => {
    const config = everything
    const [one, two] = [createWorld(config), createWorld(config)]
    const first = await (await one.get('/auth/signin?callbackUrl=/one')).text()
    const again = await (await one.otherBrowser().get('/auth/signin?callbackUrl=/two')).text()
    expect(first).toContain('/one')
    expect(again).not.toContain('/one')
    expect(again).not.toContain(await one.csrfToken())
    expect(await (await two.get('/auth/signin')).text()).toContain(await two.csrfToken())
  })

  test('T-WEB-4: takes no markup from names, labels and themes', async () => {
    const evil = '"><script>alert(1)</script>'
    const page = await read({
      ...everything,
      providers: [
        GitHub({ name: evil, style: { brandColor: `red}${evil}`, mark: evil } }),
        Credentials({
          authorize: () => null,
          name: evil,
          credentials: { [evil]: { label: evil, type: evil, [`x${evil}`]: evil } },
        }),
        { ...mail, name: evil },
      ],
      theme: { brandColor: `#fff;}</style>${evil}`, buttonText: 'url(//evil.example)', logo: evil },
    })
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(textsOf(page, 'script').join('')).not.toContain('alert')
    expect(page).not.toContain('evil.example')
    expect(page.match(/<\/style>/g)).toHaveLength(1)
  })

  test('has the colours of the theme', async () => {
    const page = await read({ ...everything, theme: { brandColor: '#123456', buttonText: '#eee' } })
    expect(page).toContain('--accent:#123456;--on-accent:#eee')
  })

  test('has the sign of a provider, or the first letter of its name', async () => {
    const plain = oauth<object>({
      id: 'plain',
      name: 'Émile',
      authorization: 'https://vendor.example/authorize',
      token: 'https://vendor.example/token',
      userinfo: 'https://vendor.example/me',
    })
    const page = await read({ ...everything, providers: [GitHub({ clientId: 'id' }), plain()] })
    expect(page).toMatch(
      /<svg class="mark" viewBox="0 0 24 24"[^>]*><path d="M[\w .-]+"\/><\/svg><span>Continue with GitHub/,
    )
    expect(page).toMatch(/<svg class="mark"[^>]*>.*>É<\/text><\/svg><span>Continue with Émile/)
  })

  test.each([
    ['https://cdn.example/a.png?b=1;c', 'https://cdn.example'],
    ['/logos/a.svg', "'self'"],
    ['data:image/gif;base64,R0lGODlhAQABAAAAACw=', 'data:'],
  ])('T-WEB-3: shows the logo %s, and allows its source only', async (logo, source) => {
    const providers = [GitHub({ clientId: 'id', style: { logo } })]
    const answer = await createWorld({ providers }).get('/auth/signin')
    expect(answer.headers.get('content-security-policy')).toContain(` img-src ${source};`)
    expect(await answer.text()).toContain(
      `<img class="mark" src="${logo}" width="18" height="18" alt="">`,
    )
  })

  test.each(['javascript:alert(1)', 'https://a;script-src/x.png', 'file:///etc/passwd', ''])(
    'T-WEB-4: shows no logo from %j',
    async (logo) => {
      const providers = [GitHub({ clientId: 'id', style: { logo } })]
      const answer = await createWorld({ providers }).get('/auth/signin')
      expect(answer.headers.get('content-security-policy')).toContain(" img-src 'self';")
      expect(await answer.text()).not.toContain('<img')
    },
  )

  for (const scheme of ['light', 'dark', 'auto'] as const) {
    test(`has the colour scheme ${scheme} if configured`, async () => {
      const page = await read({ ...everything, theme: { colorScheme: scheme } })
      expect(page.includes('prefers-color-scheme')).toBe(scheme === 'auto')
      expect(page).toContain(`content="${scheme === 'auto' ? 'light dark' : scheme}"`)
    })
  }

  for (const colorScheme of ['</style><form action="https://evil.example">', 'only light', 7]) {
    test(`T-WEB-4: has the colour scheme of the system if ${colorScheme} is configured`, async () => {
      const page = await read({ ...everything, theme: { colorScheme: colorScheme as never } })
      expect(page).toBe(await read(everything))
    })
  }
})

describe('the error page', () => {
  test('offers a new sign-in if that may help', async () => {
    const it = createWorld(everything)
    for (const [error, retry] of [
      ['AccessDenied', true],
      ['Verification', true],
      ['Configuration', true],
      ['', false],
    ] as const) {
      const page = await (await it.get(`/auth/error?error=${error}`)).text()
      expect(page.includes('href="/auth/signin"')).toBe(retry)
      expect(page).toContain(`href="${ORIGIN}"`)
    }
    const own = createWorld({ ...everything, pages: { signIn: '/login' } })
    expect(await (await own.get('/auth/error?error=Verification')).text()).toContain(
      'href="/login"',
    )
  })
})

describe('pages of the application', () => {
  const pages = {
    signIn: '/login',
    signOut: '/logout',
    error: '/oops?x=1',
    verifyRequest: '/check-mail',
  }

  for (const [path, target] of [
    ['/auth/signin', '/login?callbackUrl=https%3A%2F%2Fapp.example'],
    [
      '/auth/signin?callbackUrl=/a&error=Some%20Error&code=c',
      '/login?callbackUrl=https%3A%2F%2Fapp.example%2Fa&error=Some%20Error',
    ],
    ['/auth/signout?a=1', '/logout'],
    ['/auth/verify-request?provider=mail&type=email', '/check-mail?provider=mail&type=email'],
    ['/auth/error?error=a%26b%3Dc', '/oops?x=1&error=a%26b%3Dc'],
    ['/auth/error', '/oops?x=1'],
  ] as const) {
    test(`${path} leads to ${target}`, async () => {
      const it = createWorld({ ...everything, pages })
      const answer = await it.get(path)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toBe(target)
      const asksForForm = path.startsWith('/auth/sign')
      expect(it.jar.has('__Host-authjs.csrf-token')).toBe(asksForForm)
    })
  }

  test('keep their query when the built-in page adds one', async () => {
    const it = createWorld({ ...everything, pages: { verifyRequest: '/check?a=1' } })
    const answer = await it.get('/auth/verify-request?provider=mail')
    expect(answer.headers.get('location')).toBe('/check?a=1&provider=mail')
  })

  test('get every parameter of the built-in one, also names that need escapes', async () => {
    const it = createWorld({ ...everything, pages: { verifyRequest: '/check' } })
    for (const query of ['a=1&a=2', '%D0%B6=1', 'a%0Ab=%20', 'x%26error%3DY=1']) {
      const answer = await it.get(`/auth/verify-request?${query}`)
      expect(answer.headers.get('location')).toBe(`/check?${query}`)
    }
  })

  test('at the address of a built-in page are that page, without a redirect to itself', async () => {
    const own = {
      signIn: '/auth/signin',
      signOut: '/auth/signout',
      error: '/auth/error',
      verifyRequest: '/auth/verify-request',
    }
    const it = createWorld({ ...everything, pages: own })
    for (const path of Object.values(own)) expect((await it.get(path)).status).toBe(200)
  })

  test('a redirect callback that throws is reported once, on the error page', async () => {
    const it = createWorld({
      ...everything,
      callbacks: {
        redirect: () => {
          throw new Error('no')
        },
      },
    })
    const failed = await it.get('/auth/signin?callbackUrl=/a')
    expect(failed.headers.get('location')).toBe(`${ORIGIN}/auth/error?error=Configuration`)
    expect((await it.get('/auth/error?error=Configuration&callbackUrl=/a')).status).toBe(500)
  })

  test('receive failures, also if they have a query or are at another origin', async () => {
    const it = createWorld({ ...everything, pages })
    expect((await it.get('/auth/callback/credentials')).headers.get('location')).toBe(
      `${ORIGIN}/oops?x=1&error=Configuration`,
    )
    expect((await it.post('/auth/callback/credentials')).headers.get('location')).toBe(
      `${ORIGIN}/login?error=CredentialsSignin&code=credentials`,
    )
    const away = createWorld({ ...everything, pages: { signIn: 'https://login.example/?a=1' } })
    expect((await away.post('/auth/callback/credentials')).headers.get('location')).toBe(
      'https://login.example/?a=1&error=CredentialsSignin&code=credentials',
    )
  })

  test('do not change where a sign-in without a provider leads', async () => {
    const it = createWorld({ ...everything, pages })
    expect((await it.post('/auth/signin')).headers.get('location')).toBe(`${ORIGIN}/auth/signin`)
  })
})

for (const path of [
  '/auth/signin?callbackUrl=%2Fprivate',
  '/auth/signout',
  '/auth/verify-request?provider=mail',
]) {
  test(`${path} sets no cookie where a router asks, which shows nothing of it`, async () => {
    const it = createWorld(everything)
    const answer = await it.get(path, { headers: { rsc: '1', 'next-router-prefetch': '1' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
  })
}

test('a request of a router leaves the form of the open page valid', async () => {
  const it = createWorld(everything)
  const page = await it.get('/auth/signin')
  const csrfToken = /name="csrfToken" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
  // It left before the browser had the cookie of the page, and came back after that.
  const early = await it.get('/auth/signin', { headers: { rsc: '1', cookie: '' } })
  expect(early.status).toBe(200)
  const answer = await it.post('/auth/signin/github', { csrfToken })
  expect(answer.headers.get('location')).toContain('https://github.com/login/oauth/authorize')
})
