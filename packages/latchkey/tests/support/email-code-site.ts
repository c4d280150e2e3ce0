import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AuthConfig } from '../../src/entries/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { EventMessages } from '../../src/options/events.ts'
import type { EmailConfig, SendMailParams } from '../../src/options/provider-options.ts'
import { type EmailCodeOptions, emailCode } from '../../src/plugins/email-code/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'

/** A mail as it was sent. */
interface SentMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A site with codes by mail, and what it sent and said. */
export interface EmailCodeSite {
  readonly world: World
  readonly mails: SentMail[]
  readonly events: EventMessages['security'][]
  /** Makes the mail service fail. */
  readonly service: { isDown: boolean }
  /** The code of the last mail. */
  code(): string
  /** A code that is not that of the last mail. */
  wrong(): string
  send(email?: string, world?: World): Promise<Answered>
  verify(code: string, world?: World): Promise<Answered>
  isSignedIn(world?: World): Promise<boolean>
}

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/**
 * @param further options of the configuration.
 * @param ofMails options of the mail provider.
 */
export function emailCodeSite(
  options: EmailCodeOptions = {},
  { plugins = [], ...further }: Partial<AuthConfig> = {},
  worldOptions: Parameters<typeof createWorld>[1] = {},
  ofMails: Partial<Pick<EmailConfig, 'normalizeIdentifier'>> = {},
): EmailCodeSite {
  const mails: SentMail[] = []
  const events: EventMessages['security'][] = []
  const service = { isDown: false }
  const post = {
    id: 'post',
    name: 'Post',
    type: 'email' as const,
    maxAge: 600,
    code: true,
    options: {},
    sendVerificationRequest({ identifier, code = '' }: { identifier: string; code?: string }) {
      mails.push({ to: identifier, subject: code, text: code })
    },
    sendMail({ mail }: SendMailParams) {
      if (service.isDown) throw new Error('the mail server does not answer')
      mails.push({ to: mail.to, subject: mail.subject, text: mail.text })
    },
    ...ofMails,
  }
  const world = createWorld(
    {
      adapter: memoryAdapter(),
      providers: [post],
      session: { strategy: 'jwt' },
      ...further,
      events: { ...further.events, security: (event) => void events.push(event) },
      plugins: [sessions(), emailCode(options), ...plugins],
    },
    worldOptions,
  )
  const json = async (path: string, fields: object, browser: World): Promise<Answered> => {
    const { status, headers, ...answer } = await browser
      .request(`/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(fields),
      })
      .then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, unknown>,
      }))
    return { status, headers, ...answer }
  }
  const site: EmailCodeSite = {
    world,
    mails,
    events,
    service,
    code: () => /^\d{6,8}/.exec(mails.at(-1)?.subject ?? '')?.[0] ?? '',
    wrong() {
      const code = site.code()
      return `${code[0] === '1' ? '2' : '1'}${code.slice(1)}`
    },
    send: (email = 'ada@example.com', browser = world) =>
      json('email-code/send', { email }, browser),
    verify: (code, browser = world) => json('email-code/verify', { code }, browser),
    isSignedIn: async (browser = world) => (await browser.session()) !== null,
  }
  return site
}
