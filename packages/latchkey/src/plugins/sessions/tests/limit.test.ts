import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  locationOf,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import { wrapped } from '../../../../tests/support/recording.ts'
import {
  abilitiesOf,
  apiOf,
  idOf,
  listOf,
  nameOf,
  recordOf,
  requestOf,
  siteOf,
  worldOn,
} from '../../../../tests/support/sessions-site.ts'
import { sharedStores, storeNames } from '../../../../tests/support/shared-stores.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { accounts } from '../../../entries/accounts.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { createWorld, type World } from '../../../testing/world.ts'
import { type SessionsOptions, sessions } from '../index.ts'

const MINUTE = 60

const goesOn = async (world: World) => (await apiOf(world).confirm(requestOf(world))) !== null

/** Ada in so many browsers, one after the other. */
async function browsers(world: World, count: number): Promise<World[]> {
  const all: World[] = []
  for (let i = 0; i < count; i++) {
    const browser = world.otherBrowser()
    world.advance(1)
    await passwordSignIn(browser)
    all.push(browser)
  }
  return all
}

describe.each(strategies)('T-SESS-11, SES-21: the limit of %s sessions', (strategy) => {
  test('refuses one of two simultaneous sign-ins of a browser, and ends no session of another', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 2 } })
    const [browser, other] = (await browsers(world, 2)) as [World, World]
    const answers = await Promise.all([passwordSignIn(browser), passwordSignIn(browser)])
    const errors = answers.map((answer) => new URL(locationOf(answer)).searchParams.get('error'))
    expect(new Set(errors)).toEqual(new Set([null, 'AccessDenied']))
    expect(await Promise.all([browser, other].map(goesOn))).toEqual([true, true])
  })

  test('ends the one that was seen longest ago, and sends the event', async () => {
    const told: string[] = []
    const events: AuthConfig['events'] = {
      sessionEnded: ({ sid, reason }) => void told.push(`${sid} ${reason}`),
    }
    const options = { limit: 3, touch: 60 }
    const { world } = await siteOf(strategy, { options, config: { events } })
    const all = await browsers(world, 3)
    const [first, second] = all as [World, World]
    const evicted = await idOf(second)
    world.advance(MINUTE + 1)
    await nameOf(first)
    const [last] = await browsers(world, 1)
    expect(await Promise.all([...all, last as World].map(goesOn))).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(told).toEqual([`${evicted} evicted`])
    expect((await recordOf(world, evicted))?.data).toMatchObject({ ended: { reason: 'evicted' } })
  })

  test('refuses a further one, and writes nothing of it', async () => {
    const { world, writes } = await siteOf(strategy, { options: { limit: 2, atLimit: 'refuse' } })
    const all = await browsers(world, 2)
    const records = async () =>
      (await abilitiesOf(world).listRecords?.({ kind: 'session', limit: 10 }))?.records
    const before = await records()
    writes.length = 0
    const answer = await passwordSignIn(world)
    expect(locationOf(answer)).toBe(`${world.origin}/auth/signin?error=SessionLimit`)
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    expect(await records()).toEqual(before)
    expect(writes).toEqual([])
    const page = await (await world.get(locationOf(answer))).text()
    expect(page).toContain('Sign out on one of them')
    await all[0]?.post('/auth/signout')
    await passwordSignIn(world)
    expect(await nameOf(world)).toBe('ada')
  })

  test('refuses a sign-in with a form of another plugin: people see the sign-in page, and programs 409', async () => {
    const world = createWorld({
      adapter: memoryAdapter(),
      session: { strategy },
      plugins: accounts({
        sessions: { limit: 1, atLimit: 'refuse' },
        passwords: { verify: 'after' },
      }),
    })
    const typed = { email: 'ada@example.com', password: 'correct horse battery staple' }
    await world.json('/auth/password/sign-up', typed)
    const fields = { identifier: typed.email, password: typed.password }
    const signIn = (browser: World) => browser.json('/auth/password/sign-in', fields)
    expect((await signIn(world)).status).toBe(200)
    const other = world.otherBrowser()
    const refused = await signIn(other)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      code: 'session_limit',
      title: expect.stringContaining('Sign out on one device'),
      next: '/auth/signin?error=SessionLimit',
    })
    const headers = { accept: 'text/html' }
    const form = await other.post('/auth/password/sign-in', fields, { headers })
    expect(locationOf(form)).toBe('/auth/signin?error=SessionLimit')
    expect(await other.session()).toBeNull()
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('refuses a sign-in with a provider', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 1, atLimit: 'refuse' } })
    await providerSignIn(world, 'corp', 'carol')
    const other = world.otherBrowser()
    const answer = await providerSignIn(other, 'corp', 'carol')
    expect(locationOf(answer)).toContain('error=SessionLimit')
    expect(await nameOf(other)).toBeNull()
    expect(await goesOn(world)).toBe(true)
  })

  test('does not count the session that a new one replaces, nor ended ones', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 2, atLimit: 'refuse' } })
    const [first, second] = (await browsers(world, 2)) as [World, World]
    await passwordSignIn(first)
    expect(await goesOn(first)).toBe(true)
    expect(await goesOn(second)).toBe(true)
    world.advance(31 * 24 * 60 * MINUTE)
    await passwordSignIn(world)
    expect(await nameOf(world)).toBe('ada')
  })

  test('applies to each user', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 1, atLimit: 'refuse' } })
    await passwordSignIn(world)
    const bob = world.otherBrowser()
    await passwordSignIn(bob, 'bob')
    expect(await nameOf(bob)).toBe('bob')
  })

  test('counts sessions from before the option was set', async () => {
    const { world: before, adapter } = await siteOf(strategy)
    const all = await browsers(before, 4)
    const { world } = await siteOf(strategy, { seed: 8, adapter, options: { limit: 2 } })
    world.advance(5 * MINUTE)
    await passwordSignIn(world)
    expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(2)
    expect(await Promise.all(all.map(goesOn))).toEqual([false, false, false, true])
  })

  test('is part of the list for programs', async () => {
    const { world } = await siteOf(strategy, { options: { limit: 3 } })
    await passwordSignIn(world)
    expect(await (await world.get('/auth/sessions/list')).json()).toMatchObject({ limit: 3 })
  })

  test.each([
    [{ limit: 3 }, 50],
    [{ limit: 3, atLimit: 'refuse' }, 3],
  ] as const)(
    'holds with %j for 50 simultaneous sign-ins in one process',
    async (options, most) => {
      const { world } = await siteOf(strategy, { options })
      const all = Array.from({ length: 50 }, () => world.otherBrowser())
      await Promise.all(all.map((browser) => passwordSignIn(browser)))
      const signedIn = all.filter(({ jar }) => jar.has(SESSION_COOKIE))
      expect(signedIn.length).toBeGreaterThanOrEqual(3)
      expect(signedIn.length).toBeLessThanOrEqual(most)
      expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(3)
      expect((await Promise.all(all.map(goesOn))).filter(Boolean)).toHaveLength(3)
    },
  )

  test.each(['evict', 'refuse'] as const)(
    'holds (%s) if a process stops at any point of a sign-in',
    async (atLimit) => {
      const options = { limit: 3, atLimit }
      let isFinished = false
      for (let steps = 1; !isFinished; steps++) {
        const inner = memoryAdapter()
        const { world: healthy } = await siteOf(strategy, { adapter: inner, options })
        await browsers(healthy, atLimit === 'evict' ? 3 : 2)
        const { adapter, count } = stoppedAfter(inner, steps)
        const { world: stopped } = await siteOf(strategy, { seed: 8, adapter, options })
        stopped.advance(10)
        count()
        await passwordSignIn(stopped).catch(() => undefined)
        isFinished = stopped.jar.has(SESSION_COOKIE)
        healthy.advance(2 * MINUTE)
        const [next] = (await browsers(healthy, 1)) as [World]
        const live = await apiOf(healthy).list({ userId: 'ada' })
        expect(live).toHaveLength(3)
        // Where there is room: a sealed session may be there without anybody who has its cookie.
        if (atLimit === 'evict') expect(await goesOn(next)).toBe(true)
        expect(steps).toBeLessThan(60)
      }
    },
  )
})

/** An adapter of a process that is stopped after so many calls, from when they are counted: it does nothing more. */
function stoppedAfter(inner: Adapter, steps: number): { adapter: Adapter; count: () => void } {
  let done = Number.NEGATIVE_INFINITY
  const step =
    (run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      if (++done > steps) throw new Error('the process was stopped')
      return run(...args)
    }
  const outer = wrapped(inner, (_, run) => step(run)) as Adapter
  const { transaction: _, ...abilities } = inner[atomic] ?? {}
  const counted = Object.entries(abilities).map(([name, run]) => [
    name,
    step((run as (...args: unknown[]) => unknown).bind(inner[atomic])),
  ])
  return {
    adapter: { ...outer, [atomic]: Object.fromEntries(counted) },
    count: () => {
      done = 0
    },
  }
}

describe('SES-21: four processes on one store', () => {
  const stores = sharedStores('limit')
  let seed = 0
  beforeAll(stores.open)
  afterAll(stores.close)

  describe.each(storeNames)('%s', (name) => {
    describe.each(strategies)('with %s sessions', (strategy) => {
      test.each([{ limit: 3 }, { limit: 3, atLimit: 'refuse' }] as const)(
        'keep 3 sessions of 50 simultaneous sign-ins with %j',
        { timeout: 60_000 },
        async (options: SessionsOptions) => {
          const email = `${strategy}-${options.atLimit}@example.com`
          const worlds: World[] = []
          for (let process = 1; process <= 4; process++) {
            // Processes that draw the same values would be one.
            const settings = { strategy, seed: ++seed, email, options }
            const { world } = await worldOn(stores.adapter(name), settings)
            worlds.push(world)
          }
          const all = Array.from({ length: 50 }, (_, i) => worlds[i % 4]?.otherBrowser() as World)
          await Promise.all(all.map((browser) => passwordSignIn(browser)))
          const alive = await Promise.all(all.map(goesOn))
          expect(alive.filter(Boolean)).toHaveLength(3)
          const [one] = all.filter((_, at) => alive[at]) as [World]
          expect(await listOf(one)).toHaveLength(3)
          if (options.atLimit === 'refuse')
            expect(all.filter(({ jar }) => jar.has(SESSION_COOKIE))).toHaveLength(3)
        },
      )
    })
  })
})

test.each([{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { limit: '3' }, { atLimit: 'end' }])(
  'the options of the limit refuse %j',
  (options) => {
    expect(() => sessions(options as never)).toThrow(/got/)
  },
)
