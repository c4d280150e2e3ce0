import { describe, expect, test, vi } from 'vitest'
import { type EmailCodeSite, emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import { vault } from '../../../../tests/support/reauthenticate-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { AuthConfig } from '../../../entries/index.ts'
import type { World } from '../../../entries/testing.ts'
import { atomic } from '../../../model/adapter.ts'
import { limits } from '../../limits/index.ts'
import { passwords } from '../../passwords/index.ts'

const ADA = 'ada@example.com'
const HOUR = 3600
const DAY = 24 * HOUR
const PAGE = '/auth/reauthenticate'
const WAY = { way: 'email-code' }
const WAIT = { timeout: 30_000, interval: 5 }

/** Types five wrong codes in each browser. @returns how many were compared. */
async function guessIn(site: EmailCodeSite, browsers: World[], email = ADA): Promise<number> {
  let compared = 0
  for (const browser of browsers) {
    await site.send(email, browser)
    const wrong = site.wrong()
    for (let tries = 0; tries < 5; tries++)
      if ((await site.verify(wrong, browser)).status === 400) compared++
  }
  return compared
}

/** Types wrong codes in new browsers until none is compared any more. @returns how many were compared. */
async function spend(site: EmailCodeSite, email = ADA): Promise<number> {
  let compared = 0
  for (let at = 0; at < 6; at++) {
    compared += await guessIn(site, [site.world.otherBrowser()], email)
    site.world.advance(HOUR)
  }
  return compared
}

/** Signs in with a code in a browser. */
async function enter(site: EmailCodeSite, browser: World, email = ADA): Promise<number> {
  site.world.advance(HOUR)
  await site.send(email, browser)
  return (await site.verify(site.code(), browser)).status
}

/** The same session in a browser that has nothing else, as a thief of its cookie has it. */
function thiefOf(world: World): World {
  const thief = world.otherBrowser()
  for (const [name, value] of world.jar)
    if (!name.includes('latchkey.device') && !name.includes('latchkey.flow'))
      thief.jar.set(name, value)
  return thief
}

describe.each([
  ['jwt', 'with the limits of plugins', []],
  ['database', 'with limits()', [limits()]],
] as const)('T-ACC-30, LIM-6: with the strategy %s and %s,', (strategy, _, plugins) => {
  const siteOf = (further: Partial<AuthConfig> = {}) =>
    emailCodeSite(
      {},
      { session: { strategy }, ...further, plugins: [...plugins, ...(further.plugins ?? [])] },
    )

  test('wrong codes of strangers keep nobody out of a browser that was used before', async () => {
    const site = siteOf()
    expect(await enter(site, site.world)).toBe(200)
    site.world.advance(DAY)
    for (let day = 0; day < 2; day++) {
      expect(await spend(site)).toBe(10)
      expect(await enter(site, site.world.otherBrowser())).toBe(429)
      expect(await enter(site, site.world)).toBe(200)
      site.world.advance(DAY)
    }
  })

  test('a known browser has ten guesses a day beside those of strangers', async () => {
    const site = siteOf()
    const { world } = site
    await enter(site, world)
    world.advance(DAY)
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) {
      world.advance(HOUR)
      await site.send(ADA, world)
      for (let tries = 0; tries < 5; tries++)
        statuses.push((await site.verify(site.wrong(), world)).status)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(await enter(site, world)).toBe(429)
    expect(await enter(site, world.otherBrowser())).toBe(200)
  })

  test('mails that strangers cause keep no code from a known browser', async () => {
    const site = siteOf()
    await enter(site, site.world)
    site.world.advance(DAY)
    for (let at = 0; at < 5; at++) await site.send(ADA, site.world.otherBrowser())
    expect((await site.send(ADA, site.world.otherBrowser())).status).toBe(429)
    expect((await site.send(ADA, site.world)).status).toBe(202)
    expect((await site.verify(site.code(), site.world)).status).toBe(200)
  })

  test('MF-26: a stolen session has no attempts at the code of its owner, and does not delay it', async () => {
    const site = siteOf({ plugins: [vault()] })
    const { world, mails } = site
    await enter(site, world)
    world.advance(DAY)
    const thief = thiefOf(world)
    await thief.post(PAGE, { ...WAY, begin: '1' })
    const before = mails.length
    await world.post(PAGE, { ...WAY, begin: '1' })
    expect(mails).toHaveLength(before + 1)
    const code = site.code()
    expect((await thief.post(PAGE, { ...WAY, code })).status).toBe(400)
    for (let tries = 0; tries < 6; tries++) await thief.post(PAGE, { ...WAY, code: site.wrong() })
    expect((await world.post(PAGE, { ...WAY, code })).status).toBe(303)
  })

  test('MF-26: a stolen session keeps its owner out of no step in a browser that was used before', async () => {
    const site = siteOf({ plugins: [vault()] })
    const { world } = site
    await enter(site, world)
    world.advance(DAY)
    const thief = thiefOf(world)
    const statuses: number[] = []
    for (let at = 0; at < 3; at++) {
      await thief.post(PAGE, { ...WAY, begin: '1' })
      for (let tries = 0; tries < 10; tries++)
        statuses.push((await thief.post(PAGE, { ...WAY, code: site.wrong() })).status)
      world.advance(16 * 60)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect((await thief.post(PAGE, { ...WAY, begin: '1' })).status).toBe(429)
    await world.post(PAGE, { ...WAY, begin: '1' })
    expect((await world.post(PAGE, { ...WAY, code: site.code() })).status).toBe(303)
  })

  test('a stranger without the session keeps nobody from a step, also where no browser is known', async () => {
    const site = siteOf({ plugins: [vault()] })
    await enter(site, site.world)
    site.world.advance(DAY)
    expect(await spend(site)).toBe(10)
    const owner = thiefOf(site.world)
    await owner.post(PAGE, { ...WAY, begin: '1' })
    expect((await owner.post(PAGE, { ...WAY, code: site.code() })).status).toBe(303)
  })
})

describe('T-ACC-20: guesses of codes', () => {
  test('are ten a day for browsers in which only other users signed in', async () => {
    const site = emailCodeSite()
    await enter(site, site.world)
    const browsers = Array.from({ length: 4 }, () => site.world.otherBrowser())
    for (const browser of browsers) expect(await enter(site, browser, 'eve@example.com')).toBe(200)
    site.world.advance(DAY)
    expect(await guessIn(site, browsers)).toBe(10)
  })

  test('are ten a day for browsers of an account that somebody made for the address of another', async () => {
    const site = emailCodeSite(
      {},
      { plugins: [passwords({ hash: CHEAP, verify: 'after', limits: false })] },
    )
    const password = 'correct horse battery staple'
    await site.world.post('/auth/password/sign-up', { email: ADA, password })
    const browsers = Array.from({ length: 4 }, () => site.world.otherBrowser())
    for (const browser of browsers) {
      await browser.post('/auth/password/sign-in', { identifier: ADA, password })
      expect(await site.isSignedIn(browser)).toBe(true)
    }
    expect(await guessIn(site, browsers)).toBe(10)
  })

  test('are ten times those of one for all known browsers together', async () => {
    const site = emailCodeSite(
      { perAddress: { limit: 1, window: DAY } },
      { plugins: [limits({ rules: { 'email-code.send': false } })] },
    )
    const browsers = Array.from({ length: 12 }, () => site.world.otherBrowser())
    for (const browser of browsers) {
      site.world.advance(DAY)
      expect(await enter(site, browser)).toBe(200)
    }
    site.world.advance(DAY)
    let compared = 0
    for (const browser of browsers) {
      site.world.advance(HOUR)
      await site.send(ADA, browser)
      if ((await site.verify(site.wrong(), browser)).status === 400) compared++
    }
    expect(compared).toBe(10)
  })

  test('are counted through all sign-ins of a user in one browser', async () => {
    const site = emailCodeSite({ perAddress: { limit: 3, window: DAY } })
    await enter(site, site.world)
    site.world.advance(DAY)
    for (let at = 0; at < 3; at++) expect(await enter(site, site.world)).toBe(200)
    expect(await enter(site, site.world)).toBe(429)
  })

  test('without limits, no browser is known, and the bound is that of the address', async () => {
    const site = emailCodeSite({ limits: false })
    await enter(site, site.world)
    site.world.advance(DAY)
    expect(await spend(site)).toBe(10)
    expect(await enter(site, site.world)).toBe(429)
  })
})

describe('T-ACC-7: a guess', () => {
  /** The calls of the store for a wrong code, by their names. */
  async function callsFor(email: string, knows: boolean): Promise<string[]> {
    const adapter = memoryAdapter()
    const site = emailCodeSite({ signUp: false }, { adapter })
    for (const id of ['ada', 'bob'])
      await adapter.createUser?.({ id, email: `${id}@example.com`, emailVerified: new Date(0) })
    const browser = site.world.otherBrowser()
    if (knows) {
      await site.send('bob@example.com', browser)
      await vi.waitFor(() => expect(site.mails).toHaveLength(1), WAIT)
      expect((await site.verify(site.code(), browser)).status).toBe(200)
    }
    const sent = site.mails.length
    await site.send(email, browser)
    // What runs after the response is none of the guess.
    if (email === ADA) await vi.waitFor(() => expect(site.mails).toHaveLength(sent + 1), WAIT)
    const calls: string[] = []
    for (const of of [adapter[atomic] ?? {}, adapter])
      for (const [name, value] of Object.entries(of))
        if (typeof value === 'function')
          Object.assign(of, {
            [name]: (...given: unknown[]) => {
              calls.push(name)
              return Reflect.apply(value, of, given)
            },
          })
    expect((await site.verify('000000', browser)).status).toBe(400)
    return calls
  }

  test.each([false, true])(
    'asks the store as often for an address that nobody has, in a browser that knows somebody: %s',
    async (knows) => {
      const known = await callsFor(ADA, knows)
      expect(known.length).toBeGreaterThan(3)
      expect(await callsFor('nobody@example.com', knows)).toEqual(known)
    },
  )
})
