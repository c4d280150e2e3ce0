import { describe, expect, onTestFinished, test } from 'vitest'
import { digestOf } from '../../src/base/crypto/digest.ts'
import type { Adapter } from '../../src/model/adapter.ts'
import type { World } from '../../src/testing/world.ts'
import { passwordSignIn, type Strategy, strategies } from '../attacks/support/site.ts'
import { type Damage, damageableStores, damageRecord, damages } from '../support/damage.ts'
import {
  abilitiesOf,
  apiOf,
  idOf,
  listOf,
  nameOf,
  postJson,
  recordOf,
  requestOf,
  type Setting,
  siteOf,
} from '../support/sessions-site.ts'

/** Longer than processes need to see that a session ended. */
const ELEVEN_MINUTES = 660

/** A site that reads the log of ended sessions no more when its test is over: its clock would stand still for ever. */
async function quietSite(strategy: Strategy, setting: Setting = {}) {
  const site = await siteOf(strategy, setting)
  onTestFinished(() => site.world.advance(60))
  return site
}

/** Ada in three browsers. The record of the second one is damaged. */
async function damagedSite(
  strategy: Strategy,
  { damage, ...setting }: Setting & { damage: Damage },
) {
  const told: string[] = []
  const events = { sessionEnded: ({ sid }: { sid: string }) => void told.push(sid) }
  const { world, adapter } = await quietSite(strategy, { ...setting, config: { events } })
  const browsers = [world, world.otherBrowser(), world.otherBrowser()] as const
  for (const browser of browsers) {
    world.advance(5)
    await passwordSignIn(browser)
  }
  const ids = await Promise.all(browsers.map(idOf))
  await damageRecord(adapter, { kind: 'session', key: ids[1] ?? '' }, damage)
  return { world, adapter, browsers, ids, told }
}

const namesOf = (browsers: readonly World[]) => Promise.all(browsers.map(nameOf))

const endedBy = async (world: World, path: string) => {
  const answer = await postJson(world, path)
  return [answer.status, await answer.json()]
}

const errorsAbout = ({ log }: World, key: string) =>
  log.filter(({ level, message }) => level === 'error' && message.includes(key))

const everyCase = strategies.flatMap((strategy) =>
  Object.keys(damageableStores).flatMap((store) =>
    Object.entries(damages).map(([name, damage]) => ({ strategy, store, name, damage })),
  ),
)

const openStore = (store: string): Promise<Adapter> =>
  damageableStores[store]?.() ?? Promise.reject(new Error(`no store ${store}`))

describe.each(everyCase)(
  'the record of a session that $name, with $strategy sessions in $store',
  ({ strategy, store, damage }) => {
    test('does not prevent `end-all` from ending all sessions', async () => {
      const adapter = await openStore(store)
      const { world, browsers, ids, told } = await damagedSite(strategy, { adapter, damage })
      expect(await endedBy(world, 'end-all')).toEqual([200, { ended: 3 }])
      world.advance(1.001)
      expect(await namesOf(browsers)).toEqual([null, null, null])
      expect(told).toHaveLength(3)
      const [error, ...more] = errorsAbout(world, ids[1] ?? '')
      expect(more).toEqual([])
      const left = damage({ stored: ['row'] }) as { stored?: unknown } | null
      const isFound = strategy === 'jwt' || Array.isArray(left?.stored)
      const end = isFound ? 'its session has been ended' : 'its session ends when it is used next'
      expect(error?.message).toBe(
        `the record of kind "session" with the key "${ids[1]}" is damaged; ${end}, and the record was replaced`,
      )
      expect((await recordOf(world, ids[1] ?? ''))?.data).toMatchObject({
        ended: { reason: 'ended-by-user' },
      })
    })

    test('does not prevent `end-others` from ending all others', async () => {
      const adapter = await openStore(store)
      const { world, browsers } = await damagedSite(strategy, { adapter, damage })
      expect(await endedBy(world, 'end-others')).toEqual([200, { ended: 2 }])
      world.advance(1.001)
      expect(await namesOf(browsers)).toEqual(['ada', null, null])
      expect(await listOf(world)).toHaveLength(1)
    })

    test('leaves the other sessions in the list, and ends its own session', async () => {
      const adapter = await openStore(store)
      const { world, browsers, ids } = await damagedSite(strategy, { adapter, damage })
      const answer = await world.get('/auth/sessions/list')
      expect(answer.status).toBe(200)
      const { sessions } = (await answer.json()) as { sessions: { id: string }[] }
      const listed = sessions.map(({ id }) => id)
      expect(listed.filter((id) => ids.includes(id))).toEqual([ids[0], ids[2]])
      world.advance(ELEVEN_MINUTES)
      expect(await namesOf(browsers)).toEqual(['ada', null, 'ada'])
    })

    test('refuses its session, which another sign-in can replace', async () => {
      const adapter = await openStore(store)
      const { browsers } = await damagedSite(strategy, { adapter, damage })
      const [world, second] = browsers
      expect(await apiOf(world).confirm(requestOf(second))).toBeNull()
      const answer = await postJson(second, 'end-all')
      expect(answer.status).toBe(401)
      await passwordSignIn(second)
      expect(await nameOf(second)).toBe('ada')
      expect(await listOf(second)).toHaveLength(3)
      expect(await endedBy(second, 'end-all')).toEqual([200, { ended: 3 }])
    })

    test('does not refuse another sign-in if the number of sessions is limited', async () => {
      const adapter = await openStore(store)
      const options = { limit: 3 }
      const { world, browsers } = await damagedSite(strategy, { adapter, damage, options })
      world.advance(61)
      const next = world.otherBrowser()
      await passwordSignIn(next)
      expect(await nameOf(next)).toBe('ada')
      expect(await apiOf(world).endAll({ userId: 'ada' })).toBeGreaterThan(0)
      world.advance(1.001)
      expect(await namesOf([...browsers, next])).toEqual([null, null, null, null])
    })
  },
)

describe.each(strategies)('a damaged record of a user, with %s sessions', (strategy) => {
  test.each<[string, Damage]>([
    ['is not an object', () => 'now'],
    ['is a string', () => ({ epoch: 'now' })],
    ['is missing', () => ({})],
  ])(
    'with an epoch that %s gets a higher one, so that no earlier session is confirmed',
    async (_, damage) => {
      const { world, adapter } = await quietSite(strategy)
      const other = world.otherBrowser()
      await passwordSignIn(world)
      await apiOf(world).endAll({ userId: 'ada' })
      world.advance(5)
      await passwordSignIn(world)
      const key = await digestOf('user-epoch', 'ada')
      const earlier = (await abilitiesOf(world).getRecord?.({ kind: 'user-epoch', key }))?.data
      await damageRecord(adapter, { kind: 'user-epoch', key }, damage)
      // The epoch is raised while the first one is in progress, which is refused.
      for (let attempts = 0; attempts < 2; attempts++) {
        world.advance(5)
        await passwordSignIn(other)
      }
      expect(await nameOf(other)).toBe('ada')
      if (strategy === 'jwt') expect(await apiOf(world).confirm(requestOf(world))).toBeNull()
      expect(await apiOf(other).endAll({ userId: 'ada' })).toBe(2)
      world.advance(1.001)
      expect(await namesOf([world, other])).toEqual([null, null])
      const later = (await abilitiesOf(world).getRecord?.({ kind: 'user-epoch', key }))?.data
      expect(Number(later?.['epoch'])).toBeGreaterThan(Number(earlier?.['epoch']))
      expect(errorsAbout(world, key)).toHaveLength(1)
    },
  )

  test.each<[string, Damage]>([
    ['is not an object', () => 1],
    ['has no list', () => ({ entries: 'none', leaving: [] })],
    ['has entries without names', () => ({ entries: [null], leaving: [] })],
  ])('with a list of sessions which %s gets a new list', async (_, damage) => {
    const { world, adapter } = await quietSite(strategy, { options: { limit: 2 } })
    const [second, third] = [world.otherBrowser(), world.otherBrowser()]
    await passwordSignIn(world)
    world.advance(5)
    await passwordSignIn(second)
    await damageRecord(adapter, { kind: 'session-slots', key: 'ada' }, damage)
    world.advance(61)
    await passwordSignIn(third)
    world.advance(1.001)
    expect(await namesOf([world, second, third])).toEqual([null, 'ada', 'ada'])
    expect(errorsAbout(world, 'session-slots')).toHaveLength(1)
  })
})

describe('a damaged record of the log of ended sessions', () => {
  test.each<[string, Damage]>([
    ['is not an object', () => 'half'],
    ['has no entries', () => ({ id: 'A'.repeat(22), at: 1 })],
    ['has entries without an expiry', (data) => ({ ...data, s: [['a name']] })],
  ])('that %s makes each read ask the store, and ends no other session', async (_, damage) => {
    const { world: here, adapter } = await quietSite('jwt', { seed: 1 })
    const ended = here.otherBrowser()
    await passwordSignIn(here)
    await passwordSignIn(ended)
    const copy = new Map(ended.jar)
    await apiOf(here).end({ userId: 'ada', id: await idOf(ended) })
    await damageRecord(adapter, { kind: 'revocation-log', key: '2' }, damage)

    const { world: there } = await quietSite('jwt', { adapter, seed: 2 })
    there.advance(10)
    const late = there.otherBrowser()
    for (const [name, value] of here.jar) there.jar.set(name, value)
    for (const [name, value] of copy) late.jar.set(name, value)
    for (let reads = 0; reads < 3; reads++) {
      expect(await nameOf(there)).toBe('ada')
      expect(await nameOf(late)).toBeNull()
      for (const [name, value] of copy) late.jar.set(name, value)
    }
    expect(errorsAbout(there, 'revocation-log')).toHaveLength(1)
    expect(await apiOf(there).endAll({ userId: 'ada' })).toBe(1)
    expect(await nameOf(there)).toBeNull()
  })
})
