import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { html } from '../../src/http/html.ts'
import Nodemailer from '../../src/providers/nodemailer.ts'

describe('a sign-in link over SMTP', () => {
  const inbox: (Email & { recipients: string[] })[] = []
  let server: SMTPServer
  let port: number

  beforeAll(async () => {
    server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('unknown@') ? new Error('no such mailbox') : null),
      async onData(stream, session, done) {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        inbox.push({ ...(await PostalMime.parse(Buffer.concat(chunks))), recipients })
        done()
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.server.address() as { port: number }).port
  })
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  beforeEach(() => {
    inbox.length = 0
  })

  function world(more: Partial<Parameters<typeof Nodemailer>[0]> = {}): World {
    const mail = Nodemailer({
      server: `smtp://127.0.0.1:${port}`,
      from: 'Example <no-reply@app.example>',
      ...more,
    })
    return createWorld({ providers: [mail], adapter: memoryAdapter() })
  }

  test('arrives, as text and as HTML, and signs in', async () => {
    const it = world()
    const begin = await it.post('/auth/signin/nodemailer', {
      email: ' Ada@Example.test ',
      callbackUrl: '/inbox',
    })
    expect(begin.headers.get('location')).toBe(
      'https://app.example/auth/verify-request?provider=nodemailer&type=email',
    )
    const [mail] = inbox
    expect(mail).toMatchObject({
      recipients: ['ada@example.test'],
      subject: 'Sign in to app.example',
      from: { name: 'Example', address: 'no-reply@app.example' },
    })
    const link = /https:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(mail?.html).toContain(link.replaceAll('&', '&amp;'))
    expect(mail?.html).not.toMatch(/<(script|img|link)/)

    const end = await it.get(link)
    expect(end.headers.get('location')).toBe('https://app.example/inbox')
    expect((await it.session())?.user?.['email']).toBe('ada@example.test')
  })

  test('has a code, if configured', async () => {
    const it = world({ code: true })
    await it.post('/auth/signin/nodemailer', { email: 'ada@example.test', callbackUrl: '/inbox' })
    const code = /^\d{6}$/m.exec(inbox[0]?.text ?? '')?.[0] ?? ''
    expect(inbox[0]?.html).toContain(`>${code}</p>`)
    const end = await it.post('/auth/callback/nodemailer', { code })
    expect(end.headers.get('location')).toBe('https://app.example/inbox')
    expect((await it.session())?.user?.['email']).toBe('ada@example.test')
  })

  test('uses the same server as a mail of a plugin', async () => {
    const server = `smtp://127.0.0.1:${port}`
    const provider = Nodemailer({ server, from: 'Example <no-reply@app.example>' })
    const resolved = { ...provider, server, from: 'Example <no-reply@app.example>' }
    const mail = {
      to: 'ada@example.test',
      subject: 'Hello',
      text: 'A <b>',
      html: html`<p>A ${'<b>'}</p>`,
      kind: 'greeting',
      locale: 'en',
      urls: [],
    }
    await provider.sendMail?.({ mail, provider: resolved, origin: 'https://app.example', fetch })
    expect(inbox).toMatchObject([
      {
        recipients: ['ada@example.test'],
        subject: 'Hello',
        text: 'A <b>\n',
        html: '<p>A &lt;b&gt;</p>\n',
      },
    ])
  })

  test('is reported on the sign-in page if the server refuses the address', async () => {
    const it = world()
    const begin = await it.post('/auth/signin/nodemailer', { email: 'unknown@example.test' })
    expect(begin.headers.get('location')).toBe('https://app.example/auth/signin?error=EmailSignin')
    expect(inbox).toHaveLength(0)
  })

  test('is reported on the sign-in page if there is no server', async () => {
    const it = world({ server: 'smtp://127.0.0.1:1' })
    const begin = await it.post('/auth/signin/nodemailer', { email: 'ada@example.test' })
    expect(begin.headers.get('location')).toBe('https://app.example/auth/signin?error=EmailSignin')
  })

  for (const hostile of [
    'ada@example.test,eve@evil.test',
    'ada@example.test;eve@evil.test',
    '"ada@example.test,eve"@evil.test',
    'ada@example.test\r\nBcc: eve@evil.test',
    'ada@example.test>\r\nRCPT TO:<eve@evil.test',
    'ada(eve@evil.test)@example.test',
    'Ada <eve@evil.test>',
    'ada@[127.0.0.1]',
    'ada@example.test@evil.test',
    'ada＠example.test＠evil.test',
    'ada@example..test',
    `${'a'.repeat(330)}@example.test`,
  ]) {
    test(`T-OTV-8: is not sent to ${JSON.stringify(hostile).slice(0, 60)}`, async () => {
      const it = world()
      const begin = await it.post('/auth/signin/nodemailer', { email: hostile })
      expect(begin.headers.get('location')).toBe(
        'https://app.example/auth/signin?error=EmailSignin',
      )
      expect(inbox).toHaveLength(0)
    })
  }

  test('T-OTV-8: goes to the stored address, for any typed spelling', async () => {
    const it = world()
    await it.post('/auth/signin/nodemailer', { email: 'ＡＤＡ@example.test' })
    expect(inbox[0]?.recipients).toEqual(['ada@example.test'])
  })
})
