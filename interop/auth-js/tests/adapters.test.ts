import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isAuthError } from '../../../packages/latchkey/src/base/errors.ts'
import { type Departure, departures, harmless } from './support/expectations.ts'
import { type Flow, flows, Site, type Strategy } from './support/flows.ts'
import { adaptersPage } from './support/page.ts'
import { type Store, stores } from './support/stores.ts'

const outcomes = new Map<string, string>()

/** What is expected of a flow with a strategy, if it is not that it works. */
function departureOf(packageName: string, name: string): Departure | undefined {
  const own = departures[packageName]
  return own?.[name] ?? own?.[name.replace(/^\w+: /, '')]
}

/** What comes of a flow, in words. */
async function outcomeOf(store: Store, flow: Flow, strategy: Strategy): Promise<string> {
  for (let round = 0; round < (flow.rounds ?? 1); round++) {
    await store.clear()
    const site = new Site(store, strategy, flow.providers ?? [])
    try {
      await flow.run(site)
    } catch (error) {
      const refused = site.world.log.some(
        ({ detail }) => isAuthError(detail) && detail.type === 'MissingAdapterMethods',
      )
      return refused ? 'refused at start' : (error as Error).message
    }
  }
  return 'works'
}

for (const { packageName, open } of stores) {
  // oxlint-disable-next-line vitest/valid-title
  describe(packageName, () => {
    let store: Store | undefined
    beforeAll(async () => {
      // Some of them change the schema and print warnings otherwise.
      vi.stubEnv('NODE_ENV', 'production')
      store = await open()
    })
    afterAll(async () => {
      vi.unstubAllEnvs()
      await store?.close()
    })

    for (const { fault, isThere } of harmless.filter((each) => each.packageName === packageName)) {
      test(`has the fault: ${fault}`, async (context) => {
        if (!store) return context.skip('its server does not answer')
        await store.clear()
        expect(await isThere(store.adapter)).toBe(true)
      })
    }

    const runs = flows.flatMap((flow) => flow.strategies.map((strategy) => ({ flow, strategy })))
    for (const { flow, strategy } of runs) {
      const name = `${strategy}: ${flow.name}`
      test(`has the expected outcome of ${name}`, async (context) => {
        if (!store) return context.skip('its server does not answer')
        const outcome = await outcomeOf(store, flow, strategy)
        outcomes.set(`${packageName} ${name}`, outcome)
        expect(outcome).toBe(departureOf(packageName, name)?.outcome ?? 'works')
      })
    }
  })
}

test('every expected difference names a flow and a package that exist', () => {
  const names = flows.flatMap(({ name, strategies }) => [
    name,
    ...strategies.map((strategy) => `${strategy}: ${name}`),
  ])
  const packages = stores.map(({ packageName }) => packageName)
  for (const [packageName, own] of Object.entries(departures)) {
    expect(packages).toContain(packageName)
    expect(names).toEqual(expect.arrayContaining(Object.keys(own)))
  }
  for (const { packageName, flow } of harmless) {
    expect(packages).toContain(packageName)
    expect(names).toContain(flow)
    expect(departureOf(packageName, flow)).toBeUndefined()
  }
})

test('the page of adapters has the results of this run', async (context) => {
  const runs = stores.length * flows.flatMap(({ strategies }) => strategies).length
  if (outcomes.size < runs) return context.skip('not all of them were tried')
  const page = adaptersPage({
    stores,
    flows,
    harmless,
    departureOf,
    outcomeOf: (packageName, strategy, { name }) =>
      outcomes.get(`${packageName} ${strategy}: ${name}`) ?? '',
  })
  await expect(page).toMatchFileSnapshot('../../../docs/reference/auth-js-adapters.md')
})
