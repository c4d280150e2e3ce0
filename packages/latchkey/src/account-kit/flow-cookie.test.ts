import { expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { definePlugin, type SiteRequest } from '../entries/plugin.ts'
import { createWorld } from '../testing/world.ts'
import { type FlowCookie, flowCookie } from './flow-cookie.ts'

interface Flows {
  readonly one: FlowCookie<{ n: string }>
  readonly other: FlowCookie<{ n: string }>
}

/** A plugin whose paths keep, read and end the steps of two flows. */
const steps = definePlugin<'steps', object, Flows>({
  name: 'steps',
  routes: {
    'steps/keep/*': {
      GET: {
        who: 'anyone',
        run:
          async () =>
          async ({ request, rest = '' }, { one }) => ({
            json: {},
            cookies: await one.keep({ n: rest }, request, 60),
          }),
      },
    },
    'steps/end': {
      GET: {
        who: 'anyone',
        run:
          async () =>
          async ({ request }, { one }) => ({ json: {}, cookies: await one.end(request) }),
      },
    },
    steps: {
      GET: {
        who: 'anyone',
        run:
          async () =>
          async ({ request }, { one, other }) => ({
            json: await read(request, one, other),
          }),
      },
    },
  },
  setUp: (host) => ({ own: { one: flowCookie(host, 'one'), other: flowCookie(host, 'other') } }),
})

async function read(
  request: SiteRequest,
  one: Flows['one'],
  other: Flows['other'],
): Promise<{ one: string | null; other: string | null; count: number }> {
  return {
    one: (await one.newest(request))?.n ?? null,
    other: (await other.newest(request))?.n ?? null,
    count: request.cookies.names().filter((name) => name.includes('latchkey.flow.')).length,
  }
}

const worldOf = () =>
  createWorld({
    secret: 'a secret of at least 32 characters',
    adapter: memoryAdapter(),
    providers: [],
    plugins: [steps],
  })

test('the step that began last is read, by its own flow only, and ends with all others of its flow', async () => {
  const world = worldOf()
  for (const n of ['a', 'b']) {
    await world.get(`/auth/steps/keep/${n}`)
    world.advance(1)
  }
  expect(await (await world.get('/auth/steps')).json()).toEqual({ one: 'b', other: null, count: 2 })
  await world.get('/auth/steps/end')
  expect(await (await world.get('/auth/steps')).json()).toEqual({
    one: null,
    other: null,
    count: 0,
  })
})

test('a browser has at most five steps, and the oldest is dropped first', async () => {
  const world = worldOf()
  for (const n of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    await world.get(`/auth/steps/keep/${n}`)
    world.advance(1)
  }
  expect(await (await world.get('/auth/steps')).json()).toEqual({ one: 'g', other: null, count: 5 })
})
