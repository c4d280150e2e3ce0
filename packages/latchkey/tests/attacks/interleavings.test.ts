import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { splitAdapter } from '../../src/adapters/split/index.ts'
import { type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import { siteOf } from '../support/user-names.ts'
import { approve, createSite, errorOf, ORIGIN, type Site } from './support/site.ts'

/** Seeds, each of which is one order of the calls to the stores. */
const SCHEDULES = 300

/** Lets calls that wait go on one after the other, in an order that a seed decides. */
class Turns {
  readonly #waiting: (() => void)[] = []
  #state: number

  constructor(seed: number) {
    this.#state = seed * 2654435761
  }

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Runs everything at once, each call to a store in its turn. */
  async run<Result>(work: readonly Promise<Result>[]): Promise<Result[]> {
    let left = work.length
    const settled = work.map((each) =>
      each.finally(() => {
        left--
      }),
    )
    const isOver = (): boolean => left === 0
    while (!isOver()) {
      // Whoever can come to their next call has come there.
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
      this.#waiting.splice(this.#next(this.#waiting.length), 1)[0]?.()
    }
    return Promise.all(settled)
  }

  #next(below: number): number {
    this.#state = Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return below === 0 ? 0 : (this.#state >>> 8) % below
  }
}

/** An adapter object of its own, as every process has, each call of which waits for its turn. */
function inTurns(adapter: Adapter, turns: () => Turns | undefined): Adapter {
  const waiting = (methods: object): object =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          await turns()?.wait()
          return (method as (...args: unknown[]) => unknown)(...args)
        },
      ]),
    )
  const { [atomic]: abilities = {}, ...methods } = adapter
  return { ...waiting(methods), [atomic]: waiting(abilities) }
}

interface Instances {
  readonly worlds: readonly World[]
  readonly sites: readonly Site[]
  play<Result>(seed: number, work: readonly (() => Promise<Result>)[]): Promise<Result[]>
}

const WITHOUT_TRANSACTIONS = 'one store without transactions'

const stores: Readonly<Record<string, () => (turns: () => Turns | undefined) => Adapter>> = {
  'one store': () => {
    const store = memoryAdapter()
    return (turns) => inTurns(store, turns)
  },
  [WITHOUT_TRANSACTIONS]: () => {
    const { [atomic]: _, ...store } = memoryAdapter()
    return (turns) => inTurns(store, turns)
  },
  'users in one store, sessions in another': () => {
    const [users, sessions] = [memoryAdapter(), memoryAdapter()]
    return (turns) =>
      splitAdapter({ users: inTurns(users, turns), sessions: inTurns(sessions, turns) })
  },
}

/** Two instances on the same stores. */
async function twoInstances(open: (typeof stores)[string]): Promise<Instances> {
  let turns: Turns | undefined
  const adapterOf = open()
  const sites: Site[] = []
  for (const seed of [1, 2]) {
    sites.push(await createSite({ adapter: adapterOf(() => turns), seed }))
  }
  return {
    sites,
    worlds: sites.map(({ world }) => world),
    async play(seed, work) {
      turns = new Turns(seed)
      try {
        return await turns.run(work.map((each) => each()))
      } finally {
        turns = undefined
      }
    },
  }
}

describe.each(Object.keys(stores))('T-LINK-4: on two instances with %s', (name) => {
  const open = stores[name] as (typeof stores)[string]

  test('two simultaneous first sign-ins of one person both succeed, as one user', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const { worlds, play } = await twoInstances(open)
      const backs: string[] = []
      for (const world of worlds) {
        backs.push(approve(await world.post('/auth/signin/acme'), 'carol'))
      }
      const ends = await play(
        seed,
        worlds.map((world, at) => () => world.get(backs[at] ?? '')),
      )
      const errors = ends.map(errorOf)
      // Without transactions somebody may see the user who is being made, and not yet the account.
      if (name === WITHOUT_TRANSACTIONS)
        expect([errors[0] && errors[1], seed]).toEqual([null, seed])
      else expect([seed, ...errors]).toEqual([seed, null, null])
      for (const [at, world] of worlds.entries()) {
        const email = (await world.session())?.user?.['email']
        expect(email).toBe(errors[at] === null ? 'carol@example.com' : undefined)
      }
    }
  })

  test('two simultaneous first sign-ins by mail both succeed, as one user', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const { sites, worlds, play } = await twoInstances(open)
      const links: string[] = []
      for (const { world, mails } of sites) {
        await world.post('/auth/signin/email', { email: 'new@example.com' })
        const { pathname, search } = new URL(mails.at(-1)?.url ?? '', ORIGIN)
        links.push(pathname + search)
      }
      const ends = await play(
        seed,
        worlds.map((world, at) => () => world.get(links[at] ?? '')),
      )
      expect([seed, ...ends.map(errorOf)]).toEqual([seed, null, null])
      const ids = new Set<unknown>()
      for (const { adapter } of sites)
        ids.add((await adapter.getUserByEmail?.('new@example.com'))?.id)
      expect(ids.size).toBe(1)
    }
  })
})

test('OTC-21: of a user who asks twice for one name and two sign-ups at once, one at most has the name, and each answer is true', async () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    let turns: Turns | undefined
    const adapter = inTurns(memoryAdapter(), () => turns)
    const { names, world } = await siteOf({}, adapter)
    const expires = new Date(world.now() + 60_000)
    turns = new Turns(seed)
    const [one, other, ...reserved] = await turns.run([
      names.give('wanted', 'ada'),
      names.give('wanted', 'ada'),
      names.reserve('wanted', 'the first sign-up', expires),
      names.reserve('wanted', 'the second sign-up', expires),
    ])
    turns = undefined
    const isGiven = one === true || other === true
    const holders = [isGiven, ...reserved].filter(Boolean)
    expect([seed, holders.length <= 1]).toEqual([seed, true])
    expect([seed, await names.find('wanted')]).toEqual([seed, isGiven ? 'ada' : undefined])
  }
})
