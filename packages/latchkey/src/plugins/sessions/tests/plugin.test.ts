import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createSite,
  locationOf,
  PASSWORD,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import {
  abilitiesOf,
  apiOf,
  DAY,
  FIREFOX,
  idOf,
  isoDate,
  listOf,
  nameOf,
  postJson,
  recordOf,
  requestOf,
  SID,
  siteOf,
  twoBrowsers,
  worldOn,
} from '../../../../tests/support/sessions-site.ts'
import { sharedStores } from '../../../../tests/support/shared-stores.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { createLatchkey } from '../../../entries/index.ts'
import { atomic } from '../../../model/adapter.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { sessionRequest } from '../../../session/session-request.ts'
import type { World } from '../../../testing/world.ts'
import { type SessionInfo, type SessionsOptions, sessions } from '../index.ts'

describe.each(strategies)('the record of a session, with %s sessions', (strategy) => {
  test('SES-5: exists with the cookie, and has the method and the time of the sign-in', async () => {
    const { world } = await siteOf(strategy)
    const began = world.now()
    await passwordSignIn(world)
    const [session, ...more] = await listOf(world)
    expect(more).toEqual([])
    expect(session).toEqual({
      id: expect.stringMatching(SID),
      current: true,
      begun: isoDate(began),
      seen: isoDate(began),
      expires: isoDate(began + 30 * DAY * 1000),
      remembered: true,
      via: 'cookie',
      authTime: isoDate(began),
      methods: ['pwd'],
      provider: 'credentials',
      device: { kind: 'unknown' },
    })
    const record = await recordOf(world, session?.id ?? '')
    expect(record).toMatchObject({ userId: 'ada', version: 1 })
    expect(record?.expires).toEqual(new Date(began + 31 * DAY * 1000))
  })

  test('SES-2: is no credential: neither it nor the name of the session signs anybody in', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const record = await recordOf(world, await idOf(world))
    expect(JSON.stringify(record)).not.toContain(world.jar.get(SESSION_COOKIE))
    const { stored = [] } = (record?.data ?? {}) as { stored?: string[] }
    for (const value of [record?.key ?? '', ...stored]) {
      other.jar.set(SESSION_COOKIE, value)
      expect(await nameOf(other)).toBeNull()
    }
  })

  test('SES-6: that cannot be written makes the sign-in fail, and leaves nothing behind', async () => {
    const { world } = await siteOf(strategy)
    abilitiesOf(world).createRecord = () => Promise.reject(new Error('the store is away'))
    await passwordSignIn(world)
    expect(await nameOf(world)).toBeNull()
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(await abilitiesOf(world).listSessionsByUserId?.('ada')).toEqual([])
  })

  test('is removed if the session cannot be stored after it', async () => {
    const { world, adapter } = await siteOf(strategy, {
      config: {
        jwt: {
          encode: () => {
            throw new Error('no token today')
          },
        },
      },
    })
    adapter.createSession = () => Promise.reject(new Error('no row today'))
    await passwordSignIn(world)
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
    const left = await abilitiesOf(world).listRecords?.({ kind: 'session', limit: 10 })
    expect(left?.records).toEqual([])
  })

  test('stores the end of a session: by a sign-out, and by another sign-in in its browser', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    const first = await idOf(world)
    await passwordSignIn(world)
    const second = await idOf(world)
    expect(second).not.toBe(first)
    expect((await recordOf(world, first))?.data).toMatchObject({ ended: { reason: 'replaced' } })
    await world.post('/auth/signout')
    expect((await recordOf(world, second))?.data).toMatchObject({ ended: { reason: 'sign-out' } })
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('lasts as long as the session is extended', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    const id = await idOf(world)
    world.advance(20 * DAY)
    expect(await nameOf(world)).toBe('ada')
    world.advance(20 * DAY)
    expect(await nameOf(world)).toBe('ada')
    expect(await idOf(world)).toBe(id)
    const [session] = await listOf(world)
    expect(session?.expires).toBe(isoDate(world.now() + 30 * DAY * 1000))
    world.advance(31 * DAY)
    expect(await nameOf(world)).toBeNull()
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('that cannot be written leaves cookie and row unchanged', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    world.advance(2 * DAY)
    const { replaceRecord } = abilitiesOf(world)
    abilitiesOf(world).replaceRecord = () => Promise.reject(new Error('the store is away'))
    const answer = await world.get('/auth/session')
    expect(await answer.json()).toMatchObject({ user: { name: 'ada' } })
    expect(answer.headers.getSetCookie()).toEqual([])
    Object.assign(abilitiesOf(world), { replaceRecord })
    expect((await world.get('/auth/session')).headers.getSetCookie()).toHaveLength(1)
  })

  test('is created for a session from before the plugin, which is listed and ended as any other', async () => {
    const { world: before, adapter } = await createSite({ strategy })
    await passwordSignIn(before)
    const { world } = await siteOf(strategy, { adapter })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    const other = world.otherBrowser()
    await passwordSignIn(other)
    world.advance(2 * DAY)
    expect(await nameOf(world)).toBe('ada')
    const [session] = await listOf(world)
    expect(session).toMatchObject({ id: expect.stringMatching(SID), current: true })
    expect(await listOf(other)).toHaveLength(2)
    expect(await apiOf(other).end({ userId: 'ada', id: session?.id ?? '' })).toBe(true)
    expect(await apiOf(world).confirm(requestOf(world))).toBeNull()
    expect(await listOf(other)).toHaveLength(1)
  })

  test('SES-16: costs a read no access to the store', async () => {
    const { world } = await siteOf(strategy, { options: { revocations: false } })
    await passwordSignIn(world)
    const asked: string[] = []
    const abilities = abilitiesOf(world)
    for (const name of ['getRecord', 'createRecord', 'replaceRecord', 'listRecords'] as const) {
      const inner = abilities[name] as (...args: unknown[]) => unknown
      abilities[name] = (async (...args: unknown[]) => {
        asked.push(name)
        return inner.apply(abilities, args)
      }) as never
    }
    expect(await nameOf(world)).toBe('ada')
    expect(asked).toEqual([])
    world.advance(601)
    await nameOf(world)
    await nameOf(world)
    expect(asked).toEqual(['getRecord', 'replaceRecord'])
  })

  test('SES-20: is marked as seen, but not by reads that may not write', async () => {
    const { world } = await siteOf(strategy, { options: { touch: 60 } })
    await passwordSignIn(world)
    const began = world.now()
    world.advance(59)
    await nameOf(world)
    world.advance(2)
    expect((await listOf(world))[0]?.seen).toBe(isoDate(began))
    await nameOf(world)
    expect((await listOf(world))[0]?.seen).toBe(isoDate(world.now()))
  })

  test('is not marked as seen with a `touch` of 0', async () => {
    const { world } = await siteOf(strategy, { options: { touch: 0 } })
    await passwordSignIn(world)
    const began = world.now()
    world.advance(3600)
    await nameOf(world)
    expect((await listOf(world))[0]?.seen).toBe(isoDate(began))
  })

  test('does not prevent reads while the store of records fails', async () => {
    const { world } = await siteOf(strategy, { options: { revocations: false } })
    await passwordSignIn(world)
    abilitiesOf(world).getRecord = () => Promise.reject(new Error('the store is away'))
    world.advance(601)
    expect(await nameOf(world)).toBe('ada')
  })

  test('has the browser and system of the sign-in, as families', async () => {
    const { world } = await siteOf(strategy)
    const headers = { 'user-agent': FIREFOX }
    const fields = { username: 'ada', password: PASSWORD }
    await world.post('/auth/callback/credentials', fields, { headers })
    const [session] = await listOf(world)
    expect(session?.device).toEqual({ browser: 'Firefox', system: 'Linux', kind: 'desktop' })
    expect(JSON.stringify(await recordOf(world, session?.id ?? ''))).not.toContain('130')
    expect(JSON.stringify(world.log)).not.toContain('Gecko')
  })

  test('has the network of the sign-in, if configured, and never the address', async () => {
    const address = ({ headers }: Request) => headers.get('x-real-ip') ?? undefined
    const { world } = await siteOf(strategy, { options: { address } })
    const headers = { 'x-real-ip': '203.0.113.77' }
    const fields = { username: 'ada', password: PASSWORD }
    await world.post('/auth/callback/credentials', fields, { headers })
    const [session] = await listOf(world)
    expect(session?.address).toBe('203.0.113.0/24')
    expect(JSON.stringify(await recordOf(world, session?.id ?? ''))).not.toContain('113.77')
    const answer = await world.get('/auth/account/sessions', { headers: { accept: 'text/html' } })
    expect(await answer.text()).toContain('203.0.113.0/24')
  })

  test('is created also if the address is unknown, or cannot be found out', async () => {
    for (const address of [true, () => 'nonsense', () => Promise.reject(new Error('no'))]) {
      const { world } = await siteOf(strategy, { options: { address } })
      await passwordSignIn(world)
      expect((await listOf(world))[0]).not.toHaveProperty('address')
    }
  })

  test('has no device with `device: false`', async () => {
    const { world } = await siteOf(strategy, { options: { device: false } })
    await passwordSignIn(world)
    expect((await listOf(world))[0]).not.toHaveProperty('device')
  })
})

describe('a stored session', () => {
  test('SES-8: keeps its record when its row gets another key', async () => {
    const old = 'the secret before, 0123456789abcdefghij'
    const { world: before, adapter } = await siteOf('database', { config: { secret: old } })
    await passwordSignIn(before)
    const id = await idOf(before)
    const secret = ['the secret after, 0123456789abcdefghijk', old]
    const { world } = await siteOf('database', { adapter, config: { secret } })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    expect(await nameOf(world)).toBe('ada')
    const [row] = (await abilitiesOf(world).listSessionsByUserId?.('ada')) ?? []
    expect((await recordOf(world, id))?.data).toMatchObject({ stored: [row?.sessionToken] })
    expect(await idOf(world)).toBe(id)
    expect(await apiOf(world).end({ userId: 'ada', id })).toBe(true)
    expect(await nameOf(world)).toBeNull()
  })

  test.each(['before', 'after'] as const)(
    'SES-8: is over even if the process that renamed its row stopped %s it was done',
    async (when) => {
      const { world } = await siteOf('database')
      await passwordSignIn(world)
      const id = await idOf(world)
      const record = await recordOf(world, id)
      const { stored = [] } = (record?.data ?? {}) as { stored?: string[] }
      const [from = ''] = stored
      const data = { ...record?.data, stored: [from, 'lk1_another'] }
      if (record)
        await abilitiesOf(world).replaceRecord?.({ ...record, data, version: record.version + 1 })
      if (when === 'after') await abilitiesOf(world).renameSession?.(from, 'lk1_another')
      expect(await apiOf(world).end({ userId: 'ada', id })).toBe(true)
      expect(await abilitiesOf(world).listSessionsByUserId?.('ada')).toEqual([])
    },
  )

  test('SES-7: that was not used since the plugin exists is listed without a name, and can be ended', async () => {
    const { world: before, adapter } = await createSite({ strategy: 'database' })
    await passwordSignIn(before)
    const { world } = await siteOf('database', { adapter })
    const [unnamed, ...more] = await apiOf(world).list({ userId: 'ada' })
    expect(more).toEqual([])
    expect(unnamed).toEqual({
      id: expect.stringMatching(/^x[\w-]{21}$/),
      current: false,
      expires: isoDate(world.now() + 30 * DAY * 1000),
      remembered: true,
      via: 'cookie',
      methods: [],
    })
    const end = () => apiOf(world).end({ userId: 'ada', id: unnamed?.id ?? '' })
    expect(await apiOf(world).end({ userId: 'bob', id: unnamed?.id ?? '' })).toBe(false)
    expect([await end(), await end()]).toEqual([true, false])
    expect(await nameOf(before)).toBeNull()
  })

  test('that was ended is over at once', async () => {
    const { world, other } = await twoBrowsers('database')
    expect((await postJson(world, 'end', { id: await idOf(other) })).status).toBe(200)
    expect(await nameOf(other)).toBeNull()
    expect(other.jar.has(SESSION_COOKIE)).toBe(false)
  })
})

describe('a sealed session, with `revocations: false`', () => {
  test('that ended goes on until it is extended, and is refused by each read of the store', async () => {
    const { world, other } = await twoBrowsers('jwt', {
      options: { touch: 0, revocations: false },
    })
    await postJson(world, 'end', { id: await idOf(other) })
    expect(await nameOf(other)).toBe('ada')
    expect(await apiOf(other).confirm(requestOf(other))).toBeNull()
    for (const path of ['list', 'current'])
      expect((await other.get(`/auth/sessions/${path}`)).status).toBe(401)
    for (const path of ['end-others', 'end-all'])
      expect((await postJson(other, path)).status).toBe(401)
    other.advance(DAY + 1)
    expect(await nameOf(other)).toBeNull()
    expect(other.jar.has(SESSION_COOKIE)).toBe(false)
    expect(await nameOf(world)).toBe('ada')
  })

  test('that ended is refused when it is marked as seen', async () => {
    const { world, other } = await twoBrowsers('jwt', { options: { revocations: false } })
    await postJson(world, 'end', { id: await idOf(other) })
    other.advance(601)
    expect(await nameOf(other)).toBeNull()
    expect(other.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('from before the plugin does not come back after a sign-out', async () => {
    const { world: before, adapter } = await createSite({ strategy: 'jwt' })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', { adapter })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    await world.post('/auth/signout')
    for (const [name, value] of before.jar) world.jar.set(name, value)
    expect(await apiOf(world).confirm(requestOf(world))).toBeNull()
    expect(await nameOf(world)).toBeNull()
  })

  test('that ended is refused a minute after a failure of the store', async () => {
    const { world, other } = await twoBrowsers('jwt', { options: { revocations: false } })
    await postJson(world, 'end', { id: await idOf(other) })
    other.advance(601)
    const { getRecord } = abilitiesOf(other)
    abilitiesOf(other).getRecord = () => Promise.reject(new Error('the store is away'))
    expect(await nameOf(other)).toBe('ada')
    Object.assign(abilitiesOf(other), { getRecord })
    other.advance(59)
    expect(await nameOf(other)).toBe('ada')
    other.advance(1)
    expect(await nameOf(other)).toBeNull()
  })

  test('that ended is refused no later if the clock was set back', async () => {
    const { world, other } = await twoBrowsers('jwt')
    await postJson(world, 'end', { id: await idOf(other) })
    other.advance(-DAY)
    expect(await nameOf(other)).toBeNull()
  })

  /** The cookie of a session from before the plugin, which nobody has used since. */
  async function earlierSession(options: SessionsOptions) {
    const { world: before, adapter } = await createSite({ strategy: 'jwt' })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', { adapter, options })
    for (const [name, value] of before.jar) world.jar.set(name, value)
    return world
  }

  test.each<SessionsOptions>([{}, { touch: 0 }])(
    'SES-3: from before the plugin ends with all others, %j',
    async (options) => {
      const world = await earlierSession(options)
      await apiOf(world).endAll({ userId: 'ada' })
      const request = requestOf(world)
      expect(await nameOf(world)).toBeNull()
      expect(world.jar.has(SESSION_COOKIE)).toBe(false)
      expect(await apiOf(world).confirm(request)).toBeNull()
      expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
    },
  )

  test('SES-3: from before the plugin ends also if all others end while it is adopted', async () => {
    const world = await earlierSession({})
    const abilities = abilitiesOf(world)
    const { createRecord } = abilities
    abilities.createRecord = async (record, now) => {
      Object.assign(abilities, { createRecord })
      await apiOf(world).endAll({ userId: 'ada' })
      return createRecord?.(record, now) ?? false
    }
    expect(await nameOf(world)).toBeNull()
  })

  test('SES-24: ends with its user', async () => {
    const { world } = await siteOf('jwt')
    // What an application calls goes by the real clock.
    world.advance((Date.now() - world.now()) / 1000)
    await passwordSignIn(world)
    await createLatchkey(world.config, {}).adapter?.deleteUser?.('ada')
    expect(await apiOf(world).confirm(requestOf(world))).toBeNull()
    world.advance(601)
    expect(await nameOf(world)).toBeNull()
  })

  test('T-ST-8, SES-4: keeps its name even if the application sets another one', async () => {
    const jwt = ({ token }: { token: object }) => ({ ...token, sid: 'another' })
    const { world } = await siteOf('jwt', { config: { callbacks: { jwt } } })
    await passwordSignIn(world)
    const id = await idOf(world)
    await nameOf(world)
    expect(await idOf(world)).toBe(id)
    expect(await listOf(world)).toHaveLength(1)
  })
})

describe.each(strategies)('the list of sessions, with %s sessions', (strategy) => {
  test('SES-11: has the current one first, and the others by the time they were seen', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const third = world.otherBrowser()
    world.advance(5)
    await passwordSignIn(third)
    const ids = await Promise.all([world, third, other].map(idOf))
    const answer = await world.get('/auth/sessions/list')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store')
    const { sessions: listed } = (await answer.json()) as { sessions: SessionInfo[] }
    expect(listed.map(({ id }) => id)).toEqual(ids)
    expect(listed.map(({ current }) => current)).toEqual([true, false, false])
    const own = await world.get('/auth/sessions/current')
    expect(await own.json()).toEqual(listed[0])
  })

  test('has no session of another user', async () => {
    const { world } = await twoBrowsers(strategy)
    const bob = world.otherBrowser()
    await passwordSignIn(bob, 'bob')
    expect(await listOf(bob)).toHaveLength(1)
    expect(await apiOf(world).list({ userId: 'carol' })).toEqual([])
  })

  test('is for signed-in users', async () => {
    const { world } = await siteOf(strategy)
    for (const path of ['list', 'current'])
      expect((await world.get(`/auth/sessions/${path}`)).status).toBe(401)
    for (const path of ['end-others', 'end-all'])
      expect((await postJson(world, path)).status).toBe(401)
    const api = apiOf(world)
    const request = requestOf(world)
    expect(await api.list(request)).toEqual([])
    expect(await api.current(request)).toBeNull()
    expect(await api.confirm(request)).toBeNull()
    expect(await api.endOthers(request)).toBe(0)
    expect(await api.isFresh(request)).toBe(false)
  })

  test('has the provider and the proof of each', async () => {
    const { world } = await siteOf(strategy)
    await providerSignIn(world, 'corp', 'carol')
    expect(await listOf(world)).toMatchObject([{ provider: 'corp', methods: ['fed'] }])
  })
})

describe.each(strategies)('ending sessions, with %s sessions,', (strategy) => {
  const isOver = async (world: World) => (await apiOf(world).confirm(requestOf(world))) === null

  test('ends one other session, once', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const id = await idOf(other)
    const first = await postJson(world, 'end', { id })
    expect([first.status, await first.json()]).toEqual([200, { ended: 1 }])
    expect(await isOver(other)).toBe(true)
    expect(await isOver(world)).toBe(false)
    const again = await postJson(world, 'end', { id })
    expect([again.status, await again.json()]).toEqual([200, { ended: 0 }])
    world.advance(DAY)
    await passwordSignIn(world)
    expect((await postJson(world, 'end', { id })).status).toBe(404)
  })

  test('happens once for any number of simultaneous calls', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const id = await idOf(other)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postJson(world, 'end', { id })),
    )
    const counts = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { ended: number }).ended),
    )
    expect(counts.filter((count) => count === 1)).toHaveLength(1)
    expect(counts.filter((count) => count === 0)).toHaveLength(19)
  })

  test('T-ST-4, SES-1, SES-9: responds with 404 for a session of another user, as for an unknown one', async () => {
    const { world } = await twoBrowsers(strategy)
    const bob = world.otherBrowser()
    await passwordSignIn(bob, 'bob')
    const foreign = await postJson(bob, 'end', { id: await idOf(world) })
    const unknown = await postJson(bob, 'end', { id: 'A'.repeat(22) })
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(await foreign.text()).toBe(await unknown.text())
    expect(await isOver(world)).toBe(false)
    expect(await apiOf(bob).end({ userId: 'bob', id: await idOf(world) })).toBe(false)
  })

  test('clears the cookie for the current one, and needs no new proof', async () => {
    const { world } = await twoBrowsers(strategy)
    world.advance(11 * 60)
    const answer = await postJson(world, 'end', { id: await idOf(world) })
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 1 }])
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('can end all but the current one', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const third = world.otherBrowser()
    await passwordSignIn(third)
    const answer = await postJson(world, 'end-others')
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 2 }])
    expect(await Promise.all([world, other, third].map(isOver))).toEqual([false, true, true])
    expect(await apiOf(world).endOthers(requestOf(world))).toBe(0)
  })

  test('can end all, including the current one', async () => {
    const { world, other } = await twoBrowsers(strategy)
    world.advance(11 * 60)
    const answer = await postJson(world, 'end-all')
    expect([answer.status, await answer.json()]).toEqual([200, { ended: 2 }])
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(await isOver(other)).toBe(true)
  })

  test('in code may spare one, and stores the reason and the caller', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const id = await idOf(other)
    const except = await idOf(world)
    const how = { reason: 'ended-by-administrator', by: 'root', except } as const
    expect(await apiOf(world).endAll({ userId: 'ada' }, how)).toBe(1)
    const { reason, by } = how
    expect((await recordOf(world, id))?.data).toMatchObject({ ended: { reason, by } })
    expect(await isOver(world)).toBe(false)
  })

  test('needs a recent proof for other sessions', async () => {
    const { world, other } = await twoBrowsers(strategy, { options: { freshAge: 60 } })
    const id = await idOf(other)
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(true)
    world.advance(61)
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(false)
    expect(await apiOf(world).isFresh(requestOf(world), 120)).toBe(true)
    for (const [path, body] of [
      ['end', { id }],
      ['end-others', {}],
    ] as const) {
      const refused = await postJson(world, path, body)
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' })
    }
    expect(await isOver(other)).toBe(false)
    const asForm = await world.post('/auth/sessions/end', { id })
    expect([asForm.status, new URL(locationOf(asForm), world.origin).pathname]).toEqual([
      303,
      '/auth/signin',
    ])
    await passwordSignIn(world)
    expect((await postJson(world, 'end', { id })).status).toBe(200)
  })

  test.each([
    ['no id', {}],
    ['an id that is too short', { id: 'abc' }],
    ['an id of other characters', { id: '!'.repeat(22) }],
    ['a member too much', { id: 'A'.repeat(22), except: 'ada' }],
    ['a session token', { id: 'A'.repeat(43) }],
  ])('refuses %s', async (_, body) => {
    const { world } = await twoBrowsers(strategy)
    const answer = await postJson(world, 'end', body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' })
  })

  test.each(['GET', 'HEAD'])('is refused for %s', async (method) => {
    const { world, other } = await twoBrowsers(strategy)
    for (const path of ['end', 'end-others', 'end-all']) {
      const answer = await world.request(`/auth/sessions/${path}`, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect(await isOver(other)).toBe(false)
  })

  test('is refused for another site', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const answer = await world.postWithoutCsrf('/auth/sessions/end-all')
    expect(answer.status).toBe(403)
    expect(await isOver(other)).toBe(false)
  })
})

describe.each(strategies)('the events, with %s sessions', (strategy) => {
  test('SES-26: report each session that began and each that ended, once', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = {
      sessionStarted: ({ sid, userId, provider }) =>
        void told.push(`started ${sid} ${userId} ${provider}`),
      sessionEnded: ({ sid, userId, reason, by }) =>
        void told.push(`ended ${sid} ${userId} ${reason} ${by}`),
    }
    const { world } = await siteOf(strategy, { config: { events } })
    await passwordSignIn(world)
    const first = await idOf(world)
    expect(told.splice(0)).toEqual([`started ${first} ada credentials`])
    const end = () =>
      apiOf(world).end({ userId: 'ada', id: first }, { reason: 'user-disabled', by: 'root' })
    await Promise.all([end(), end(), end()])
    expect(told.splice(0)).toEqual([`ended ${first} ada user-disabled root`])
    const other = world.otherBrowser()
    await passwordSignIn(other)
    const second = await idOf(other)
    await passwordSignIn(other)
    const third = await idOf(other)
    await other.post('/auth/signout')
    expect(told).toEqual([
      `started ${second} ada credentials`,
      `started ${third} ada credentials`,
      `ended ${second} ada replaced undefined`,
      `ended ${third} ada sign-out undefined`,
    ])
  })
})

describe.each(strategies)('the event of a %s session that began', (strategy) => {
  /** What was told of sign-ins with these headers, each in a browser of its own. */
  async function toldOf(agents: readonly string[], options: SessionsOptions = {}) {
    const told: unknown[] = []
    const events: AuthConfig['events'] = {
      sessionStarted({ sid, ...rest }) {
        expect(sid).toMatch(SID)
        told.push(rest)
      },
    }
    const { world } = await siteOf(strategy, { options, config: { events } })
    for (const agent of agents) {
      const fields = { username: 'ada', password: PASSWORD }
      const headers = { 'user-agent': agent }
      await world.otherBrowser().post('/auth/callback/credentials', fields, { headers })
    }
    return { told, world }
  }

  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

  test('has the device, and whether another session has an equal one', async () => {
    const { told } = await toldOf([FIREFOX, FIREFOX.replaceAll('130', '131'), IPHONE])
    expect(told).toMatchObject([
      { isNewDevice: true, device: { browser: 'Firefox', system: 'Linux', kind: 'desktop' } },
      { isNewDevice: false, via: 'cookie' },
      { isNewDevice: true, device: { system: 'iOS' } },
    ])
  })

  test('SEC-29: costs the same for each further session of the user', async () => {
    const { world } = await toldOf([FIREFOX])
    const list = vi.spyOn(abilitiesOf(world), 'listRecords')
    const fields = { username: 'ada', password: PASSWORD }
    for (let i = 0; i < 120; i++)
      await world.otherBrowser().post('/auth/callback/credentials', fields)
    list.mockClear()
    await world.otherBrowser().post('/auth/callback/credentials', fields)
    const pages = await Promise.all(list.mock.results.map(({ value }) => value))
    const read = pages.reduce((sum, { records }) => sum + records.length, 0)
    list.mockRestore()
    expect(read).toBeLessThanOrEqual(100)
  })

  test('considers only active sessions', async () => {
    const { told, world } = await toldOf([FIREFOX])
    await apiOf(world).endAll({ userId: 'ada' })
    world.advance(1)
    const fields = { username: 'ada', password: PASSWORD }
    const headers = { 'user-agent': FIREFOX }
    await world.post('/auth/callback/credentials', fields, { headers })
    expect(told).toMatchObject([{ isNewDevice: true }, { isNewDevice: true }])
  })

  test('has no device if none is stored', async () => {
    const { told } = await toldOf([FIREFOX], { device: false })
    expect(told).toEqual([
      { userId: 'ada', via: 'cookie', amr: ['pwd'], provider: 'credentials', isNewDevice: false },
    ])
  })
})

describe.each(strategies)(
  'T-SESS-10, SES-27: the page of the sessions, with %s sessions',
  (strategy) => {
    const PAGE = '/auth/account/sessions'
    const AS_PAGE = { headers: { accept: 'text/html' } }

    test('redirects a visitor without a session to the sign-in page, and back', async () => {
      const { world } = await siteOf(strategy)
      const answer = await world.get(PAGE, AS_PAGE)
      const to = new URL(locationOf(answer))
      expect([answer.status, to.pathname, to.searchParams.get('callbackUrl')]).toEqual([
        303,
        '/auth/signin',
        world.origin + PAGE,
      ])
    })

    test('has a form for each session, and marks that of this browser', async () => {
      const { world, other } = await twoBrowsers(strategy)
      const text = await (await world.get(PAGE, AS_PAGE)).text()
      expect(text.match(/<li class="row/g)).toHaveLength(2)
      expect(text.match(/>This device</g)).toHaveLength(1)
      expect(text.match(/>Active now</g)).toHaveLength(1)
      const [, own = '', others = ''] = text.split('<li class="row')
      expect(own).toContain(`value="${await idOf(world)}"`)
      expect(others).toContain(`value="${await idOf(other)}"`)
      expect(others).toContain('Sign out<span class="sr"> Unknown browser, 1 January 2030')
      expect(text).toContain('<a href="/auth/account/sessions" aria-current="page">')
    })

    test('names the provider with which a session began', async () => {
      const { world } = await siteOf(strategy)
      await providerSignIn(world, 'corp')
      const text = await (await world.get(PAGE, AS_PAGE)).text()
      expect(text).toMatch(/Signed in <time.*<span>with Corp<\/span>/)
    })

    test('is shown after a form ended a session, with a confirmation', async () => {
      const { world, other } = await twoBrowsers(strategy)
      const ended = await world.post('/auth/sessions/end', { id: await idOf(other) })
      expect([ended.status, locationOf(ended)]).toEqual([303, PAGE])
      const text = await (await world.get(locationOf(ended), AS_PAGE)).text()
      expect(text).toMatch(/role="status"[^>]*>.*The device was signed out/)
      expect(text.match(/<li class="row/g)).toHaveLength(1)
      expect(text).not.toContain('confirm=others')
    })

    test('asks before it ends more than one', async () => {
      const { world, other } = await twoBrowsers(strategy)
      const text = await (await world.get(`${PAGE}?confirm=others`, AS_PAGE)).text()
      expect(text).toContain('action="/auth/sessions/end-others"')
      expect(await apiOf(other).confirm(requestOf(other))).not.toBeNull()
      const ended = await world.post('/auth/sessions/end-others')
      expect(locationOf(ended)).toBe(PAGE)
      const all = await world.post('/auth/sessions/end-all', { callbackUrl: '/bye' })
      expect([all.status, locationOf(all)]).toEqual([303, `${world.origin}/bye`])
      expect(await nameOf(world)).toBeNull()
    })

    test('accepts no other parameters', async () => {
      const { world } = await twoBrowsers(strategy)
      for (const query of ['confirm=one', 'done=one', 'more=1'])
        expect((await world.get(`${PAGE}?${query}`, AS_PAGE)).status).toBe(400)
    })
  },
)

test('a sealed session that ended is redirected from the page to the sign-in page', async () => {
  const { world, other } = await twoBrowsers('jwt', { options: { revocations: false } })
  await apiOf(world).end({ userId: 'ada', id: await idOf(other) })
  const headers = { accept: 'text/html' }
  const answer = await other.get('/auth/account/sessions', { headers })
  expect([answer.status, locationOf(answer)]).toEqual([
    303,
    '/auth/signin?callbackUrl=%2Fauth%2Faccount%2Fsessions',
  ])
})

describe('the options of the plugin', () => {
  test.each([0, -1, 1.5, Number.NaN, '600'])('refuse a `freshAge` of %j', (freshAge) => {
    expect(() => sessions({ freshAge: freshAge as number })).toThrow(/freshAge.*got/)
  })

  test.each([-1, 1.5, Number.NaN])('refuse a `touch` of %j', (touch) => {
    expect(() => sessions({ touch })).toThrow(/touch.*got/)
  })

  test('need a store with records', () => {
    const { [atomic]: _, ...adapter } = memoryAdapter()
    return expect(
      createSite({ config: { adapter, plugins: [sessions()] } }).then(({ world }) =>
        String(world.core.plan(world.config).fault),
      ),
    ).resolves.toContain('the plugin sessions stores records')
  })
})

describe('two processes on one store', () => {
  const stores = sharedStores('sessions')
  beforeAll(stores.open)
  afterAll(stores.close)

  describe.each(strategies)('with %s sessions', (strategy) => {
    test.each(['PostgreSQL', 'Redis'] as const)(
      'list and end each other on %s, once',
      async (name) => {
        const email = `${strategy}-${name}@example.com`.toLowerCase()
        const { world, userId } = await worldOn(stores.adapter(name), { strategy, seed: 1, email })
        const { world: other } = await worldOn(stores.adapter(name), { strategy, seed: 2, email })
        await passwordSignIn(world)
        await passwordSignIn(other)
        expect(await listOf(world)).toHaveLength(2)
        const id = await idOf(other)
        const ended = await Promise.all(
          Array.from({ length: 10 }, (_, i) => apiOf(i % 2 ? world : other).end({ userId, id })),
        )
        expect(ended.filter(Boolean)).toHaveLength(1)
        expect(await apiOf(other).confirm(requestOf(other))).toBeNull()
        expect(await listOf(world)).toHaveLength(1)
        expect(await apiOf(world).endAll({ userId })).toBe(1)
        expect(await apiOf(other).list({ userId })).toEqual([])
      },
    )
  })
})

describe.each(strategies)('SES-14: a body of more than 4 KiB, with %s sessions', (strategy) => {
  test.each(['end', 'end-others', 'end-all', 'rename'])(
    'is refused with 413, and ends nothing: %s',
    async (path) => {
      const { world, other } = await twoBrowsers(strategy)
      const answer = await postJson(world, path, { id: await idOf(other), name: 'x'.repeat(4096) })
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ code: 'too_large' })
      expect(await listOf(world)).toHaveLength(2)
    },
  )

  test('is refused as a form', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    const fields = { callbackUrl: `/${'x'.repeat(4096)}` }
    expect((await world.post('/auth/sessions/end-all', fields)).status).toBe(413)
  })
})

describe('PAIR-5: a sealed session that was ended, with `revocations: false`', () => {
  const ended = async () => {
    const { world, other } = await twoBrowsers('jwt', {
      options: { revocations: false, touch: 60 },
    })
    const cookie = world.jar.get(SESSION_COOKIE) ?? ''
    // As another process would end it.
    await postJson(other, 'end-others')
    world.advance(61)
    const read = () => {
      world.jar.set(SESSION_COOKIE, cookie)
      return nameOf(world)
    }
    return { world, read }
  }

  test('is refused at every read after `touch` seconds, and not at the first one only', async () => {
    const { world, read } = await ended()
    for (let reads = 0; reads < 4; reads++) {
      expect(await read(), `${reads}`).toBeNull()
      world.advance(1)
    }
  })

  test('is refused by parallel reads', async () => {
    const { read } = await ended()
    expect(await Promise.all([read(), read(), read()])).toEqual([null, null, null])
  })

  test('is refused if no cookie can be set', async () => {
    const { world } = await ended()
    const { session } = world.core.plan(world.config)
    const asked = sessionRequest(requestOf(world), world.origin)
    expect(await session.current(asked)).toBeNull()
    expect((await session.read(asked, { readOnly: true })).session).toBeNull()
  })

  test('costs one access to the store in `touch` seconds while it is active', async () => {
    const { world } = await twoBrowsers('jwt', { options: { revocations: false, touch: 60 } })
    const abilities = abilitiesOf(world)
    const { getRecord } = abilities
    let asked = 0
    abilities.getRecord = (key) => {
      asked += key.kind === 'session' ? 1 : 0
      return getRecord?.(key) ?? null
    }
    world.advance(61)
    await Promise.all([nameOf(world), nameOf(world), nameOf(world)])
    for (let reads = 0; reads < 5; reads++) expect(await nameOf(world)).toBe('ada')
    expect(asked).toBe(1)
  })
})
