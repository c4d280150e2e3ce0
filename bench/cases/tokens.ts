import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { importJWK, jwtVerify } from 'jose'
import { type AuthConfig, createLatchkey, customFetch } from 'latchkey'
import { type Adapter, atomic } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { migrate, sqlAdapter } from 'latchkey/adapters/sql'
import { openNodeSqlite } from 'latchkey/adapters/sql/node-sqlite'
import { pgStore } from 'latchkey/adapters/sql/pg'
import { federatedLogout } from 'latchkey/plugins/federated-logout'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { sessions } from 'latchkey/plugins/sessions'
import { tokens } from 'latchkey/plugins/tokens'
import { createTokenVerifier } from 'latchkey/verify'
import pg from 'pg'
import { cookiesOf, get, ourConfig, post } from '../contenders.ts'
import type { Case, Planned } from '../measure.ts'
import { administer, SERVER } from '../postgres.ts'

const ISSUER = 'https://op.example'
const API = 'https://api.example'
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }

/** A signed JWT with the key of this file. */
function signed(typ: string, claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const parts = `${encode({ alg: 'ES256', typ, kid: 'one' })}.${encode(claims)}`
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
  return `${parts}.${sign('sha256', Buffer.from(parts), key).toString('base64url')}`
}

const seconds = (): number => Math.floor(Date.now() / 1000)

/** Answers as a provider does, in this process. @param size characters of an access token */
function providerAnswers(size: number): typeof fetch {
  return async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    if (pathname === '/keys') return Response.json({ keys: [publicJwk] })
    if (pathname === '/me') return Response.json({ id: 'ada', name: 'Ada' })
    if (pathname === '/token')
      return Response.json({
        access_token: randomBytes(size).toString('base64url').slice(0, size),
        refresh_token: 'refresh',
        token_type: 'bearer',
        expires_in: 86_400,
      })
    return Response.json({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
    })
  }
}

/** A plain OAuth provider whose tokens are kept. */
function acme(size: number): AuthConfig['providers'][number] {
  return {
    id: 'acme',
    name: 'Acme',
    type: 'oauth',
    clientId: 'client',
    clientSecret: 'secret',
    authorization: `${ISSUER}/authorize`,
    token: `${ISSUER}/token`,
    userinfo: `${ISSUER}/me`,
    profile: ({ id, name }: { id: string; name: string }) => ({ id, name }),
    [customFetch]: providerAnswers(size),
  }
}

/** Signs in with the provider. @returns the cookies of the browser. */
async function signedIn(handler: (request: Request) => Promise<Response>): Promise<string> {
  const first = await handler(get('csrf')())
  const { csrfToken } = (await first.clone().json()) as { csrfToken: string }
  const begun = await handler(post('signin/acme', cookiesOf(first), { csrfToken })())
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const back = new URLSearchParams({ code: 'code', state })
  return cookiesOf(await handler(get(`callback/acme?${back}`, cookiesOf(first, begun))()))
}

/**
 * The token that the plugin keeps, beside the bare record that it lies in; both in PostgreSQL.
 *
 * @param by for whom it is asked: a request, whose session is read as well, or the id of a user.
 */
async function getToken(by: 'request' | 'user'): Promise<Case> {
  const name = `latchkey_bench_${randomBytes(6).toString('hex')}`
  await administer(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER)
  url.pathname = name
  const pool = new pg.Pool({ connectionString: url.href, max: 2 })
  // Its connections may still be going when the database is dropped.
  pool.on('error', () => {})
  const store = pgStore(pool)
  await migrate(store, { records: true })
  const adapter: Adapter = sqlAdapter(store, { records: true })
  const latchkey = createLatchkey(
    {
      ...ourConfig(),
      adapter,
      session: { strategy: 'jwt' },
      providers: [acme(1000)],
      plugins: [providerTokens()],
    },
    {},
  )
  const cookies = await signedIn(latchkey.handler)
  const page = await adapter[atomic]?.listRecords?.({ kind: 'provider-tokens', limit: 1 })
  const record = page?.records[0] ?? { kind: 'provider-tokens', key: '' }
  const userId = page?.records[0]?.userId ?? ''
  const { providerTokens: kept } = latchkey.api
  return {
    ...(by === 'user' && { within: 1.3 }),
    ours: {
      prepare: get('session', cookies),
      run: (request) =>
        by === 'user' ? kept.forUser(userId, 'acme') : kept.get(request as Request, 'acme'),
      verify: (result) => (result as { ok: boolean }).ok,
    },
    limit: {
      prepare: () => record,
      run: (read) => adapter[atomic]?.getRecord?.(read as typeof record),
      verify: (read) => (read as typeof record).key === record.key && record.key !== '',
    },
    async close() {
      await pool.end()
      await administer(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** A read of a session whose browser also sends tokens of a provider, of which nobody asks for any. */
async function besideTokens(): Promise<Case> {
  const latchkey = createLatchkey(
    { ...ourConfig(), providers: [acme(2000)], plugins: [providerTokens()] },
    {},
  )
  const all = (await signedIn(latchkey.handler)).split('; ')
  const session = all.filter((cookie) => cookie.includes('session-token'))
  const kept = all.filter((cookie) => cookie.includes('provider-tokens'))
  if (kept.join('').length < 3000) throw new Error(`${kept.join('').length} characters of tokens`)
  const reading = (cookies: readonly string[]) => ({
    prepare: get('session', cookies.join('; ')),
    run: (request: unknown) => latchkey.auth(request as Request),
    verify: (read: unknown) => (read as { user?: { name?: string } } | null)?.user?.name === 'Ada',
  })
  return { within: 1.15, ours: reading([...session, ...kept]), limit: reading(session) }
}

/** An access token verified with the key at hand, beside `jose` alone. */
async function verifyToken(): Promise<Case> {
  const issuer = 'https://app.example/auth'
  const claims = { iss: issuer, sub: 'u1', aud: API, client_id: 'latchkey', jti: randomUUID() }
  const token = signed('at+jwt', { ...claims, iat: seconds(), exp: seconds() + 86_400 })
  const verify = createTokenVerifier({ issuer, audience: API, jwks: [publicJwk] })
  const key = await importJWK(publicJwk)
  const rules = { issuer, audience: API, typ: 'at+jwt', algorithms: ['ES256'] }
  return {
    within: 1.15,
    ours: {
      prepare: () => `Bearer ${token}`,
      run: (text) => verify(new Headers({ authorization: text as string })),
      verify: (read) => (read as { sub: string } | null)?.sub === 'u1',
    },
    limit: {
      prepare: () => token,
      run: (text) => jwtVerify(text as string, key, rules),
      verify: (read) => (read as Awaited<ReturnType<typeof jwtVerify>>).payload.sub === 'u1',
    },
  }
}

/** Two keys that are verified, of one site. @param texts makes them of the key that is stored */
async function apiKeys(
  within: number,
  texts: (token: string) => readonly [ours: string, limit: string],
): Promise<Case> {
  const latchkey = createLatchkey(
    {
      ...ourConfig(),
      adapter: memoryAdapter(),
      plugins: [sessions(), tokens({ apiKeys: { scopes: ['read'], rate: false } })],
    },
    {},
  )
  const { token } = await latchkey.api.tokens.createKey({ userId: 'u1' }, { name: 'bench' })
  const [ours, limit] = texts(token)
  const verifying = (text: string) => ({
    prepare: () => text,
    run: (key: unknown) => latchkey.api.tokens.verifyKey(key as string),
    verify: (verdict: unknown) => (verdict as { ok: boolean }).ok === (text === token),
  })
  return { within, ours: verifying(ours), limit: verifying(limit) }
}

/** A key whose last character is another one. */
const mistyped = (token: string): string => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')

/** A key as somebody makes it who knows the form: prefix, id of 16 characters, secret of 43, checksum. */
function forged(id: string): string {
  const text = `lkp_${id}${'A'.repeat(43)}`
  let rest = crc32(text)
  let checksum = ''
  for (let digit = 0; digit < 6; digit++) {
    checksum = BASE_62.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return text + checksum
}

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A logout token of another client, beside a good one of a session that is not there; records in SQLite. */
async function logoutTokens(): Promise<Case> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
  const database = openNodeSqlite(join(folder, 'sessions.db'))
  await migrate(database, { records: true })
  const latchkey = createLatchkey(
    {
      ...ourConfig(),
      adapter: sqlAdapter(database, { records: true }),
      providers: [
        {
          id: 'op',
          name: 'OP',
          type: 'oidc',
          issuer: ISSUER,
          clientId: 'client',
          clientSecret: 'secret',
          [customFetch]: providerAnswers(32),
        },
      ],
      plugins: [sessions(), federatedLogout({ backchannel: true })],
    },
    {},
  )
  const sending = (audience: string, status: number) => ({
    prepare: () => {
      const claims = { iss: ISSUER, aud: audience, sub: 'somebody', sid: randomUUID() }
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const times = { iat: seconds(), exp: seconds() + 120, jti: randomUUID() }
      const logout_token = signed('logout+jwt', { ...claims, ...times, events })
      return new Request('https://app.example/auth/logout/backchannel/op', {
        method: 'POST',
        body: new URLSearchParams({ logout_token }),
      })
    },
    run: (request: unknown) => latchkey.handler(request as Request),
    verify: (answer: unknown) => (answer as Response).status === status,
  })
  return {
    within: 0.1,
    ours: sending('another', 400),
    limit: sending('client', 200),
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Tokens of providers, for APIs, of programs and of logouts. */
export const tokenCases: readonly Planned[] = [
  ['PERF-7: `providerTokens.forUser`, PostgreSQL, limit: its record alone', () => getToken('user')],
  ['`providerTokens.get` of a request, the same limit', () => getToken('request')],
  ['PERF-8: session read, JWT: beside 3,000 characters of tokens, limit: without', besideTokens],
  ['PERF-9: `createTokenVerifier`, limit: bare `jose`', verifyToken],
  [
    'PERF-10: API key with a wrong checksum, limit: the right one',
    () => apiKeys(0.2, (token) => [mistyped(token), token]),
  ],
  [
    'API key of an unknown id, limit: a known id with another secret (T-ST-27)',
    () => apiKeys(1.1, (token) => [forged('A'.repeat(16)), forged(token.slice(4, 20))]),
  ],
  ['PERF-11: logout token of another client, SQLite, limit: a good one', logoutTokens],
]
