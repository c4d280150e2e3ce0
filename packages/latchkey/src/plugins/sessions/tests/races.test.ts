import { describe, expect, test } from 'vitest'
import {
  approve,
  errorOf,
  PASSWORD,
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
  twoBrowsers,
} from '../../../../tests/support/sessions-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'
import type { World } from '../../../testing/world.ts'

const goesOn = async (world: World) => (await apiOf(world).confirm(requestOf(world))) !== null

/** A process whose calls of the store are counted, and wait at one of them. */
function pausing(inner: Adapter) {
  let calls = 0
  let pauseAt = Number.POSITIVE_INFINITY
  let reached: () => void = () => undefined
  let go: () => void = () => undefined
  const step =
    (run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      if (calls++ === pauseAt) {
        const going = new Promise<void>((resolve) => {
          go = resolve
        })
        reached()
        await going
      }
      return run(...args)
    }
  const outer = wrapped(inner, (_, run) => step(run)) as Adapter
  const { transaction: _, ...abilities } = inner[atomic] ?? {}
  const counted = Object.entries(abilities).map(([name, run]) => [
    name,
    step((run as (...args: unknown[]) => unknown).bind(inner[atomic])),
  ])
  return {
    adapter: { ...outer, [atomic]: Object.fromEntries(counted) } as Adapter,
    step,
    calls: () => calls,
    /** Counts from now on. @returns settles when the call with this number waits */
    pause(at: number): Promise<void> {
      calls = 0
      pauseAt = at
      return new Promise((resolve) => {
        reached = resolve
      })
    },
    go: () => go(),
  }
}

type Process = ReturnType<typeof pausing>

/** Runs two works, so that each waits once for the other at a call of the store, for all pairs of calls. */
async function interleave(
  make: () => Promise<{
    first: { process: Process; work: () => Promise<unknown> }
    second: { process: Process; work: () => Promise<unknown> }
    check: (at: string) => Promise<void>
  }>,
): Promise<number> {
  let runs = 0
  for (let one = 0, isPastFirst = false; !isPastFirst; one++) {
    for (let two = 0, isPastSecond = false; !isPastSecond; two++) {
      const { first, second, check } = await make()
      const waits = first.process.pause(one)
      const doing = first.work()
      const isWaiting = await Promise.race([waits.then(() => true), doing.then(() => false)])
      const otherWaits = second.process.pause(two)
      const other = second.work()
      const isOtherWaiting = await Promise.race([
        otherWaits.then(() => true),
        other.then(() => false),
      ])
      first.process.go()
      await doing
      second.process.go()
      await other
      await check(`${one} ${two}`)
      runs++
      isPastSecond = !isOtherWaiting
      if (!isWaiting) isPastFirst = true
      expect(runs).toBeLessThan(2000)
    }
  }
  return runs
}

describe.each(strategies)('SES-25: ending all %s sessions', (strategy) => {
  test('leaves no session of a simultaneous sign-in with the old password', async () => {
    const runs = await interleave(async () => {
      const inner = memoryAdapter()
      const signIn = pausing(inner)
      const end = pausing(inner)
      let password = PASSWORD
      const read = signIn.step(() => password)
      const providers = [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials' as const,
          credentials: { username: {}, password: {} },
          authorize: async (sent: { password?: unknown }) =>
            (await read()) === sent.password ? ((await inner.getUser?.('ada')) ?? null) : null,
        },
      ]
      const one = await siteOf(strategy, { adapter: signIn.adapter, config: { providers } })
      const two = await siteOf(strategy, { seed: 8, adapter: end.adapter })
      await one.world.csrfToken()
      return {
        first: { process: signIn, work: () => passwordSignIn(one.world) },
        second: {
          process: end,
          async work() {
            password = 'another'
            await apiOf(two.world).endAll({ userId: 'ada' }, { reason: 'password-changed' })
          },
        },
        async check(at) {
          void signIn.pause(Number.POSITIVE_INFINITY)
          void end.pause(Number.POSITIVE_INFINITY)
          // Whoever was not asked before may have had the new session.
          const live = await apiOf(two.world).list({ userId: 'ada' })
          expect([at, live]).toEqual([at, []])
          expect([at, await goesOn(one.world)]).toEqual([at, false])
          const rows = await abilitiesOf(two.world).listSessionsByUserId?.('ada')
          expect([at, rows]).toEqual([at, []])
        },
      }
    })
    expect(runs).toBeGreaterThan(20)
  })

  test('leaves no session of a simultaneous sign-in with an account that was unlinked', async () => {
    const runs = await interleave(async () => {
      const inner = memoryAdapter()
      const signIn = pausing(inner)
      const end = pausing(inner)
      const zero = await siteOf(strategy, { seed: 9, adapter: inner })
      await providerSignIn(zero.world, 'acme')
      await zero.world.post('/auth/signout')
      const account = { provider: 'acme', providerAccountId: 'carol' }
      const userId = (await inner.getUserByAccount?.(account))?.id ?? ''
      const one = await siteOf(strategy, { adapter: signIn.adapter })
      const two = await siteOf(strategy, { seed: 8, adapter: end.adapter })
      const answer = approve(await one.world.post('/auth/signin/acme'), 'carol')
      return {
        first: { process: signIn, work: () => one.world.get(answer) },
        second: {
          process: end,
          async work() {
            await inner.unlinkAccount?.(account)
            await apiOf(two.world).endAll({ userId }, { reason: 'account-unlinked' })
          },
        },
        async check(at) {
          void signIn.pause(Number.POSITIVE_INFINITY)
          void end.pause(Number.POSITIVE_INFINITY)
          expect([at, await apiOf(two.world).list({ userId })]).toEqual([at, []])
          expect([at, await goesOn(one.world)]).toEqual([at, false])
        },
      }
    })
    expect(runs).toBeGreaterThan(20)
  })

  test('refuses a pending sign-in with AccessDenied, which leaves nothing behind', async () => {
    const inner = memoryAdapter()
    const signIn = pausing(inner)
    const { world } = await siteOf(strategy, { adapter: signIn.adapter })
    await world.csrfToken()
    const waits = signIn.pause(3)
    const signingIn = passwordSignIn(world)
    await waits
    const { world: other } = await siteOf(strategy, { seed: 8, adapter: inner })
    await apiOf(other).endAll({ userId: 'ada' })
    signIn.go()
    expect(errorOf(await signingIn)).toBe('AccessDenied')
    expect(world.jar.has(SESSION_COOKIE)).toBe(false)
    const left = await abilitiesOf(other).listRecords?.({ kind: 'session', limit: 10 })
    expect(left?.records).toEqual([])
  })

  test('accepts later sign-ins', async () => {
    const { world } = await twoBrowsers(strategy)
    for (let i = 0; i < 3; i++) {
      await apiOf(world).endAll({ userId: 'ada' })
      world.advance(1)
      await passwordSignIn(world)
      expect(await goesOn(world)).toBe(true)
    }
    const record = await recordOf(world, await idOf(world))
    expect(record?.data).toMatchObject({ epo: expect.any(Number) })
  })

  test('spares the excepted one, which has the new epoch', async () => {
    const { world, other } = await twoBrowsers(strategy)
    const before = world.now()
    expect(await apiOf(world).endOthers(requestOf(world))).toBe(1)
    expect([await goesOn(world), await goesOn(other)]).toEqual([true, false])
    const { epo } = (await recordOf(world, await idOf(world)))?.data ?? {}
    expect(epo).toBeGreaterThanOrEqual(before)
    world.advance(2 * 24 * 60 * 60)
    expect(await nameOf(world)).toBe('ada')
    expect(await listOf(world)).toHaveLength(1)
  })

  test('SES-24: stores an epoch without an expiry as long as the user exists', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    for (let raised = 0; raised < 2; raised++) {
      await apiOf(world).endAll({ userId: 'ada' })
      const page = await abilitiesOf(world).listRecords?.({ kind: 'user-epoch', limit: 10 })
      expect(page?.records.map(({ expires }) => expires)).toEqual([undefined])
    }
  })

  test('raises the epoch by at least one, at any time of the clock', async () => {
    const { world } = await siteOf(strategy)
    await passwordSignIn(world)
    const epochs = new Set<unknown>()
    for (let i = 0; i < 5; i++) {
      await apiOf(world).endAll({ userId: 'ada' })
      const { records } = (await abilitiesOf(world).listRecords?.({
        kind: 'user-epoch',
        limit: 10,
      })) ?? { records: [] }
      expect(records).toHaveLength(1)
      expect(records[0]).not.toHaveProperty('userId')
      epochs.add(records[0]?.data['epoch'])
    }
    expect(epochs.size).toBe(5)
  })
})
