import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OAuthAccountNotLinked } from '../../src/base/errors.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { AdapterUser } from '../../src/model/user.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { customFetch } from '../../src/options/markers.ts'
import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
} from '../../src/options/provider-options.ts'
import { email } from '../../src/providers/define.ts'
import { failingAdapter, recordingAdapter, recordingEvents } from '../support/recording.ts'

const ORIGIN = 'https://app.example'
const SENT = `${ORIGIN}/auth/verify-request?provider=mail&type=email`
const NOT_SENT = `${ORIGIN}/auth/signin?error=EmailSignin`
const DEAD = `${ORIGIN}/auth/error?error=Verification`
const SECRET = 'a secret for tests, 0123456789abcdef'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function location(response: Response): string | null {
  return response.headers.get('location')
}

interface Post {
  readonly mail: EmailConfig
  readonly sent: EmailProviderSendVerificationRequestParams[]
  /** The link in the newest mail. */
  link(): string
}

function post(options: Partial<EmailConfig> = {}): Post {
  const sent: EmailProviderSendVerificationRequestParams[] = []
  const mail = email({
    id: 'mail',
    name: 'Mail',
    sendVerificationRequest: async (params) => {
      sent.push(params)
    },
    ...options,
  })
  return { mail, sent, link: () => sent.at(-1)?.url ?? '' }
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a mailed link and ${strategy} sessions`, () => {
    function setUp(options: Partial<EmailConfig> = {}, more: Partial<AuthConfig> = {}) {
      const { adapter, calls, writes } = recordingAdapter()
      const { events, told, names } = recordingEvents()
      const { mail, sent, link } = post(options)
      const it = createWorld({
        providers: [mail],
        adapter,
        events,
        session: { strategy },
        ...more,
      })
      const ask = (address = 'ada@example.com', fields: Record<string, string> = {}) =>
        it.post('/auth/signin/mail', { email: address, ...fields })
      return { it, ask, adapter, calls, writes, told, names, sent, link }
    }

    /** Presses the button of the confirmation page. */
    async function confirm(world: World, link: string): Promise<Response> {
      const page = await (await world.get(link)).text()
      const csrfToken = /name="csrfToken" value="(\w+)"/.exec(page)?.[1] ?? ''
      return world.postWithoutCsrf(link, { csrfToken })
    }

    test('signs in the browser that requested it, and leads to its target', async () => {
      const { it, ask, link, names, told } = setUp()
      expect(location(await ask(' Ada@Example.com', { callbackUrl: '/inbox' }))).toBe(SENT)
      expect(location(await it.get(link()))).toBe(`${ORIGIN}/inbox`)
      expect((await it.session())?.user?.['email']).toBe('ada@example.com')
      expect(names().slice(0, 2)).toEqual(['createUser', 'signIn'])
      const user = { email: 'ada@example.com', emailVerified: new Date(it.now()) }
      expect(told.createUser?.[0]).toMatchObject({ user })
      expect(told.signIn?.[0]).toMatchObject({
        user: { email: 'ada@example.com' },
        account: { type: 'email', provider: 'mail', providerAccountId: 'ada@example.com' },
        isNewUser: true,
      })
      expect(told.signIn?.[0]).not.toHaveProperty('profile')
    })

    test('has the documented form, and the mailer receives all arguments', async () => {
      const { it, ask, sent } = setUp()
      await ask('ada+x@example.com', { callbackUrl: '/inbox?a=1', note: 'hello' })
      const [mail] = sent
      expect(mail?.token).toMatch(/^[0-9a-f]{64}$/)
      expect(mail?.url).toBe(
        `${ORIGIN}/auth/callback/mail?callbackUrl=https%3A%2F%2Fapp.example%2Finbox%3Fa%3D1&token=${mail?.token}&email=ada%2Bx%40example.com`,
      )
      expect(mail).toMatchObject({
        identifier: 'ada+x@example.com',
        provider: { id: 'mail' },
        theme: {},
      })
      expect(mail).not.toHaveProperty('code')
      expect(mail?.expires.getTime()).toBe(it.now() + 600_000)
      expect(await mail?.request.json()).toMatchObject({ note: 'hello' })
    })

    test('is listed as a provider of its type', async () => {
      const { it } = setUp()
      expect(await (await it.get('/auth/providers')).json()).toMatchObject({
        mail: { id: 'mail', type: 'email', signinUrl: `${ORIGIN}/auth/signin/mail` },
      })
    })

    test('is sent with the `fetch` of the application, if it has one for mails', async () => {
      const asked: unknown[] = []
      const { ask } = setUp({
        [customFetch]: async (input) => {
          asked.push(String(input))
          return new Response()
        },
        sendVerificationRequest: async ({ fetch }) => {
          await fetch('https://mail.example/send')
        },
      })
      expect(location(await ask())).toBe(SENT)
      expect(asked).toEqual(['https://mail.example/send'])
    })

    test('T-OTV-3: is stored as a hash, before the mail is sent', async () => {
      const order: string[] = []
      const { ask, calls, sent } = setUp({
        sendVerificationRequest: async ({ token }) => {
          order.push(...calls.map(([name]) => name), token)
        },
      })
      await ask()
      const token = order.at(-1) ?? ''
      expect(sent).toEqual([])
      expect(order).toContain('createVerificationToken')
      const stored = calls.find(([name]) => name === 'createVerificationToken')?.[1]
      expect(stored).toMatchObject({ identifier: 'ada@example.com', token: sha256(token + SECRET) })
      expect(JSON.stringify(calls)).not.toContain(token)
    })

    test('T-OTV-1: works once', async () => {
      const { it, ask, link } = setUp()
      await ask()
      await it.get(link())
      await it.post('/auth/signout')
      expect(location(await confirm(it, link()))).toBe(DEAD)
      expect(await it.session()).toBeNull()
    })

    test('T-OTV-1: works for one of many simultaneous requests', async () => {
      const { it, ask, link } = setUp()
      await ask()
      const ends = await Promise.all(Array.from({ length: 20 }, () => it.get(link())))
      expect(ends.filter((end) => location(end) === ORIGIN)).toHaveLength(1)
    })

    test('T-OTV-4: works for ten minutes', async () => {
      for (const [seconds, works] of [
        [599, true],
        [600, false],
      ] as const) {
        const { it, ask, link } = setUp({ confirmation: 'never' })
        await ask()
        it.advance(seconds)
        expect(location(await it.get(link()))).toBe(works ? ORIGIN : DEAD)
      }
    })

    test('works as long as `maxAge` says', async () => {
      const { it, ask, link } = setUp({ confirmation: 'never', maxAge: 60 })
      await ask()
      it.advance(61)
      expect(location(await it.get(link()))).toBe(DEAD)
    })

    test('T-OTV-6: shows a button in another browser, which signs in there', async () => {
      const { it, ask, link, writes } = setUp()
      await ask('ada@example.com', { callbackUrl: '/inbox' })
      writes()
      const other = it.otherBrowser()
      const page = await other.get(link())
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(await page.text()).toContain('ada@example.com')
      expect(writes()).toEqual([])
      expect(await other.session()).toBeNull()
      const end = await confirm(other, link())
      expect(location(end)).toBe(`${ORIGIN}/inbox`)
      expect(end.headers.getSetCookie().join()).not.toContain('email-request')
      expect((await other.session())?.user?.['email']).toBe('ada@example.com')
      expect(await it.session()).toBeNull()
    })

    test('T-OTV-6: shows a button in a browser that requested a link for another address', async () => {
      const { it, ask, link, writes } = setUp()
      await ask('ada@example.com')
      const forAda = link()
      const other = it.otherBrowser()
      await other.post('/auth/signin/mail', { email: 'bob@example.com' })
      const forBob = link()
      writes()
      const page = await other.get(forAda)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('ada@example.com')
      expect(writes()).toEqual([])
      expect(await other.session()).toBeNull()
      expect(location(await other.get(forBob))).toBe(ORIGIN)
      expect((await other.session())?.user?.['email']).toBe('bob@example.com')
    })

    test('T-OTV-6: ignores a press of its button from another site', async () => {
      const { it, ask, link, writes } = setUp()
      await ask()
      writes()
      const other = it.otherBrowser()
      await other.get(link())
      const forged = await other.postWithoutCsrf(link())
      expect(forged.status).toBe(200)
      const theirs = await it.csrfToken()
      expect((await other.postWithoutCsrf(link(), { csrfToken: theirs })).status).toBe(200)
      expect(writes()).toEqual([])
      expect(await other.session()).toBeNull()
    })

    test('T-OTV-6: survives twenty scanners and a prefetch', async () => {
      const { it, ask, link } = setUp()
      await ask()
      for (let i = 0; i < 20; i++) await it.otherBrowser().get(link())
      const ahead = await it.get(link(), { headers: { 'sec-purpose': 'prefetch' } })
      expect(ahead.status).toBe(200)
      expect((await it.request(link(), { method: 'HEAD' })).status).toBe(400)
      expect(await it.session()).toBeNull()
      expect(location(await it.get(link()))).toBe(ORIGIN)
    })

    test('shows the button always, or never, if configured', async () => {
      const always = setUp({ confirmation: 'always' })
      await always.ask()
      expect((await always.it.get(always.link())).status).toBe(200)
      expect(location(await confirm(always.it, always.link()))).toBe(ORIGIN)
      const never = setUp({ confirmation: 'never' })
      await never.ask()
      expect(location(await never.it.otherBrowser().get(never.link()))).toBe(ORIGIN)
    })

    test('T-OTV-2: works for its address, its token and its provider only', async () => {
      const { it, ask, link, writes } = setUp({ confirmation: 'never' })
      await ask()
      const good = new URL(link())
      for (const [name, value] of [
        ['email', 'eve@example.com'],
        ['email', ''],
        ['token', 'x'],
        ['token', ''],
        ['token', sha256((good.searchParams.get('token') ?? '') + SECRET)],
      ] as const) {
        const bad = new URL(good)
        bad.searchParams.set(name, value)
        expect(location(await it.get(bad.href)), `${name} ${value}`).toBe(DEAD)
      }
      expect(location(await it.get('/auth/callback/mail'))).toBe(DEAD)
      expect(location(await it.postWithoutCsrf('/auth/callback/mail'))).toBe(DEAD)
      expect(await it.session()).toBeNull()
      writes()
      const unknown = '/auth/callback/mail?token=x&email=ada%40example.com'
      expect(location(await it.get(unknown))).toBe(DEAD)
      expect(writes()).toEqual(['useVerificationToken'])
      expect(location(await it.get(good.href))).toBe(ORIGIN)
    })

    test('shows no button if it is cut off', async () => {
      const { it, ask, link } = setUp()
      await ask()
      for (const name of ['email', 'token']) {
        const cut = new URL(link())
        cut.searchParams.delete(name)
        expect(location(await it.otherBrowser().get(cut.href))).toBe(DEAD)
      }
    })

    test('T-REDIR-1: leads to no other site, also if it was changed on its way', async () => {
      const { it, ask, link } = setUp()
      await ask('ada@example.com', { callbackUrl: 'https://evil.example/' })
      expect(link()).not.toContain('evil')
      const bad = new URL(link())
      bad.searchParams.set('callbackUrl', 'https://evil.example/')
      expect(location(await it.get(bad.href))).toBe(ORIGIN)
    })

    test('of an existing user proves the address from now on, and once', async () => {
      const { it, ask, link, adapter, names, told, writes } = setUp()
      await adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
      await ask()
      writes()
      await it.get(link())
      expect(names()).toEqual(['updateUser', 'signIn'])
      expect(writes().slice(0, 2)).toEqual(['useVerificationToken', 'updateUser'])
      const verified = (await adapter.getUser('u1'))?.emailVerified
      expect(verified?.getTime()).toBe(it.now())
      const user = { id: 'u1', email: 'ada@example.com', emailVerified: verified }
      expect(told.updateUser).toMatchObject([{ user }])
      expect(told.signIn?.[0]).toMatchObject({ user, isNewUser: false })
      it.advance(3600)
      await ask()
      writes()
      await it.get(link())
      expect(names()).toEqual(['signIn'])
      expect(writes()).not.toContain('updateUser')
      expect((await adapter.getUser('u1'))?.emailVerified).toEqual(verified)
    })

    for (const [what, given] of [
      ['nothing', undefined],
      ['null', null],
      ['an empty object', {}],
      ['the id alone', { id: 'u1' }],
      ['null for what did not change', { id: 'u1', name: null, email: null }],
    ] as const) {
      test(`of an existing user proves the address also if the adapter returns ${what} for the change`, async () => {
        const { adapter } = recordingAdapter()
        await adapter.createUser({
          id: 'u1',
          name: 'Ada',
          email: 'ada@example.com',
          emailVerified: null,
        })
        const updateUser = async () => given as AdapterUser
        const { it, ask, link, told } = setUp({}, { adapter: { ...adapter, updateUser } })
        await ask()
        expect(location(await it.get(link()))).toBe(ORIGIN)
        const user = {
          id: 'u1',
          name: 'Ada',
          email: 'ada@example.com',
          emailVerified: new Date(it.now()),
        }
        expect(told.updateUser).toMatchObject([{ user }])
        expect(told.signIn?.[0]).toMatchObject({ user })
      })
    }

    test('of an existing user belongs to the user whom the adapter returns for the change', async () => {
      const { adapter } = recordingAdapter()
      await adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
      const updateUser = async (changes: Partial<AdapterUser> & { id: string }) =>
        adapter.updateUser({ ...changes, name: 'Ada Lovelace' })
      const { it, ask, link, told } = setUp({}, { adapter: { ...adapter, updateUser } })
      await ask()
      await it.get(link())
      expect(told.signIn?.[0]).toMatchObject({ user: { id: 'u1', name: 'Ada Lovelace' } })
      expect((await it.session())?.user?.['name']).toBe('Ada Lovelace')
    })

    test('creates no account, and passes the stored id on', async () => {
      const { it, ask, link, adapter, calls, told } = setUp()
      await ask()
      await it.get(link())
      const user = await adapter.getUserByEmail('ada@example.com')
      expect(calls.map(([name]) => name)).not.toContain('linkAccount')
      expect(told.signIn?.[0]?.account?.userId).toBe(user?.id)
      expect(told.signIn?.[0]?.user.id).toBe(user?.id)
    })

    test('fails clearly, without an event, if the adapter does not return the user it made', async () => {
      const adapter = { ...recordingAdapter().adapter, createUser: () => undefined as never }
      const { it, ask, link, names } = setUp({}, { adapter })
      await ask()
      expect(location(await it.get(link()))).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      const [error] = it.log.filter(({ level }) => level === 'error')
      expect(error?.detail).toMatchObject({
        type: 'AdapterError',
        message: 'the adapter returned a user without an id; return the stored user with its `id`',
      })
      expect(names()).toEqual([])
    })

    test('switches to its user if another one is signed in', async () => {
      const { it, ask, link } = setUp()
      await ask('bob@example.com')
      await it.get(link())
      await ask('ada@example.com')
      await it.get(link())
      expect((await it.session())?.user?.['email']).toBe('ada@example.com')
    })

    test('leads new users to their page', async () => {
      const { it, ask, link } = setUp({}, { pages: { newUser: '/welcome?x=1' } })
      await ask('ada@example.com', { callbackUrl: '/inbox' })
      expect(location(await it.get(link()))).toBe(
        '/welcome?x=1&callbackUrl=https%3A%2F%2Fapp.example%2Finbox',
      )
      await ask('ada@example.com', { callbackUrl: '/inbox' })
      expect(location(await it.get(link()))).toBe(`${ORIGIN}/inbox`)
    })

    for (const [what, answer, target] of [
      ['refuse', false, `${ORIGIN}/auth/error?error=AccessDenied`],
      ['redirect', '/waiting-list', `${ORIGIN}/waiting-list`],
      ['fail', new Error('no'), `${ORIGIN}/auth/error?error=AccessDenied`],
    ] as const) {
      test(`T-FLOW-2: is not sent if the signIn callback may ${what} at the request for it`, async () => {
        const { ask, sent, writes } = setUp(
          {},
          {
            callbacks: {
              signIn: ({ email }) => {
                if (!email?.verificationRequest) return true
                if (answer instanceof Error) throw answer
                return answer
              },
            },
          },
        )
        expect(location(await ask())).toBe(target)
        expect(sent).toEqual([])
        expect(writes()).toEqual([])
      })

      test(`T-FLOW-2: creates nothing if the signIn callback may ${what} when the link is opened`, async () => {
        const { it, ask, link, names, writes } = setUp(
          {},
          {
            callbacks: {
              signIn: ({ email }) => {
                if (email?.verificationRequest) return true
                if (answer instanceof Error) throw answer
                return answer
              },
            },
          },
        )
        await ask()
        writes()
        expect(location(await it.get(link()))).toBe(target)
        expect(await it.session()).toBeNull()
        expect(writes()).toEqual(['useVerificationToken'])
        expect(names()).toEqual([])
      })
    }

    test('T-FLOW-2: passes an error of the service on that the signIn callback throws, at both steps', async () => {
      for (const step of [true, false]) {
        const { it, ask, link } = setUp(
          {},
          {
            callbacks: {
              signIn: ({ email }) => {
                if ((email?.verificationRequest ?? false) !== step) return true
                throw new OAuthAccountNotLinked('use the other way')
              },
            },
          },
        )
        const asked = await ask()
        const end = step ? asked : await it.get(link())
        expect(location(end)).toBe(`${ORIGIN}/auth/signin?error=OAuthAccountNotLinked`)
      }
    })

    for (const address of ['', 'ada', 'ada@example.com,eve@evil.example', '"a"@example.com']) {
      test(`is not sent to ${JSON.stringify(address)}`, async () => {
        const { it, ask, sent, calls } = setUp()
        expect(location(await ask(address))).toBe(NOT_SENT)
        expect(sent).toEqual([])
        expect(calls).toEqual([])
        const logged = it.log.findLast(({ level }) => level === 'error')
        expect(logged?.detail).toMatchObject({ cause: { provider: 'mail' } })
      })
    }

    test('T-OTV-8: is not sent without an address, nor for an address that the application makes of it', async () => {
      const { it, sent } = setUp({ normalizeIdentifier: (typed) => `${typed}@corp.example` })
      expect(location(await it.post('/auth/signin/mail'))).toBe(NOT_SENT)
      expect(sent).toEqual([])
    })

    for (const made of [undefined, null, ['ada@example.com'], 7]) {
      test(`T-OTV-8: is not sent to ${JSON.stringify(made)}, made by \`normalizeIdentifier\``, async () => {
        const { it, ask, sent } = setUp({ normalizeIdentifier: () => made as unknown as string })
        expect(location(await ask())).toBe(NOT_SENT)
        expect(sent).toEqual([])
        const logged = it.log.findLast(({ level }) => level === 'error')
        expect(logged?.message).toContain('`normalizeIdentifier` must return a string')
      })
    }

    test('is sent to the address that `normalizeIdentifier` returns', async () => {
      const { ask, sent } = setUp({ normalizeIdentifier: (typed) => `${typed}@corp.example` })
      await ask('ada')
      expect(sent[0]?.identifier).toBe('ada@corp.example')
    })

    test('has the token that `generateVerificationToken` returns', async () => {
      const token = 'sixteen letters!'
      const { it, ask, link, sent } = setUp({ generateVerificationToken: async () => token })
      await ask()
      expect(sent[0]?.token).toBe(token)
      expect(location(await it.get(link()))).toBe(ORIGIN)
    })

    for (const token of ['123456', 'fifteen letters', '', undefined, 1234567890123456]) {
      test(`T-OTV-5: is not sent with ${JSON.stringify(token)}, which can be guessed`, async () => {
        const { it, ask, sent, writes } = setUp({
          generateVerificationToken: () => token as string,
        })
        expect(location(await ask())).toBe(`${ORIGIN}/auth/error?error=Configuration`)
        expect(sent).toEqual([])
        expect(writes()).toEqual([])
        expect(it.log.map(({ message }) => message).join()).toContain('set `code: true`')
      })
    }

    test('is reported on the sign-in page if the mailer fails at once', async () => {
      const { it, ask } = setUp({
        sendVerificationRequest: () => {
          throw new Error('no route to host')
        },
      })
      expect(location(await ask())).toBe(NOT_SENT)
      const [logged] = it.log.filter(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        type: 'EmailSignInError',
        cause: { provider: 'mail', err: { message: 'no route to host' } },
      })
    })

    test('ends in an error of the server if the store fails', async () => {
      const { mail, sent } = post()
      const it = createWorld({
        providers: [mail],
        adapter: failingAdapter('createVerificationToken'),
        session: { strategy },
      })
      const end = await it.post('/auth/signin/mail', { email: 'ada@example.com' })
      expect(location(end)).toBe(`${ORIGIN}/auth/error?error=Configuration`)
      expect(sent).toEqual([])
    })

    test('T-KEY-3: works after the secret was rotated', async () => {
      const { adapter } = recordingAdapter()
      const { mail, link } = post({ confirmation: 'never' })
      const common = { providers: [mail], adapter, session: { strategy } }
      const before = createWorld({ ...common, secret: 'old '.repeat(8) })
      await before.post('/auth/signin/mail', { email: 'ada@example.com' })
      const after = createWorld({ ...common, secret: ['new '.repeat(8), 'old '.repeat(8)] })
      expect(location(await after.get(link()))).toBe(ORIGIN)
    })

    test('T-KEY-3: shows no button in the browser that requested it after a rotation of the secret', async () => {
      const { adapter } = recordingAdapter()
      const { mail, link } = post()
      const common = { providers: [mail], adapter, session: { strategy } }
      const before = createWorld({ ...common, secret: 'old '.repeat(8) })
      await before.post('/auth/signin/mail', { email: 'ada@example.com' })
      const after = createWorld({ ...common, secret: ['new '.repeat(8), 'old '.repeat(8)] })
      expect((await after.get(link())).status).toBe(200)
      for (const [name, value] of before.jar) after.jar.set(name, value)
      expect(location(await after.get(link()))).toBe(ORIGIN)
    })

    test('T-KEY-3: works when Auth.js made it with a list of secrets', async () => {
      const { it, adapter } = setUp({ confirmation: 'never' }, { secret: ['one', 'two'] })
      await adapter.createVerificationToken({
        identifier: 'ada@example.com',
        token: sha256('theirsone,two'),
        expires: new Date(it.now() + 60_000),
      })
      const link = '/auth/callback/mail?token=theirs&email=ada%40example.com'
      expect(location(await it.get(link))).toBe(ORIGIN)
    })

    test('may be hashed with a secret of its provider', async () => {
      const { it, ask, link, calls, sent } = setUp({ secret: 'mail secret' })
      await ask()
      const stored = calls.find(([name]) => name === 'createVerificationToken')?.[1]
      expect(stored).toMatchObject({ token: sha256(`${sent[0]?.token}mail secret`) })
      expect(location(await it.get(link()))).toBe(ORIGIN)
    })
  })
}

test.each([
  ['/mailbox', 'href="/mailbox"'],
  ['http://localhost:8025', 'href="http://localhost:8025"'],
  [undefined, undefined],
])(
  'ACC-23: the page "Check your email" links to the mailbox that the mail provider names: %s',
  async (mailbox, link) => {
    const { mail } = post({ mailbox })
    const { adapter } = recordingAdapter()
    const world = createWorld({ providers: [mail], adapter })
    await world.post('/auth/signin/mail', { email: 'ada@example.com' })
    const page = await (await world.get(SENT)).text()
    expect(page).toContain('ada@example.com')
    if (link === undefined) expect(page).not.toContain('Open the mailbox')
    else expect(page).toMatch(new RegExp(`<a class="button" ${link}>Open the mailbox</a>`))
  },
)

describe('a mailed code', () => {
  function setUp(more: Partial<AuthConfig> = {}) {
    const { mail, sent } = post({ code: true })
    const { mail: plain } = post({ id: 'plain' })
    const { adapter } = recordingAdapter()
    const it = createWorld({ providers: [mail, plain], adapter, ...more })
    const ask = async (): Promise<string> => {
      await it.post('/auth/signin/mail', { email: 'ada@example.com', callbackUrl: '/inbox' })
      return sent.at(-1)?.code ?? ''
    }
    return { it, ask }
  }
  const notCode = (code: string): string =>
    code.replace(/.$/, (digit) => (digit === '1' ? '2' : '1'))
  const again = (error: string): string => `${SENT}&error=${error}`

  test('has its form on the page that says that a mail was sent', async () => {
    const { it, ask } = setUp()
    const code = await ask()
    const page = await (await it.get(SENT)).text()
    const form = /<form action="([^"]+)" method="post">(.*?)<\/form>/s.exec(page)
    expect(form?.[1]).toBe('/auth/callback/mail')
    expect(form?.[2]).toContain(`name="csrfToken" value="${await it.csrfToken()}"`)
    expect(form?.[2]).toMatch(/inputmode="numeric" autocomplete="one-time-code"/)
    expect(page).not.toContain('role="alert"')
    const csrfToken = /name="csrfToken" value="(\w+)"/.exec(page)?.[1] ?? ''
    const end = await it.postWithoutCsrf('/auth/callback/mail', { csrfToken, code })
    expect(location(end)).toBe(`${ORIGIN}/inbox`)
  })

  test('has its form only in the browser that requested it, and sets no cookie beside the CSRF token', async () => {
    const { it, ask } = setUp()
    await ask()
    const other = it.otherBrowser()
    expect(await (await other.get(SENT)).text()).not.toContain('<form')
    expect([...other.jar]).toEqual([])
    for (const path of [SENT.replace('=mail', '=plain'), SENT.replace('=mail', '=none')]) {
      expect(await (await it.get(path)).text()).not.toContain('<form')
    }
    expect((await it.get(SENT)).headers.getSetCookie()).toEqual([])
    it.jar.delete('__Host-authjs.csrf-token')
    it.jar.delete('__Secure-authjs.callback-url')
    const drawn = (await it.get(SENT)).headers.getSetCookie()
    expect(drawn.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-authjs.csrf-token'])
  })

  for (const [error, text] of [
    ['WrongCode', 'This code is wrong'],
    ['TooManyAttempts', 'Open the link in the email'],
  ] as const) {
    test(`T-WEB-4: leads to a page that explains ${error}, and shows no text of the address`, async () => {
      const { it, ask } = setUp()
      await ask()
      const page = await (await it.get(again(error))).text()
      const isAtField = error === 'WrongCode'
      expect(page.includes('role="alert"')).toBe(!isAtField)
      expect(page.includes('aria-describedby="input-code-error" aria-invalid="true"')).toBe(
        isAtField,
      )
      expect(page).toContain(text)
      expect(page).toContain('<title>Error: Check your email – app.example</title>')
      // A wrong code is typed again at once; that codes are used up is read first.
      const focused = /<(\w+)[^>]* autofocus\b/.exec(page)?.[1]
      expect(focused).toBe(isAtField ? 'input' : 'div')
      const hostile = await (await it.get(again(encodeURIComponent('<b>Call 555</b>')))).text()
      expect(hostile).not.toContain('555')
    })
  }

  test('T-OTV-2: works for the provider that mailed it only', async () => {
    const { mail, sent } = post({ code: true })
    const { mail: other } = post({ id: 'other', code: true })
    const { adapter, writes } = recordingAdapter()
    const it = createWorld({ providers: [mail, other], adapter })
    await it.post('/auth/signin/mail', { email: 'ada@example.com' })
    const code = sent[0]?.code ?? ''
    writes()
    expect(location(await it.post('/auth/callback/other', { code }))).toBe(DEAD)
    expect(writes()).toEqual([])
    expect(await it.session()).toBeNull()
    expect(location(await it.post('/auth/callback/mail', { code }))).toBe(ORIGIN)
  })

  test('that is wrong leads back to its form, at most five times', async () => {
    const { it, ask } = setUp()
    const code = await ask()
    const enter = (typed: string) => it.post('/auth/callback/mail', { code: typed })
    for (let i = 0; i < 5; i++)
      expect(location(await enter(notCode(code)))).toBe(again('WrongCode'))
    expect(location(await enter(code))).toBe(again('TooManyAttempts'))
    expect(it.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      ...Array<string>(5).fill('the code is wrong'),
      'there were too many attempts with this code; request a new mail',
    ])
    const logged = it.log.findLast(({ level }) => level === 'error')
    expect(logged?.detail).toMatchObject({ cause: { provider: 'mail' } })
  })

  test('is accepted from a form only, and a link without a token is refused', async () => {
    const { it, ask } = setUp()
    const code = await ask()
    expect(location(await it.get(`/auth/callback/mail?code=${code}`))).toBe(DEAD)
    const end = await it.postWithoutCsrf('/auth/callback/mail', { code })
    expect(location(end)).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
    expect(await it.session()).toBeNull()
  })

  test('that is wrong leads back to the page of the application, if it has one', async () => {
    const { it, ask } = setUp({ pages: { verifyRequest: '/check' } })
    const code = await ask()
    const end = await it.post('/auth/callback/mail', { code: notCode(code) })
    const page = await it.get(location(end) ?? '')
    expect(location(page)).toBe('/check?provider=mail&type=email&error=WrongCode')
  })

  test('gets a JSON response for programs that ask for it', async () => {
    const { it, ask } = setUp()
    const code = await ask()
    const init = { headers: { 'x-auth-return-redirect': '1' } }
    const enter = async (typed: string) =>
      (await it.post('/auth/callback/mail', { code: typed }, init)).json()
    expect(await enter(notCode(code))).toEqual({ url: again('WrongCode') })
    expect(await enter(code)).toEqual({ url: `${ORIGIN}/inbox` })
  })

  test('T-KEY-3: works after the secret was rotated', async () => {
    const { mail, sent } = post({ code: true })
    const { adapter } = recordingAdapter()
    const common = { providers: [mail], adapter }
    const before = createWorld({ ...common, secret: 'old '.repeat(8) })
    await before.post('/auth/signin/mail', { email: 'ada@example.com' })
    const after = createWorld({ ...common, secret: ['new '.repeat(8), 'old '.repeat(8)] })
    for (const [name, value] of before.jar) after.jar.set(name, value)
    const end = await after.post('/auth/callback/mail', { code: sent[0]?.code ?? '' })
    expect(location(end)).toBe(ORIGIN)
  })

  test('is used up before the signIn callback is called, which may refuse', async () => {
    const asked: unknown[] = []
    const { it, ask } = setUp({
      callbacks: {
        signIn: (params) => {
          asked.push(params.email)
          return params.email?.verificationRequest ?? false
        },
      },
    })
    const code = await ask()
    const end = await it.post('/auth/callback/mail', { code })
    expect(location(end)).toBe(`${ORIGIN}/auth/error?error=AccessDenied`)
    expect(asked).toEqual([{ verificationRequest: true }, undefined])
    const end2 = await it.post('/auth/callback/mail', { code })
    expect(location(end2)).toBe(DEAD)
  })
})

test('APP-6: the provider of mails has a sender, configured or not', async () => {
  for (const [options, from] of [
    [{}, 'no-reply@app.example'],
    [{ from: 'App <app@app.example>' }, 'App <app@app.example>'],
  ] as const) {
    const { mail, sent } = post(options)
    const it = createWorld({ providers: [mail], adapter: recordingAdapter().adapter })
    await it.post('/auth/signin/mail', { email: 'ada@example.com' })
    expect(sent[0]?.provider.from).toBe(from)
  }
})
