import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  locationOf,
  passwordSignIn,
  type Strategy,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import { abilitiesOf, isoDate, requestOf } from '../../../../tests/support/sessions-site.ts'
import { sharedStores } from '../../../../tests/support/shared-stores.ts'
import { DAY, tokensApi, tokensSite } from '../../../../tests/support/tokens-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { withClientAddress } from '../../../http/origin/client-address.ts'
import type { Adapter } from '../../../model/adapter.ts'
import type { World } from '../../../testing/world.ts'
import { limits } from '../../limits/index.ts'
import { sessions } from '../../sessions/index.ts'
import { type ApiKeysOptions, type KeyVerdict, type MadeKey, tokens } from '../index.ts'

const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
const HTML = { accept: 'text/html' }
const ADA = { userId: 'ada' }
const SECRET = 'a test secret of 32 characters!!'

async function keysSite(
  options: ApiKeysOptions = {},
  more: {
    strategy?: Strategy
    adapter?: Adapter
    seed?: number
    config?: object
    plugins?: readonly never[]
  } = {},
) {
  const { plugins = [], config, ...rest } = more
  const apiKeys = { scopes: ['read', 'write'], ...options }
  const site = await tokensSite({
    ...rest,
    config: { plugins: [...plugins, sessions(), tokens({ apiKeys })], ...config },
  })
  return { ...site, api: tokensApi(site.world) }
}

const post = (world: World, path: string, body: object = {}) =>
  world.request(`/auth/api-keys/${path}`, {
    method: 'POST',
    headers: JSON_OF_OURS,
    body: JSON.stringify(body),
  })

const bearer = (token: string) =>
  new Request('https://api.example/', { headers: { authorization: `Bearer ${token}` } })

const refused = (code: string): Partial<KeyVerdict> => ({ ok: false, code: code as never })

describe.each(strategies)('API keys, with %s sessions', (strategy) => {
  test('TOK-23: are created, accepted and ended', async () => {
    const { world } = await keysSite({}, { strategy })
    await passwordSignIn(world)
    const answer = await post(world, 'create', { name: 'CI', scopes: ['read'] })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
    const { token, key } = (await answer.json()) as MadeKey
    expect(token).toMatch(/^lkp_[0-9A-Za-z]{65}$/)
    expect(key).toEqual({
      id: token.slice(4, 20),
      name: 'CI',
      hint: token.slice(0, 8),
      scopes: ['read'],
      created: isoDate(world.now()),
      expires: isoDate(world.now() + 90 * DAY * 1000),
    })
    const api = tokensApi(world)
    expect(await api.verifyKey(bearer(token))).toMatchObject({ ok: true, userId: 'ada', key })
    expect(await api.verifyKey(token, { scopes: ['read'], user: true })).toMatchObject({ ok: true })
    const list = await world.get('/auth/api-keys/list')
    expect(await list.json()).toEqual({ keys: [{ ...key, used: isoDate(world.now()) }] })
    expect(await (await post(world, 'end', { id: key.id })).json()).toEqual({ ended: 1 })
    expect(await api.verifyKey(token)).toEqual({ ok: false, status: 401, code: 'invalid_token' })
    expect((await post(world, 'end', { id: key.id })).status).toBe(404)
  })

  test('TOK-23: are not created and not replaced if the proof of identity is too old', async () => {
    const { world } = await keysSite({}, { strategy })
    await passwordSignIn(world)
    const { key } = (await (await post(world, 'create', { name: 'CI' })).json()) as MadeKey
    world.advance(601)
    for (const [path, body] of [
      ['create', { name: 'CI' }],
      ['replace', { id: key.id }],
    ] as const) {
      const answer = await post(world, path, body)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'reauthentication_required' })
    }
    expect((await post(world, 'end', { id: key.id })).status).toBe(200)
  })

  test('GEN-7: cannot be created by a session that another process ended', async () => {
    const { world } = await keysSite({}, { strategy })
    await passwordSignIn(world)
    const control = world.core.plan(world.config).plugins?.api('sessions') as {
      endAll(who: object): Promise<number>
    }
    await control.endAll(ADA)
    expect((await post(world, 'create', { name: 'CI' })).status).toBe(401)
    expect((await world.get('/auth/api-keys/list')).status).toBe(401)
  })
})

test('GEN-7: API keys cannot be created by a session that another process ended just now, before this one knows it', async () => {
  const store = memoryAdapter()
  const plugins = [sessions({ revocations: false, touch: 0 }), tokens({ apiKeys: {} })]
  const process = () =>
    keysSite({}, { strategy: 'jwt', adapter: { ...store }, config: { plugins } })
  const { world } = await process()
  const { world: other } = await process()
  await passwordSignIn(world)
  for (const [name, value] of world.jar) other.jar.set(name, value)
  expect((await post(other, 'create', { name: 'CI' })).status).toBe(201)
  const control = world.core.plan(world.config).plugins?.api('sessions') as {
    endAll(who: object): Promise<number>
  }
  await control.endAll(ADA)
  expect(await (await other.get('/auth/session')).json()).not.toBeNull()
  expect((await post(other, 'create', { name: 'CI' })).status).toBe(401)
})

describe('an API key', () => {
  test('T-ST-27: with a wrong checksum, prefix or form costs no access to the store', async () => {
    const { world, api } = await keysSite()
    const { token } = await api.createKey(ADA, { name: 'CI' })
    let reads = 0
    const abilities = abilitiesOf(world)
    const { getRecord } = abilities
    abilities.getRecord = (...asked) => {
      reads++
      return getRecord?.(...asked) ?? null
    }
    const changed = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
    for (const wrong of [changed, token.replace('lkp', 'abc'), '', 'lkp_', 'x'.repeat(69)])
      expect(await api.verifyKey(wrong)).toEqual({ ok: false, status: 401, code: 'invalid_token' })
    expect(reads).toBe(0)
    expect(await api.verifyKey(token)).toMatchObject({ ok: true })
    expect(reads).toBeGreaterThan(0)
  })

  test('T-ST-27: with an unknown id, or with another secret, gets the same response for the same work', async () => {
    const { formatKey } = await import('../api-keys/key-token.ts')
    const { world, api } = await keysSite()
    const { key } = await api.createKey(ADA, { name: 'CI' })
    const calls: string[] = []
    const { getRecord } = abilitiesOf(world)
    abilitiesOf(world).getRecord = (asked) => {
      calls.push(asked.kind)
      return getRecord?.(asked) ?? null
    }
    const secret = 'A'.repeat(43)
    const answers = [
      await api.verifyKey(formatKey('lkp', { id: key.id, secret })),
      await api.verifyKey(formatKey('lkp', { id: 'A'.repeat(16), secret })),
    ]
    expect(answers[0]).toEqual(answers[1])
    expect(calls).toEqual(['api-key', 'api-key'])
  })

  test('T-ST-27: cannot widen its scopes', async () => {
    const { api } = await keysSite()
    const { token } = await api.createKey(ADA, { name: 'CI', scopes: ['read'] })
    expect(await api.verifyKey(token, { scopes: ['write'] })).toEqual({
      ok: false,
      status: 403,
      code: 'insufficient_scope',
    })
    expect(await api.verifyKey(token, { scopes: ['read', 'write'] })).toMatchObject({ status: 403 })
    await expect(api.createKey(ADA, { name: 'CI', scopes: ['delete'] })).rejects.toMatchObject({
      code: 'scope_not_allowed',
    })
  })

  test('T-ST-27: ends with its user', async () => {
    const { world, api, adapter } = await keysSite()
    const { token } = await api.createKey(ADA, { name: 'CI' })
    const { key: other, token: left } = await api.createKey({ userId: 'nobody' }, { name: 'CI' })
    expect(other.name).toBe('CI')
    expect(await api.verifyKey(left)).toMatchObject({ ok: true })
    expect(await api.verifyKey(left, { user: true })).toMatchObject(refused('invalid_token'))
    await adapter.deleteUser?.('ada')
    expect(await api.verifyKey(token)).toMatchObject(refused('invalid_token'))
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('T-ST-27: is no session for pages and paths of an account', async () => {
    const { world, api } = await keysSite()
    const { token } = await api.createKey(ADA, { name: 'CI', scopes: ['read'] })
    const headers = { authorization: `Bearer ${token}` }
    expect(await (await world.get('/auth/session', { headers })).json()).toBeNull()
    for (const path of ['api-keys/list', 'sessions/list'])
      expect((await world.get(`/auth/${path}`, { headers })).status).toBe(401)
    const created = await world.request('/auth/api-keys/create', {
      method: 'POST',
      headers: { ...JSON_OF_OURS, ...headers },
      body: '{"name":"more"}',
    })
    expect(created.status).toBe(401)
  })

  test('is over at its end, to the millisecond, and listed for 30 days more', async () => {
    const { world, api } = await keysSite()
    const expires = new Date(world.now() + 60_000)
    const { token } = await api.createKey(ADA, { name: 'CI', expires })
    world.advance(59.999)
    expect(await api.verifyKey(token)).toMatchObject({ ok: true })
    world.advance(0.001)
    expect(await api.verifyKey(token)).toMatchObject(refused('invalid_token'))
    expect(await api.listKeys(ADA)).toHaveLength(1)
    world.advance(30 * DAY)
    expect(await api.listKeys(ADA)).toEqual([])
  })

  test('is used as often as allowed, by all instances together', async () => {
    const { world, api } = await keysSite({ rate: { limit: 3, seconds: 60 } })
    const { token } = await api.createKey(ADA, { name: 'CI' })
    const own = await api.createKey(ADA, { name: 'CI', rate: { limit: 1, seconds: 10 } })
    const all = await Promise.all(Array.from({ length: 10 }, () => api.verifyKey(token)))
    expect(all.filter(({ ok }) => ok)).toHaveLength(3)
    expect(await api.verifyKey(token)).toEqual({
      ok: false,
      status: 429,
      code: 'too_many_attempts',
      retryAfter: 60,
    })
    expect(await api.verifyKey(own.token)).toMatchObject({ ok: true })
    expect(await api.verifyKey(own.token)).toMatchObject({ status: 429, retryAfter: 10 })
    world.advance(61)
    expect(await api.verifyKey(token)).toMatchObject({ ok: true })
  })

  test('is accepted after the secret was rotated, as long as the old one is in the list', async () => {
    const { api, adapter } = await keysSite({}, { config: { secret: SECRET } })
    const { token } = await api.createKey(ADA, { name: 'CI' })
    const rotated = (secret: string[]) =>
      keysSite({}, { adapter: { ...adapter }, config: { secret } })
    const next = await rotated(['another secret of 32 characters.', SECRET])
    expect(await next.api.verifyKey(token)).toMatchObject({ ok: true })
    const gone = await rotated(['another secret of 32 characters.'])
    expect(await gone.api.verifyKey(token)).toMatchObject(refused('invalid_token'))
  })

  test('is not in the store, which has only its hash', async () => {
    const { world, api } = await keysSite({}, { config: { secret: SECRET } })
    const { token, key } = await api.createKey(ADA, { name: 'CI' })
    const record = await abilitiesOf(world).getRecord?.({ kind: 'api-key', key: key.id })
    expect(JSON.stringify(record)).not.toContain(token.slice(20, 63))
    expect(record).toMatchObject({
      userId: 'ada',
      expires: new Date(world.now() + 120 * DAY * 1000),
    })
    const hash = String(record?.data['hash'])
    for (const value of [key.id, hash, `lkp_${key.id}${hash}000000`])
      expect(await api.verifyKey(value)).toMatchObject(refused('invalid_token'))
    expect(
      world.log.some(({ message, detail }) =>
        `${message}${JSON.stringify(detail)}`.includes(token),
      ),
    ).toBe(false)
  })

  test('TOK-23: is accepted from its networks only', async () => {
    const { api } = await keysSite(
      {},
      { plugins: [limits({ store: 'process', client: { hops: 1 } })] as never },
    )
    const { token } = await api.createKey(ADA, {
      name: 'CI',
      networks: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'],
    })
    const from = (address: string) => {
      const request = bearer(token)
      request.headers.set('x-forwarded-for', address)
      return api.verifyKey(withClientAddress(request, '10.0.0.1'))
    }
    for (const address of ['192.0.2.9', '::ffff:192.0.2.9', '2001:db8:1::1', '198.51.100.7'])
      expect(await from(address), address).toMatchObject({ ok: true })
    for (const address of ['192.0.3.9', '198.51.100.8', '::1', 'unknown'])
      expect(await from(address), address).toMatchObject(refused('invalid_token'))
    expect(await api.verifyKey(token)).toMatchObject(refused('invalid_token'))
    await expect(api.createKey(ADA, { name: 'CI', networks: ['10.0.0.0/99'] })).rejects.toThrow(
      'network',
    )
  })

  test.each([
    ['', []],
    [', with limits', [limits({ store: 'process' }) as never]],
  ])(
    'SEC-29: is refused behind an unnamed proxy whose network is in its list%s',
    async (_, plugins) => {
      const { api } = await keysSite({}, { plugins })
      const { token } = await api.createKey(ADA, { name: 'CI', networks: ['10.0.0.0/8', '::1'] })
      const from = (address: string, headers: Record<string, string> = {}) => {
        const request = bearer(token)
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
        return api.verifyKey(withClientAddress(request, address))
      }
      for (const proxy of ['10.0.0.1', '::ffff:10.0.0.1', '::1']) {
        expect(await from(proxy), proxy).toMatchObject({ ok: true })
        for (const header of [
          'x-forwarded-for',
          'forwarded',
          'x-real-ip',
          'x-forwarded-proto',
          'via',
        ])
          expect(await from(proxy, { [header]: '203.0.113.66' }), proxy).toMatchObject(
            refused('invalid_token'),
          )
      }
    },
  )

  test.each(['10', '10.1', '010.0.0.0/8', '0x0a.0.0.1', '0/0'])(
    'SEC-29: cannot have a network that programs read differently: %s',
    async (network) => {
      const { api } = await keysSite()
      const made = api.createKey(ADA, { name: 'CI', networks: [network] })
      await expect(made).rejects.toThrow('network')
    },
  )

  test('has its last use stored once an hour', async () => {
    const { world, api } = await keysSite()
    const { token } = await api.createKey(ADA, { name: 'CI' })
    const began = world.now()
    for (let minute = 0; minute < 59; minute++) {
      await api.verifyKey(token)
      world.advance(60)
    }
    expect((await api.listKeys(ADA))[0]?.used).toBe(isoDate(began))
    world.advance(61)
    await api.verifyKey(token)
    expect((await api.listKeys(ADA))[0]?.used).toBe(isoDate(world.now()))
  })
})

describe('the API keys of a user', () => {
  test('are at most as many as allowed, also if they are created simultaneously', async () => {
    const { api } = await keysSite({ maxPerUser: 5 })
    const make = () => api.createKey(ADA, { name: 'CI' }).catch(({ code }) => code)
    const all = await Promise.all(Array.from({ length: 50 }, make))
    const made = all.filter((each) => typeof each === 'object')
    expect(made.length).toBeLessThanOrEqual(5)
    expect(await api.listKeys(ADA)).toHaveLength(made.length)
    while ((await api.listKeys(ADA)).length < 5) await make()
    expect(await make()).toBe('limit_reached')
  })

  test('are visible to the user only', async () => {
    const { world, api } = await keysSite()
    const { key, token } = await api.createKey({ userId: 'bob' }, { name: 'CI' })
    await passwordSignIn(world)
    expect((await post(world, 'end', { id: key.id })).status).toBe(404)
    expect((await post(world, 'replace', { id: key.id })).status).toBe(404)
    expect(await api.endKey(requestOf(world), key.id)).toBe(false)
    expect(await api.verifyKey(token)).toMatchObject({ ok: true, userId: 'bob' })
    await expect(api.listKeys(requestOf(world.otherBrowser()))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('CVE-2025-61928: belong to the signed-in user, even if a request names another one', async () => {
    const { world, api } = await keysSite()
    const bobs = await api.createKey({ userId: 'bob' }, { name: 'CI' })
    const claims = ['userId', 'user', 'id', 'sub'].map((name) => ({ [name]: 'bob' }))
    for (const who of ['nobody', 'ada']) {
      if (who === 'ada') await passwordSignIn(world)
      for (const claim of claims) {
        const made = await post(world, 'create', { name: 'CI', ...claim })
        expect(made.status).toBe(who === 'ada' ? 400 : 401)
        const replaced = await post(world, 'replace', { ...claim, id: bobs.key.id })
        expect(replaced.status).toBeGreaterThanOrEqual(400)
      }
    }
    expect(await api.listKeys({ userId: 'bob' })).toMatchObject([{ id: bobs.key.id }])
    expect(await api.listKeys(ADA)).toEqual([])
    expect(await api.verifyKey(bobs.token)).toMatchObject({ ok: true, userId: 'bob' })
  })

  test('are replaced, at once or with a period for the change', async () => {
    const { world, api } = await keysSite()
    const first = await api.createKey(ADA, { name: 'CI', scopes: ['read'], data: { team: 7 } })
    world.advance(DAY)
    const next = await api.replaceKey(ADA, first.key.id, { overlap: 60 })
    expect(next.key).toMatchObject({
      name: 'CI',
      scopes: ['read'],
      data: { team: 7 },
      expires: isoDate(world.now() + 90 * DAY * 1000),
    })
    for (const { token } of [first, next])
      expect(await api.verifyKey(token)).toMatchObject({ ok: true })
    world.advance(60)
    expect(await api.verifyKey(first.token)).toMatchObject(refused('invalid_token'))
    const last = await api.replaceKey(ADA, next.key.id)
    expect(await api.verifyKey(next.token)).toMatchObject(refused('invalid_token'))
    expect(await api.verifyKey(last.token)).toMatchObject({ ok: true })
    await expect(api.replaceKey(ADA, first.key.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('T-ST-27: are replaced once by any number of simultaneous calls', async () => {
    const { world, api } = await keysSite({ maxPerUser: 2 })
    await passwordSignIn(world)
    const { key } = await api.createKey(ADA, { name: 'CI' })
    const replace = () => post(world, 'replace', { id: key.id })
    const answers = await Promise.all(Array.from({ length: 20 }, replace))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 404),
    ])
    const [{ id } = { id: '' }, ...others] = await api.listKeys(ADA)
    expect(others).toEqual([])
    const overlapping = Array.from({ length: 20 }, () =>
      api.replaceKey(ADA, id, { overlap: 60 }).catch(({ code }) => code),
    )
    expect((await Promise.all(overlapping)).filter((each) => each !== 'not_found')).toHaveLength(1)
    expect(await api.listKeys(ADA)).toHaveLength(2)
  })

  test('T-ST-27: end after the period for the change, also if they are used during the replacement', async () => {
    const { world, api } = await keysSite({ touch: 1 })
    const { token, key } = await api.createKey(ADA, { name: 'CI' })
    const abilities = abilitiesOf(world)
    const { getRecord } = abilities
    let isUsed = false
    abilities.getRecord = async (...asked) => {
      const record = (await getRecord?.(...asked)) ?? null
      if (!isUsed) {
        isUsed = true
        await api.verifyKey(token)
      }
      return record
    }
    await api.replaceKey(ADA, key.id, { overlap: 60 })
    world.advance(60)
    expect(await api.verifyKey(token)).toMatchObject(refused('invalid_token'))
  })

  test('T-ST-27: are replaced by one that lasts no longer than the options allow now', async () => {
    const adapter = memoryAdapter()
    const { api: before } = await keysSite({ maxAge: null }, { adapter })
    const { key } = await before.createKey(ADA, { name: 'CI', expires: null })
    const { world, api } = await keysSite({ maxAge: 7 * DAY }, { adapter, seed: 8 })
    const { key: next } = await api.replaceKey(ADA, key.id)
    expect(next.expires).toBe(isoDate(world.now() + 7 * DAY * 1000))
  })

  test('TOK-26: are reported once, seven days before their end', async () => {
    const told: object[] = []
    const events = { apiKeyExpiring: (message: object) => void told.push(message) }
    const { world, api } = await keysSite({}, { config: { events } })
    const { key } = await api.createKey(ADA, { name: 'CI' })
    await api.createKey(ADA, { name: 'later', expires: new Date(world.now() + 300 * DAY * 1000) })
    const maintain = () => world.core.plan(world.config).plugins?.maintain(1000)
    await maintain()
    world.advance(83 * DAY - 1)
    await maintain()
    expect(told).toEqual([])
    world.advance(1)
    await maintain()
    world.advance(60)
    await maintain()
    expect(told).toEqual([
      { id: key.id, name: 'CI', userId: 'ada', expires: new Date(key.expires ?? 0) },
    ])
  })

  test.each<[string, object, string]>([
    ['no name', { name: '' }, 'name'],
    ['a name that turns the writing around', { name: 'a\u202eb' }, 'name'],
    ['a name that cannot be seen', { name: '\u200b\u2060' }, 'name'],
    ['an end that is over', { expires: '2020-01-01T00:00:00Z' }, 'expires'],
    ['an end that is too far away', { expires: '2040-01-01T00:00:00Z' }, 'expires'],
    ['no end', { expires: null }, 'expires'],
    ['a field that there is not', { more: 1 }, 'more'],
  ])('with a mistake are refused: %s', async (_, body, field) => {
    const { world } = await keysSite()
    await passwordSignIn(world)
    const answer = await post(world, 'create', { name: 'CI', ...body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_input', errors: [{ field }] })
  })

  test.each<[string, ApiKeysOptions, string]>([
    ['a prefix', { prefix: 'A' }, 'got "A"'],
    ['the prefix of sessions', { prefix: 'lkb' }, 'must not be lkb'],
    ['a number of keys', { maxPerUser: 0 }, '`apiKeys.maxPerUser`'],
    ['an age that is more than the most', { maxAge: 60, defaultAge: 61 }, '`defaultAge`'],
    ['a rate', { rate: { limit: 0, seconds: 1 } }, '`apiKeys.rate.limit`'],
    ['a scope', { scopes: ['a b'] }, '`apiKeys.scopes`'],
  ])('a mistake in the options of API keys stops the start: %s', (_, apiKeys, message) => {
    expect(() => tokens({ apiKeys })).toThrow(message)
  })
})

describe('the page of API keys', () => {
  const send = (world: World, path: string, fields: Record<string, string>) =>
    world.post(`/auth/api-keys/${path}`, fields, { headers: HTML })

  test('TOK-25: creates a key by a form, and shows it once, in the response only', async () => {
    const { world } = await keysSite()
    await passwordSignIn(world)
    const none = await (await world.get('/auth/account/keys', { headers: HTML })).text()
    expect(none).toContain('<strong>No keys</strong>')
    expect(none).toContain('href="/auth/account/keys?new=1"')
    const page = await (await world.get('/auth/account/keys?new=1', { headers: HTML })).text()
    for (const part of [
      'name="scope:read"',
      'name="scope:write"',
      '<option value="90" selected>',
      'value="365"',
    ])
      expect(page).toContain(part)
    expect(page).not.toContain('value="never"')
    const made = await send(world, 'create', { name: '<b>CI', 'scope:read': '1', age: '7' })
    expect(made.status).toBe(201)
    expect(made.headers.get('cache-control')).toBe('private, no-cache, no-store')
    const text = await made.text()
    const [token = ''] = /lkp_[0-9A-Za-z]{65}/.exec(text) ?? []
    expect(text).toContain(`value="${token}" class="mono" dir="ltr" readonly`)
    expect(await tokensApi(world).verifyKey(token, { scopes: ['read'] })).toMatchObject({
      ok: true,
    })
    expect(await tokensApi(world).verifyKey(token, { scopes: ['write'] })).toMatchObject({
      ok: false,
    })
    const again = await (await world.get('/auth/account/keys', { headers: HTML })).text()
    expect(again).toContain('&lt;b&gt;CI')
    expect(again).not.toContain(token)
    expect(again).not.toContain('<b>CI')
  })

  test('TOK-25: ends and replaces keys by forms', async () => {
    const { world, api } = await keysSite()
    await passwordSignIn(world)
    const { key, token } = await api.createKey(ADA, { name: 'CI' })
    const replaced = await (await send(world, 'replace', { id: key.id })).text()
    const [next = ''] = /lkp_[0-9A-Za-z]{65}/.exec(replaced) ?? []
    expect(await api.verifyKey(token)).toMatchObject({ ok: false })
    const id = next.slice(4, 20)
    const question = await world.get(`/auth/account/keys?confirm=${id}`, { headers: HTML })
    expect(await question.text()).toContain('Delete the key “CI”?')
    const unknown = await world.get(`/auth/account/keys?confirm=${'x'.repeat(16)}`)
    expect(unknown.status).toBe(404)
    const ended = await send(world, 'end', { id })
    expect([ended.status, locationOf(ended)]).toEqual([303, '/auth/account/keys'])
    expect(await api.verifyKey(next)).toMatchObject({ ok: false })
    const page = await (await world.get(locationOf(ended), { headers: HTML })).text()
    expect(page).toContain('role="status"')
  })

  test('requires the CSRF token and a session', async () => {
    const { world } = await keysSite()
    const stranger = await world.get('/auth/account/keys', { headers: HTML })
    expect(stranger.status).toBe(303)
    expect(locationOf(stranger)).toContain('/auth/signin?callbackUrl=')
    await passwordSignIn(world)
    const forged = await world.postWithoutCsrf('/auth/api-keys/create', { name: 'CI' })
    expect(forged.status).toBe(403)
    world.advance(601)
    const late = await send(world, 'create', { name: 'CI' })
    expect([late.status, locationOf(late)]).toEqual([
      303,
      '/auth/signin?callbackUrl=%2Fauth%2Faccount%2Fkeys',
    ])
  })

  test('offers keys without an end if `maxAge` allows them', async () => {
    const { world } = await keysSite({ maxAge: null })
    await passwordSignIn(world)
    const page = await (await world.get('/auth/account/keys?new=1', { headers: HTML })).text()
    expect(page).toContain('value="never"')
    expect((await send(world, 'create', { name: 'CI', age: 'never' })).status).toBe(201)
    expect(await tokensApi(world).listKeys(ADA)).toMatchObject([{ expires: null }])
  })
})

describe.each(strategies)('a key that acts as a session, with %s sessions', (strategy) => {
  const setting = { actsAsSession: true }
  const HEADERS = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  test('TOK-24: has a user for `auth`, and is marked as a key', async () => {
    const { world, api } = await keysSite(setting, { strategy })
    const { token, key } = await api.createKey(ADA, { name: 'CI' })
    const answer = await world.get('/auth/session', HEADERS(token))
    expect(await answer.json()).toMatchObject({
      user: { name: 'ada' },
      via: 'api-key',
      expires: key.expires,
    })
    expect(answer.headers.getSetCookie()).toEqual([])
    await api.endKey(ADA, key.id)
    expect(await (await world.get('/auth/session', HEADERS(token))).json()).toBeNull()
  })

  test('T-ST-27, TOK-24: has no access to paths of an account', async () => {
    const { world, api } = await keysSite(setting, { strategy })
    const { token } = await api.createKey(ADA, { name: 'CI' })
    await passwordSignIn(world)
    for (const path of ['api-keys/list', 'sessions/list', 'account/keys', 'account/sessions'])
      expect((await world.get(`/auth/${path}`, HEADERS(token))).status, path).toBe(403)
    for (const path of ['api-keys/create', 'sessions/end-all']) {
      const answer = await world.request(`/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...HEADERS(token).headers },
        body: '{}',
      })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        403,
        'forbidden',
      ])
    }
    await expect(
      api.listKeys(new Request('https://app.example/', HEADERS(token))),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
    // A wrong one is nobody's, and the cookie beside it does not count.
    const wrong = token.replace('lkp_', 'lkp_0').slice(0, token.length)
    expect((await world.get('/auth/sessions/list', HEADERS(wrong))).status).toBe(401)
    expect(await (await world.get('/auth/session', HEADERS(wrong))).json()).toBeNull()
  })

  test('TOK-24: signs nobody in if it cannot be looked up', async () => {
    const { world, api } = await keysSite(setting, { strategy })
    const { token } = await api.createKey(ADA, { name: 'CI' })
    abilitiesOf(world).getRecord = async () => {
      throw new Error('the store is away')
    }
    const answer = await world.get('/auth/session', HEADERS(token))
    expect([answer.status, await answer.json()]).toEqual([500, null])
  })

  test('T-ST-28: is refused from a page of another site', async () => {
    const { world, api } = await keysSite(setting, { strategy })
    const { token } = await api.createKey(ADA, { name: 'CI' })
    const headers = { ...HEADERS(token).headers, 'sec-fetch-site': 'cross-site' }
    expect(await (await world.get('/auth/session', { headers })).json()).toBeNull()
  })
})

test('API keys need the plugin sessions, and nothing else by default', async () => {
  const { world } = await tokensSite({ options: { apiKeys: {} } })
  expect(world.core.plan(world.config).fault?.message).toContain('needs the plugin sessions')
})

describe('processes that share a real store', () => {
  const stores = sharedStores('api_keys')
  beforeAll(stores.open)
  afterAll(stores.close)

  test.each(['PostgreSQL', 'Redis'] as const)(
    'create at most the allowed number of keys on %s',
    async (name) => {
      const created = {
        id: crypto.randomUUID(),
        name: 'Eve',
        email: `${name}@example.com`,
        emailVerified: null,
      }
      const adapter = stores.adapter(name)
      const user = await adapter.createUser?.(created)
      const who = { userId: String(user?.id) }
      const sites = await Promise.all(
        [1, 2, 3, 4].map(async (seed) => {
          const { world } = await tokensSite({
            seed,
            config: {
              adapter: stores.adapter(name),
              plugins: [
                sessions(),
                tokens({ apiKeys: { maxPerUser: 3, rate: { limit: 5, seconds: 60 } } }),
              ],
            },
          })
          return tokensApi(world)
        }),
      )
      const make = (i: number) =>
        sites[i % 4]?.createKey(who, { name: `${i}` }).catch(({ code }: { code: string }) => code)
      const all = await Promise.all(Array.from({ length: 20 }, (_, i) => make(i)))
      for (const each of all) if (typeof each === 'string') expect(each).toBe('limit_reached')
      expect((await sites[0]?.listKeys(who))?.length).toBeLessThanOrEqual(3)
      let made: MadeKey | undefined
      for (const { id } of (await sites[0]?.listKeys(who)) ?? []) await sites[1]?.endKey(who, id)
      made = await sites[2]?.createKey(who, { name: 'one' })
      const verdicts = await Promise.all(
        Array.from({ length: 20 }, (_, i) => sites[i % 4]?.verifyKey(made?.token ?? '')),
      )
      expect(verdicts.filter((each) => each?.ok)).toHaveLength(5)
    },
  )
})
