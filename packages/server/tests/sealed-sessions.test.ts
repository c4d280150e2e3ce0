import { describe, expect, test } from 'vitest'
import { balancer } from './support/balancer.ts'
import { visitor } from './support/browser.ts'
import { serviceProcess } from './support/command.ts'
import { byProvider, crowdConfig, crowdEnv, whoIs } from './support/crowd.ts'
import { REDIS_URL, temporaryDatabase } from './support/servers.ts'
import { temporaryDirectory } from './support/temporary.ts'

/** Two instances of a service whose sessions are sealed, behind one address; only one of them answers at a time. */
async function twoInstances(more: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack()
  const directory = stack.use(temporaryDirectory())
  const database = stack.use(await temporaryDatabase())
  const front = stack.use(await balancer())
  const env = {
    ...crowdEnv(directory.path),
    AUTH_URL: front.origin,
    DATABASE_URL: database.url,
    DATABASE_POOL: '5',
    LATCHKEY_SESSION_STRATEGY: 'jwt',
    ...more,
  }
  const start = () => serviceProcess({ directory: directory.path, env }, ['--config', crowdConfig])
  const instances = await Promise.all([start(), start()])
  for (const instance of instances) stack.use(instance)
  const addresses = instances.map(
    ({ output }) => `http://127.0.0.1:${/"port":(\d+)/.exec(output().out)?.[1]}`,
  )
  return {
    front,
    /** From now on this one answers. */
    at(which: 0 | 1) {
      front.targets = [addresses[which] ?? '']
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

describe('T-ST-1: two instances with sealed sessions', { timeout: 120_000 }, () => {
  test.each([
    ['pushed through PostgreSQL', { LATCHKEY_REVOCATION_BOUND: '60000' }],
    ['pushed through Redis', { LATCHKEY_REVOCATION_BOUND: '60000', REDIS_URL }],
    ['asked for', { LATCHKEY_REVOCATION_BOUND: '500', DATABASE_POOL: '1' }],
  ])('see that a session ended in the other one: %s', async (_, env) => {
    await using site = await twoInstances({
      ...env,
      REDIS_PREFIX: `sealed-${crypto.randomUUID()}:`,
    })
    const { front } = site
    site.at(0)
    const [phone, laptop] = [visitor(front.origin), visitor(front.origin)]
    await byProvider(phone, 'ada')
    await byProvider(laptop, 'ada')
    const [lost] = [...phone.cookies.values()]
    expect(lost).toBeDefined()

    site.at(1)
    // It is sealed, and this instance knows what was ended.
    for (let reads = 0; reads < 3; reads++) expect(await whoIs(phone)).toBe('ada@acme.example')
    const copy = new Map(phone.cookies)

    site.at(0)
    const { sessions } = (await (await laptop.get('/auth/sessions/list')).json()) as {
      sessions: { id: string; current: boolean }[]
    }
    const other = sessions.find(({ current }) => !current)?.id
    const cookie = [...laptop.cookies].map((pair) => pair.join('=')).join('; ')
    const ended = await fetch(`${front.origin}/auth/sessions/end`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ id: other }),
    })
    expect(await ended.json()).toEqual({ ended: 1 })

    site.at(1)
    await expect.poll(() => whoIs(phone), { interval: 20 }).toBeUndefined()
    // However it comes back, and wherever.
    for (const which of [0, 1] as const) {
      site.at(which)
      for (const [name, value] of copy) phone.cookies.set(name, value)
      expect(await whoIs(phone)).toBeUndefined()
      expect(await whoIs(laptop)).toBe('ada@acme.example')
    }
  })
})
