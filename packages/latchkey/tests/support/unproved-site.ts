import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createLatchkey, splitConfig } from '../../src/entries/index.ts'
import { createTestProvider, type World } from '../../src/entries/testing.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { emailCode } from '../../src/plugins/email-code/index.ts'
import type { PasswordsOptions } from '../../src/plugins/passwords/index.ts'
import { tokens } from '../../src/plugins/tokens/index.ts'
import { twoFactor } from '../../src/plugins/two-factor/index.ts'
import { type AccountSite, accountSite } from './account-site.ts'
import { type CeremonyOptions, createAuthenticator } from './authenticator.ts'
import { CHEAP, GOOD } from './passwords-site.ts'
import { appWith } from './two-factor-site.ts'

interface Setting {
  readonly options?: PasswordsOptions
  readonly strategy?: 'jwt' | 'database'
  readonly adapter?: Adapter
  /** Of the site, so that two sites on one store have different addresses. */
  readonly seed?: number
  readonly events?: AuthConfig['events']
  /** Milliseconds since the epoch. */
  readonly startsAt?: number
}

/** A site that lets people in before they prove their address, with every way into an account. */
export interface UnprovedSite extends AccountSite {
  readonly email: string
  readonly adapter: Adapter
  /** The provider that reports the address of the account as proven, and one that belongs to whoever made the account. */
  readonly idp: ReturnType<typeof createTestProvider>
  readonly other: ReturnType<typeof createTestProvider>
  /** Signs up; nobody is signed in by it. */
  begin(browser?: World): Promise<Response>
  /** Adds all that can be added to an account in the session of a browser. @returns the statuses */
  fill(browser: World): Promise<Readonly<Record<string, number>>>
  /** Returns what is in the account. */
  content(): Promise<Readonly<Record<string, unknown>>>
  /** @param where `edge`: without the store, as far as the session itself knows. */
  facts(browser: World, where?: 'edge'): Promise<{ readonly address?: string } | null>
}

export function unprovedSite({
  options = {},
  strategy = 'jwt',
  adapter = memoryAdapter(),
  seed = 1,
  events,
  startsAt,
}: Setting = {}): UnprovedSite {
  const email = `ada-${seed}@example.com`
  const idp = createTestProvider({ id: 'acme' })
  const other = createTestProvider({ id: 'other', issuer: 'https://other.test' })
  idp.profile = { sub: `ada-${seed}`, email, email_verified: true }
  other.profile = { sub: `eve-${seed}`, email: `eve-${seed}@example.com`, email_verified: true }
  const site = accountSite(
    { passwords: { verify: 'after', ...options } },
    {
      adapter,
      secret: `the secret of site ${seed}, 0123456789abcdef`,
      session: { strategy },
      ...(events && { events }),
      plugins: [
        twoFactor({ limits: false, recovery: { hash: CHEAP, count: 5 } }),
        tokens({ apiKeys: {} }),
        emailCode({ limits: false }),
      ],
      providers: [
        { ...idp.provider, allowDangerousEmailAccountLinking: 'proven' },
        other.provider,
        {
          id: 'link',
          name: 'Link',
          type: 'email',
          maxAge: 600,
          options: {},
          sendVerificationRequest: ({ url, identifier: to }) =>
            void site.mails.push({ to, subject: 'Sign in', text: url, html: '' }),
        },
      ],
    },
    { seed, ...(startsAt !== undefined && { startsAt }) },
  )
  const userId = async (): Promise<string> =>
    String((await adapter.getUserByEmail?.(email))?.id ?? '')
  const count = async (kind: string): Promise<number> => {
    const { listRecords } = site.world.core.plan(site.world.config).store?.atomic ?? {}
    const page = await listRecords?.({ kind, userId: await userId(), limit: 100 })
    return page?.records.length ?? 0
  }
  return {
    ...site,
    email,
    adapter,
    idp,
    other,
    signIn: (identifier = email, password = GOOD, browser = site.world) =>
      site.signIn(identifier, password, browser),
    begin: (browser = site.world) =>
      site.json('password/sign-up', { email, password: GOOD, name: 'Eve' }, browser),
    async fill(browser) {
      const statuses: Record<string, number> = {}
      const ask = async (path: string, fields: object = {}): Promise<Record<string, string>> => {
        const answer = await site.json(path, fields, browser)
        statuses[path] = answer.status
        return (await answer.json()) as Record<string, string>
      }
      const options = await ask('account/passkey-options')
      const made =
        statuses['account/passkey-options'] === 200
          ? createAuthenticator(site.world.origin).create(options as unknown as CeremonyOptions)
          : {}
      await ask('account/add-passkey', { data: JSON.stringify(made) })
      const { url } = await ask('account/link', { provider: 'other' })
      if (url !== undefined && statuses['account/link'] === 200) {
        const back = other.authorize(url, { now: site.world.now() })
        await browser.get(back.pathname + back.search)
      }
      await ask('api-keys/create', { name: 'program' })
      await ask('account/change-address', { email: `eve-${seed}@example.com` })
      const { id = 'x', secret = 'AAAA' } = await ask('two-factor/enrol-totp', { name: 'Phone' })
      const code = appWith(secret, site.world).code()
      await ask('two-factor/confirm-totp', { id, code })
      await ask('two-factor/recovery-codes')
      return statuses
    },
    async content() {
      const user = await adapter.getUserByEmail?.(email)
      const { listAccountsByUserId } = site.world.core.plan(site.world.config).store?.atomic ?? {}
      const accounts = (await listAccountsByUserId?.(await userId())) ?? []
      return {
        name: user?.['name'],
        isProved: Boolean(user?.emailVerified),
        passkeys: (await adapter.listAuthenticatorsByUserId?.(await userId()))?.length,
        providers: accounts
          .filter(({ type }) => type !== 'webauthn')
          .map(({ provider }) => provider),
        password: await count('password'),
        totp: await count('totp'),
        recovery: await count('recovery-code'),
        keys: await count('api-key'),
        changes: await count('address-change'),
        devices: await count('device'),
        unproved: await count('unproved'),
      }
    },
    async facts(browser, where) {
      const headers = new Headers({
        cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      })
      // With an adapter of its own, it shares nothing with the world, whose clock is another one.
      const config = { ...site.world.config, adapter: { ...adapter }, trustHost: true } as const
      const latchkey = createLatchkey(
        (where === 'edge' ? splitConfig(config as never) : config) as never,
      ) as unknown as {
        facts(request: Request): Promise<{ readonly address?: string } | null>
      }
      return latchkey.facts(new Request(`${site.world.origin}/`, { headers }))
    },
  }
}
