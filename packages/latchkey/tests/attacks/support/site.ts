import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import { migrate, sqlAdapter } from '../../../src/adapters/sql/index.ts'
import { openNodeSqlite } from '../../../src/adapters/sql/node-sqlite.ts'
import { createWorld, type World, type WorldOptions } from '../../../src/entries/testing.ts'
import { type Adapter, type AdapterMethod, atomic } from '../../../src/model/adapter.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { Provider } from '../../../src/options/provider-options.ts'
import { wrapped } from '../../support/recording.ts'

export const ORIGIN = 'https://app.example'
export const SECRET = 'the secret of the attacked site, 0123456789'
export const PASSWORD = 'open sesame'
export const strategies = ['jwt', 'database'] as const
export type Strategy = (typeof strategies)[number]

export interface Mail {
  readonly identifier: string
  readonly token: string
  readonly url: string
}

/** A call of a method of the adapter. */
export interface Call {
  readonly method: string
  readonly args: readonly unknown[]
}

/** A request that the site sent to a provider. */
export interface Sent {
  readonly url: URL
  readonly init: RequestInit
}

/** A site with every way to sign in, and what an attacker may look at. */
export interface Site {
  readonly world: World
  readonly config: Partial<AuthConfig>
  readonly adapter: Adapter
  readonly mails: Mail[]
  /** Calls that change the store. */
  readonly writes: Call[]
  readonly sent: Sent[]
}

export interface SiteOptions extends Pick<WorldOptions, 'origin' | 'seed'> {
  readonly strategy?: Strategy
  readonly adapter?: Adapter
  readonly config?: Partial<AuthConfig>
  /** Answers in place of the honest providers. */
  readonly answer?: (url: URL, init: RequestInit) => Response | Promise<Response> | undefined
}

const WRITES: ReadonlySet<string> = new Set<AdapterMethod>([
  'createUser',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'createSession',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
])

/** Ada and Bob have a password and an address; everybody else comes through a provider or a mail. */
export async function createSite({
  strategy = 'database',
  adapter: inner = memoryAdapter(),
  config: more = {},
  answer,
  ...options
}: SiteOptions = {}): Promise<Site> {
  const writes: Call[] = []
  const mails: Mail[] = []
  const sent: Sent[] = []
  const adapter = watched(inner, writes)
  for (const name of ['ada', 'bob']) {
    if (await inner.getUser?.(name)) continue
    await inner.createUser?.({
      id: name,
      name,
      email: `${name}@example.com`,
      emailVerified: new Date(0),
    })
  }
  const config: Partial<AuthConfig> = {
    adapter,
    secret: SECRET,
    session: { strategy },
    providers: providersFor(adapter, mails),
    ...more,
  }
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    sent.push({ url, init })
    return (await answer?.(url, init)) ?? (await honest(url, init))
  }
  return { world: createWorld(config, { ...options, fetch }), config, adapter, mails, writes, sent }
}

/** The adapter that an attacker with a copy of the store, or a hand on its cables, has in front of them. */
export function watched(inner: Adapter, writes: Call[]): Adapter {
  const outer: Record<PropertyKey, unknown> = wrapped(inner, (method, run) => (...args) => {
    if (WRITES.has(method)) writes.push({ method, args: structuredClone(args) })
    return run.apply(inner, args)
  })
  const abilities = inner[atomic]
  outer[atomic] = {
    ...(outer as Adapter)[atomic],
    ...(abilities?.renameSession && {
      renameSession: (from: string, to: string) => {
        writes.push({ method: 'renameSession', args: [from, to] })
        return abilities.renameSession?.(from, to)
      },
    }),
  }
  return outer
}

function providersFor(adapter: Adapter, mails: Mail[]): Provider[] {
  return [
    {
      id: 'credentials',
      name: 'Password',
      type: 'credentials',
      credentials: { username: {}, password: { type: 'password' } },
      authorize: async ({ username, password }) =>
        password === PASSWORD ? ((await adapter.getUser?.(String(username))) ?? null) : null,
    },
    {
      id: 'email',
      name: 'Email',
      type: 'email',
      sendVerificationRequest: ({ identifier, token, url }) => {
        mails.push({ identifier, token, url })
      },
    },
    acme(),
    {
      id: 'corp',
      name: 'Corp',
      type: 'oidc',
      issuer: 'https://corp.example',
      clientId: 'client',
      clientSecret: 'client secret',
      checks: ['pkce', 'state', 'nonce'],
      authorization: 'https://corp.example/authorize',
      token: 'https://corp.example/token',
      jwks_endpoint: 'https://corp.example/keys',
    },
  ]
}

export function acme(more: object = {}): Provider {
  return {
    id: 'acme',
    name: 'Acme',
    type: 'oauth',
    clientId: 'client',
    clientSecret: 'client secret',
    checks: ['pkce', 'state'],
    authorization: { url: 'https://acme.example/authorize', params: { scope: 'read' } },
    token: 'https://acme.example/token',
    userinfo: 'https://acme.example/user',
    profile: (profile: { id: string; email: string }) => ({ ...profile, name: profile.id }),
    ...more,
  }
}

let keys: Promise<{ publicKey: CryptoKey; privateKey: CryptoKey }> | undefined

const signingKeys = () => (keys ??= generateKeyPair('RS256', { extractable: true }))

/** Providers that behave. A code is the subject and the nonce of the request, with a dot between. */
async function honest({ host, pathname }: URL, init: RequestInit): Promise<Response> {
  if (pathname === '/token') {
    const code = new URLSearchParams(await new Response(init.body).text()).get('code') ?? ''
    const [subject = '', nonce = ''] = code.split('.')
    const tokens = { access_token: `access-${subject}`, token_type: 'bearer' }
    if (host === 'acme.example') return Response.json(tokens)
    return Response.json({ ...tokens, id_token: await idToken(subject, { nonce }) })
  }
  if (pathname === '/user') {
    const bearer = new Headers(init.headers).get('authorization') ?? ''
    const id = bearer.slice('Bearer access-'.length)
    return Response.json({ id, email: `${id}@example.com` })
  }
  const { publicKey } = await signingKeys()
  return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] })
}

export async function idToken(subject: string, claims: Record<string, unknown>): Promise<string> {
  const { privateKey } = await signingKeys()
  const now = Date.UTC(2030, 0, 1) / 1000
  return new SignJWT({
    iss: 'https://corp.example',
    aud: 'client',
    sub: subject,
    email: `${subject}@corp.example`,
    iat: now,
    exp: now + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .sign(privateKey)
}

/** A store in SQLite. */
export async function sqlStore(): Promise<{ adapter: Adapter; close: () => Promise<void> }> {
  const store = openNodeSqlite(':memory:')
  await migrate(store)
  return { adapter: sqlAdapter(store), close: () => store.close() }
}

// ── what visitors do ───────────────────────────────────────────────────────────────────────

export function passwordSignIn(
  world: World,
  username = 'ada',
  fields: Record<string, string> = {},
): Promise<Response> {
  const all = { username, password: PASSWORD, ...fields }
  return world.post('/auth/callback/credentials', all)
}

/** Asks for a mail. @returns the link in it, as a path */
export async function askForLink(
  { world, mails }: Site,
  email = 'ada@example.com',
  fields: Record<string, string> = {},
): Promise<string> {
  await world.post('/auth/signin/email', { email, ...fields })
  return pathOf(mails.at(-1)?.url ?? '')
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export async function providerSignIn(
  world: World,
  provider: string,
  subject = 'carol',
  fields: Record<string, string> = {},
): Promise<Response> {
  return world.get(approve(await world.post(`/auth/signin/${provider}`, fields), subject))
}

/** What the provider answers to an authorization request, as the path the visitor comes back to. */
export function approve(begun: Response, subject: string): string {
  const asked = new URL(locationOf(begun))
  const back = new URL(asked.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('code', `${subject}.${asked.searchParams.get('nonce') ?? ''}`)
  const state = asked.searchParams.get('state')
  if (state !== null) back.searchParams.set('state', state)
  return pathOf(back.href)
}

/** The path of a link with another value in it. */
export function changed(link: string, name: string, value: string): string {
  const url = new URL(link, ORIGIN)
  url.searchParams.set(name, value)
  return url.pathname + url.search
}

export function locationOf(response: Response): string {
  return response.headers.get('location') ?? ''
}

/** A posted form with the browser's CSRF token, whose content type may be another. */
export async function jsonPost(world: World, path: string, fields: object): Promise<Response> {
  const csrfToken = await world.csrfToken()
  return world.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ csrfToken, ...fields }),
  })
}

/** Every text inside a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

export function errorOf(response: Response): string | null {
  return new URL(locationOf(response), ORIGIN).searchParams.get('error')
}

export const SESSION_COOKIE = '__Secure-authjs.session-token'
export const CALLBACK_COOKIE = '__Secure-authjs.callback-url'
export const CSRF_COOKIE = '__Host-authjs.csrf-token'
