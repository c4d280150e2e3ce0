import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRaceStore,
  type RaceStore,
  raceStoreNames,
} from '../../../../tests/support/race-stores.ts'
import { later, twoSites } from '../../../../tests/support/user-names.ts'

// The emulator of DynamoDB needs seconds for 50 writes.

const DAY = 24 * 60 * 60
const LETTERS = { pattern: /^[\p{L}\p{M}\p{N}]+$/u }

describe.each(raceStoreNames)('OTC-21, 12.1: races for a name on %s', (store) => {
  let shared: RaceStore
  beforeAll(async () => {
    shared = await openRaceStore(store, 'usernames')
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  test('50 users want one name, and exactly one of them has it', async () => {
    const processes = await twoSites(() => shared.adapter())
    const users = Array.from({ length: 50 }, (_, index) => `user-${store}-${index}`)
    const given = await Promise.all(
      users.map((user, index) => processes[index % 2]?.names.give(`wanted-${store}`, user)),
    )
    expect(given.filter(Boolean)).toHaveLength(1)
    const owner = await processes[0]?.names.find(`wanted-${store}`)
    expect(owner).toBe(users[given.indexOf(true)])
    const names = await Promise.all(users.map((user) => processes[1]?.names.nameOf(user)))
    expect(names.filter(Boolean)).toHaveLength(1)
  })

  test('50 sign-ups reserve one name, and exactly one of them has it', async () => {
    const [site, other] = await twoSites(() => shared.adapter())
    const name = `reserved-${store}`
    const holders = Array.from({ length: 50 }, (_, index) => `sign-up ${index}`)
    const reserved = await Promise.all(
      holders.map((holder, index) =>
        [site, other][index % 2]?.names.reserve(name, holder, later(site.world, DAY)),
      ),
    )
    expect(reserved.filter(Boolean)).toHaveLength(1)
    expect(await other.names.give(name, `late-${store}`, 'another sign-up')).toBe(false)
    const holder = holders[reserved.indexOf(true)]
    expect(await other.names.give(name, `first-${store}`, holder)).toBe(true)
  })

  test('a user wants 20 names at once, and has exactly one', async () => {
    const processes = await twoSites(() => shared.adapter())
    const wanted = Array.from({ length: 20 }, (_, index) => `name-${store}-${index}`)
    const user = `greedy-${store}`
    await Promise.all(wanted.map((name, index) => processes[index % 2]?.names.give(name, user)))
    const name = await processes[0]?.names.nameOf(user)
    expect(wanted).toContain(name)
    const found = await Promise.all(wanted.map((each) => processes[1]?.names.find(each)))
    expect(found.filter(Boolean)).toEqual([user])
  })

  test('a name is not given while a sign-up reserves it', async () => {
    const [site, other] = await twoSites(() => shared.adapter())
    for (let round = 0; round < 20; round++) {
      const name = `both-${store}-${round}`
      const user = `user-both-${store}-${round}`
      const [isGiven, isReserved] = await Promise.all([
        site.names.give(name, user),
        other.names.reserve(name, 'sign-up', later(site.world, DAY)),
      ])
      expect(isGiven && isReserved).toBe(false)
      expect(await other.names.find(name)).toBe(isGiven ? user : undefined)
    }
  })
})

describe.each(raceStoreNames)('T-ACC-45, 12.1: races for names that look alike, on %s', (store) => {
  let shared: RaceStore
  beforeAll(async () => {
    shared = await openRaceStore(store, 'looks')
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  test('of two at once, exactly one is given', async () => {
    const [one, other] = await twoSites(() => shared.adapter(), LETTERS)
    for (let round = 0; round < 20; round++) {
      const users = [`latin-${store}-${round}`, `cyrillic-${store}-${round}`] as const
      const both = await Promise.all([
        one.names.give(`scope${'x'.repeat(round)}`, users[0]),
        other.names.give(`ѕсоре${'х'.repeat(round)}`, users[1]),
      ])
      expect(both.filter(Boolean)).toHaveLength(1)
    }
  })
})
