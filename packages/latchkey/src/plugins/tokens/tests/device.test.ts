import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  locationOf,
  passwordSignIn,
  SESSION_COOKIE,
  type SiteOptions,
  type Strategy,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import {
  abilitiesOf,
  apiOf,
  idOf,
  nameOf,
  requestOf,
} from '../../../../tests/support/sessions-site.ts'
import { sharedStores } from '../../../../tests/support/shared-stores.ts'
import { API, DAY, decoded, tokensSite } from '../../../../tests/support/tokens-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import type { World } from '../../../testing/world.ts'
import { type SessionsOptions, sessions } from '../../sessions/index.ts'
import { type DeviceOptions, tokens } from '../index.ts'

const HTML = { accept: 'text/html' }
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const CLIENTS = [
  { id: 'cli', name: 'Example CLI' },
  { id: 'tv', name: 'Example TV' },
]

interface Setting extends Pick<SiteOptions, 'adapter' | 'seed'> {
  readonly strategy?: Strategy
  readonly options?: Partial<DeviceOptions>
  readonly config?: object
  readonly bearerOrigins?: readonly string[]
  /** Of the plugin `sessions`. */
  readonly kept?: SessionsOptions
}

async function deviceSite({ options, config, bearerOrigins, kept, ...rest }: Setting = {}) {
  const device = { clients: CLIENTS, ...options }
  const plugins = [sessions(kept), tokens({ device, ...(bearerOrigins && { bearerOrigins }) })]
  return tokensSite({ ...rest, config: { plugins, ...config } })
}

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

interface Polled {
  readonly access_token?: string
  readonly token_type?: string
  readonly expires_in?: number
  readonly session?: string
  readonly error?: string
}

/** A program elsewhere, which has no cookies. */
const ask = (world: World, path: string, fields: Record<string, string>) =>
  world.otherBrowser().postWithoutCsrf(`/auth/device/${path}`, fields)

const begin = async (world: World, more: Record<string, string> = {}): Promise<Codes> =>
  (await ask(world, 'code', { client_id: 'cli', ...more })).json() as Promise<Codes>

async function poll(world: World, device_code: string, client_id = 'cli'): Promise<Polled> {
  const answer = await ask(world, 'token', { grant_type: GRANT, device_code, client_id })
  return answer.json() as Promise<Polled>
}

const enter = (world: World, user_code: string) =>
  world.post('/auth/device/enter', { user_code }, { headers: HTML })

const decide = (world: World, decision: string) =>
  world.post('/auth/device/decide', { decision }, { headers: HTML })

/** Somebody lets a device in. @returns its token */
async function signIn(world: World): Promise<string> {
  const { device_code, user_code } = await begin(world)
  await enter(world, user_code)
  await decide(world, 'allow')
  return (await poll(world, device_code)).access_token ?? ''
}

const bearer = (token: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
})

const sessionOf = async (world: World, token: string, more?: Record<string, string>) =>
  (await world.otherBrowser().get('/auth/session', bearer(token, more))).json() as Promise<{
    user?: { name?: string }
    expires?: string
  } | null>

describe.each(strategies)('a device that is let in, with %s sessions', (strategy) => {
  test('TOK-18: gets a session after a user entered its code and agreed', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const codes = await begin(world, { name: 'build-7' })
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://app.example/auth/device',
      verification_uri_complete: `https://app.example/auth/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    expect(await poll(world, codes.device_code)).toEqual({ error: 'authorization_pending' })
    const entered = await enter(world, codes.user_code.toLowerCase())
    expect([entered.status, locationOf(entered)]).toEqual([303, '/auth/device/decide'])
    const decision = async () => (await world.get('/auth/device/decide', { headers: HTML })).text()
    expect(await decision()).toContain('<dt>Asked</dt><dd>just now</dd>')
    world.advance(60)
    const page = await decision()
    for (const shown of [
      'Sign in to Example CLI?',
      '“build-7” (its own words)',
      'ada@example.com',
      '<dt>Asked</dt><dd>1 minute ago</dd>',
      'Allow only if you started this',
    ])
      expect(page).toContain(shown)
    expect(page).not.toContain('autofocus')
    expect((await (await decide(world, 'allow')).text()).includes('is signed in')).toBe(true)
    const token = await poll(world, codes.device_code)
    expect(token).toEqual({
      access_token: expect.stringMatching(/^lkb_[\w-]{65}$/),
      token_type: 'Bearer',
      expires_in: 90 * DAY - 60,
      session: token.access_token?.slice(4, 26),
    })
    expect(await sessionOf(world, token.access_token ?? '')).toMatchObject({
      user: { name: 'ada' },
    })
    const listed = await apiOf(world).list({ userId: 'ada' })
    expect(listed.find(({ via }) => via === 'device')).toMatchObject({
      id: token.session,
      name: 'Example CLI',
      remembered: true,
      methods: ['pwd'],
      authTime: new Date(world.now() - 60_000).toISOString(),
    })
  })

  test('has a session like any other: it is extended, ended by its user, and ends with all of them', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    world.advance(20 * DAY)
    expect(await nameOf(world)).toBe('ada')
    expect(await sessionOf(world, token)).toMatchObject({ user: { name: 'ada' } })
    world.advance(20 * DAY)
    expect(await sessionOf(world, token)).toMatchObject({ user: { name: 'ada' } })
    expect(await apiOf(world).end({ userId: 'ada', id: token.slice(4, 26) })).toBe(true)
    expect(await sessionOf(world, token)).toBeNull()
    await passwordSignIn(world)
    const other = await signIn(world)
    await apiOf(world).endAll({ userId: 'ada' })
    expect(await sessionOf(world, other)).toBeNull()
  })

  test('is signed out after 90 days without use', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    world.advance(60 * DAY)
    expect(await sessionOf(world, token)).toMatchObject({ user: { name: 'ada' } })
    const short = await deviceSite({ strategy, options: { sessionMaxAge: DAY } })
    await passwordSignIn(short.world)
    const brief = await signIn(short.world)
    short.world.advance(DAY + 16)
    expect(await sessionOf(short.world, brief)).toBeNull()
  })

  test('T-ST-26: gets no session after all sessions of the user ended', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const { device_code, user_code } = await begin(world)
    await enter(world, user_code)
    await decide(world, 'allow')
    world.advance(1)
    await apiOf(world).endAll({ userId: 'ada' })
    world.advance(1)
    expect(await poll(world, device_code)).toEqual({ error: 'invalid_grant' })
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('TOK-11: has a token that is not accepted as a cookie, and the other way round', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const other = world.otherBrowser()
    other.jar.set(SESSION_COOKIE, token)
    expect(await nameOf(other)).toBeNull()
    expect(await sessionOf(world, world.jar.get(SESSION_COOKIE) ?? '')).toBeNull()
    expect(await sessionOf(world, `lkb_${world.jar.get(SESSION_COOKIE)}`)).toBeNull()
  })

  test('TOK-11: is identified by its token only, also if that is wrong', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const wrong = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    const answer = await world.get('/auth/session', bearer(wrong))
    expect(await answer.json()).toBeNull()
    expect(answer.headers.getSetCookie()).toEqual([])
    const listed = await world.get('/auth/sessions/list', bearer(wrong))
    expect([listed.status, listed.headers.getSetCookie()]).toEqual([401, []])
    expect((await world.get('/auth/sessions/list', bearer(token))).status).toBe(200)
    expect(await nameOf(world)).toBe('ada')
  })

  test('TOK-11: with a token that cannot be looked up is not signed in, and not signed out', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const abilities = abilitiesOf(world)
    const { getRecord, replaceRecord } = abilities
    const fail = async (): Promise<never> => {
      throw new Error('the store is away')
    }
    Object.assign(abilities, { getRecord: fail })
    const answer = await world.otherBrowser().get('/auth/session', bearer(token))
    expect([answer.status, await answer.json()]).toEqual([500, null])
    Object.assign(abilities, { getRecord, replaceRecord: fail })
    // It is due to be extended, and that cannot be stored.
    world.advance(2 * DAY)
    expect(await sessionOf(world, token)).toMatchObject({ user: { name: 'ada' } })
    Object.assign(abilities, { replaceRecord })
    expect(await sessionOf(world, token)).toMatchObject({ user: { name: 'ada' } })
  })

  test('T-ST-28, TOK-11: is refused from a page of another site, unless its origin is allowed', async () => {
    const { world } = await deviceSite({ strategy, bearerOrigins: ['https://admin.example'] })
    await passwordSignIn(world)
    const token = await signIn(world)
    const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site' })
    expect(await sessionOf(world, token, from('https://evil.example'))).toBeNull()
    expect(await sessionOf(world, token, { 'sec-fetch-site': 'cross-site' })).toBeNull()
    expect(await sessionOf(world, token, from('https://admin.example'))).not.toBeNull()
    // Beside the cookie of whoever visits that page.
    const answer = await world.get(
      '/auth/sessions/list',
      bearer(token, from('https://evil.example')),
    )
    expect(answer.status).toBe(401)
  })

  test('TOK-11: needs no CSRF token', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const rename = (headers: Record<string, string>) =>
      world.otherBrowser().request('/auth/sessions/rename', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ id: token.slice(4, 26), name: 'Mine' }),
      })
    expect((await rename({})).status).toBe(403)
    expect((await rename(bearer(token).headers)).status).toBe(200)
  })

  test('leaves no token in the store', async () => {
    const { world } = await deviceSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const sid = token.slice(4, 26)
    const record = await abilitiesOf(world).getRecord?.({ kind: 'bearer', key: sid })
    expect(JSON.stringify(record)).not.toContain(token.slice(26))
    const { hash, sealed } = (record?.data ?? {}) as { hash: string; sealed: string }
    for (const value of [hash, sealed, `lkb_${sid}${hash}`, `lkb_${sid}`]) {
      expect(await sessionOf(world, value)).toBeNull()
      const other = world.otherBrowser()
      other.jar.set(SESSION_COOKIE, value)
      expect(await nameOf(other)).toBeNull()
    }
  })
})

test('a sealed session of a device ends at once in every process', async () => {
  const store = memoryAdapter()
  const setting = { strategy: 'jwt', kept: { revocations: false } } as const
  const { world } = await deviceSite({ ...setting, adapter: { ...store }, seed: 1 })
  const { world: other } = await deviceSite({ ...setting, adapter: { ...store }, seed: 2 })
  await passwordSignIn(world)
  const token = await signIn(world)
  expect(await sessionOf(other, token)).toMatchObject({ user: { name: 'ada' } })
  await apiOf(world).end({ userId: 'ada', id: token.slice(4, 26) })
  expect(await sessionOf(other, token)).toBeNull()
})

test('a device gets signed tokens, and proxies accept its token', async () => {
  const device = { clients: CLIENTS }
  const plugins = [sessions(), tokens({ device, jwt: { audiences: { [API]: {} } } })]
  const { world } = await tokensSite({ config: { plugins } })
  await passwordSignIn(world)
  const token = await signIn(world)
  const sid = token.slice(4, 26)
  const check = await world.otherBrowser().get('/auth/token/check', bearer(token))
  expect([check.status, check.headers.get('x-auth-session')]).toEqual([204, sid])
  const issued = await world
    .otherBrowser()
    .request('/auth/token', { method: 'POST', ...bearer(token) })
  const { access_token = '' } = (await issued.json()) as Polled
  expect(decoded(access_token).claims).toMatchObject({ sub: 'ada', sid, amr: ['pwd'] })
  // A wrong one beside a cookie, and one that only names the session of the cookie.
  const own = (await apiOf(world).current(requestOf(world)))?.id ?? ''
  for (const wrong of [`${token.slice(0, 26)}${'A'.repeat(43)}`, `lkb_${own}${'A'.repeat(43)}`])
    expect((await world.get('/auth/token/check', bearer(wrong))).status).toBe(401)
})

test('if no program can have a session, the token of a device is not accepted', async () => {
  const plugins = [sessions(), tokens({ jwt: { audiences: { [API]: {} } } })]
  const { world } = await tokensSite({ config: { plugins } })
  await passwordSignIn(world)
  const wrong = `lkb_${'A'.repeat(65)}`
  expect((await world.get('/auth/token/check', bearer(wrong))).status).toBe(401)
})

describe('the code of a device', () => {
  test('T-ST-26, TOK-19, GHSA-cq3f-vc6p-68fh: is decided by the session that entered it', async () => {
    const { world } = await deviceSite()
    const other = world.otherBrowser()
    await passwordSignIn(world)
    await passwordSignIn(other, 'bob')
    const { device_code, user_code } = await begin(world)
    expect((await enter(world, user_code)).status).toBe(303)
    const late = await enter(other, user_code)
    expect(late.status).toBe(400)
    expect(await late.text()).toContain('This code is wrong or has expired.')
    expect((await decide(other, 'allow')).status).toBe(409)
    expect((await decide(other, 'deny')).status).toBe(409)
    expect(await poll(world, device_code)).toEqual({ error: 'authorization_pending' })
    expect((await enter(world, user_code)).status).toBe(303)
    expect((await decide(world, 'allow')).status).toBe(200)
    expect((await decide(world, 'deny')).status).toBe(409)
  })

  test('T-ST-26, TOK-19: can be guessed five times in a quarter of an hour by a session', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    const { user_code } = await begin(world)
    for (let i = 0; i < 5; i++) expect((await enter(world, 'BBBB-BBBB')).status).toBe(400)
    expect((await enter(world, user_code)).status).toBe(429)
    world.advance(15 * 60 + 1)
    expect((await enter(world, user_code)).status).not.toBe(429)
  })

  test('T-ST-26, TOK-21: that is polled too often gets `slow_down`', async () => {
    const { world } = await deviceSite()
    const { device_code } = await begin(world)
    const errors: unknown[] = []
    for (const seconds of [0, 4, 9, 10, 14, 15]) {
      world.advance(seconds)
      errors.push((await poll(world, device_code)).error)
    }
    const [p, s] = ['authorization_pending', 'slow_down']
    expect(errors).toEqual([p, s, s, s, s, s])
    world.advance(30)
    expect((await poll(world, device_code)).error).toBe(p)
  })

  test('T-ST-26, TOK-21: gives one of parallel requests the session', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    const { device_code, user_code } = await begin(world)
    await enter(world, user_code)
    await decide(world, 'allow')
    const all = await Promise.all(Array.from({ length: 50 }, () => poll(world, device_code)))
    expect(all.filter(({ access_token }) => access_token)).toHaveLength(1)
    expect(all.filter(({ error }) => error === 'expired_token')).toHaveLength(49)
    expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(2)
  })

  test('ends after ten minutes, and with a refusal', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    const first = await begin(world)
    world.advance(600)
    await passwordSignIn(world)
    expect(await poll(world, first.device_code)).toEqual({ error: 'expired_token' })
    expect((await enter(world, first.user_code)).status).toBe(400)
    const next = await begin(world)
    await enter(world, next.user_code)
    expect(await (await decide(world, 'deny')).text()).toContain('was refused')
    expect(await poll(world, next.device_code)).toEqual({ error: 'access_denied' })
    expect(await poll(world, next.device_code)).toEqual({ error: 'expired_token' })
  })

  test('works for the program that requested it, and no other', async () => {
    const { world } = await deviceSite()
    const { device_code } = await begin(world)
    expect(await poll(world, device_code, 'tv')).toEqual({ error: 'invalid_grant' })
    expect(await poll(world, 'x'.repeat(43))).toEqual({ error: 'expired_token' })
    const answer = await ask(world, 'code', { client_id: 'other' })
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_client' }])
    const grant = await ask(world, 'token', { grant_type: 'password', device_code })
    expect(await grant.json()).toEqual({ error: 'unsupported_grant_type' })
    const empty = await ask(world, 'token', { grant_type: GRANT })
    expect(await empty.json()).toEqual({ error: 'invalid_request' })
  })

  test('SEC-25: is decided for the device that the page shows, and for no later one', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    const [shown, other] = [await begin(world), await begin(world, { client_id: 'tv' })]
    const deviceOn = async () => {
      const page = await (await world.get('/auth/device/decide', { headers: HTML })).text()
      return /name="device" value="([^"]*)"/.exec(page)?.[1] ?? ''
    }
    await enter(world, shown.user_code)
    const device = await deviceOn()
    await enter(world, other.user_code)
    expect(await deviceOn()).not.toBe(device)
    const answer = await world.post('/auth/device/decide', { decision: 'allow', device })
    expect(answer.status).toBe(409)
    expect((await poll(world, shown.device_code)).error).toBe('authorization_pending')
    expect((await poll(world, other.device_code, 'tv')).error).toBe('authorization_pending')
    await enter(world, shown.user_code)
    expect((await world.post('/auth/device/decide', { decision: 'allow', device })).status).toBe(
      200,
    )
    expect((await poll(world, shown.device_code)).access_token).toBeDefined()
  })

  test('T-ST-25, T-ST-26: is filled in from the address of the page, which decides nothing', async () => {
    const { world } = await deviceSite()
    const stranger = await world.get('/auth/device?user_code=WDJB-MJHT', { headers: HTML })
    expect(stranger.status).toBe(303)
    expect(locationOf(stranger)).toContain('signin?callbackUrl=')
    await passwordSignIn(world)
    const { device_code, user_code, verification_uri_complete } = await begin(world)
    const { pathname, search } = new URL(verification_uri_complete)
    const page = await (await world.get(pathname + search, { headers: HTML })).text()
    expect(page).toContain(`value="${user_code}"`)
    expect(page).toContain('autocapitalize="characters"')
    const odd = await world.get('/auth/device?user_code=%22%3E%3Cb%3E', { headers: HTML })
    expect(await odd.text()).toContain('value=""')
    expect((await world.get('/auth/device/decide', { headers: HTML })).status).toBe(303)
    expect((await decide(world, 'allow')).status).toBe(409)
    const forged = await world.postWithoutCsrf('/auth/device/enter', { user_code })
    expect(forged.status).toBe(403)
    expect(await poll(world, device_code)).toEqual({ error: 'authorization_pending' })
  })

  test('lets nobody in if the proof of identity is too old', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    world.advance(601)
    const { user_code } = await begin(world)
    const answer = await enter(world, user_code)
    expect([answer.status, locationOf(answer)]).toEqual([
      303,
      '/auth/signin?callbackUrl=%2Fauth%2Fdevice',
    ])
  })

  test('TOK-20: is shown with the words of the device as such, and its network', async () => {
    const { world } = await deviceSite()
    await passwordSignIn(world)
    const body = new URLSearchParams({ client_id: 'cli', name: '<b>\u202eme' })
    const request = new Request('https://app.example/auth/device/code', { method: 'POST', body })
    const answer = await world.core.auth(withClientAddress(request, '192.0.2.9'), world.config)
    await enter(world, ((await answer.json()) as Codes).user_code)
    const page = await (await world.get('/auth/device/decide', { headers: HTML })).text()
    expect(page).toContain('“&lt;b&gt;\ufffdme”')
    expect(page).toContain('<dt>Network</dt><dd><bdi dir="ltr">192.0.2.9</bdi></dd>')
  })

  test('leads to a `sessionStarted` event that names the device', async () => {
    const told: { via?: string }[] = []
    const events = { sessionStarted: (message: { via?: string }) => void told.push(message) }
    const { world } = await deviceSite({ config: { events } })
    await passwordSignIn(world)
    await signIn(world)
    expect(told.map(({ via }) => via)).toEqual(['cookie', 'device'])
  })

  test('stays valid in the store after the secret was rotated', async () => {
    const secret = 'a test secret of 32 characters!!'
    const store = memoryAdapter()
    const old = await deviceSite({ adapter: { ...store }, config: { secret }, seed: 1 })
    await passwordSignIn(old.world)
    const token = await signIn(old.world)
    const { device_code } = await begin(old.world)
    const next = await deviceSite({
      adapter: { ...store },
      config: { secret: ['another secret of 32 characters.', secret] },
      seed: 2,
    })
    expect(await sessionOf(next.world, token)).toMatchObject({ user: { name: 'ada' } })
    expect(await poll(next.world, device_code)).toEqual({ error: 'authorization_pending' })
    expect(await idOf(next.world)).toBe('')
  })
})

test.each<[string, object, string]>([
  ['no client', { clients: [] }, 'at least one program'],
  ['a client twice', { clients: [CLIENTS[0], CLIENTS[0]] }, 'the client cli is in the list twice'],
  ['an id', { clients: [{ id: 'a b', name: 'x' }] }, 'got "a b"'],
  ['a name', { clients: [{ id: 'a', name: '' }] }, 'the client a must have'],
  ['an age', { clients: CLIENTS, maxAge: 1 }, '`device.maxAge`'],
])('a mistake in the options of devices stops the start: %s', (_, device, message) => {
  expect(() => tokens({ device: device as DeviceOptions })).toThrow(message)
})

test('an origin with a path is refused', () => {
  expect(() =>
    tokens({ device: { clients: CLIENTS }, bearerOrigins: ['https://a.example/'] }),
  ).toThrow('`bearerOrigins`')
})

describe('processes that share a real store', () => {
  const stores = sharedStores('devices')
  beforeAll(stores.open)
  afterAll(stores.close)

  test.each(['PostgreSQL', 'Redis'] as const)(
    'T-ST-26: let a device in once on %s',
    async (name) => {
      const created = {
        id: crypto.randomUUID(),
        name: 'Eve',
        email: `${name}@example.com`,
        emailVerified: null,
      }
      const user = await stores.adapter(name).createUser?.(created)
      const authorize = async () => user ?? null
      const credentials = {
        id: 'credentials',
        name: 'P',
        type: 'credentials' as const,
        credentials: {},
      }
      const sites = await Promise.all(
        [1, 2, 3, 4].map((seed) =>
          deviceSite({
            seed,
            config: { adapter: stores.adapter(name), providers: [{ ...credentials, authorize }] },
          }),
        ),
      )
      const worlds = sites.map(({ world }) => world)
      const [world] = worlds as [World]
      await passwordSignIn(world)
      const { device_code, user_code } = await begin(world)
      await enter(world, user_code)
      await decide(world, 'allow')
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => poll(worlds[i % 4] as World, device_code)),
      )
      const tokensOf = all.flatMap(({ access_token }) => access_token ?? [])
      expect(tokensOf).toHaveLength(1)
      for (const each of worlds)
        expect(await sessionOf(each, tokensOf[0] ?? '')).toMatchObject({ user: { name: 'Eve' } })
    },
  )
})
