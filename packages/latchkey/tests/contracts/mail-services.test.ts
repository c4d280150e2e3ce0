import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { customFetch } from '../../src/options/markers.ts'
import type { EmailConfig } from '../../src/options/provider-options.ts'
import email from '../../src/providers/email.ts'
import forwardEmail from '../../src/providers/forwardemail.ts'
import loops from '../../src/providers/loops.ts'
import mailgun from '../../src/providers/mailgun.ts'
import nodemailer from '../../src/providers/nodemailer.ts'
import postmark from '../../src/providers/postmark.ts'
import resend from '../../src/providers/resend.ts'
import sendGrid from '../../src/providers/sendgrid.ts'

const KEY = 'key-of-the-service-0123456789'
const FROM = 'Your site <no-reply@mail.your.site>'
const ADA = 'ada@example.com'

interface Sent {
  readonly request: Request
  readonly body: Record<string, unknown>
}

function setUp(
  provider: EmailConfig,
  answer: () => Response = () => Response.json({ id: 'mail-1' }),
): { world: World; sent: Sent[]; ask(): Promise<Response> } {
  const sent: Sent[] = []
  const world = createWorld(
    { providers: [provider], adapter: memoryAdapter() },
    {
      async fetch(input, init) {
        const request = new Request(input, init)
        const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
        const body = isForm
          ? Object.fromEntries(await request.clone().formData())
          : ((await request.clone().json()) as Record<string, unknown>)
        sent.push({ request, body })
        return answer()
      },
    },
  )
  return {
    world,
    sent,
    ask: () => world.post(`/auth/signin/${provider.id}`, { email: ADA, callbackUrl: '/inbox' }),
  }
}

interface Service {
  readonly provider: EmailConfig
  readonly url: string
  readonly headers: Record<string, string>
  /** Where in the body the parts of the mail are. */
  readonly body: Record<string, unknown>
  readonly text: (body: Record<string, unknown>) => unknown
}

const SUBJECT = 'Sign in to app.example'
const html = expect.stringContaining('<!doctype html>')
const text = expect.stringContaining('/auth/callback/')
const options = { apiKey: KEY, from: FROM }

const services: Readonly<Record<string, Service>> = {
  resend: {
    provider: resend(options),
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${KEY}` },
    body: { from: FROM, to: ADA, subject: SUBJECT, html, text },
    text: (body) => body['text'],
  },
  forwardemail: {
    provider: forwardEmail(options),
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: `Basic ${btoa(`${KEY}:`)}` },
    body: { from: FROM, to: ADA, subject: SUBJECT, html, text },
    text: (body) => body['text'],
  },
  sendgrid: {
    provider: sendGrid(options),
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${KEY}` },
    body: {
      personalizations: [{ to: [{ email: ADA }] }],
      from: { email: 'no-reply@mail.your.site', name: 'Your site' },
      subject: SUBJECT,
      content: [
        { type: 'text/plain', value: text },
        { type: 'text/html', value: html },
      ],
    },
    text: ({ content }) => (content as { value: string }[])[0]?.value,
  },
  postmark: {
    provider: postmark(options),
    url: 'https://api.postmarkapp.com/email',
    headers: { 'x-postmark-server-token': KEY, accept: 'application/json' },
    body: {
      From: FROM,
      To: ADA,
      Subject: SUBJECT,
      HtmlBody: html,
      TextBody: text,
      MessageStream: 'outbound',
    },
    text: (body) => body['TextBody'],
  },
  mailgun: {
    provider: mailgun(options),
    url: 'https://api.mailgun.net/v3/mail.your.site/messages',
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}` },
    body: { from: FROM, to: ADA, subject: SUBJECT, html, text },
    text: (body) => body['text'],
  },
  loops: {
    provider: loops({ ...options, transactionalId: 'template-1' }),
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: `Bearer ${KEY}` },
    body: { transactionalId: 'template-1', email: ADA, dataVariables: { url: text } },
    text: ({ dataVariables }) => (dataVariables as { url: string }).url,
  },
}

describe.each(Object.entries(services))('mail through %s', (id, service) => {
  const { provider } = service

  test('is one request, with the mail in the form of the service', async () => {
    const { ask, sent } = setUp(provider)
    const answer = await ask()
    expect(answer.headers.get('location')).toContain('/auth/verify-request')
    expect(sent).toHaveLength(1)
    const [{ request, body } = never()] = sent
    expect(request.method).toBe('POST')
    expect(request.url).toBe(service.url)
    expect(Object.fromEntries(request.headers)).toMatchObject(service.headers)
    expect(body).toEqual(service.body)
  })

  test('has a link that signs in', async () => {
    const { ask, sent, world } = setUp(provider)
    await ask()
    const [{ body } = never()] = sent
    const link = /https:\/\/app\.example(\/auth\/callback\/\S+)/.exec(
      String(service.text(body)),
    )?.[1]
    await world.get(link ?? '')
    expect(await world.session()).toMatchObject({ user: { email: ADA } })
  })

  test('that the service refuses is reported to the visitor in general, and logged without secrets', async () => {
    const { ask, world, sent } = setUp(provider, () =>
      Response.json(
        { message: `domain not verified for key ${KEY}, mail to ${ADA}` },
        { status: 403 },
      ),
    )
    const answer = await ask()
    expect(answer.headers.get('location')).toBe(`${world.origin}/auth/signin?error=EmailSignin`)
    const [logged] = world.log.filter(({ level }) => level === 'error')
    expect(logged?.message).toBe(
      `${provider.name} returned status 403: {"message":"domain not verified for key […], mail to […]"}`,
    )
    const token = /token=([\da-f]{64})/.exec(String(service.text(sent[0]?.body ?? {})))?.[1] ?? ''
    expect(token).not.toBe('')
    for (const secret of [KEY, token]) expect(JSON.stringify(world.log)).not.toContain(secret)
  })

  test('that cannot be sent is no error of the configuration', async () => {
    const { ask, world } = setUp(provider, () => {
      throw new TypeError('getaddrinfo ENOTFOUND')
    })
    expect((await ask()).headers.get('location')).toBe(
      `${world.origin}/auth/signin?error=EmailSignin`,
    )
  })

  test('needs its key, which the start checks', () => {
    const { core, config } = setUp({
      ...provider,
      options: { ...provider.options, apiKey: '' },
    }).world
    expect(core.plan(config).fault?.message).toBe(
      `provider ${id}: \`apiKey\` is missing; set it, or AUTH_${id.toUpperCase()}_KEY`,
    )
  })
})

describe('mail services', () => {
  test('send from an address of the site by default', async () => {
    const { ask, sent } = setUp(resend({ apiKey: KEY }))
    await ask()
    expect(sent[0]?.body['from']).toBe('no-reply@app.example')
  })

  test('mail codes if configured', async () => {
    for (const provider of [
      resend({ ...options, code: true }),
      loops({ ...options, transactionalId: 't', code: true }),
    ]) {
      const { ask, sent } = setUp(provider)
      await ask()
      expect(JSON.stringify(sent[0]?.body)).toMatch(/"code":"\d{6}"|\\n\d{6}\\n/)
    }
  })

  test('of Mailgun are called in the region of the domain', async () => {
    const { ask, sent } = setUp(mailgun({ ...options, region: 'EU' }))
    await ask()
    expect(sent[0]?.request.url).toBe('https://api.eu.mailgun.net/v3/mail.your.site/messages')
  })

  test('of Mailgun need a sender, and those of Loops a template', () => {
    for (const [provider, missing] of [
      [mailgun({ apiKey: KEY }), 'from'],
      [loops({ apiKey: KEY } as never), 'transactionalId'],
    ] as const) {
      const { core, config } = setUp(provider).world
      expect(core.plan(config).fault?.message).toContain(`\`${missing}\` is missing`)
    }
  })

  test('may be replaced by a function of the application, which is then the only one called', async () => {
    const mails: string[] = []
    const { ask, sent } = setUp(
      postmark({
        ...options,
        sendVerificationRequest: ({ identifier }) => void mails.push(identifier),
      }),
    )
    await ask()
    expect(mails).toEqual([ADA])
    expect(sent).toEqual([])
  })

  test('are called with the `fetch` of the provider, also over plain http', async () => {
    const asked: string[] = []
    const provider = resend({
      ...options,
      [customFetch]: async (input, init) => {
        const { host } = new URL(new Request(input, init).url)
        asked.push(host)
        if (host === 'api.resend.com') return Response.json({})
        throw new TypeError('nobody is there')
      },
    })
    const { ask, sent } = setUp(provider)
    expect((await ask()).headers.get('location')).toContain('/auth/verify-request')
    const own = setUp({
      ...provider,
      sendVerificationRequest: async ({ fetch }) => void (await fetch('http://mail.example/')),
    })
    expect((await own.ask()).headers.get('location')).toContain('error=EmailSignin')
    expect(asked).toEqual(['api.resend.com', 'mail.example'])
    expect([...sent, ...own.sent]).toEqual([])
  })

  test('over SMTP have an old name that still works', () => {
    const smtp = { server: 'smtp://localhost', from: FROM }
    expect(email(smtp)).toEqual({
      ...nodemailer(smtp),
      id: 'email',
      name: 'Email',
      sendVerificationRequest: expect.any(Function),
    })
  })
})

function never(): never {
  throw new Error('nothing was sent')
}
