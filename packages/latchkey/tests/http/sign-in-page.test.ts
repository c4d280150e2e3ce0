import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { definePlugin } from '../../src/entries/plugin.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import Credentials from '../../src/providers/credentials.ts'
import { email, oauth } from '../../src/providers/define.ts'
import Google from '../../src/providers/google.ts'
import Passkey from '../../src/providers/passkey.ts'

const mail = email({ id: 'mail', name: 'Mail', sendVerificationRequest: async () => {} })

const password = Credentials({
  authorize: ({ email: address, password: typed }) =>
    typed === 'right' ? { id: '1', name: 'Ada', email: String(address) } : null,
  credentials: {
    email: { label: 'Email address', type: 'email' },
    password: { label: 'Password', type: 'password' },
  },
})

const provider = (id: string) =>
  oauth<object>({
    id,
    name: id.toUpperCase(),
    authorization: 'https://vendor.example/authorize',
    token: 'https://vendor.example/token',
    userinfo: 'https://vendor.example/me',
  })({ clientId: 'id' })

const many = ['a', 'b', 'c', 'd', 'e', 'f'].map(provider)

function site(providers: AuthConfig['providers'], more: Partial<AuthConfig> = {}): World {
  return createWorld({
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers,
    theme: { name: 'Acme' },
    ...more,
  })
}

const AS_PAGE = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' }

const read = async (world: World, path = '/auth/signin'): Promise<string> =>
  (await world.get(path)).text()

/** What the page shows, in order: labels of buttons and fields, and where ways are folded. */
function outline(page: string): string[] {
  const body = page.slice(page.indexOf('<body'), page.indexOf('<script'))
  const found = body.matchAll(
    /<label[^>]*>([^<]*)|<button[^>]*class="(button[^"]*)"[^>]*>(.*?)<\/button>|<summary[^>]*>([^<]*)|<div class="or">|<footer>/g,
  )
  return [...found].map(([whole, label, kind, button, more]) => {
    if (label !== undefined) return `[${label}]`
    if (more !== undefined) return `(${more.trim()})`
    if (whole.startsWith('<div')) return 'or'
    if (whole.startsWith('<footer')) return 'footer'
    const text = (button ?? '')
      .replace(/<svg.*?<\/svg>|<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    return kind?.includes('main') ? text.toUpperCase() : text
  })
}

describe('the sign-in page shows, of what is configured', () => {
  test.each<[string, AuthConfig['providers'], string[]]>([
    ['a mail', [mail], ['[Email address]', 'SEND ME A SIGN-IN LINK']],
    ['a password', [password], ['[Email address]', '[Password]', 'SIGN IN']],
    ['a password and a mail', [mail, password], ['[Email address]', 'CONTINUE']],
    [
      'a provider and a mail',
      [provider('a'), mail],
      ['Continue with A', 'or', '[Email address]', 'SEND ME A SIGN-IN LINK'],
    ],
    ['providers', [provider('a'), provider('b')], ['Continue with A', 'Continue with B']],
    [
      'six providers alone',
      many,
      [
        ...['A', 'B', 'C', 'D', 'E'].map((name) => `Continue with ${name}`),
        '(More ways)',
        'Continue with F',
      ],
    ],
    [
      'six providers beside a form',
      [...many, mail],
      [
        ...['A', 'B', 'C'].map((name) => `Continue with ${name}`),
        '(More ways)',
        ...['D', 'E', 'F'].map((name) => `Continue with ${name}`),
        'or',
        '[Email address]',
        'SEND ME A SIGN-IN LINK',
      ],
    ],
    [
      'a passkey beside a mail',
      [Passkey(), mail],
      ['[Email address]', 'SEND ME A SIGN-IN LINK', 'Use a passkey'],
    ],
    ['a passkey alone', [Passkey()], ['[Email for your passkey]', 'USE A PASSKEY']],
    [
      'other fields of the application beside a mail',
      [
        mail,
        Credentials({
          id: 'card',
          name: 'Card',
          authorize: () => null,
          credentials: { pin: { label: 'PIN' } },
        }),
      ],
      ['[Email address]', 'SEND ME A SIGN-IN LINK', '(More ways)', '[PIN]', 'Sign in with Card'],
    ],
  ])('%s', async (_, providers, expected) => {
    const page = await read(site(providers))
    expect(outline(page)).toEqual(expected)
    expect(page).toContain('<h1>Sign in to Acme</h1>')
    expect(page.match(/class="button main"/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })

  test('also a way of a plugin, without a change of the page', async () => {
    const passwords = definePlugin({
      name: 'passwords',
      signInWay: {
        action: 'passwords/sign-in',
        identifier: 'email',
        password: 'password',
        forgot: 'passwords/forgot',
        signUp: 'passwords/sign-up',
      },
      setUp: () => ({}),
    })
    const page = await read(site([provider('a')], { plugins: [passwords] }))
    expect(outline(page)).toEqual([
      'Continue with A',
      'or',
      '[Email address]',
      '[Password]',
      'SIGN IN',
      'footer',
    ])
    expect(page).toContain('<form action="/auth/passwords/sign-in" method="post">')
    expect(page).toContain('<a href="/auth/passwords/forgot">Forgot password?</a>')
    expect(page).toContain('New to Acme? <a href="/auth/passwords/sign-up">Create an account</a>')
  })

  test('also one box for all ways, in one form that Enter sends to the way with a field', async () => {
    const plugins = [sessions({ remember: 'ask' })]
    const page = await read(site([provider('a'), provider('b'), password], { plugins }))
    expect(page.match(/name="remember"/g)).toHaveLength(1)
    expect(page.match(/<form/g)).toHaveLength(1)
    expect(page).toMatch(
      /<form action="\/auth\/callback\/credentials" method="post">\n[^\n]*\n<button class="sr" type="submit" tabindex="-1" aria-hidden="true">/,
    )
    expect(page).toContain('formaction="/auth/signin/a" formnovalidate')
  })

  test('passkeys in the field for the address, if the browser can', async () => {
    const page = await read(site([Passkey(), mail]))
    expect(page).toMatch(
      /<input id="input-email-for-mail-provider"[^>]* autocomplete="username webauthn"[^>]* data-form-field="passkey-form">/,
    )
    expect(await read(site([Passkey({ enableConditionalUI: false }), mail]))).not.toContain(
      'username webauthn',
    )
  })

  test('the full name of Google and Apple, also where other names are short', async () => {
    const page = await read(
      site([...many.slice(0, 3), Google({ clientId: 'id' }), provider('d'), mail]),
    )
    expect(page).toContain('<span>Continue with Google</span>')
    expect(page).toContain('<span><span class="sr">Continue with </span>D</span>')
  })
})

describe('the second step', () => {
  const start = async (world: World, address: string): Promise<Response> =>
    world.post('/auth/signin', { email: address })

  test('offers the same for every address: the password, then the mail', async () => {
    const world = site([mail, password])
    const seen: unknown[] = []
    for (const address of ['ada@example.com', 'nobody@example.com']) {
      const answer = await start(world, address)
      const text = (await answer.text()).replaceAll(address, 'X')
      seen.push([answer.status, text.replaceAll(encodeURIComponent(address), 'X')])
    }
    const [known, other] = seen
    expect(known).toEqual(other)
    const page = await (await start(world, 'ada@example.com')).text()
    expect(outline(page)).toEqual(['[Password]', 'SIGN IN', 'or', 'Email me a sign-in link'])
    expect(page).toContain('<bdi dir="ltr">ada@example.com</bdi>')
    expect(page).toContain('name="email" value="ada@example.com" autocomplete="username"')
    expect(page).toContain('href="/auth/signin?email=ada%40example.com"')
  })

  test('keeps a box of a plugin ticked, for the password and for the mail', async () => {
    const world = site([mail, password], { plugins: [sessions({ remember: 'ask' })] })
    const ticked = { email: 'ada@example.com', remember: '1' }
    const page = await (await world.post('/auth/signin', ticked)).text()
    expect(page).toContain('name="remember" value="1" data-for-all checked>')
    const form = /<form[^>]*callback\/credentials.*?<\/form>/s.exec(page)?.[0]
    expect(form).toContain('formaction="/auth/signin/mail" formnovalidate')
    expect(page.match(/name="remember"/g)).toHaveLength(1)
    const plain = await (await start(world, 'ada@example.com')).text()
    expect(plain).toContain('name="remember" value="1" data-for-all>')
    const wrong = { ...ticked, password: 'wrong' }
    const again = await world.post('/auth/callback/credentials', wrong, { headers: AS_PAGE })
    expect(await again.text()).toContain('data-for-all checked>')
  })

  test('keeps an address that the password has under another name', async () => {
    const credentials = { who: { type: 'email' }, password: { type: 'password' } }
    const world = site([mail, Credentials({ credentials, authorize: () => null })])
    const page = await (await start(world, 'ada@example.com')).text()
    expect(page).toContain('name="who" value="ada@example.com"')
    const form = /<form[^>]*callback\/credentials.*?<\/form>/s.exec(page)?.[0]
    expect(form).toContain('<input type="hidden" name="email" value="ada@example.com">')
  })

  test('is shown again with a wrong password', async () => {
    const world = site([mail, password])
    const fields = { email: 'ada@example.com', password: 'wrong' }
    const answer = await world.post('/auth/callback/credentials', fields, { headers: AS_PAGE })
    const page = await answer.text()
    expect(answer.status).toBe(401)
    expect(page).toContain('Wrong email address or password.')
    expect(outline(page)).toEqual(['[Password]', 'SIGN IN', 'or', 'Email me a sign-in link'])
    expect(page).toContain('<bdi dir="ltr">ada@example.com</bdi>')
  })

  test('leads to a session, or to a mail', async () => {
    const world = site([mail, password])
    await start(world, 'ada@example.com')
    const fields = { email: 'ada@example.com', password: 'right' }
    await world.post('/auth/callback/credentials', fields)
    expect((await world.session())?.user).toMatchObject({ email: 'ada@example.com' })
  })

  test('T-WEB-4: shows an address as text', async () => {
    const page = await (await start(site([mail, password]), '"><b>\u202e')).text()
    expect(page).not.toContain('<b>')
    expect(page).not.toContain('\u202e')
  })

  test('is not shown to a form of another site, or if the page has one way', async () => {
    const world = site([mail, password])
    const answer = await world.postWithoutCsrf('/auth/signin', { email: 'ada@example.com' })
    expect(answer.headers.get('location')).toBe('https://app.example/auth/signin?error=MissingCSRF')
    expect((await start(site([mail]), 'ada@example.com')).status).toBe(302)
    expect(
      (await start(site([mail, password], { pages: { signIn: '/login' } }), 'a@b.c')).status,
    ).toBe(302)
  })
})

describe('after a mistake in a form of the page', () => {
  test('the page is shown again, with what was typed but the password', async () => {
    const world = site([provider('a'), password])
    const fields = { email: 'ada@example.com', password: 'wr<ong' }
    const answer = await world.post('/auth/callback/credentials', fields, { headers: AS_PAGE })
    expect(answer.status).toBe(401)
    const page = await answer.text()
    expect(page).toContain('role="alert" id="problem" tabindex="-1" autofocus')
    expect(page).toContain('Wrong email address or password.')
    expect(page).toMatch(/name="email" value="ada@example.com"/)
    expect(page).not.toContain('wr&lt;ong')
    expect(page).toContain('<title>Error: Sign in to Acme</title>')
    // The form works again.
    const csrfToken = /name="csrfToken" value="(\w+)"/.exec(page)?.[1] ?? ''
    const again = { ...fields, password: 'right', csrfToken }
    expect((await world.postWithoutCsrf('/auth/callback/credentials', again)).status).toBe(302)
  })

  test('programs and applications with their own page get a redirect', async () => {
    const fields = { email: 'ada@example.com', password: 'wrong' }
    const to = '/auth/signin?error=CredentialsSignin&code=credentials'
    const world = site([password])
    const answer = await world.post('/auth/callback/credentials', fields)
    expect(answer.headers.get('location')).toBe(`https://app.example${to}`)
    const own = site([password], { pages: { signIn: '/login' } })
    const there = await own.post('/auth/callback/credentials', fields, { headers: AS_PAGE })
    expect(there.headers.get('location')).toContain('/login?error=CredentialsSignin')
    const script = await world.post('/auth/callback/credentials', fields, {
      headers: { ...AS_PAGE, 'x-auth-return-redirect': '1' },
    })
    expect(await script.json()).toEqual({ url: `https://app.example${to}` })
  })

  test('a wrong password marks both fields, and the message leads to the password', async () => {
    const world = site([provider('a'), password])
    const fields = { email: 'ada@example.com', password: 'wrong' }
    const answer = await world.post('/auth/callback/credentials', fields, { headers: AS_PAGE })
    const page = await answer.text()
    for (const part of [/ aria-invalid="true"/g, / aria-describedby="problem"/g])
      expect(page.match(part)).toHaveLength(2)
    expect(page).toContain('<a href="#input-password-for-credentials-provider">')
    expect(page.match(/ autofocus/g)).toHaveLength(1)
    const mailed = await site([mail]).post(
      '/auth/signin/mail',
      { email: 'ada@' },
      { headers: AS_PAGE },
    )
    expect(await mailed.text()).toMatch(
      /id="input-email-for-mail-provider"[^>]* aria-invalid="true"/,
    )
  })

  test('half an address is asked for as a whole, since no mail was tried', async () => {
    const world = site([mail])
    for (const half of ['ada', 'ada%40', '%40example.com']) {
      const page = await (await world.get(`/auth/signin?error=EmailSignin&email=${half}`)).text()
      expect(page).toContain('>Write the whole address, for example you@example.com.</a>')
      expect(page).not.toContain('could not be sent')
    }
    const whole = await world.get('/auth/signin?error=EmailSignin&email=ada%40example.com')
    expect(await whole.text()).toContain('The mail could not be sent.')
  })

  test('an address to which no mail can be sent stays in its field', async () => {
    const world = site([mail])
    const answer = await world.post('/auth/signin/mail', { email: 'ada@' }, { headers: AS_PAGE })
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('name="email" value="ada@"')
  })
})

describe('the way that was used last in this browser', () => {
  test('comes first, with a mark', async () => {
    const world = site([provider('a'), provider('b'), password])
    await world.post('/auth/callback/credentials', { email: 'a@b.c', password: 'right' })
    expect(world.jar.get('__Host-latchkey.last-used')).toBe('credentials')
    await world.post('/auth/signout')
    expect(outline(await read(world)).at(-1)).toBe('SIGN IN LAST USED')
    world.jar.set('__Host-latchkey.last-used', 'b')
    expect(outline(await read(world))[0]).toBe('Continue with B Last used')
  })

  test('is marked for a passkey, and for a password on the step that leads to it', async () => {
    const world = site([Passkey(), mail, password])
    world.jar.set('__Host-latchkey.last-used', 'passkey')
    expect(outline(await read(world))).toEqual([
      '[Email address]',
      'CONTINUE',
      'Use a passkey Last used',
    ])
    world.jar.set('__Host-latchkey.last-used', 'credentials')
    expect(outline(await read(world))[1]).toBe('CONTINUE LAST USED')
  })

  test.each(['nobody', '<b>', '__proto__', ''])(
    'T-WEB-4: gets no mark from the cookie %j',
    async (value) => {
      const world = site([provider('a'), provider('b')])
      world.jar.set('__Host-latchkey.last-used', value)
      expect(await read(world)).not.toContain('class="tag"')
    },
  )

  test('is stored in no cookie if there is one way, or an own page of the application', async () => {
    for (const world of [
      site([password]),
      site([password, mail], { pages: { signIn: '/login' } }),
    ]) {
      await world.post('/auth/callback/credentials', { email: 'a@b.c', password: 'right' })
      expect(world.jar.has('__Host-latchkey.last-used')).toBe(false)
    }
  })
})

describe('a visitor who is signed in already', () => {
  const signedIn = async (more: Partial<AuthConfig> = {}): Promise<World> => {
    const world = site([password, mail], more)
    await world.post('/auth/callback/credentials', { email: 'ada@example.com', password: 'right' })
    return world
  }

  test('may continue, use another account, or sign out', async () => {
    const page = await read(await signedIn())
    expect(page).toContain('<h1>You are signed in</h1>')
    expect(page).toContain('<strong><bdi>Ada</bdi></strong>')
    expect(page).toMatch(/<a class="button main" href="https:\/\/app.example\/?">Continue</)
    expect(page).toMatch(
      /<a class="button" href="\/auth\/signin\?callbackUrl=[^"]*">Use another account</,
    )
    expect(page).toContain('<footer><a href="/auth/signout">Sign out</a></footer>')
  })

  test('sees the ways to sign in if a link or an error requests them', async () => {
    const world = await signedIn()
    for (const query of ['?callbackUrl=/', '?error=ReauthenticationRequired'])
      expect(await read(world, `/auth/signin${query}`)).toContain('<h1>Sign in to Acme</h1>')
  })

  test('is named on the page that asks whether to sign out', async () => {
    const world = await signedIn()
    const page = await read(world, '/auth/signout')
    expect(page).toContain('<h1>Sign out of Acme?</h1>')
    expect(page).toContain('<strong><bdi>ada@example.com</bdi></strong>')
    await world.post('/auth/signout')
    const after = await read(world, '/auth/signout')
    expect(after).toContain('<h1>You are signed out</h1>')
    expect(after).not.toContain('<form')
  })

  test('is redirected from an account page to the page that says that there is no session', async () => {
    const world = await signedIn({ plugins: [sessions()] })
    const answer = await world.post('/auth/signout', { callbackUrl: '/auth/account/sessions' })
    expect(answer.headers.get('location')).toBe('https://app.example/auth/signout')
    const elsewhere = await (await signedIn()).post('/auth/signout', { callbackUrl: '/bye' })
    expect(elsewhere.headers.get('location')).toBe('https://app.example/bye')
  })
})

describe('the account page', () => {
  const signedIn = async (plugins: AuthConfig['plugins']): Promise<World> => {
    const world = site([password], { plugins })
    await world.post('/auth/callback/credentials', { email: 'ada@example.com', password: 'right' })
    return world
  }

  test('has an overview with the sections of all plugins, and a way out', async () => {
    const notes = definePlugin({
      name: 'notes',
      texts: { en: { 'notes:title': 'Notes', 'notes:about': 'What you wrote.' } },
      accountSections: [
        { path: 'account/notes', label: 'notes:title', about: 'notes:about', icon: 'data' },
      ],
      routes: {
        'account/notes': {
          GET: {
            who: 'user',
            run: async () => () => ({
              page: { title: 'Notes', body: '<p>Milk</p>' as never, layout: 'account' },
            }),
          },
        },
      },
      setUp: () => ({}),
    })
    const world = await signedIn([sessions(), notes])
    const headers = { accept: 'text/html' }
    const page = await (await world.get('/auth/account', { headers })).text()
    expect(page).toContain('<h1>Your account</h1>')
    expect(page).toContain('<a href="/auth/account" aria-current="page">')
    for (const [href, label] of [
      ['/auth/account/sessions', 'Sessions'],
      ['/auth/account/notes', 'Notes'],
    ])
      expect(page).toMatch(new RegExp(`<a href="${href}"><svg[^>]*>.*</svg><span>${label}</span>`))
    expect(page).toContain('What you wrote.')
    const section = await (await world.get('/auth/account/notes', { headers })).text()
    expect(section).toContain('<p>Milk</p>')
    expect(section).toContain('<title>Notes – Acme</title>')
    expect(section).toContain('<a href="/auth/account/notes" aria-current="page">')
    expect(section).toMatch(/<form action="\/auth\/signout" method="post">\n.*name="csrfToken"/)
  })

  test('needs a session, and does not exist without sections', async () => {
    const world = await signedIn([sessions()])
    const answer = await world
      .otherBrowser()
      .get('/auth/account', { headers: { accept: 'text/html' } })
    expect(answer.headers.get('location')).toContain('/auth/signin?callbackUrl=')
    expect((await (await signedIn([])).get('/auth/account')).status).toBe(400)
  })
})

describe('the error page', () => {
  test('names a reference, under which the log has the error', async () => {
    const world = site([mail], {
      callbacks: {
        redirect() {
          throw new Error('a fault of a test')
        },
      },
    })
    const failed = await world.get('/auth/signin?callbackUrl=/a', { headers: AS_PAGE })
    const page = await read(
      world,
      failed.headers.get('location')?.replace('https://app.example', ''),
    )
    const [, reference] =
      /reference <code><bdi dir="ltr">([0-9A-Z]{4}-[0-9A-Z]{4})<\/bdi>/.exec(page) ?? []
    expect(reference).toBeDefined()
    const lines = world.log.map(({ message, detail }) => `${message} ${String(detail)}`)
    expect(lines.find((line) => line.includes(`${reference}`))).toContain('a fault of a test')
  })
})
