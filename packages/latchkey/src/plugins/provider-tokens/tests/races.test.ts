import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedStores, storeNames } from '../../../../tests/support/shared-stores.ts'
import {
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  strictProvider,
  type TokenSetting,
  tokenSite,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { type Adapter, atomic } from '../../../model/adapter.ts'

const config = { session: { strategy: 'jwt' as const, maxAge: 1000 * HOUR } }

/** A process of the site, with an adapter object of its own. */
const processOn = (inner: Adapter, setting: TokenSetting) =>
  tokenSite({ config, ...setting, adapter: { ...inner } })

const stores = sharedStores('tokens')
beforeAll(() => stores.open())
afterAll(() => stores.close())

describe.each(storeNames)('T-ST-13 PT-24: eight processes on %s', (store) => {
  test.each([
    [30, 'while the old token works'],
    [-30, 'after it has ended'],
  ])('send one request per rotation to the provider (%i s before the end, %s)', async (left) => {
    const provider = strictProvider()
    provider.who = `ada-${store}-${left}`
    const all = Array.from({ length: 8 }, (_, seed) =>
      tokenSite({ config, provider, adapter: stores.adapter(store), seed: seed + left + 100 }),
    )
    const [first] = all
    if (!first) throw new Error('there are eight')
    await signInWith(first.world)
    const request = requestFrom(first.world)
    for (let rotation = 1; rotation <= 2; rotation++) {
      for (const { world } of all) world.advance(HOUR - left)
      const answers = await Promise.all(
        all.flatMap(({ api }) => Array.from({ length: 25 }, () => api.get(request, 'acme'))),
      )
      const tokens = new Set(answers.map((each) => (each.ok ? each.access_token : each.error)))
      const fresh = `access-${rotation + 1}`
      const old = `access-${rotation}`
      expect(
        [...tokens].filter((token) => token !== fresh && !(left > 0 && token === old)),
      ).toEqual([])
      expect(provider.grants.filter((grant) => grant.startsWith('refresh'))).toHaveLength(rotation)
    }
    expect(provider.endedFamilies).toBe(0)
    const [record] = (await recordsOf(stores.adapter(store), 'provider-tokens')).filter(
      ({ data }) => data['account'] === provider.who,
    )
    expect(record?.data['gen']).toBe(2)
  })
})

/** A process that stops for good at one of its awaits: calls of the store, and before and after one of the provider. */
function stoppable(inner: Adapter, send: typeof fetch) {
  let steps = 0
  let stopAt = Number.POSITIVE_INFINITY
  let stopped: (name: string) => void = () => undefined
  const step = async (name: string): Promise<void> => {
    if (steps++ !== stopAt) return
    stopped(name)
    await new Promise(() => undefined)
  }
  const abilities = Object.entries(inner[atomic] ?? {}).map(([name, run]) => [
    name,
    async (...args: unknown[]) => {
      await step(name)
      const answer: unknown = await (run as (...args: unknown[]) => unknown).apply(
        inner[atomic],
        args,
      )
      await step(`${name} done`)
      return answer
    },
  ])
  return {
    adapter: { ...inner, [atomic]: Object.fromEntries(abilities) } as Adapter,
    fetch: (async (input, init) => {
      await step('ask')
      const answer = await send(input, init)
      await step('answer')
      return answer
    }) as typeof fetch,
    /** Counts from now on. @returns settles with the await at which it stopped */
    stop: (at: number): Promise<string> => {
      steps = 0
      stopAt = at
      return new Promise((resolve) => {
        stopped = resolve
      })
    },
  }
}

test('a process that is killed at any await loses at most the last response of the provider', async () => {
  const outcomes: string[] = []
  for (let at = 0; ; at++) {
    const inner = memoryAdapter()
    const provider = strictProvider()
    const dying = stoppable(inner, provider.fetch)
    const one = tokenSite({
      config,
      adapter: dying.adapter,
      provider: { ...provider, fetch: dying.fetch },
    })
    await signInWith(one.world)
    const request = requestFrom(one.world)
    one.world.advance(HOUR)
    const stopping = dying.stop(at)
    const done = one.api.get(request, 'acme').then(() => undefined)
    const where = await Promise.race([stopping, done])
    if (where === undefined) break

    const two = processOn(inner, { provider, seed: 9 })
    two.world.advance(HOUR + 16)
    const answers = await Promise.all([1, 2, 3].map(() => two.api.get(request, 'acme')))
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
    const [answer] = answers
    const [record] = await recordsOf(inner, 'provider-tokens')
    const outcome = answer?.ok ? 'ok' : `${answer?.error} ${JSON.stringify(record?.data['error'])}`
    outcomes.push(`${where}: ${outcome.includes('"lost":true') ? 'lost' : outcome}`)
    expect(provider.endedFamilies).toBeLessThanOrEqual(1)
    // The session goes on.
    two.world.jar.clear()
    for (const [name, value] of one.world.jar) two.world.jar.set(name, value)
    expect(await two.world.session()).not.toBeNull()
  }
  expect(outcomes).toMatchInlineSnapshot(`
    [
      "listRecords: ok",
      "listRecords done: ok",
      "createRecord: ok",
      "createRecord done: ok",
      "getRecord: ok",
      "getRecord done: ok",
      "replaceRecord: ok",
      "replaceRecord done: ok",
      "ask: ok",
      "answer: lost",
      "replaceRecord: lost",
      "replaceRecord done: ok",
      "getRecord: ok",
      "getRecord done: ok",
      "replaceRecord: ok",
      "replaceRecord done: ok",
    ]
  `)
})

describe('PT-5: a renewal whose record was changed meanwhile', () => {
  /** A site whose provider answers a renewal after something else happened. */
  async function renewing(
    meanwhile: (setting: TokenSetting) => Promise<void>,
    rules?: TokenSetting['rules'],
  ) {
    const inner = memoryAdapter()
    const provider = strictProvider()
    const site = processOn(inner, { provider, rules })
    await signInWith(site.world)
    site.world.advance(HOUR)
    let isBusy = false
    provider.answer = async (form) => {
      if (form.get('grant_type') !== 'refresh_token' || isBusy) return undefined
      isBusy = true
      await meanwhile({ adapter: inner, provider })
      return undefined
    }
    const answer = await site.api.get(requestFrom(site.world), 'acme')
    const [record] = await recordsOf(inner, 'provider-tokens')
    return { answer, record, provider, site }
  }

  test('by a sign-in: the tokens of the sign-in stay, and the renewed ones are revoked', async () => {
    const { answer, record, provider } = await renewing(async (setting) => {
      const two = processOn(setting.adapter as Adapter, { ...setting, seed: 9 })
      two.world.advance(HOUR)
      await signInWith(two.world)
    })
    expect(answer).toMatchObject({ ok: true, access_token: 'access-2' })
    expect(record?.data).toMatchObject({ gen: 0 })
    expect(provider.revoked).toEqual(['refresh-3'])
  })

  test('by a sign-in, where revoking one token would revoke all: nothing is revoked', async () => {
    const { provider } = await renewing(
      async (setting) => {
        const two = processOn(setting.adapter as Adapter, { ...setting, seed: 9 })
        two.world.advance(HOUR)
        await signInWith(two.world)
      },
      { revokesAll: true },
    )
    expect(provider.revoked).toEqual([])
  })

  test('by another process that noted something: the renewed tokens are written on top', async () => {
    const { answer, record, provider, site } = await renewing(async ({ adapter }) => {
      const [now] = await recordsOf(adapter as Adapter, 'provider-tokens')
      if (now)
        await adapter?.[atomic]?.replaceRecord?.({
          ...now,
          version: now.version + 1,
          data: { ...now.data, gen: 5 },
        })
    })
    expect(answer).toMatchObject({ ok: true, access_token: 'access-2' })
    expect(record?.data).toMatchObject({ gen: 6 })
    expect(record?.data['trying']).toBeUndefined()
    expect(provider.revoked).toEqual([])
    expect(await site.api.get(requestFrom(site.world), 'acme')).toMatchObject({
      access_token: 'access-2',
    })
  })

  test('by a disconnect: the record stays deleted, and the renewed tokens are revoked', async () => {
    const { answer, record, provider } = await renewing(async ({ adapter }) => {
      const [now] = await recordsOf(adapter as Adapter, 'provider-tokens')
      if (now) await adapter?.[atomic]?.takeRecord?.(now)
    })
    expect(answer).toMatchObject({ ok: false, error: 'NoToken' })
    expect(record).toBeUndefined()
    expect(provider.revoked).toEqual(['refresh-2'])
  })
})

describe('PT-7: a store that fails when the response comes', () => {
  function failing(inner: Adapter) {
    const it = { isAway: false, isReadOnly: false, adapter: inner }
    const abilities = Object.entries(inner[atomic] ?? {}).map(([name, run]) => [
      name,
      async (...args: unknown[]) => {
        if (it.isAway || (it.isReadOnly && !/^(?:get|list)/.test(name)))
          throw new Error('the store is away')
        return (run as (...args: unknown[]) => unknown).apply(inner[atomic], args)
      },
    ])
    it.adapter = { ...inner, [atomic]: Object.fromEntries(abilities) }
    return it
  }

  test('receives the tokens once it works, and callers have the fresh token meanwhile', async () => {
    const inner = memoryAdapter()
    const store = failing(inner)
    const provider = strictProvider()
    const waiting: Promise<unknown>[] = []
    const site = tokenSite({
      provider,
      adapter: store.adapter,
      config: { ...config, waitUntil: (work) => void waiting.push(work) },
    })
    await signInWith(site.world)
    const request = requestFrom(site.world)
    site.world.advance(HOUR)
    provider.answer = (form) => {
      store.isAway = form.get('grant_type') === 'refresh_token'
      return undefined
    }
    expect(await site.api.get(request, 'acme')).toMatchObject({ access_token: 'access-2' })
    expect(await site.api.get(request, 'acme')).toMatchObject({ access_token: 'access-2' })
    const stored = async () => (await recordsOf(inner, 'provider-tokens'))[0]?.data
    expect(await stored()).toMatchObject({ gen: 0, trying: { fence: expect.any(String) } })
    store.isAway = false
    await expect.poll(async () => (await stored())?.['gen']).toBe(1)
    const two = processOn(inner, { provider, seed: 9 })
    two.world.advance(HOUR)
    expect(await two.api.get(request, 'acme')).toMatchObject({ access_token: 'access-2' })
    expect(provider.grants.filter((grant) => grant.startsWith('refresh'))).toHaveLength(1)
    await Promise.all(waiting)
  })

  test('before the request: callers get the old token while it is valid, and nothing is lost', async () => {
    const store = failing(memoryAdapter())
    const provider = strictProvider()
    const site = tokenSite({ provider, adapter: store.adapter, config })
    await signInWith(site.world)
    const request = requestFrom(site.world)
    site.world.advance(HOUR - 30)
    store.isReadOnly = true
    expect(await site.api.get(request, 'acme')).toMatchObject({ access_token: 'access-1' })
    expect(provider.grants).toHaveLength(1)
  })
})
