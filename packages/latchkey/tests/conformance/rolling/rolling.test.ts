import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { World } from '../../../src/testing/world.ts'
import {
  comeBack,
  openSite,
  requestOf,
  type ScenarioName,
  type Site,
  scenarios,
  type Written,
  writeScenario,
} from './scenarios.ts'

/** What the library wrote at commit 3b947ba4: see `write-fixtures.ts`. */
const earlier = JSON.parse(
  readFileSync(new URL('./written.json', import.meta.url), 'utf8'),
) as Record<ScenarioName, Written>

/**
 * What the present version writes. Beside what the earlier one wrote, sessions have the claim `acr`, a sign-in that waits has the
 * plugin at whose gate it waits and what must not change until its end, and a record names the key that sealed values without an end. Nothing else may differ.
 */
const present = JSON.parse(
  readFileSync(new URL('./writes.json', import.meta.url), 'utf8'),
) as Record<ScenarioName, Written>

const nameIn = async (world: World): Promise<unknown> => (await world.session())?.user?.['name']

const SESSION_COOKIE = '__Secure-authjs.session-token'

/** The session is read, extended, and ended. */
async function continues({ world }: Site): Promise<void> {
  expect(await nameIn(world)).toBe('Ada')
  world.advance(2 * 24 * 3600)
  const answer = await world.get('/auth/session')
  expect(answer.headers.getSetCookie().join()).toContain(SESSION_COOKIE)
  expect(await nameIn(world)).toBe('Ada')
  await world.post('/auth/signout')
  expect(world.jar.has(SESSION_COOKIE)).toBe(false)
}

interface Tokens {
  get(request: Request, provider: string): Promise<object>
}

/** The tokens of the provider are there, and are renewed. */
async function hasTokens({ world }: Site): Promise<void> {
  const api = world.core.plan(world.config).plugins?.api('providerTokens') as unknown as Tokens
  expect(await api.get(requestOf(world), 'acme')).toMatchObject({
    ok: true,
    access_token: 'access-1',
  })
  world.advance(3600)
  expect(await api.get(requestOf(world), 'acme')).toMatchObject({
    ok: true,
    access_token: 'access-2',
  })
}

/** A program is signed in by its token. */
async function knows({ world }: Site, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await world.otherBrowser().get('/auth/session', { headers })
  expect(await answer.json()).toMatchObject({ user: { name: 'Ada' } })
}

/** What is done with what the earlier version wrote. */
const readings: {
  readonly [Name in ScenarioName]: (site: Site, values: Record<string, string>) => Promise<void>
} = {
  'sealed session': continues,
  'stored session': continues,
  'sealed session without plugins': continues,
  'stored session without plugins': continues,
  async 'sign-in that waits at a gate'({ world }) {
    expect(await world.session()).toBeNull()
    await world.post('/auth/terms')
    expect(await nameIn(world)).toBe('Ada')
  },
  async 'sign-in that has begun'({ world }, { authorization = '' }) {
    const back = await comeBack(world, authorization)
    expect(back.headers.get('location')).toBe('https://app.example/after')
    expect(await nameIn(world)).toBe('carol')
  },
  async 'sign-in by mail'({ world }, { link = '' }) {
    await world.get(link)
    expect(await nameIn(world)).toBe('Ada')
  },
  'provider tokens in records': hasTokens,
  'provider tokens in a cookie': hasTokens,
  async 'provider tokens in the row of the account'({ world }) {
    const { providerToken } = await import('../../../src/instance/provider-token.ts')
    const { sessionRequest } = await import('../../../src/session/session-request.ts')
    const request = sessionRequest(requestOf(world), world.origin)
    const plan = world.core.plan(world.config)
    expect(await providerToken(request, 'acme', plan)).toMatchObject({ access_token: 'access-1' })
    world.advance(3600)
    expect(await providerToken(request, 'acme', plan)).toMatchObject({ access_token: 'access-2' })
  },
  'API key': (site, { token = '' }) => knows(site, token),
  async 'sealed session of a device'(site, { token = '' }) {
    await knows(site, token)
    site.world.advance(40 * 24 * 3600)
    await knows(site, token)
  },
  async 'stored session of a device'(site, { token = '' }) {
    await knows(site, token)
    site.world.advance(40 * 24 * 3600)
    await knows(site, token)
  },
  async 'log of ended sessions'({ world }, values) {
    expect(await nameIn(world)).toBe('Ada')
    const other = world.otherBrowser()
    for (const [name, value] of Object.entries(values)) other.jar.set(name, value)
    expect(await other.session()).toBeNull()
  },
}

const names = Object.keys(scenarios) as ScenarioName[]

describe('in a rolling deployment, this version', () => {
  test.each(names)('reads what the earlier version wrote: %s', async (name) => {
    const site = await openSite(name, earlier[name])
    try {
      await readings[name](site, { ...earlier[name].values })
      expect(site.world.log.filter(({ level }) => level === 'error')).toEqual([])
    } finally {
      await site.close()
    }
  })

  // With the same clock and the same randomness: a change of names, purposes, hashes or formats is seen here.
  test.each(names)('writes what is decided, and nothing else: %s', async (name) => {
    expect(await writeScenario(name)).toEqual(present[name])
  })
})
