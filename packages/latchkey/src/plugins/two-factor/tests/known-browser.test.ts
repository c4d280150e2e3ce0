import { describe, expect, test } from 'vitest'
import { vault } from '../../../../tests/support/reauthenticate-site.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { AuthConfig } from '../../../entries/index.ts'
import type { World } from '../../../entries/testing.ts'
import { emailCode } from '../../email-code/index.ts'
import { limits } from '../../limits/index.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const PAGE = '/auth/reauthenticate'

/** Ada, with codes by mail as her second factor, and a browser in which she signed in with one. */
async function siteOfAda(further: Partial<AuthConfig>) {
  const site = twoFactorSite({ methods: ['totp', 'passkey', 'recovery', 'email'] }, further)
  await site.signUp()
  await site.json('two-factor/use-email', { use: true })
  await site.settled()
  const known = site.world.otherBrowser()
  expect(await enter(site, known)).toEqual([202, 200])
  site.world.advance(DAY)
  return { ...site, known }
}

const send = async (site: TwoFactorSite, browser: World): Promise<number> =>
  (await site.json('two-factor/send', { method: 'email' }, browser)).status

const typed = async (site: TwoFactorSite, browser: World, code = site.code()): Promise<number> =>
  (await site.verify(code, browser, { method: 'email' })).status

/** Signs in with password and code. @returns the statuses of the mail and of the code */
async function enter(site: TwoFactorSite, browser: World): Promise<number[]> {
  site.world.advance(HOUR)
  await site.signIn(undefined, undefined, browser)
  return [await send(site, browser), await typed(site, browser)]
}

const wrong = (site: TwoFactorSite): string => (site.code() === '000000' ? '000001' : '000000')

/** Somebody who has the password types wrong codes in new browsers. @returns how many were compared */
async function spend(site: TwoFactorSite): Promise<number> {
  let compared = 0
  for (let at = 0; at < 4; at++) {
    site.world.advance(HOUR)
    const thief = site.world.otherBrowser()
    await site.signIn(undefined, undefined, thief)
    await send(site, thief)
    for (let tries = 0; tries < 5; tries++)
      if ((await typed(site, thief, wrong(site))) === 400) compared++
  }
  return compared
}

/** The same session in a browser that has nothing else, as a thief of its cookie has it. */
function thiefOf(world: World): World {
  const thief = world.otherBrowser()
  for (const [name, value] of world.jar)
    if (!name.includes('latchkey.device')) thief.jar.set(name, value)
  return thief
}

describe.each([
  ['jwt', 'with the limits of plugins', []],
  ['database', 'with limits()', [limits()]],
] as const)('T-ACC-30, MF-20: with the strategy %s and %s,', (strategy, _, plugins) => {
  const site = (further: AuthConfig['plugins'] = []) =>
    siteOfAda({ session: { strategy }, plugins: [...plugins, ...further] })

  test('T-ACC-20: wrong codes of somebody with the password are ten a day, and keep nobody out of a known browser', async () => {
    const own = await site()
    expect(await spend(own)).toBe(10)
    expect(await enter(own, own.world.otherBrowser())).toEqual([202, 429])
    expect(await enter(own, own.known)).toEqual([202, 200])
  })

  test('mails that somebody with the password causes keep no code from a known browser', async () => {
    const own = await site()
    for (let at = 0; at < 5; at++) {
      const thief = own.world.otherBrowser()
      await own.signIn(undefined, undefined, thief)
      expect(await send(own, thief)).toBe(202)
      own.world.advance(60)
    }
    const thief = own.world.otherBrowser()
    await own.signIn(undefined, undefined, thief)
    expect(await send(own, thief)).toBe(429)
    await own.signIn(undefined, undefined, own.known)
    expect([await send(own, own.known), await typed(own, own.known)]).toEqual([202, 200])
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) {
      own.world.advance(61)
      await own.signIn(undefined, undefined, own.known)
      statuses.push(await send(own, own.known))
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429])
  })

  test('wrong codes for a sign-in, which need no password, keep nobody from the second factor', async () => {
    const own = await site([emailCode()])
    for (let at = 0; at < 3; at++) {
      const stranger = own.world.otherBrowser()
      await own.json('email-code/send', { email: 'ada@example.com' }, stranger)
      for (let tries = 0; tries < 5; tries++)
        await own.json('email-code/verify', { code: wrong(own) }, stranger)
    }
    expect(await enter(own, own.world.otherBrowser())).toEqual([202, 200])
  })

  test('MF-26: a stolen session keeps its owner from no step in the known browser', async () => {
    const own = await site([vault()])
    await enter(own, own.known)
    own.world.advance(HOUR)
    const thief = thiefOf(own.known)
    const way = { way: 'mailed-factor' }
    await own.known.post(PAGE, { ...way, begin: '1' })
    const code = own.code()
    for (let tries = 0; tries < 12; tries++) await thief.post(PAGE, { ...way, code: wrong(own) })
    expect((await thief.post(PAGE, { ...way, code })).status).toBe(429)
    expect((await own.known.post(PAGE, { ...way, code })).status).toBe(303)
  })

  test('MF-19: somebody with the password keeps nobody from setting up what is required in a known browser', async () => {
    const own = twoFactorSite(
      { require: 'all', grace: 2 * DAY },
      { session: { strategy }, plugins },
    )
    await own.signUp()
    own.world.advance(2 * DAY + 1)
    const thief = own.world.otherBrowser()
    await own.signIn(undefined, undefined, thief)
    const attempt = { id: 'x'.repeat(22), code: '000000' }
    for (let tries = 0; tries < 21; tries++) {
      await own.json('two-factor/enrol-totp', { name: 'Phone' }, thief)
      await own.json('two-factor/confirm-totp', attempt, thief)
    }
    expect((await own.json('two-factor/enrol-totp', { name: 'Phone' }, thief)).status).toBe(429)
    expect((await own.json('two-factor/confirm-totp', attempt, thief)).status).toBe(429)
    await own.signIn()
    await own.addApp()
    expect(await own.world.session()).not.toBeNull()
  })
})

describe('T-ACC-20, MF-20: after the first second factor was set up, browsers that were known with one factor', () => {
  /** Signs in in three further browsers. */
  async function somebody(site: TwoFactorSite): Promise<readonly World[]> {
    const browsers = [1, 2, 3].map(() => site.world.otherBrowser())
    for (const browser of browsers) {
      site.world.advance(HOUR)
      expect((await site.signIn(undefined, undefined, browser)).status).toBe(200)
    }
    return browsers
  }

  /** Types wrong codes in each browser. @returns how many were compared */
  async function guesses(site: TwoFactorSite, browsers: readonly World[]): Promise<number> {
    let compared = 0
    for (const browser of browsers) {
      await site.signIn(undefined, undefined, browser)
      for (let tries = 0; tries < 10; tries++)
        if ((await site.verify('000000', browser)).status === 400) compared++
    }
    return compared
  }

  test('have five guesses together, and the one in which it was set up has its own', async () => {
    const site = twoFactorSite()
    await site.signUp()
    const others = await somebody(site)
    await site.signIn()
    const app = await site.addApp()
    site.world.advance(HOUR)
    expect(await guesses(site, others)).toBe(5)
    expect((await site.signInWith(app)).status).toBe(200)
    expect(await guesses(site, [site.world])).toBe(9)
  })

  test('have five guesses together, if it had to be set up in a sign-in', async () => {
    const site = twoFactorSite({ require: async () => site.world.now() > start })
    let start = Number.POSITIVE_INFINITY
    await site.signUp()
    const others = await somebody(site)
    start = 0
    await site.signIn()
    await site.addApp()
    site.world.advance(HOUR)
    expect(await guesses(site, others)).toBe(5)
    expect(await guesses(site, [site.world])).toBe(10)
  })

  test('have no code by mail of their own', async () => {
    const site = twoFactorSite({ methods: ['totp', 'email'] })
    await site.signUp()
    const others = await somebody(site)
    await site.signIn()
    await site.json('two-factor/use-email', { use: true })
    await site.settled()
    let compared = 0
    for (const browser of others) {
      site.world.advance(HOUR)
      await site.signIn(undefined, undefined, browser)
      await send(site, browser)
      for (let tries = 0; tries < 5; tries++)
        if ((await typed(site, browser, wrong(site))) === 400) compared++
    }
    expect(compared).toBe(10)
  })
})
