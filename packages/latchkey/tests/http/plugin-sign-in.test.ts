import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AuthConfig } from '../../src/entries/index.ts'
import { createLatchkey } from '../../src/entries/index.ts'
import { type Call, definePlugin, type Host, html, Problem } from '../../src/entries/plugin.ts'
import { createWorld } from '../../src/entries/testing.ts'
import type { SendMailParams } from '../../src/options/provider-options.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import resend from '../../src/providers/resend.ts'

/** Whoever knows the word is who they say; a further word is mailed to whoever asks. */
const doorkeeper = (needs: readonly 'mail'[] = []) =>
  definePlugin<'doorkeeper', object, Host>({
    name: 'doorkeeper',
    needs,
    setUp: (host) => ({ own: host }),
    routes: {
      'door/in': {
        POST: {
          who: 'anyone',
          input: async () => v.strictObject({ id: v.string(), word: v.string() }),
          run: async () => async (call: Call<{ id: string; word: string }>, host) => {
            const { id, word } = call.input
            const before = await host.sessions.beforeProof(id)
            if (word !== 'open sesame') throw new Problem('invalid_code')
            const user = (await host.store?.getUser(id)) ?? { id, name: 'Ada' }
            return host.sessions.establish(call, { user, amr: ['pwd'], before })
          },
        },
      },
      'door/by-mail': {
        POST: {
          who: 'anyone',
          input: async () => v.strictObject({ address: v.string() }),
          run: async () => async (call: Call<{ address: string }>, host) =>
            host.sessions.establish(call, { address: call.input.address, amr: ['otp'] }),
        },
      },
      'door/mail': {
        POST: {
          who: 'anyone',
          input: async () => v.strictObject({ to: v.string() }),
          run:
            async () =>
            async ({ input, request }: Call<{ to: string }>, host) => {
              const word = 'a word <3\n\nYour code: 123456'
              const mail = { subject: 'Your word', text: word, html: html`<p>${word}</p>` }
              await host.mail({ to: input.to, ...mail }, request)
              return { json: { sent: true } }
            },
        },
      },
    },
  })

const mailer = (sendMail?: (params: SendMailParams) => void | Promise<void>) => ({
  id: 'post',
  name: 'Post',
  type: 'email' as const,
  sendVerificationRequest: () => {},
  ...(sendMail && { sendMail }),
})

describe('a plugin signs people in', () => {
  const signIn = { id: 'u1', word: 'open sesame' }

  for (const strategy of ['jwt', 'database'] as const) {
    test(`${strategy}: with a user of the store, through the callback, the hooks and the events`, async () => {
      const adapter = memoryAdapter()
      const user = { id: 'u1', name: 'Ada', email: 'ada@example.test', emailVerified: null }
      const { id } = (await adapter.createUser?.(user)) ?? user
      const asked = vi.fn<(params: object) => boolean>(() => true)
      const told = vi.fn<(message: object) => void>()
      const it = createWorld({
        providers: [],
        adapter,
        session: { strategy },
        plugins: [doorkeeper(), sessions()],
        callbacks: { signIn: asked },
        events: { signIn: told },
      })
      const answer = await it.post('/auth/door/in', { ...signIn, id, callbackUrl: '/inbox' })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe('https://app.example/inbox')
      expect((await it.session())?.user?.['name']).toBe('Ada')
      const account = { provider: 'doorkeeper', type: 'credentials', providerAccountId: id }
      expect(asked.mock.calls).toMatchObject([[{ account, user: { id } }]])
      expect(told.mock.calls).toMatchObject([[{ account, user: { id } }]])
    })
  }

  test('not with a wrong word, and the application may refuse', async () => {
    let isLetIn = true
    const it = createWorld({
      providers: [],
      plugins: [doorkeeper()],
      callbacks: { signIn: () => isLetIn },
    })
    const wrong = await it.post('/auth/door/in', { ...signIn, word: 'open' })
    expect(wrong.status).toBe(400)
    isLetIn = false
    expect((await it.post('/auth/door/in', signIn)).status).toBe(403)
    expect(await it.session()).toBeNull()
    isLetIn = true
    await it.post('/auth/door/in', signIn)
    expect((await it.session())?.user?.['name']).toBe('Ada')
  })

  test('by address: the known user, or a new one', async () => {
    const adapter = memoryAdapter()
    const created = vi.fn<(message: object) => void>()
    const it = createWorld({
      providers: [],
      adapter,
      plugins: [doorkeeper()],
      events: { createUser: created },
    })
    const address = 'ada@example.test'
    await it.post('/auth/door/by-mail', { address })
    const first = await adapter.getUserByEmail?.(address)
    expect(first?.emailVerified).toBeInstanceOf(Date)
    await it.post('/auth/door/by-mail', { address })
    expect(created).toHaveBeenCalledTimes(1)
    expect((await it.session())?.user?.['email']).toBe(address)
    await it.post('/auth/door/by-mail', { address: ' Ada@EXAMPLE.test' })
    expect(created).toHaveBeenCalledTimes(1)
  })

  test('by an address that the application normalizes, and not by an invalid one', async () => {
    const adapter = memoryAdapter()
    const it = createWorld({
      providers: [{ ...mailer(), normalizeIdentifier: (typed) => typed.replace(/\+.*@/, '@') }],
      adapter,
      plugins: [doorkeeper()],
    })
    await it.post('/auth/door/by-mail', { address: 'ada+news@example.test' })
    expect((await it.session())?.user?.['email']).toBe('ada@example.test')
    for (const address of ['a@x.test, b@x.test', '', `${'a'.repeat(400)}@x.test`]) {
      expect((await it.post('/auth/door/by-mail', { address })).status).toBe(400)
    }
  })

  test('after every gate', async () => {
    const terms = definePlugin({
      name: 'terms',
      gate: 'require',
      routes: { terms: { GET: { who: 'pending', run: async () => async () => ({ json: {} }) } } },
      setUp: (host) => ({ atGate: () => host.site.path('terms') }),
    })
    const it = createWorld({
      providers: [],
      adapter: memoryAdapter(),
      session: { strategy: 'jwt' },
      plugins: [doorkeeper(), terms],
    })
    const answer = await it.post('/auth/door/in', signIn)
    expect(answer.headers.get('location')).toMatch(/\/auth\/terms$/)
    expect(await it.session()).toBeNull()
  })

  test('T-ST-3: not with a proof that was made before all sessions of the user ended', async () => {
    const adapter = memoryAdapter()
    let release = (): void => {}
    const wait = new Promise<void>((resolve) => (release = resolve))
    const slow = definePlugin<'slow', object, Host>({
      name: 'slow',
      setUp: (host) => ({ own: host }),
      routes: {
        'slow/in': {
          POST: {
            who: 'anyone',
            run: async () => async (call, host) => {
              const before = await host.sessions.beforeProof('u1')
              await wait
              return host.sessions.establish(call, { user: { id: 'u1' }, amr: ['pwd'], before })
            },
          },
        },
      },
    })
    const config = {
      providers: [],
      adapter,
      session: { strategy: 'jwt' },
      plugins: [slow, sessions()],
    } satisfies AuthConfig
    const it = createWorld(config)
    const answer = it.post('/auth/slow/in', {})
    await new Promise((resolve) => setTimeout(resolve, 20))
    const other = { ...config, secret: 'another instance of the same site, 012', trustHost: true }
    await createLatchkey(other, {}).api.sessions.endAll({ userId: 'u1' })
    release()
    expect((await answer).headers.getSetCookie().join()).not.toContain('session-token')
    expect(await it.session()).toBeNull()
  })
})

describe('a plugin sends mails', () => {
  test('with the first provider that sends mails', async () => {
    const sent: SendMailParams[] = []
    const it = createWorld({
      providers: [{ ...mailer(), id: 'other' }, mailer((params) => void sent.push(params))],
      adapter: memoryAdapter(),
      plugins: [doorkeeper(['mail'])],
    })
    expect((await it.post('/auth/door/mail', { to: 'ada@example.test' })).status).toBe(200)
    expect(sent).toMatchObject([
      {
        mail: {
          to: 'ada@example.test',
          subject: 'Your word',
          text: 'a word <3\n\nYour code: 123456',
        },
        origin: 'https://app.example',
        provider: { id: 'post' },
      },
    ])
    expect(`${sent[0]?.mail.html}`).toContain('a word &lt;3')
  })

  test('through a service, whose refusal is logged without the address and the text', async () => {
    const errors: Error[] = []
    const asked: { url: string; body: unknown }[] = []
    let status = 200
    const config: Partial<AuthConfig> = {
      providers: [resend({ apiKey: 'key-of-a-test', from: 'Example <no-reply@app.example>' })],
      adapter: memoryAdapter(),
      plugins: [doorkeeper(['mail'])],
      logger: { error: (error) => void errors.push(error) },
    }
    const it = createWorld(config, {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        asked.push({ url: request.url, body: await request.json() })
        return Response.json(
          { message: 'no such box: ada@example.test: a word <3  Your code: 123456 (123456)' },
          { status },
        )
      },
    })
    await it.post('/auth/door/mail', { to: 'ada@example.test' })
    expect(asked).toMatchObject([
      {
        url: 'https://api.resend.com/emails',
        body: {
          subject: 'Your word',
          html: '<p>a word &lt;3\n\nYour code: 123456</p>',
          text: 'a word <3\n\nYour code: 123456',
        },
      },
    ])
    status = 422
    const refused = await it.post('/auth/door/mail', { to: 'ada@example.test' })
    expect(refused.status).toBe(503)
    expect(`${errors[0]?.message}`).toContain('Resend returned status 422')
    expect(`${errors[0]?.message}`).not.toMatch(/ada@|123456/)
  })

  test('never to a value that is not a single address', async () => {
    const sent = vi.fn<(params: SendMailParams) => void>()
    const it = createWorld({
      providers: [mailer(sent)],
      adapter: memoryAdapter(),
      plugins: [doorkeeper(['mail'])],
      logger: { error() {} },
    })
    for (const to of ['a@x.test, b@x.test', 'a@x.test\nbcc: b@x.test', '']) {
      expect((await it.post('/auth/door/mail', { to })).status).toBe(500)
    }
    expect(sent).not.toHaveBeenCalled()
  })

  test('the start is refused if no provider sends mails, with a message that names the missing part', () => {
    const start = (providers: AuthConfig['providers']) => () =>
      createLatchkey(
        {
          providers,
          adapter: memoryAdapter(),
          secret: 'a secret for tests, 0123456789abcdef',
          trustHost: true,
          plugins: [doorkeeper(['mail'])],
        },
        {},
      )
    expect(start([])).toThrow('the plugin doorkeeper sends mails, but there is no mail provider')
    expect(start([mailer()])).toThrow('the provider post sends only sign-in mails')
    start([mailer(() => {})])()
  })
})
