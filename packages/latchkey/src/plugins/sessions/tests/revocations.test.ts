import { describe, expect, test, vi } from 'vitest'
import {
  createSite,
  passwordSignIn,
  providerSignIn,
  SECRET,
  SESSION_COOKIE,
} from '../../../../tests/attacks/support/site.ts'
import {
  abilitiesOf,
  apiOf,
  DAY,
  idOf,
  nameOf,
  postJson,
  recordOf,
  requestOf,
  siteOf,
} from '../../../../tests/support/sessions-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { PluginRecord, RecordKey } from '../../../model/record.ts'
import type { World } from '../../../testing/world.ts'
import { encode } from '../../../verifier/jwt.ts'
import { sessions } from '../index.ts'
import type { RevocationsOptions } from '../revocations/settings.ts'

/** Two processes with one store, Ada in the first one, and her cookies in the second one, too. */
async function twoProcesses(revocations: RevocationsOptions = {}) {
  const inner = memoryAdapter()
  const options = { revocations, touch: 0 }
  const { world: here } = await siteOf('jwt', { adapter: inner, seed: 1, options })
  const { world: there } = await siteOf('jwt', { adapter: inner, seed: 2, options })
  await passwordSignIn(here)
  copyCookies(here, there)
  return { here, there, inner }
}

function copyCookies(from: World, to: World): void {
  to.jar.clear()
  for (const [name, value] of from.jar) to.jar.set(name, value)
}

/** Reads the session twice, so that the process has a snapshot. */
async function warm(world: World): Promise<void> {
  await nameOf(world)
  await nameOf(world)
  await vi.waitFor(async () => {
    const before = accesses(world)
    await nameOf(world)
    expect(before()).toBe(0)
  }, 30_000)
}

/** Counts accesses of records from now on. */
function accesses(world: World): () => number {
  const abilities = abilitiesOf(world)
  let count = 0
  for (const name of ['getRecord', 'createRecord', 'replaceRecord', 'listRecords'] as const) {
    const inner = abilities[name] as (...args: unknown[]) => unknown
    abilities[name] = (async (...args: unknown[]) => {
      count++
      return inner.apply(abilities, args)
    }) as never
  }
  return () => count
}

/** The store of a process fails until the returned function is called. */
function cut({ config }: World): () => void {
  const abilities = abilitiesOf({ config } as World)
  const kept = { ...abilities }
  for (const name of ['getRecord', 'createRecord', 'replaceRecord', 'listRecords'] as const) {
    Object.assign(abilities, { [name]: () => Promise.reject(new Error('the store is away')) })
  }
  return () => void Object.assign(abilities, kept)
}

describe('T-SESS-5, T-SESS-6, REV-1: a sealed session that ended', () => {
  test('T-ST-1: is refused by the same process at once, and by another one after the bound', async () => {
    const { here, there } = await twoProcesses()
    await warm(here)
    await warm(there)
    expect(await apiOf(here).end({ userId: 'ada', id: await idOf(here) })).toBe(true)
    expect(await nameOf(here)).toBeNull()
    expect(here.jar.has(SESSION_COOKIE)).toBe(false)
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
    expect(there.jar.has(SESSION_COOKIE)).toBe(false)
  })

  test('is refused after a sign-out, with a copy of its cookie', async () => {
    const { here, there } = await twoProcesses()
    await warm(there)
    await here.post('/auth/signout')
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
  })

  test('is refused by a process that begins afterwards', async () => {
    const { here, inner } = await twoProcesses()
    const { world: late } = await siteOf('jwt', { adapter: inner, seed: 3 })
    copyCookies(here, late)
    await apiOf(here).endAll({ userId: 'ada' })
    expect(await nameOf(late)).toBeNull()
  })

  test('T-ST-2, REV-15: is refused after any number of extensions of its cookie meanwhile', async () => {
    const { here, there } = await twoProcesses()
    await warm(there)
    await apiOf(here).endAll({ userId: 'ada' })
    // The bound is not over: the cookie may still be written again.
    const answer = await there.get('/auth/session?update')
    expect(answer.status).toBe(200)
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
  })

  test('REV-1: is refused also if a slower clock extended it after a faster one', async () => {
    const { here, there } = await twoProcesses()
    const sid = await idOf(here)
    here.advance(3 * DAY)
    there.advance(2 * DAY)
    await here.get('/auth/session')
    await there.get('/auth/session')
    const lasting = Date.parse((await here.session())?.expires ?? '')
    // The longest cookie is the one from the process with the faster clock.
    copyCookies(here, there)
    for (const world of [here, there]) world.advance(30 * DAY + 60)
    expect(there.now()).toBeLessThan(lasting)
    expect(await apiOf(here).end({ userId: 'ada', id: sid })).toBe(true)
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
  })

  test('with all of its user is refused, and a spared one goes on, in every process', async () => {
    const { here, there, inner } = await twoProcesses()
    const { world: third } = await siteOf('jwt', { adapter: inner, seed: 3 })
    await passwordSignIn(third)
    await warm(there)
    await warm(third)
    expect((await postJson(third, 'end-others')).status).toBe(200)
    for (const world of [here, there, third]) world.advance(1.001)
    expect(await nameOf(third)).toBe('ada')
    expect([await nameOf(here), await nameOf(there)]).toEqual([null, null])
  })

  test('T-ST-8: cannot be forged: a name counts only with the secret', async () => {
    const { here, inner } = await twoProcesses()
    const sid = await idOf(here)
    await apiOf(here).end({ userId: 'ada', id: sid })
    const { world: late } = await siteOf('jwt', { adapter: inner, seed: 3, options: { touch: 0 } })
    await passwordSignIn(late)
    await warm(late)
    const claims = { token: { sub: 'ada', sid, epo: 0 }, salt: SESSION_COOKIE }
    const forger = late.otherBrowser()
    const count = accesses(late)
    for (const secret of ['a secret of somebody else, 0123456789abc', SECRET]) {
      forger.jar.set(SESSION_COOKIE, await encode({ ...claims, secret }))
      const before = count()
      expect(await nameOf(forger)).toBeNull()
      expect(count() > before).toBe(secret === SECRET)
    }
  })

  test('GEN-5: because its user was deleted is refused', async () => {
    const { world, adapter } = await siteOf('jwt')
    await passwordSignIn(world)
    await warm(world)
    await world.core
      .plan(world.config)
      .plugins?.accounts.tellingDeletions(adapter)
      .deleteUser?.('ada')
    world.advance(1.001)
    expect(await nameOf(world)).toBeNull()
  })

  test('REV-16: clears no cookie if the browser is about to receive another one', async () => {
    const { here, there } = await twoProcesses()
    await warm(there)
    await passwordSignIn(here)
    there.advance(1.001)
    const answer = await there.get('/auth/session')
    expect(await answer.json()).toBeNull()
    expect(answer.headers.getSetCookie().join()).not.toContain(SESSION_COOKIE)
  })
})

describe('SES-25: a session that begins while all sessions of its user end', () => {
  const HOUR = 3600

  /**
   * Ends all sessions in one process, and signs in with another one as soon as the epoch is raised.
   *
   * @param ahead seconds by which the clock of the first process is ahead.
   */
  async function meeting(ahead: number) {
    const inner = memoryAdapter()
    const told: unknown[] = []
    const config = {
      session: { strategy: 'jwt', maxAge: HOUR },
      events: { sessionEnded: ({ sid }: { sid: string }) => void told.push(sid) },
    } as const
    const options = { touch: 0 }
    const { world: here } = await siteOf('jwt', { adapter: inner, seed: 1, options, config })
    const { world: there } = await siteOf('jwt', { adapter: inner, seed: 2, options, config })
    here.advance(ahead)
    await providerSignIn(there, 'acme')
    await warm(there)
    const account = { provider: 'acme', providerAccountId: 'carol' }
    const userId = (await inner.getUserByAccount?.(account))?.id ?? ''
    const late = there.otherBrowser()
    const abilities = abilitiesOf(here)
    const { createRecord } = abilities
    abilities.createRecord = async (record, now) => {
      const isCreated = (await createRecord?.call(abilities, record, now)) ?? false
      if (record.kind === 'user-epoch') await providerSignIn(late, 'acme')
      return isCreated
    }
    const count = await apiOf(here).endAll({ userId })
    expect(late.jar.has(SESSION_COOKIE)).toBe(true)
    return { there, late, told, count }
  }

  test('T-ST-3: is found and ended, and other processes receive its name', async () => {
    const { there, late, told, count } = await meeting(0)
    expect([count, told.length]).toEqual([2, 2])
    there.advance(1.001)
    expect(await late.session()).toBeNull()
    expect(await there.session()).toBeNull()
  })

  test('is found and ended also if it has expired by the clock of the process that ends it', async () => {
    const { there, late, told, count } = await meeting(HOUR + 60)
    // By that clock nothing was left to end, so no end is counted or told.
    expect([count, told]).toEqual([0, []])
    there.advance(1.001)
    expect(await late.session()).toBeNull()
    expect(await there.session()).toBeNull()
  })
})

describe('REV-10: while the store is away, a session', () => {
  test('is read until the bound, then cannot be read, and is not signed out', async () => {
    const { here } = await twoProcesses()
    await warm(here)
    const mend = cut(here)
    here.advance(0.9)
    expect(await nameOf(here)).toBe('ada')
    here.advance(0.2)
    const answer = await here.get('/auth/session')
    expect([answer.status, await answer.json()]).toEqual([500, null])
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(here.log.map(({ message }) => message).join()).toMatch(
      /could not read in time whether the session was ended/,
    )
    mend()
    expect(await nameOf(here)).toBe('ada')
  })

  test('cannot be read with `refuse` until the log was read', async () => {
    const { here } = await twoProcesses({ stale: 'refuse' })
    await warm(here)
    here.advance(1.1)
    expect((await here.get('/auth/session')).status).toBe(500)
    await vi.waitFor(async () => expect(await nameOf(here)).toBe('ada'), 30_000)
  })

  test('is not signed out if the first read fails', async () => {
    const { here } = await twoProcesses()
    const mend = cut(here)
    expect((await here.get('/auth/session')).status).toBe(500)
    expect(here.jar.has(SESSION_COOKIE)).toBe(true)
    mend()
    expect(await nameOf(here)).toBe('ada')
  })

  test('responds with 503 `session_unreadable` to a program that requests its sessions', async () => {
    const { here } = await twoProcesses()
    await warm(here)
    here.advance(1.1)
    cut(here)
    const answer = await here.get('/auth/sessions/list')
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { code: expect.stringMatching(/^(session_unreadable|store_unavailable)$/) },
    ])
  })

  test('REV-4: can sign out nevertheless, and other processes see it once the store is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { here, there } = await twoProcesses()
      const mend = cut(here)
      const signedOut = here.post('/auth/signout')
      await vi.advanceTimersByTimeAsync(300)
      expect((await signedOut).status).toBe(302)
      expect(here.jar.has(SESSION_COOKIE)).toBe(false)
      expect(here.log.some(({ message }) => message.includes('the store is away'))).toBe(true)
      mend()
      for (let seconds = 0; seconds < 60 && (await nameOf(there)) !== null; seconds++) {
        await vi.advanceTimersByTimeAsync(1000)
        await new Promise(setImmediate)
        there.advance(1.001)
      }
      expect(await nameOf(there)).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  test('cannot be ended: 503 `store_unavailable`', async () => {
    const { here } = await twoProcesses()
    await warm(here)
    const id = await idOf(here)
    const { createRecord } = abilitiesOf(here)
    abilitiesOf(here).createRecord = () => Promise.reject(new Error('the store is away'))
    const answer = await postJson(here, 'end', { id })
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'store_unavailable' }])
    // It is in the record, and not yet in the log: the next call writes it there before it answers.
    Object.assign(abilitiesOf(here), { createRecord })
    expect((await recordOf(here, id))?.data).toMatchObject({ ended: { reason: 'ended-by-user' } })
    expect(await apiOf(here).end({ userId: 'ada', id })).toBe(false)
    expect((await recordOf(here, id))?.data).toMatchObject({ ended: { seq: expect.any(Number) } })
  })
})

describe('REV-8, REV-11, REV-13: the cost of a read', () => {
  test('PERF-3: is nothing while the snapshot is fresh, and two accesses when it is not', async () => {
    const { here } = await twoProcesses()
    await warm(here)
    const count = accesses(here)
    for (let reads = 0; reads < 100; reads++) expect(await nameOf(here)).toBe('ada')
    expect(count()).toBe(0)
    here.advance(1.001)
    await Promise.all(Array.from({ length: 50 }, () => nameOf(here)))
    expect(count()).toBe(2)
  })

  test('is a look at one session in a process that reads only one', async () => {
    const { here } = await twoProcesses()
    const count = accesses(here)
    expect(await nameOf(here)).toBe('ada')
    expect(count()).toBe(2)
  })

  test('is one read for a session that was spared, and none afterwards', async () => {
    const { here } = await twoProcesses()
    await warm(here)
    const id = await idOf(here)
    await apiOf(here).endAll({ userId: 'ada' }, { except: id })
    expect(await nameOf(here)).toBe('ada')
    const count = accesses(here)
    for (let reads = 0; reads < 10; reads++) expect(await nameOf(here)).toBe('ada')
    expect(count()).toBe(0)
  })

  test.each([
    ['a password', passwordSignIn],
    ['a provider', (world: World) => providerSignIn(world, 'acme')],
  ])('PERF-6: is three reads and one write more for a sign-in with %s', async (_, signIn) => {
    const { world } = await siteOf('jwt', { options: { device: false } })
    const abilities = abilitiesOf(world)
    const calls: string[] = []
    for (const name of ['getRecord', 'createRecord', 'replaceRecord', 'listRecords'] as const) {
      const inner = abilities[name] as (key: RecordKey) => unknown
      abilities[name] = ((key: RecordKey, ...args: []) => {
        calls.push(`${name} ${key.kind}`)
        return inner.call(abilities, key, ...args)
      }) as never
    }
    await signIn(world)
    expect(calls).toEqual([
      'getRecord user-epoch',
      'createRecord session',
      'getRecord session',
      'getRecord user-epoch',
    ])
  })

  test('REV-14: is a look at the session while more sessions ended than the snapshot holds', async () => {
    const { here } = await twoProcesses({ maxEntries: 1 })
    const { here: more } = { here }
    await warm(more)
    const other = here.otherBrowser()
    for (let signIns = 0; signIns < 3; signIns++) {
      await passwordSignIn(other)
      await apiOf(here).end({ userId: 'ada', id: await idOf(other) })
    }
    here.advance(1.001)
    expect(await nameOf(here)).toBe('ada')
    await passwordSignIn(other)
    const count = accesses(here)
    expect(await nameOf(other)).toBe('ada')
    expect(count()).toBeGreaterThan(0)
    expect(here.log.filter(({ message }) => message === 'revocations-full')).toHaveLength(1)
  })
})

describe('the counters of sealed sessions', () => {
  test('have the looks at the store with their reasons, and the number of known ended sessions', async () => {
    const told: unknown[] = []
    const { world } = await siteOf('jwt', {
      options: { touch: 0 },
      config: { events: { truthRead: (message) => void told.push(message) } },
    })
    await passwordSignIn(world)
    expect(await apiOf(world).revocationState()).toBeNull()
    await nameOf(world)
    expect(told).toEqual([{ why: 'start', ended: false }])
    await warm(world)
    expect(await apiOf(world).revocationState()).toEqual({ entries: 0, age: 0 })
    told.length = 0
    await apiOf(world).endOthers(requestOf(world))
    world.advance(1.001)
    await nameOf(world)
    expect(told).toEqual([
      { why: 'confirm', ended: false },
      { why: 'named', ended: false },
    ])
    const copy = new Map(world.jar)
    await apiOf(world).endAll({ userId: 'ada' })
    for (const [name, value] of copy) world.jar.set(name, value)
    world.advance(1.001)
    await nameOf(world)
    expect(told.slice(2)).toEqual([{ why: 'named', ended: true }])
    world.advance(0.5)
    expect(await apiOf(world).revocationState()).toMatchObject({ age: 500 })
    expect((await apiOf(world).revocationState())?.entries).toBeGreaterThan(0)
  })
})

describe('REV-3: the log of ended sessions', () => {
  const logOf = async (world: World): Promise<PluginRecord[]> => {
    const page = await abilitiesOf(world).listRecords?.({ kind: 'revocation-log', limit: 500 })
    return (page?.records ?? []).sort((a, b) => Number(a.key) - Number(b.key))
  }

  test('has no gaps, and bundles simultaneous entries in one record', async () => {
    const { here } = await twoProcesses()
    const ids: string[] = []
    for (let signIns = 0; signIns < 20; signIns++) {
      const browser = here.otherBrowser()
      await passwordSignIn(browser)
      ids.push(await idOf(browser))
    }
    const ended = await Promise.all(ids.map((id) => apiOf(here).end({ userId: 'ada', id })))
    expect(ended.every((each) => each)).toBe(true)
    const log = await logOf(here)
    expect(log.map(({ key }) => Number(key))).toEqual(log.map((_, index) => index + 1))
    expect(log.length).toBeLessThan(20)
    const entries = log.flatMap(({ data }) => data['s'] as [string, number][])
    expect(entries.map(([sid]) => sid).sort()).toEqual([...ids].sort())
  })

  test('has as many records as ends, from 50 calls in four processes at once', async () => {
    const inner = memoryAdapter()
    const worlds: World[] = []
    for (const seed of [1, 2, 3, 4]) {
      worlds.push((await siteOf('jwt', { adapter: inner, seed })).world)
    }
    const ids: string[] = []
    for (const world of worlds)
      for (let signIns = 0; signIns < 12; signIns++) {
        const browser = world.otherBrowser()
        await passwordSignIn(browser)
        ids.push(await idOf(browser))
      }
    const ends = ids.flatMap((id, index) =>
      [0, 1].map((next) => {
        const world = worlds[(index + next) % 4] as World
        return apiOf(world).end({ userId: 'ada', id })
      }),
    )
    const counted = (await Promise.all(ends)).filter((each) => each)
    // SES-13: of any number of calls exactly one does it.
    expect(counted).toHaveLength(ids.length)
    const entries = (await logOf(worlds[0] as World)).flatMap(({ data }) => data['s'] as unknown[])
    expect(new Set(entries.map((entry) => (entry as [string])[0]))).toEqual(new Set(ids))
  })

  test('is read as a whole after a backup was restored, with a warning', async () => {
    const { here, there, inner } = await twoProcesses()
    await warm(here)
    await passwordSignIn(there)
    await apiOf(there).endAll({ userId: 'bob' })
    here.advance(1.001)
    await nameOf(here)
    for (const { kind, key } of await logOf(here))
      await abilitiesOf(here).takeRecord?.({ kind, key })
    here.advance(1.001)
    expect(await nameOf(here)).toBe('ada')
    expect(here.log.filter(({ message }) => message === 'revocation-log-lost')).toHaveLength(1)
    expect(inner).toBeDefined()
  })
})

describe('REV-9: an end that was interrupted', () => {
  test('is written into the log by the next read that finds it', async () => {
    const { here, there } = await twoProcesses()
    const id = await idOf(here)
    const { createRecord } = abilitiesOf(here)
    abilitiesOf(here).createRecord = () => Promise.reject(new Error('killed'))
    await expect(apiOf(here).end({ userId: 'ada', id })).rejects.toThrow()
    Object.assign(abilitiesOf(here), { createRecord })
    // A process that begins asks the store for the session.
    expect(await nameOf(there)).toBeNull()
    await vi.waitFor(
      async () =>
        expect((await recordOf(here, id))?.data).toMatchObject({
          ended: { seq: expect.any(Number) },
        }),
      30_000,
    )
  })

  test('is written into the log by the next end, if a restored backup lost its record of the log', async () => {
    const { here, there } = await twoProcesses()
    await warm(there)
    const id = await idOf(here)
    await apiOf(here).end({ userId: 'ada', id })
    // The log has two records: the first one is empty.
    expect((await recordOf(here, id))?.data).toMatchObject({ ended: { seq: 2 } })
    await abilitiesOf(here).takeRecord?.({ kind: 'revocation-log', key: '2' })
    there.advance(1.001)
    expect(await nameOf(there)).toBe('ada')
    expect(await apiOf(here).end({ userId: 'ada', id })).toBe(false)
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
  })
})

describe('SES-3: a session from before the plugin', () => {
  test('REV-9: is in the log after a sign-out, also if an earlier one stopped after noting it', async () => {
    const inner = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter: inner })
    await passwordSignIn(before)
    const worlds = await Promise.all(
      [1, 2].map((seed) => siteOf('jwt', { adapter: inner, seed, options: { touch: 0 } })),
    )
    const [here, there] = worlds.map(({ world }) => world) as [World, World]
    for (const world of [here, there]) {
      copyCookies(before, world)
      await warm(world)
    }
    const { createRecord } = abilitiesOf(here)
    abilitiesOf(here).createRecord = async (record, now) => {
      if (record.kind === 'revocation-log') throw new Error('killed')
      return (await createRecord?.call(abilitiesOf(here), record, now)) ?? false
    }
    const { getRecord } = abilitiesOf(there)
    let asked = 0
    abilitiesOf(there).getRecord = async (key) => {
      if (key.kind === 'session' && asked++ === 0) {
        // The other one is faster, and is stopped halfway.
        await here.post('/auth/signout')
        return null
      }
      return (await getRecord?.call(abilitiesOf(there), key)) ?? null
    }
    await there.post('/auth/signout')
    expect(asked).toBeGreaterThan(1)
    const log = await abilitiesOf(there).listRecords?.({ kind: 'revocation-log', limit: 10 })
    expect(log?.records.flatMap(({ data }) => data['s'])).toHaveLength(1)
  })

  test('is ended by its name, also if it was not used since', async () => {
    const inner = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter: inner })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', { adapter: inner, options: { touch: 0 } })
    copyCookies(before, world)
    await warm(world)
    await world.post('/auth/signout')
    copyCookies(before, world)
    expect(await nameOf(world)).toBeNull()
  })

  test('goes on if nothing ended it', async () => {
    const inner = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter: inner })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', { adapter: inner })
    copyCookies(before, world)
    await warm(world)
    await warm(world)
    expect(await nameOf(world)).toBe('ada')
  })

  test('goes on with its first cookie if a restored backup lost the record of a later one', async () => {
    const inner = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter: inner })
    await passwordSignIn(before)
    // Each read asks the store, and the process remembers what ended.
    const options = { touch: 0, revocations: { maxEntries: 1 } }
    const { world } = await siteOf('jwt', { adapter: inner, options })
    copyCookies(before, world)
    await apiOf(world).endAll({ userId: 'bob' })
    world.advance(DAY + 60)
    await nameOf(world)
    const key = await idOf(world)
    expect(world.jar.get(SESSION_COOKIE)).not.toBe(before.jar.get(SESSION_COOKIE))
    await abilitiesOf(world).takeRecord?.({ kind: 'session', key })
    await apiOf(world).endAll({ userId: 'carol' })
    expect(await nameOf(world)).toBeNull()
    copyCookies(before, world)
    expect(await nameOf(world)).toBe('ada')
  })

  test('SES-25: is kept by the call that ends all others, also if a restored backup lost its record', async () => {
    const inner = memoryAdapter()
    const { world: before } = await createSite({ strategy: 'jwt', adapter: inner })
    await passwordSignIn(before)
    const { world } = await siteOf('jwt', { adapter: inner, options: { touch: 0 } })
    copyCookies(before, world)
    const key = await idOf(world)
    expect(await abilitiesOf(world).takeRecord?.({ kind: 'session', key })).not.toBeNull()
    await apiOf(world).endOthers(requestOf(world))
    world.advance(1.001)
    expect(await nameOf(world)).toBe('ada')
  })
})

describe('REV-12: a push', () => {
  test('makes other processes read the log earlier', async () => {
    const hints = new Set<() => void>()
    const push = {
      listen: async (hint: () => void) => void hints.add(hint),
      notify: async () => {
        for (const hint of hints) hint()
      },
      close: async () => {},
    }
    // No timer of its own would come in time.
    const { here, there } = await twoProcesses({ push, bound: 60_000 })
    await warm(there)
    await apiOf(here).endAll({ userId: 'ada' })
    await vi.waitFor(async () => expect(await nameOf(there)).toBeNull(), 30_000)
  })

  test('is repeated if no process listens yet', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const listen = vi.fn(async () => {
        if (listen.mock.calls.length < 3) throw new Error('not there yet')
      })
      const push = {
        listen,
        notify: async () => {},
        close: async () => {},
      }
      const { here } = await twoProcesses({ push })
      await nameOf(here)
      for (let seconds = 0; seconds < 40; seconds++) {
        await vi.advanceTimersByTimeAsync(1000)
        await new Promise(setImmediate)
      }
      expect(listen).toHaveBeenCalledTimes(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that fails changes nothing', async () => {
    const push = {
      listen: () => Promise.reject(new Error('no such channel')),
      notify: () => Promise.reject(new Error('no such channel')),
      close: async () => {},
    }
    const { here, there } = await twoProcesses({ push })
    await warm(there)
    await apiOf(here).endAll({ userId: 'ada' })
    there.advance(1.001)
    expect(await nameOf(there)).toBeNull()
    await vi.waitFor(
      () => expect(there.log.some(({ message }) => message.includes('no such channel'))).toBe(true),
      30_000,
    )
  })
})

describe('the option `revocations`', () => {
  test.each([0, 99, 60_001, 1.5, Number.NaN, '1000'])('refuses a `bound` of %j', (bound) => {
    expect(() => sessions({ revocations: { bound: bound as number } })).toThrow(/bound.*got/)
  })

  test('refuses unknown members', () => {
    expect(() => sessions({ revocations: { stale: 'ignore' as 'read' } })).toThrow(/stale.*ignore/)
    expect(() => sessions({ revocations: { maxEntries: 0 } })).toThrow(/maxEntries.*0/)
    expect(() => sessions({ revocations: { push: {} as never } })).toThrow(/push/)
  })

  test('costs stored sessions nothing, since they end with their rows', async () => {
    const { world } = await siteOf('database')
    await passwordSignIn(world)
    const count = accesses(world)
    for (let reads = 0; reads < 5; reads++) expect(await nameOf(world)).toBe('ada')
    expect(count()).toBe(0)
    await apiOf(world).endAll({ userId: 'ada' })
    expect(await nameOf(world)).toBeNull()
    const page = await abilitiesOf(world).listRecords?.({ kind: 'revocation-log', limit: 10 })
    expect(page?.records).toEqual([])
  })

  test('is bypassed by `confirm`, which reads the store and not the snapshot', async () => {
    const { here, there } = await twoProcesses({ bound: 60_000 })
    await warm(there)
    await apiOf(here).endAll({ userId: 'ada' })
    expect(await nameOf(there)).toBe('ada')
    expect(await apiOf(there).confirm(requestOf(there))).toBeNull()
  })
})
