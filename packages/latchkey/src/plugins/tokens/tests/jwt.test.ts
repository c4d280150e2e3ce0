import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSite, passwordSignIn, strategies } from '../../../../tests/attacks/support/site.ts'
import { apiOf, requestOf } from '../../../../tests/support/sessions-site.ts'
import {
  API,
  DAY,
  decoded,
  ISSUER,
  keysOf,
  oneApi,
  type TokenAnswer,
  tokenOf,
  tokensApi,
  tokensSite,
} from '../../../../tests/support/tokens-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createWorld } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { type TokensOptions, tokens } from '../index.ts'

const OTHER = 'https://other.example'
const derived: TokensOptions = { jwt: { ...oneApi.jwt, audiences: { [API]: {} }, keys: 'derived' } }
const withJwt = (more: object): TokensOptions => ({
  jwt: { audiences: { [API]: { scopes: ['read', 'write'] } }, ...more },
})

describe.each(strategies)('a signed token, with %s sessions', (strategy) => {
  test('TOK-2: names its issuer, audience, scopes and expiry', async () => {
    const { world } = await tokensSite({ strategy })
    await passwordSignIn(world)
    const answer = await world.get('/auth/token')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
    expect(answer.headers.get('content-type')).toBe('application/json')
    const body = (await answer.json()) as TokenAnswer
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'read write',
    })
    const { header, claims } = decoded(body.access_token)
    const [key] = await keysOf(world)
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: (key as { kid: string }).kid })
    const now = world.now() / 1000
    const known =
      strategy === 'jwt' ? { auth_time: now, amr: ['pwd'], acr: 'urn:latchkey:acr:1' } : {}
    expect(claims).toEqual({
      iss: ISSUER,
      sub: 'ada',
      aud: API,
      client_id: 'latchkey',
      iat: now,
      exp: now + 300,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      sid: expect.stringMatching(/^[\w-]{22}$/),
      ...known,
      scope: 'read write',
    })
    const keys = createLocalJWKSet({ keys: await keysOf(world) })
    const { payload } = await jwtVerify(body.access_token, keys, {
      issuer: ISSUER,
      audience: API,
      typ: 'at+jwt',
      currentDate: new Date(world.now()),
    })
    expect(payload.sub).toBe('ada')
  })

  test('TOK-2: names the time and the methods of the proof, if the plugin sessions is used', async () => {
    const { world } = await tokensSite({
      strategy,
      config: { plugins: [sessions(), tokens(oneApi)] },
    })
    await passwordSignIn(world)
    const { claims } = decoded(await tokenOf(world))
    expect(claims).toMatchObject({ auth_time: world.now() / 1000, amr: ['pwd'] })
  })

  test('can be issued in code, for the session of a request', async () => {
    const { world } = await tokensSite({ strategy })
    await passwordSignIn(world)
    const issued = await tokensApi(world).issue(requestOf(world), { scopes: ['read'] })
    expect(issued).toEqual({ access_token: expect.any(String), expires_in: 300, scope: 'read' })
    await expect(tokensApi(world).issue(requestOf(world.otherBrowser()))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('TOK-3: ends with the session at the latest', async () => {
    const { world } = await tokensSite({
      strategy,
      config: { plugins: [tokens(oneApi)], session: { strategy, maxAge: 100, updateAge: 10 } },
    })
    await passwordSignIn(world)
    const body = (await (await world.get('/auth/token')).json()) as TokenAnswer
    expect(body.expires_in).toBe(100)
    world.advance(101)
    expect((await world.get('/auth/token')).status).toBe(401)
  })

  test('TOK-3: for a sensitive audience is refused as soon as another process ended the session', async () => {
    const options = { jwt: { audiences: { [API]: { sensitive: true }, [OTHER]: {} } } }
    const plugins = [sessions(), tokens(options)]
    const { world } = await tokensSite({ strategy, config: { plugins } })
    await passwordSignIn(world)
    const ask = async (audience: string) =>
      (await world.get(`/auth/token?audience=${audience}`)).status
    expect(await ask(API)).toBe(200)
    const { sid } = decoded(await tokenOf(world, `?audience=${API}`)).claims
    const control = world.core.plan(world.config).plugins?.api('sessions') as {
      end(who: object): Promise<boolean>
    }
    expect(await control.end({ userId: 'ada', id: sid })).toBe(true)
    expect(await ask(API)).toBe(401)
  })
})

test('TOK-3: for a sensitive audience is refused if another process ended the session just now', async () => {
  const store = memoryAdapter()
  const options = { jwt: { audiences: { [API]: { sensitive: true }, [OTHER]: {} } } }
  const plugins = [sessions({ revocations: false, touch: 0 }), tokens(options)]
  const process = () => tokensSite({ strategy: 'jwt', adapter: { ...store }, config: { plugins } })
  const { world } = await process()
  const { world: other } = await process()
  await passwordSignIn(world)
  for (const [name, value] of world.jar) other.jar.set(name, value)
  const ask = async (audience: string) =>
    (await other.get(`/auth/token?audience=${audience}`)).status
  expect(await ask(API)).toBe(200)
  await apiOf(world).endAll({ userId: 'ada' })
  expect([await ask(API), await ask(OTHER)]).toEqual([401, 200])
})

describe('a signed token', () => {
  const refusals = async (init: RequestInit, path = '/auth/token') => {
    const { world } = await tokensSite()
    await passwordSignIn(world)
    const answer = await world.request(path, init)
    return { answer, body: (await answer.json()) as { code?: string } }
  }

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a neighbour that sends its origin alone', { origin: 'https://api.app.example' }],
    ['a page in a sandbox', { origin: 'null' }],
    ['a script tag', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' }],
    ['a frame', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
    ['somebody who types the address', { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }],
  ])('T-ST-22, TOK-1: is not returned by GET to %s', async (_, headers) => {
    const { answer, body } = await refusals({ headers })
    expect(answer.status).toBe(403)
    expect(body.code).toBe('csrf')
    expect(JSON.stringify(body)).not.toContain('access_token')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('T-ST-22: is not returned by POST to another site', async () => {
    const { answer, body } = await refusals({
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-site' },
    })
    expect([answer.status, body.code]).toEqual([403, 'csrf'])
  })

  test('TOK-1: is returned to a script of the site, by GET and POST', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
    expect((await refusals({ headers })).answer.status).toBe(200)
    const { answer, body } = await refusals({
      method: 'POST',
      body: JSON.stringify({ audience: API, scope: 'read' }),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    expect(body).toMatchObject({ scope: 'read' })
  })

  test('TOK-1: is never returned as a page, for any `accept`', async () => {
    const { answer } = await refusals({ headers: { accept: 'text/html' } })
    expect(answer.headers.get('content-type')).toBe('application/json')
    const { world } = await tokensSite()
    const refused = await world.get('/auth/token', { headers: { accept: 'text/html' } })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.headers.getSetCookie()).toEqual([])
  })

  test('T-ST-22: is not readable for another origin', async () => {
    const { world } = await tokensSite()
    const answer = await world.get('/auth/token')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is refused for an unknown audience or scope, and if the request names no audience of several', async () => {
    const { world } = await tokensSite({
      options: { jwt: { audiences: { [API]: { scopes: ['read'] }, [OTHER]: {} } } },
    })
    await passwordSignIn(world)
    const code = async (query: string) =>
      ((await (await world.get(`/auth/token${query}`)).json()) as { code?: string }).code
    expect(await code('')).toBe('invalid_target')
    expect(await code('?audience=https://none.example')).toBe('invalid_target')
    expect(await code(`?audience=${API}&scope=read write`)).toBe('invalid_scope')
    expect(await code(`?audience=${API}&scope=`)).toBeUndefined()
    expect(await code(`?audience=${API}&more=1`)).toBe('invalid_input')
    expect(decoded(await tokenOf(world, `?audience=${OTHER}`)).claims['scope']).toBeUndefined()
  })

  test('TOK-1: is returned at most 60 times a minute for a session, with the plugin limits', async () => {
    const { limits } = await import('../../limits/index.ts')
    const { world } = await tokensSite({
      config: { plugins: [limits({ store: 'process' }), tokens(derived)] },
    })
    await passwordSignIn(world)
    for (let i = 0; i < 60; i++) expect((await world.get('/auth/token')).status).toBe(200)
    const refused = await world.get('/auth/token')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    world.advance(61)
    expect((await world.get('/auth/token')).status).toBe(200)
  })

  test('is refused by `mayIssue`, or has fewer scopes', async () => {
    const asked: unknown[] = []
    const answers: unknown[] = [false, true, ['write', 'delete'], [], 'yes']
    const mayIssue = (each: { session: object; user: { id?: string } }) => {
      asked.push(each)
      return answers.shift() as boolean
    }
    const { world } = await tokensSite({ options: withJwt({ mayIssue }) })
    await passwordSignIn(world)
    const ask = async () => {
      const answer = await world.get('/auth/token')
      const { scope, code } = (await answer.json()) as { scope?: string; code?: string }
      return code ?? scope
    }
    expect([await ask(), await ask(), await ask(), await ask(), await ask()]).toEqual([
      'forbidden',
      'read write',
      'write',
      undefined,
      'forbidden',
    ])
    expect(asked[0]).toMatchObject({
      session: { user: { name: 'ada' } },
      user: { id: 'ada' },
      audience: API,
      scopes: ['read', 'write'],
    })
  })

  test('TOK-2: has additional members from `claims`, which cannot replace the registered ones', async () => {
    const claims = () => ({
      plan: 'gold',
      sub: 'root',
      nbf: 0,
      cnf: {},
      act: {},
      azp: 'x',
      sid: 'y',
    })
    const { world } = await tokensSite({ options: withJwt({ claims }) })
    await passwordSignIn(world)
    const token = decoded(await tokenOf(world)).claims
    expect(token).toMatchObject({ plan: 'gold', sub: 'ada' })
    for (const name of ['nbf', 'cnf', 'act', 'azp']) expect(token).not.toHaveProperty(name)
    expect(token['sid']).not.toBe('y')
    const warned = world.log.find(({ message }) => message === 'token-claims')
    expect(warned?.detail).toBe('`claims` cannot set sub, nbf, cnf, act, azp, sid')
  })

  test('TOK-2: of more than 4 KiB is reported as a mistake of the configuration', async () => {
    const { world } = await tokensSite({
      options: withJwt({ claims: () => ({ big: 'x'.repeat(4000) }) }),
    })
    await passwordSignIn(world)
    const answer = await world.get('/auth/token')
    expect(answer.status).toBe(500)
    expect(world.log.some(({ message }) => message.includes('more than 4096'))).toBe(true)
  })
})

describe('the published keys', () => {
  test('TOK-8: are public, without private members, and independent of cookies', async () => {
    const { world } = await tokensSite()
    await passwordSignIn(world)
    const answer = await world.get('/auth/jwks', { headers: { accept: 'text/html' } })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300, stale-while-revalidate=600',
      'content-type': 'application/jwk-set+json',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    const { keys } = (await answer.json()) as { keys: object[] }
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ])
  })

  test('TOK-8: are not sent twice to a client that has them', async () => {
    const { world } = await tokensSite()
    const etag = (await world.get('/auth/jwks')).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await world.get('/auth/jwks', { headers: { 'if-none-match': known } })
      expect(answer.status).toBe(304)
      expect(answer.headers.get('etag')).toBe(etag)
    }
    const other = await world.get('/auth/jwks', { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
    expect((await world.request('/auth/jwks', { method: 'HEAD' })).status).toBe(200)
    expect((await world.postWithoutCsrf('/auth/jwks')).status).toBe(405)
  })
})

describe('a check for a proxy', () => {
  test('accepts a signed token, and names its subject', async () => {
    const { world } = await tokensSite()
    await passwordSignIn(world)
    const authorization = `Bearer ${await tokenOf(world, '?scope=read')}`
    const answer = await world
      .otherBrowser()
      .get('/auth/token/check', { headers: { authorization } })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('x-auth-subject')).toBe('ada')
    expect(answer.headers.get('x-auth-session')).toMatch(/^[\w-]{22}$/)
    expect(answer.headers.get('x-auth-scope')).toBe('read')
  })

  test('accepts a session', async () => {
    const { world } = await tokensSite()
    expect((await world.get('/auth/token/check')).status).toBe(401)
    await passwordSignIn(world)
    const answer = await world.get('/auth/token/check')
    expect([answer.status, answer.headers.get('x-auth-subject')]).toEqual([204, 'ada'])
    // Empty and not left out: a proxy then replaces what the client sent.
    expect(answer.headers.get('x-auth-scope')).toBe('')
  })

  test('T-ST-21: refuses an invalid token, even beside a valid session', async () => {
    const { world } = await tokensSite({
      options: { jwt: { audiences: { [API]: {}, [OTHER]: {} } } },
    })
    await passwordSignIn(world)
    const forOther = await tokenOf(world, `?audience=${OTHER}`)
    const ask = (authorization: string, audience = API) =>
      world.get(`/auth/token/check?audience=${audience}`, { headers: { authorization } })
    expect((await ask(`Bearer ${forOther}`, OTHER)).status).toBe(204)
    for (const wrong of [forOther, 'x', '', `${forOther}, Bearer ${forOther}`]) {
      const answer = await ask(`Bearer ${wrong}`)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
    world.advance(300 + 16)
    expect((await ask(`Bearer ${forOther}`, OTHER)).status).toBe(401)
  })

  test('percent-encodes text that a header cannot contain', async () => {
    const site = await createSite({ config: { plugins: [tokens(oneApi)] } })
    await site.adapter.createUser?.({
      id: 'Ζωή\r\nx-a: b',
      name: 'Zoe',
      email: 'z@example.com',
      emailVerified: null,
    })
    const authorize = async () => (await site.adapter.getUser?.('Ζωή\r\nx-a: b')) ?? null
    Object.assign(site.world.config, {
      providers: [
        { id: 'credentials', name: 'P', type: 'credentials', credentials: {}, authorize },
      ],
    })
    await passwordSignIn(site.world)
    const answer = await site.world.get('/auth/token/check')
    expect(answer.headers.get('x-auth-subject')).toBe(encodeURIComponent('Ζωή\r\nx-a: b'))
    expect(answer.headers.get('x-a')).toBeNull()
  })
})

describe('derived keys', () => {
  const SECRET = 'a test secret of 32 characters!!'
  const KID = 'dftTlXalDxI8VCktycu5RPQD_DcHLBSp8wokxJXEaO8'

  test('TOK-7: are the same from the same secret in each instance', async () => {
    const { world } = await tokensSite({
      strategy: 'jwt',
      options: derived,
      config: { plugins: [tokens(derived)], secret: [SECRET, 'another secret of 32 characters.'] },
    })
    await passwordSignIn(world)
    const keys = await keysOf(world)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: 'MMerOpcRWguRZBsnMPGG97bDB20g1tK6xjGGDJFW23Y',
      kid: KID,
      alg: 'EdDSA',
      use: 'sig',
    })
    expect(decoded(await tokenOf(world)).header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: KID })
  })

  test('TOK-7: stay valid while the second secret becomes the first', async () => {
    const old = await tokensSite({
      options: derived,
      config: { plugins: [tokens(derived)], secret: [SECRET, 'another secret of 32 characters.'] },
    })
    await passwordSignIn(old.world)
    const token = await tokenOf(old.world)
    const { world } = await tokensSite({
      options: derived,
      config: { plugins: [tokens(derived)], secret: ['another secret of 32 characters.', SECRET] },
    })
    const headers = { authorization: `Bearer ${token}` }
    expect((await world.get('/auth/token/check', { headers })).status).toBe(204)
    await expect(tokensApi(world).rotate()).rejects.toThrow('change the secret')
  })

  test('need no store', async () => {
    const { world } = await tokensSite({
      strategy: 'jwt',
      config: { plugins: [tokens(derived)], adapter: undefined, providers: [passing('ada')] },
    })
    await passwordSignIn(world)
    expect(decoded(await tokenOf(world)).claims).toMatchObject({ sub: 'ada', amr: ['pwd'] })
  })
})

const passing = (id: string) => ({
  id: 'credentials',
  name: 'Password',
  type: 'credentials' as const,
  credentials: {},
  authorize: async () => ({ id, name: id }),
})

describe('the start is refused for a mistake in the options:', () => {
  test.each<[string, TokensOptions, string]>([
    ['nothing on', {}, 'no feature is enabled'],
    ['no audience', { jwt: { audiences: {} } }, '`audiences` must name at least one API'],
    [
      'ES256 with derived keys',
      withJwt({ keys: 'derived', alg: 'ES256' }),
      'derived keys are Ed25519',
    ],
    ['a list of audiences', { jwt: { audiences: [API] as never } }, 'got a list'],
    [
      'an audience that is no object',
      withJwt({ audiences: { [API]: null as never } }),
      '`jwt.audiences["https://api.example"]` must be an object, got null',
    ],
    ['claims', withJwt({ claims: {} as never }), '`jwt.claims` must be a function'],
    ['a decision', withJwt({ mayIssue: true as never }), '`jwt.mayIssue` must be a function'],
    ['an algorithm that is none', withJwt({ alg: 'RS256' }), 'got "RS256"'],
    ['a life that is too long', withJwt({ maxAge: 3601 }), 'from 30 to 3600, got 3601'],
    [
      'of one audience',
      withJwt({ audiences: { [API]: { maxAge: 1 } } }),
      'audiences["https://api.example"].maxAge',
    ],
    ['a scope with a blank', withJwt({ audiences: { [API]: { scopes: ['a b'] } } }), 'got "a b"'],
    ['a public key', withJwt({ keys: [{ kty: 'EC', crv: 'P-256' }] }), '`keys[0]` is a public key'],
    ['a key of another kind', withJwt({ keys: [{ kty: 'RSA' }] }), 'must be a key for ES256'],
    ['no key', withJwt({ keys: [] }), 'empty list'],
    ['an issuer with a query', withJwt({ issuer: 'https://a.example/?b' }), '`jwt.issuer` must be'],
    [
      'a rotation before its key is published',
      withJwt({ rotateEvery: 100, publishAhead: 200 }),
      '`rotateEvery`',
    ],
  ])('%s', (_, options, message) => {
    expect(() => tokens(options)).toThrow(message)
  })

  test('a missing store, and an audience that needs fresh sign-ins', async () => {
    const { world } = await tokensSite({
      strategy: 'jwt',
      config: { plugins: [tokens(oneApi)], adapter: undefined, providers: [] },
    })
    expect(world.core.plan(world.config).fault?.message).toContain(
      'the plugin tokens stores records',
    )
    const sensitive = { jwt: { audiences: { [API]: { sensitive: true } } } }
    const other = await tokensSite({ options: sensitive })
    expect(other.world.core.plan(other.world.config).fault?.message).toContain(
      'needs the plugin sessions',
    )
  })
})

test('TOK-7: with configured keys, the first signs, and all are published', async () => {
  const { exportJWK, generateKeyPair } = await import('jose')
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      return exportJWK(privateKey)
    }),
  )
  const options = withJwt({ keys: [{ ...keys[0], kid: 'one' }, keys[1]] })
  const { world } = await tokensSite({ options })
  await passwordSignIn(world)
  expect(decoded(await tokenOf(world)).header['kid']).toBe('one')
  const published = await keysOf(world)
  expect(published).toHaveLength(2)
  expect(JSON.stringify(published)).not.toContain(keys[0]?.d)
  const headers = { authorization: `Bearer ${await tokenOf(world)}` }
  expect((await world.get('/auth/token/check', { headers })).status).toBe(204)
  world.advance(DAY)
})

test('PAIR-13: maintenance with derived keys needs no records, and logs nothing', async () => {
  const world = createWorld({ plugins: [tokens(derived)], session: { strategy: 'jwt' } })
  await world.core.plan(world.config).plugins?.maintain(1000)
  expect(world.log.filter(({ level }) => level === 'error')).toEqual([])
})
