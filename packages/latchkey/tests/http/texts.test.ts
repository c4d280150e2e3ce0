import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { Message } from '../../src/base/texts/catalogue.ts'
import { en, mails, passkeys, problemTexts } from '../../src/base/texts/en.ts'
import { createTexts } from '../../src/base/texts/texts.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import {
  type Call,
  definePlugin,
  type Host,
  html,
  Problem,
  type ProblemCode,
  refusedForms,
} from '../../src/entries/plugin.ts'
import { createTestProvider, createWorld, type World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { TextsOfLanguage } from '../../src/options/texts-option.ts'
import { problems } from '../../src/plugin/problem.ts'
import type { UserNames } from '../../src/plugin/provides.ts'
import { emailCode } from '../../src/plugins/email-code/index.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import { sessionsPage } from '../../src/plugins/sessions/pages/sessions.ts'
import { texts as sessionsTexts } from '../../src/plugins/sessions/texts.ts'
import Credentials from '../../src/providers/credentials.ts'
import GitHub from '../../src/providers/github.ts'
import Passkey from '../../src/providers/passkey.ts'
import Resend from '../../src/providers/resend.ts'
import { giveNotice } from '../support/notice.ts'
import { claiming } from '../support/reauthenticate-site.ts'

const every: Readonly<Record<string, Message>> = {
  ...en,
  ...mails,
  ...passkeys,
  ...problemTexts,
  ...sessionsTexts.en,
}

/** Each text is its key between marks, and then its places: what is unmarked is a value, or has no key. */
const marked: TextsOfLanguage = Object.fromEntries(
  Object.entries(every).map(([key, message]) => {
    const text = typeof message === 'string' ? message : message.other
    const places = (text.match(/\{\w+\}/g) ?? []).join(' ')
    const shown = `⟦${key}⟧${places}`
    return [key, typeof message === 'string' ? shown : { other: shown }]
  }),
)

const ESPERANTO = { accept: 'text/html', 'accept-language': 'eo-XX, en;q=0.5' }

const AS_PAGE = { ...ESPERANTO, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

/** Those that every plugin has, and one of the plugin `sessions`, which takes many sessions to meet. */
const refusals = [...Object.keys(problems), 'session_limit']

/** Somebody who is signed in with a password and a second factor, and a step that needs a proof. */
function proving() {
  const ways = ['1', '2']
  const plugin = definePlugin<'proving', object, Host>({
    name: 'proving',
    refusedForms,
    routes: {
      enter: {
        GET: {
          who: 'anyone',
          run: async () => async (call: Call, host: Host) => {
            const user = await host.store?.createUser({
              id: '1',
              name: '1',
              email: '2@3.4',
              emailVerified: null,
            })
            if (!user) throw new Error('there is a store')
            const account = { provider: '3', providerAccountId: '3', type: 'oidc' as const }
            await world.config.adapter?.linkAccount?.({ ...account, userId: user.id })
            return host.sessions.establish(call, { user, amr: ['pwd'], before: {} })
          },
        },
      },
      step: {
        GET: {
          who: 'user',
          input: async () =>
            v.object({ maxAge: v.optional(v.string()), factors: v.optional(v.string()) }),
          run:
            async () => async (call: Call<{ maxAge?: string; factors?: string }>, host: Host) => {
              const { maxAge = '0', factors } = call.input
              const need = factors === '2' ? ({ factors: 2 } as const) : { maxAge: Number(maxAge) }
              world.advance(maxAge === '0' ? 0 : 601)
              await host.sessions.needFresh(call.current, need, call.callbackUrl)
              return { json: {} }
            },
        },
      },
    },
    setUp: (host) => ({
      own: host,
      proofs: {
        ways: ['1', '2'].map((id) => ({
          id,
          amr: ['otp'],
          label: id,
          fields: [],
          has: () => ways.includes(id),
          form: () => ({ content: undefined }),
          check: () => {
            if (id === '2') throw new Problem('too_many_attempts')
            return { isRight: false }
          },
        })),
      },
    }),
  })
  const provider = { ...claiming(createTestProvider({ id: '3' })), name: '3' }
  const world = everything([], { providers: [provider], plugins: [sessions(), plugin] })
  return { world, ways }
}

/** Refuses with every code. */
const refusing = definePlugin({
  name: 'refusing',
  problems: { session_limit: { status: 409, text: 'sessions:session_limit' } },
  routes: Object.fromEntries(
    refusals.map((code) => {
      const route = {
        who: 'anyone' as const,
        run: async () => () => {
          throw new Problem(code, 'of a test', { errors: [{ field: '⟦⟧', code: 'invalid' }] })
        },
      }
      return [`refuse/${code.replaceAll('_', '-')}`, { GET: route, POST: route }]
    }),
  ),
  setUp: () => ({}),
})

const rule = (window: number) => [{ by: 'site' as const, limit: 1, window }]

/** With everything that has texts. What applications and visitors say themselves is of marks and digits. */
function everything(sent: string[], more: Partial<AuthConfig> = {}): World {
  const config: Partial<AuthConfig> = {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      GitHub({ name: '1', clientId: 'id', clientSecret: 'secret' }),
      Resend({ mailbox: '/1', apiKey: 'key', from: 'a@b.example', code: true }),
      Credentials({
        id: 'guest',
        name: '2',
        authorize: ({ pin }) => (pin === '1' ? { id: 'ada' } : null),
        credentials: { pin: { label: '3' } },
      }),
      Passkey({ name: '4' }),
    ],
    plugins: [
      sessions({ device: false, address: () => '203.0.113.7', remember: 'ask' }),
      refusing,
      limits({
        store: 'process',
        rules: { 'credentials.sign-in': rule(600), 'mail.send': rule(9000) },
      }),
    ],
    texts: { eo: marked },
    ...more,
  }
  return createWorld(config, {
    origin: 'https://127.0.0.1',
    fetch: async (_, init) => {
      sent.push(String(init?.body))
      return Response.json({})
    },
  })
}

const ISSUER = 'https://127.0.0.1:1'

/** With ways to sign in that are composed differently. */
function withPasswords(): World {
  const passwords = definePlugin({
    name: 'passwords',
    signInWay: {
      action: 'passwords/sign-in',
      identifier: 'email',
      password: 'password',
      forgot: 'passwords/forgot',
      signUp: 'passwords/sign-up',
    },
    provides: ['userNames'],
    setUp: () => ({ provides: { userNames: {} as UserNames } }),
  })
  const link = { terms: '/1', privacy: '/2', imprint: '/3', support: '/4' }
  return createWorld(
    {
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      providers: [
        GitHub({ name: '1', clientId: 'id', issuer: ISSUER, providerMayBegin: true }),
        Resend({ apiKey: 'key', from: 'a@b.example' }),
        Credentials({
          id: 'guest',
          name: '2',
          authorize: () => ({ id: '1', name: '2' }),
          credentials: {},
        }),
      ],
      plugins: [passwords, sessions({ device: false })],
      texts: { eo: marked },
      theme: { footer: link },
      callbacks: {
        redirect({ url }) {
          if (url === '/fault') throw new Error('of a test')
          return url
        },
      },
    },
    { origin: 'https://127.0.0.1', fetch: async () => Response.json({}) },
  )
}

/** What people read or hear of a document, tags and the marked texts left out. */
function unmarked(document: string): string {
  const heard = [...document.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)]
  return (
    [
      document
        .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
        .replace(/<time [^>]*>[^<]*<\/time>/g, '')
        .replace(/<bdi(?: dir="ltr")?>[^<]*<\/bdi>|<span class="avatar[^>]*>[^<]*<\/span>/g, ''),
      ...heard.map(([, text]) => text),
    ]
      .join('\n')
      .replace(/<[^>]*>/g, '')
      .replace(/⟦[^⟧]*⟧/g, '')
      // Values: escapes, the date of a label in its language, and the id or name of a provider.
      .replace(/&#?\w+;/g, '')
      .replace(/\d[^\n]*UTC|resend/gi, '')
  )
}

describe('I18N-6: the text of pages and mails', () => {
  const shown: { where: string; text: string }[] = []
  const show = async (where: string, answer: Response): Promise<void> => {
    shown.push({ where: `${where}: ${answer.status}`, text: await answer.text() })
  }
  const sent: string[] = []

  beforeAll(async () => {
    const it = everything(sent)
    const get = async (path: string, headers: Record<string, string> = {}): Promise<void> =>
      show(path, await it.get(path, { headers: { ...ESPERANTO, ...headers } }))
    const post = async (path: string, fields: Record<string, string>): Promise<void> =>
      show(`POST ${path}`, await it.post(path, fields, { headers: ESPERANTO }))

    const ofKeys = (pattern: RegExp): string[] =>
      Object.keys(en).flatMap((key) => pattern.exec(key)?.[1] ?? [])
    for (const error of ['', 'Callback', ...ofKeys(/^sign-in\.error\.(\w+)$/), '?'])
      await get(`/auth/signin?error=${error}`)
    await get('/auth/signin?error=OAuthCallbackError&code=access_denied&provider=resend')
    await get('/auth/signin?error=EmailSignin&email=1')
    for (const error of ['', ...ofKeys(/^error\.(\w+)\.title$/)])
      await get(`/auth/error?error=${error}`)
    await get('/auth/signin/nobody')
    await get('/auth/signout')
    await get('/auth/verify-request')
    await get('/auth/callback/resend?token=1&email=1%402')
    await post('/auth/signin/resend', { email: 'a@b.example' })
    for (const error of ['', ...ofKeys(/^verify-request\.error\.(\w+)$/)])
      await get(`/auth/verify-request?provider=resend&error=${error}`)
    await post('/auth/signin/resend', { email: 'a@b.example' })
    for (const code of refusals) await get(`/auth/refuse/${code.replaceAll('_', '-')}`)
    await post('/auth/refuse/invalid-input', {})
    await post('/auth/sessions/end', { id: '1' })

    const link = String((JSON.parse(sent[0] ?? '{}') as { text: string }).text.match(/https:\S+/))
    await it.get(new URL(link).pathname + new URL(link).search)
    for (const query of ['', '?confirm=others', '?confirm=all'])
      await get(`/auth/account/sessions${query}`)
    for (const notice of ['one', 'others', 'name']) {
      await giveNotice(it, '/auth/account/sessions', notice)
      await get('/auth/account/sessions')
    }
    const session = {
      id: '1',
      current: false,
      methods: [],
      remembered: true,
      via: 'cookie' as const,
      expires: '2030-01-01T00:00:00Z',
    }
    const page = sessionsPage(
      [
        { ...session, begun: '2030-01-01T00:00:00Z', seen: '2030-01-01T00:00:00Z' },
        {
          ...session,
          device: { kind: 'program' },
          methods: ['pwd', 'otp', 'mca', 'recovery', 'pop'],
        },
        { ...session, device: { kind: 'unknown', system: '6' } },
      ],
      undefined,
      {
        texts: createTexts('eo', { eo: marked }, sessionsTexts),
        page: it.core.plan(it.config).basePath as never,
        end: '' as never,
        rename: '' as never,
        endOthers: '' as never,
        endAll: '' as never,
        csrfField: html``,
        providerNames: new Map(),
      },
    )
    shown.push({ where: 'other sessions', text: page.body })
    it.advance(60 * 60)
    const other = await it.request('/auth/sessions/end', {
      method: 'POST',
      headers: {
        ...ESPERANTO,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ id: 'a'.repeat(22) }),
    })
    // JSON: as good as a tag, but for its title.
    shown.push({ where: 'a proof that is too old', text: `<${await other.text()}>` })
    for (const _ of [1, 2]) await post('/auth/callback/guest', { pin: '2' })
    await show('429', await it.post('/auth/callback/guest', { pin: '2' }, { headers: AS_PAGE }))

    const second = withPasswords()
    const getSecond = async (path: string, headers: Record<string, string> = {}): Promise<void> =>
      show(path, await second.get(path, { headers: { ...ESPERANTO, ...headers } }))
    await getSecond('/auth/signin?error=CredentialsSignin')
    await show(
      'step',
      await second.post('/auth/signin', { email: 'a@b.example' }, { headers: ESPERANTO }),
    )
    await second.post('/auth/signin/resend', { email: 'a@b.example' })
    await getSecond('/auth/verify-request?provider=resend')
    await getSecond('/auth/signout')
    await second.post('/auth/callback/guest', {})
    await getSecond('/auth/signin')
    await getSecond('/auth/signin?callbackUrl=/')
    await getSecond(`/auth/signin/github?iss=${encodeURIComponent(ISSUER)}`)
    await getSecond('/auth/signout')
    await getSecond('/auth/account')
    await getSecond('/auth/signin?callbackUrl=/fault', AS_PAGE)
    await getSecond('/auth/error?error=Configuration')
    const plain = async (providers: AuthConfig['providers']): Promise<void> => {
      const one = everything([], { providers, plugins: [] })
      await show('signin', await one.get('/auth/signin', { headers: ESPERANTO }))
    }
    await plain([GitHub({ name: '1', clientId: 'id' })])
    await plain([])
    await plain([Resend({ apiKey: 'key' })])
    await plain([Passkey({ name: '4' })])
    const named = everything(sent, {
      providers: [Resend({ apiKey: 'key', from: 'a@b.example' })],
      plugins: [],
      theme: { name: '5' },
    })
    const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/145.0' }
    await named.post(
      '/auth/signin/resend',
      { email: 'a@b.example' },
      { headers: { ...ESPERANTO, ...agent } },
    )
    const noForgot = Credentials({
      id: '7',
      authorize: () => null,
      credentials: { email: { type: 'email' }, password: { type: 'password' } },
    })
    const coded = everything([], { providers: [], plugins: [emailCode()] })
    await show('a code', await coded.get('/auth/signin', { headers: ESPERANTO }))
    const both = everything([], { providers: [noForgot], plugins: [emailCode()] })
    const typed = { email: 'a@b.example' }
    await show('code', await both.post('/auth/signin', typed, { headers: ESPERANTO }))
    const wrong = everything([], { providers: [noForgot], plugins: [] })
    await show('7', await wrong.get('/auth/signin?error=CredentialsSignin', { headers: ESPERANTO }))
    const byName = Credentials({
      id: '8',
      authorize: () => null,
      credentials: { username: { label: '9' }, password: { type: 'password' } },
    })
    const named8 = everything([], { providers: [byName], plugins: [] })
    await show(
      '8',
      await named8.get('/auth/signin?error=CredentialsSignin', { headers: ESPERANTO }),
    )
  })

  beforeAll(async () => {
    const { world, ways } = proving()
    await world.get('/auth/enter')
    const page = (path: string) => world.get(path, { headers: ESPERANTO })
    const sends = (fields: Record<string, string>) =>
      world.post('/auth/reauthenticate', fields, { headers: ESPERANTO })
    const sealed = async (query: string) =>
      (await page(`/auth/step?${query}`)).headers.get('location') ?? ''
    await show('any', await page('/auth/reauthenticate'))
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const lost = { method: 'POST', headers: { ...ESPERANTO, ...type }, body: 'way=1' }
    await show('form again', await world.request('/auth/reauthenticate', lost))
    await show('minutes', await page(await sealed('maxAge=600')))
    await show('second', await page(await sealed('factors=2')))
    await show('wrong', await sends({ way: '1' }))
    await show('limited', await sends({ way: '2' }))
    const second = await sealed('factors=2')
    ways.length = 0
    await show('provider', await page('/auth/reauthenticate'))
    await world.config.adapter?.unlinkAccount?.({ provider: '3', providerAccountId: '3' })
    await show('none', await page('/auth/reauthenticate'))
    await show('no second', await page(second))
  })

  test('consists only of texts with keys, which a language replaces', () => {
    expect(shown.length).toBeGreaterThan(45)
    for (const { where, text } of shown) {
      expect(unmarked(text), where).not.toMatch(/\p{L}/u)
      if (text.startsWith('<!doctype')) expect(text, where).toContain('<html lang="eo">')
    }
    for (const mail of sent) {
      const { subject, text, html: rich } = JSON.parse(mail) as Record<string, string>
      const unnamed = (part: string): string => unmarked(part).replace(/Firefox|Linux/g, '')
      expect(unnamed(`${subject}`)).not.toMatch(/\p{L}/u)
      expect(unnamed(`${text}`.replace(/https:\S+/g, ''))).not.toMatch(/\p{L}/u)
      expect(unnamed(`${rich}`)).not.toMatch(/\p{L}/u)
      expect(rich).toContain('<html lang="eo"')
    }
  })

  test('has a value for each placeholder', () => {
    for (const { where, text } of shown)
      expect(text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, ''), where).not.toMatch(/\{\w+\}/)
    for (const mail of sent) expect(mail).not.toMatch(/\{\w+\}/)
  })

  test('includes each key at least once', () => {
    const all = [...shown.map(({ text }) => text), ...sent].join()
    const keys = new Set([...all.matchAll(/⟦([^⟧]+)⟧/g)].map(([, key]) => key))
    // The link of a reset may work for days. A program reads where the details are; people read that it is not their fault.
    expect(Object.keys(every).filter((key) => !keys.has(key))).toEqual([
      'time.days',
      'problem.server_error',
    ])
  })
})

const read = async (
  config: Partial<AuthConfig>,
  path: string,
  language?: string,
): Promise<string> => {
  const headers = { accept: 'text/html', ...(language && { 'accept-language': language }) }
  return (await createWorld(config).get(path, { headers })).text()
}

describe('texts of the application', () => {
  const texts = {
    en: { 'sign-in.title': 'Log in' },
    de: { 'sign-in.title': 'Anmelden bei <{name}>' },
  } satisfies AuthConfig['texts']

  test('replace the built-in texts in the language that a visitor prefers', async () => {
    expect(await read({ texts }, '/auth/signin')).toContain('<h1>Log in</h1>')
    expect(await read({ texts }, '/auth/signin', 'fr')).toContain('<html lang="en">')
    const page = await read({ texts }, '/auth/signin', 'de-AT,en;q=0.9')
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('<title>Anmelden bei &lt;app.example&gt;</title>')
    expect(page).toContain('<h1>Anmelden bei &lt;app.example&gt;</h1>')
    expect(await read({ texts }, '/auth/signin?error=Callback', 'de')).toContain(
      'Try again, or choose another way.',
    )
    expect(await read({ texts }, '/auth/signout', 'de')).toContain(
      '<title>You are signed out – app.example</title>',
    )
  })

  test('appear only on pages in their own language', async () => {
    const it = createWorld({ texts })
    const titles = []
    for (const language of ['de', 'en', 'de', 'fr']) {
      const page = await it.get('/auth/signin', { headers: { 'accept-language': language } })
      titles.push(/<title>(\w+).*<\/title>/.exec(await page.text())?.[1])
    }
    expect(titles).toEqual(['Anmelden', 'Log', 'Anmelden', 'Log'])
  })

  test('are passed to the function that sends the mail', async () => {
    const seen: unknown[] = []
    const provider = {
      ...Resend({ apiKey: 'key' }),
      sendVerificationRequest: ({ texts }: { texts?: { lang: string } }) => {
        seen.push(texts?.lang)
      },
    }
    const it = createWorld({ providers: [provider], adapter: memoryAdapter(), texts })
    const headers = { 'accept-language': 'de' }
    await it.post('/auth/signin/resend', { email: 'ada@example.com' }, { headers })
    expect(seen).toEqual(['de'])
  })

  test('are in the script for passkeys, whose hash is in the policy, and cannot end the script', async () => {
    const passkey: Partial<AuthConfig> = {
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      providers: [Passkey()],
    }
    const own = 'Nein </script><b> `${1}` "\\'
    const it = createWorld({ ...passkey, texts: { de: { 'passkey.script.other': own } } })
    for (const language of ['en', 'de']) {
      const answer = await it.get('/auth/signin', { headers: { 'accept-language': language } })
      const page = await answer.text()
      const script = /<script>((?:(?!<script>)[\s\S])*)<\/script>\n<\/body>/.exec(page)?.[1] ?? ''
      const digest = createHash('sha256').update(script).digest('base64')
      expect(answer.headers.get('content-security-policy')).toContain(
        ` 'sha256-${digest}'; connect-src`,
      )
      expect(page.split('</script>')).toHaveLength(3)
      const literal = JSON.stringify(own).replaceAll('<', '\\u003c')
      expect(script.includes(literal)).toBe(language === 'de')
      expect(script.includes(passkeys['passkey.script.other'])).toBe(language === 'en')
    }
    // Each text of the script is there as it stands in the catalogue, or it could not be replaced.
    const english = await read(passkey, '/auth/signin')
    for (const [key, text] of Object.entries(passkeys))
      if (key.startsWith('passkey.script.'))
        expect(english.split(`\`${text}\``), key).toHaveLength(2)
  })
})

describe('texts in a configuration', () => {
  const start = (config: Partial<AuthConfig>) => () =>
    createLatchkey(
      { providers: [], secret: 'a secret of thirty-two characters', trustHost: true, ...config },
      {},
    )

  test.each([
    [
      { en: { 'sign-in.titel': 'x' } },
      /`texts\.en`: unknown key "sign-in\.titel"; did you mean "sign-in\.title"\?/,
    ],
    [{ de: { 'Error.AccessDenied.txt': 'x' } }, /did you mean "error\.AccessDenied\.text"\?/],
    [{ de: { nothing: 'x' } }, /unknown key "nothing"$/],
    [{ de: { 'other:title': 'x' } }, /unknown key "other:title"$/],
    [{ de: { constructor: 'x' } }, /unknown key "constructor"/],
    [{ de_AT: {} }, /the keys of `texts` must be languages, such as de or pt-BR, got "de_AT"/],
    [{ de: 'Deutsch' }, /`texts\.de` must be an object of texts by key, got "Deutsch"/],
    [{ de: null }, /`texts\.de` must be an object of texts by key, got null/],
    [{ de: { 'sign-in.title': 1 } }, /`texts\.de`: sign-in\.title must be a string/],
    [{ de: { 'sign-in.title': null } }, /`texts\.de`: sign-in\.title must be a string/],
    [
      { de: { 'time.hours': { one: '1' } } },
      /`texts\.de`: time\.hours must be a string, or an object with a string for each plural category and `other`/,
    ],
  ])('%j is refused at the start', (texts, message) => {
    expect(start({ texts: texts as never })).toThrow(message)
  })

  test('in valid languages and with known keys are accepted at the start', () => {
    const texts = {
      'pt-BR': {
        'time.hours': { one: '{count} h', other: '{count} h' },
        'sign-in.title': 'Entrar',
      },
      de: undefined,
      en: { 'passkey.hint': 'x', 'problem.csrf': 'x', 'mail.subject': undefined },
    }
    expect(start({ texts })).not.toThrow()
    expect(start({ texts: null as never })).not.toThrow()
    const own = { de: { 'sessions:title': 'Sitzungen' } }
    expect(start({ adapter: memoryAdapter(), plugins: [sessions()], texts: own })).not.toThrow()
  })

  const plugin = (name: string, texts: object) =>
    definePlugin({ name, texts: texts as never, setUp: () => ({}) })

  test.each([
    [
      { en: { 'b:title': 'x' } },
      /the plugin a has a text "b:title"; its keys must begin with "a:"/,
    ],
    [
      { en: { 'sign-in.title': 'x' } },
      /the plugin a has a text "sign-in\.title"; its keys must begin/,
    ],
    [{ de: { 'a:title': 'x' } }, /the plugin a has texts, but none in English/],
    [
      { en: {}, de: { 'a:title': 'x' } },
      /the plugin a has the text "a:title" in de, but not in English/,
    ],
  ])('of a plugin are refused at the start: %j', (texts, message) => {
    expect(start({ plugins: [plugin('a', texts)] })).toThrow(message)
    expect(
      start({ plugins: [plugin('b', { en: { 'b:title': 'x' } }), plugin('a', texts)] }),
    ).toThrow(message)
  })

  test('with a misspelled key are also refused by the types', () => {
    // @ts-expect-error
    const wrong: AuthConfig['texts'] = { de: { 'sign-in.titel': 'x' } }
    expect(start({ texts: wrong })).toThrow()
  })
})

describe('texts of a plugin', () => {
  const texts = {
    en: { 'greeter:hello': 'Hello {name}', 'greeter:bye': 'Bye', 'greeter:no': 'No greetings.' },
    de: { 'greeter:hello': 'Hallo {name}' },
  }
  const greeter = definePlugin({
    name: 'greeter',
    texts,
    problems: {
      mute: { status: 422, text: 'greeter:no' },
      deaf: { status: 422, title: 'In English alone.' },
    },
    routes: {
      greet: {
        GET: {
          who: 'anyone',
          run:
            async () =>
            async ({ request }, host: Host) => {
              const { text, lang } = await host.site.text<keyof typeof texts.en>(request)
              const all = [
                text('greeter:hello', { name: '<Ada>' }),
                text('greeter:bye'),
                text('sign-in.title'),
              ]
              return {
                page: { title: 'x', body: html`<p>${all.join()}</p>` },
                json: { lang, fromHeaders: (await host.site.text(request.original)).lang },
              }
            },
        },
      },
      mute: {
        GET: {
          who: 'anyone',
          run: async () => () => {
            throw new Problem('mute')
          },
        },
      },
      deaf: {
        GET: {
          who: 'anyone',
          run: async () => () => {
            throw new Problem('deaf')
          },
        },
      },
    },
    setUp: (host) => ({ own: host }),
  })
  const config: Partial<AuthConfig> = {
    plugins: [greeter],
    texts: {
      de: { 'greeter:bye': 'Tschüs', 'sign-in.title': 'Anmelden', 'problem.csrf': 'x' },
      fr: {},
    },
  }

  test('are the plugin’s own, those with which the application replaces them, and English ones', async () => {
    expect(await read(config, '/auth/greet')).toContain(
      '<p>Hello &lt;Ada&gt;,Bye,Sign in to {name}</p>',
    )
    const page = await read(config, '/auth/greet', 'de')
    expect(page).toContain('<p>Hallo &lt;Ada&gt;,Tschüs,Anmelden</p>')
    expect(page).toContain('<html lang="de">')
    expect(await read(config, '/auth/greet', 'fr')).toContain(
      '<p>Hello &lt;Ada&gt;,Bye,Sign in to {name}</p>',
    )
  })

  test('are in the language of the request, also in a response to a program', async () => {
    const it = createWorld(config)
    const ask = async (path: string, language: string) =>
      (await it.get(path, { headers: { 'accept-language': language } })).json()
    expect(await ask('/auth/greet', 'de')).toEqual({ lang: 'de', fromHeaders: 'de' })
    expect(await ask('/auth/mute', 'de')).toMatchObject({ title: 'No greetings.', status: 422 })
    const own = createWorld({ ...config, texts: { de: { 'greeter:no': 'Keine Grüße.' } } })
    const answer = await own.get('/auth/mute', { headers: { 'accept-language': 'de' } })
    expect(await answer.json()).toMatchObject({ title: 'Keine Grüße.' })
    expect(await ask('/auth/deaf', 'de')).toMatchObject({ title: 'In English alone.' })
  })
})

const codes: readonly ProblemCode[] = Object.keys(problems) as ProblemCode[]

test('each code of a problem has a text of the same name', () => {
  expect(codes.map((code) => problems[code].text)).toEqual(codes.map((code) => `problem.${code}`))
  expect(Object.keys(problemTexts)).toEqual([
    'problem.fields',
    'problem.nothing-done',
    ...codes.map((code) => `problem.${code}`),
  ])
})
