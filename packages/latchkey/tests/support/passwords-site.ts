import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AuthConfig } from '../../src/entries/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { EventMessages } from '../../src/options/events.ts'
import type { SendMailParams } from '../../src/options/provider-options.ts'
import { type PasswordsOptions, passwords } from '../../src/plugins/passwords/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'

/** A password that every rule accepts. */
export const GOOD = 'correct horse battery staple'
export const OTHER = 'another rather long password'

/** Cheap to hash, and still within the limits of the options. */
export const CHEAP: PasswordsOptions['hash'] = { memory: 7168, passes: 5 }

/** A mail as it was sent. */
export interface SentMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A site with accounts, and what it sent and said. */
export interface PasswordsSite {
  readonly world: World
  readonly mails: SentMail[]
  readonly events: EventMessages['security'][]
  /** The code of the last mail. */
  code(): string
  /** The link to a path in the last mail that has one, as path and query. */
  link(path: string): string
  /** Signs up and proves the address. @returns the last response */
  signUp(email?: string, password?: string, world?: World): Promise<Response>
  signIn(email?: string, password?: string, world?: World): Promise<Response>
  /** Sends JSON as a page of the site does. */
  json(path: string, fields?: object, world?: World): Promise<Response>
  /** Waits until all work is done that goes on after responses, such as the mail of a reset. */
  settled(): Promise<void>
}

/**
 * @param further options of the configuration.
 * @param moreProviders beside the one that sends mails.
 */
export function passwordsSite(
  options: PasswordsOptions = {},
  further: Partial<AuthConfig> = {},
  worldOptions: Parameters<typeof createWorld>[1] = {},
  moreProviders: AuthConfig['providers'] = [],
): PasswordsSite {
  const mails: SentMail[] = []
  const events: EventMessages['security'][] = []
  const running = new Set<Promise<unknown>>()
  const post = {
    id: 'post',
    name: 'Post',
    type: 'email' as const,
    maxAge: 600,
    options: {},
    sendVerificationRequest() {},
    sendMail({ mail }: SendMailParams) {
      mails.push(mail)
    },
  }
  const world = createWorld(
    {
      adapter: memoryAdapter(),
      providers: [post, ...moreProviders],
      session: { strategy: 'jwt' },
      waitUntil(work) {
        running.add(work)
        void work.then(() => running.delete(work))
      },
      ...further,
      events: { ...further.events, security: (event) => void events.push(event) },
      plugins: [
        sessions(),
        // With this `waitUntil` alone, the mails of sign-ups would be sent after the response, too.
        passwords({
          hash: CHEAP,
          hashing: { patience: 60 },
          ...(!further.waitUntil && { mailInBackground: false }),
          ...options,
        }),
        ...((further.plugins ?? []) as []),
      ],
    },
    worldOptions,
  )
  const last = (): SentMail => {
    const mail = mails.at(-1)
    if (!mail) throw new Error('no mail was sent')
    return mail
  }
  const site: PasswordsSite = {
    world,
    mails,
    events,
    code: () => /\b\d{6}\b/.exec(last().text)?.[0] ?? '',
    link(path) {
      const pattern = new RegExp(`https://app\\.example(/auth/${path}\\?\\S*)`)
      const found = mails.findLast(({ text }) => pattern.test(text))
      const link = pattern.exec(found?.text ?? '')?.[1]
      if (link === undefined) throw new Error(`no mail has a link to ${path}`)
      return link
    },
    async signUp(email = 'ada@example.com', password = GOOD, browser = world) {
      const begun = await site.json('password/sign-up', { email, password }, browser)
      if (begun.status !== 202) return begun
      return site.json('password/verify', { code: site.code() }, browser)
    },
    signIn: (identifier = 'ada@example.com', password = GOOD, browser = world) =>
      site.json('password/sign-in', { identifier, password }, browser),
    json: (path, fields, browser = world) => browser.json(`/auth/${path}`, fields),
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
  return site
}
