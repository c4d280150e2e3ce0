import type { AuthConfig } from '../../src/options/auth-config.ts'
import { type AccountOptions, account } from '../../src/plugins/account/index.ts'
import type { PasswordsOptions } from '../../src/plugins/passwords/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { type PasswordsSite, passwordsSite } from './passwords-site.ts'

/** A site on which people look after their account. */
export interface AccountSite extends PasswordsSite {
  /** Reads a path as a program of a page. */
  read(path: string, world?: PasswordsSite['world']): Promise<Record<string, unknown>>
  /** Waits until a mail with this subject was sent. */
  mailed(subject: string, to?: string): Promise<PasswordsSite['mails'][number]>
  /** Waits for the code that an address got for a change of address. */
  codeFor(to: string): Promise<string>
  /** Changes the address of who is signed in. */
  changeAddress(to: string): Promise<Response>
  maintain(): Promise<void>
}

interface Options {
  readonly account?: AccountOptions
  readonly passwords?: PasswordsOptions
}

/** @param further options of the configuration. */
export function accountSite(
  options: Options = {},
  { plugins = [], providers = [], ...further }: Partial<AuthConfig> = {},
  worldOptions: Parameters<typeof passwordsSite>[2] = {},
): AccountSite {
  const site = passwordsSite(
    { limits: false, ...options.passwords },
    {
      ...further,
      plugins: [account({ limits: false, ...options.account }), ...plugins],
      providers: [
        {
          id: 'post',
          name: 'Post',
          type: 'email',
          maxAge: 600,
          options: {},
          sendVerificationRequest() {},
          sendMail: ({ mail }) => void site.mails.push(mail),
        },
        Passkey(),
        ...providers,
      ],
    },
    worldOptions,
  )
  const own: AccountSite = {
    ...site,
    async read(path, world = site.world) {
      return (await (await world.get(`/auth/${path}`)).json()) as Record<string, unknown>
    },
    async codeFor(to) {
      const { subject } = await own.mailed('is your code', to)
      return /\b\d{6}\b/.exec(subject)?.[0] ?? ''
    },
    async changeAddress(to) {
      await site.json('account/change-address', { email: to })
      return site.json('account/confirm-address', { code: await own.codeFor(to) })
    },
    async mailed(subject, to) {
      for (let waits = 0; waits < 3000; waits++) {
        const found = site.mails.findLast(
          (mail) => mail.subject.includes(subject) && (to === undefined || mail.to === to),
        )
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(
        `no mail has the subject ${subject}: ${site.mails.map((mail) => mail.subject).join()}`,
      )
    },
    async maintain() {
      const { core, config } = site.world
      await core.plan(config).plugins?.maintain(60_000)
    },
  }
  return own
}
