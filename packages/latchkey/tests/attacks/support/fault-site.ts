import { inspect } from 'node:util'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import type { Ports } from '../../../src/base/ports.ts'
import { type Adapter, atomic } from '../../../src/model/adapter.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { Provider } from '../../../src/options/provider-options.ts'
import Passkey from '../../../src/providers/passkey.ts'
import { createAuthenticator, type SoftAuthenticator } from '../../support/authenticator.ts'
import { wrapped } from '../../support/recording.ts'
import type { Faults } from './faults.ts'
import { acme, createSite, type Mail, ORIGIN, SECRET, type Site, type Strategy } from './site.ts'

export interface Setting {
  readonly strategy: Strategy
  readonly transactions: boolean
}

/** A site whose every call out of the core is counted, and what is in its store. */
export interface FaultSite extends Omit<Site, 'mails'> {
  readonly faults: Faults
  readonly setting: Setting
  readonly mails: (Mail & { readonly code?: string })[]
  readonly authenticator: SoftAuthenticator
  /** Names of the writes that happened in the store, and of the mails, sorted. */
  effects(): string[]
  /** What is in the store and belongs to nothing. */
  orphans(): Promise<string[]>
  /** All that the application's logger was told, its errors with everything in them. */
  logged(): string
  /** What the store, the providers, the mails and the dice gave, and no log may have. */
  secrets(): string[]
  /** What came out of `Auth` and is no answer. */
  readonly thrown: unknown[]
}

export async function createFaultSite(
  faults: Faults,
  setting: Setting,
  more: Partial<AuthConfig> & { origin?: string } = {},
): Promise<FaultSite> {
  const { strategy, transactions } = setting
  const { origin = ORIGIN, ...config } = more
  const effects: string[] = []
  const mails: FaultSite['mails'] = []
  const note = (name: string): void => void effects.push(name)
  const log: unknown[] = []
  const drawn: Uint8Array[] = []
  const memory = memoryAdapter()
  const { store, orphans } = recorded(memory, note)
  const { [atomic]: _, ...plain } = store
  const adapter = faults.adapter(transactions ? store : plain)
  const site = await createSite({
    strategy,
    origin,
    adapter,
    answer: (url) => (url.pathname.startsWith('/.well-known') ? discovery() : undefined),
    config: {
      providers: providersOf(faults, transactions, mails, note),
      session: {
        strategy,
        generateSessionToken: faults.over('generateSessionToken', drawToken(), 'synchronous'),
      },
      jwt: codecOf(faults),
      callbacks: callbacksOf(faults),
      events: eventsOf(faults),
      logger: {
        error: faults.over('logger.error', (error) => void log.push(error), 'logger'),
        warn: faults.over('logger.warn', (...said) => void log.push(said), 'logger'),
        debug: faults.over('logger.debug', (...said) => void log.push(said), 'logger'),
      },
      ...config,
    },
  })
  const { ports } = site.world.core.plan(site.world.config)
  Object.assign(ports, {
    fetch: faults.over('fetch', ports.fetch, 'fetch'),
    now: faults.over('now', ports.now, 'clock'),
    random: faults.over('random', keeping(ports.random, drawn), 'random'),
    console: consoleInto(log),
  })
  const thrown = noteThrown(site.world.core)
  return {
    ...site,
    faults,
    setting,
    mails,
    orphans,
    thrown,
    authenticator: createAuthenticator(origin),
    effects: () => effects.splice(0).sort(),
    logged: () => log.map(textOf).join('\n'),
    secrets: () => [
      ...SECRETS,
      ...mails.flatMap(({ token, code = token }) => [token, code]),
      ...drawn.flatMap((bytes) => [
        Buffer.from(bytes).toString('base64url'),
        Buffer.from(bytes).toString('hex'),
      ]),
      ...[...site.world.jar]
        .filter(([name]) => !/url|last-used/.test(name))
        .map(([, value]) => value),
    ],
  }
}

export const PASSPHRASE = 'cAnArY of a password'

/** The same in each run; no answer shows them. */
export const SECRETS: readonly string[] = [
  PASSPHRASE,
  SECRET,
  'client secret',
  'access-carol',
  'cAnArY of an access token',
  'token-0000',
]

function textOf(said: unknown): string {
  return said instanceof Error ? inspect(said, { depth: 8 }) : JSON.stringify(said)
}

function keeping(draw: Ports['random'], drawn: Uint8Array[]): Ports['random'] {
  return (length) => {
    const bytes = draw(length)
    if (length >= 16) drawn.push(bytes)
    return bytes
  }
}

function consoleInto(log: unknown[]): Ports['console'] {
  const note = (...said: unknown[]): void => void log.push(said)
  return { error: note, warn: note, log: note }
}

function noteThrown(core: Site['world']['core']): unknown[] {
  const thrown: unknown[] = []
  const { auth } = core
  Object.assign(core, {
    auth: async (...args: Parameters<typeof auth>) => {
      try {
        return await auth(...args)
      } catch (error) {
        thrown.push(error)
        throw error
      }
    },
  })
  return thrown
}

/** Notes what is written, below the faults, and finds what is left of it without its owner. */
function recorded(
  inner: Adapter,
  note: (name: string) => void,
): { store: Adapter; orphans: () => Promise<string[]> } {
  const users = new Set<string>()
  const accounts: { provider: string; providerAccountId: string }[] = []
  const credentials = new Set<string>()
  const store = wrapped(inner, (name, run) => async (...args) => {
    const result = await run(...args)
    if (!/^(?:get|list)/.test(name)) note(name)
    if (name === 'createUser') users.add((result as { id: string }).id)
    if (name === 'linkAccount') accounts.push(args[0] as (typeof accounts)[number])
    if (name === 'createAuthenticator') {
      credentials.add((args[0] as { credentialID: string }).credentialID)
    }
    return result
  })
  const orphans = async (): Promise<string[]> => {
    const owned = new Set<string>()
    const found: string[] = []
    for (const { provider, providerAccountId } of accounts) {
      const account = await inner.getAccount?.(providerAccountId, provider)
      if (!account) continue
      owned.add(account.userId)
      if (!(await inner.getUser?.(account.userId))) found.push(`account of ${provider}`)
    }
    for (const id of credentials) {
      const credential = await inner.getAuthenticator?.(id)
      if (!credential) continue
      const account = await inner.getAccount?.(credential.providerAccountId, 'passkey')
      if (account?.userId !== credential.userId) found.push('authenticator')
    }
    for (const id of users) {
      const user = await inner.getUser?.(id)
      // Ada and Bob were there before; whoever came by mail has an address that is proven.
      if (user && !user.emailVerified && !owned.has(id)) found.push('user')
    }
    return found
  }
  return { store, orphans }
}

function discovery(): Response {
  const issuer = 'https://corp.example'
  return Response.json({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  })
}

function providersOf(
  faults: Faults,
  transactions: boolean,
  mails: FaultSite['mails'],
  note: (name: string) => void,
): Provider[] {
  const userOf = (profile: { id: string; email: string }) => ({ ...profile, name: profile.id })
  return [
    {
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: { username: {}, password: {} },
      authorize: faults.over('authorize', async ({ username }) => ({
        id: String(username),
        name: String(username),
        email: `${String(username)}@example.com`,
      })),
    },
    {
      id: 'email',
      name: 'Email',
      type: 'email',
      code: transactions,
      normalizeIdentifier: faults.over('normalizeIdentifier', (typed: string) =>
        typed.toLowerCase(),
      ),
      generateVerificationToken: faults.over('generateVerificationToken', drawToken()),
      sendVerificationRequest: faults.over(
        'sendVerificationRequest',
        async ({ identifier, token, url, code }) => {
          note('mail')
          mails.push({ identifier, token, url, ...(code === undefined ? {} : { code }) })
        },
        'write',
      ),
    },
    acme({
      token: {
        url: 'https://acme.example/token',
        conform: faults.over('token.conform', async () => undefined),
      },
      profile: faults.over('profile', userOf),
      account: faults.over('account', ({ access_token }) => ({ access_token })),
    }),
    {
      id: 'corp',
      name: 'Corp',
      type: 'oidc',
      issuer: 'https://corp.example',
      clientId: 'client',
      clientSecret: 'client secret',
      checks: ['pkce', 'state', 'nonce'],
    },
    acme({
      id: 'own',
      token: {
        url: 'https://acme.example/token',
        request: faults.over('token.request', async () => ({
          tokens: { access_token: 'cAnArY of an access token', token_type: 'bearer' },
        })),
      },
      userinfo: {
        url: 'https://acme.example/user',
        request: faults.over('userinfo.request', async () => ({
          id: 'dora',
          email: 'dora@example.com',
        })),
      },
      supplement: faults.over('supplement', async () => ({ picture: 'https://acme.example/1' })),
      profile: userOf,
    }),
    Passkey(),
  ]
}

/** A codec of the application's, whose tokens nobody sees but these tests. */
function codecOf(faults: Faults): NonNullable<AuthConfig['jwt']> {
  return {
    encode: faults.over('encode', async ({ token }) =>
      Buffer.from(JSON.stringify(token)).toString('base64url'),
    ),
    decode: faults.over('decode', async ({ token }) => {
      const text = Buffer.from(token ?? '', 'base64url').toString()
      return text.startsWith('{') ? JSON.parse(text) : null
    }),
  }
}

function callbacksOf(faults: Faults): NonNullable<AuthConfig['callbacks']> {
  return {
    signIn: faults.over('signIn', async () => true),
    redirect: faults.over('redirect', async ({ url, baseUrl }) => new URL(url, baseUrl).href),
    jwt: faults.over('jwt', async ({ token }) => token),
    session: faults.over('session', async ({ session }) => session),
  }
}

function eventsOf(faults: Faults): NonNullable<AuthConfig['events']> {
  const names = ['createUser', 'updateUser', 'linkAccount', 'signIn', 'signOut', 'session']
  return Object.fromEntries(
    names.map((name) => [name, faults.over(`events.${name}`, async () => {}, 'write')]),
  )
}

/** Tokens of 32 characters, another one at each call. */
function drawToken(): () => string {
  let drawn = 0
  return () => `token-${String(++drawn).padStart(26, '0')}`
}
