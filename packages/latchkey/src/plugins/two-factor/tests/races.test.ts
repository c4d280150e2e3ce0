import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRaceStore,
  type RaceStore,
  raceStoreNames,
} from '../../../../tests/support/race-stores.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { World } from '../../../entries/testing.ts'

// The emulator of DynamoDB needs seconds for 50 writes.

const PARALLEL = 20

describe.each(raceStoreNames)('12.1: races for second factors of two processes on %s', (store) => {
  let shared: RaceStore
  beforeAll(async () => {
    shared = await openRaceStore(store, 'twofactor')
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  let people = 0

  /** Two processes with one store, and somebody with an app, who signs in with many browsers up to the second factor. */
  async function twoProcesses(count: number, options: Parameters<typeof twoFactorSite>[0] = {}) {
    const seed = ++people * 10
    const email = `ada-${store.toLowerCase().replaceAll(' ', '')}-${seed}@example.com`
    const make = (add: number): TwoFactorSite =>
      twoFactorSite(
        { limits: false, ...options },
        { adapter: shared.adapter() },
        { seed: seed + add },
      )
    const sites = [make(1), make(2)] as const
    const enrolled = await sites[0].enrol(email)
    for (const { world } of sites) world.advance(60)
    const browsers: (readonly [TwoFactorSite, World])[] = []
    for (let at = 0; at < count; at++) {
      const site = sites[at % 2] ?? sites[0]
      const browser = site.world.otherBrowser()
      await site.signIn(email, undefined, browser)
      browsers.push([site, browser])
    }
    return { sites, browsers, email, ...enrolled }
  }

  const isIn = async (all: readonly (readonly [TwoFactorSite, World])[]): Promise<number> => {
    const sessions = await Promise.all(all.map(([, browser]) => browser.session()))
    return sessions.filter(Boolean).length
  }

  test('T-ACC-19: a code that is typed in two processes at once signs in one browser', async () => {
    const { browsers, app } = await twoProcesses(4)
    const code = app.code()
    const answers = await Promise.all(browsers.map(([site, browser]) => site.verify(code, browser)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await isIn(browsers)).toBe(1)
  })

  test('T-ACC-19: of the same request, sent many times by one browser, one gets a session', async () => {
    const { browsers, app } = await twoProcesses(1)
    const [[site, browser] = []] = browsers
    if (!site || !browser) throw new Error('there is one')
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => site.verify(app.code(), browser)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('two recovery codes, each typed in two browsers, sign in at most once each', async () => {
    const { browsers, codes } = await twoProcesses(4)
    const typed = [codes[0], codes[0], codes[1], codes[1]]
    const answers = await Promise.all(
      browsers.map(([site, browser], at) =>
        site.verify(typed[at] ?? '', browser, { method: 'recovery' }),
      ),
    )
    const signedIn = answers.map(({ status }) => status === 200)
    const wins = [signedIn.slice(0, 2), signedIn.slice(2)].map((of) => of.filter(Boolean).length)
    // A recovery code ends the other sessions, so it may also end the sign-in with the other code that is under way.
    expect(['1,1', '1,0', '0,1']).toContain(wins.join())
  })

  test('T-ACC-22: of two factors that are removed at once in two processes, one stays where one is required', async () => {
    const { sites, browsers, app, email } = await twoProcesses(2, { require: 'all' })
    for (const [at, [site, browser]] of browsers.entries()) await site.verify(app.code(at), browser)
    const [[site, browser] = []] = browsers
    if (!site || !browser) throw new Error('there is one')
    const other = await site.addApp('Tablet', browser)
    const answers = await Promise.all(
      browsers.map(([each, window], at) =>
        each.json('two-factor/remove', { id: at === 0 ? app.id : other.id }, window),
      ),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const next = sites[1].world.otherBrowser()
    const answer = await sites[1].signIn(email, undefined, next)
    expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
  })

  test('T-ACC-21: an enrolment and the removal of all at once end in a level that fits what is listed', async () => {
    const { browsers, app, email, sites } = await twoProcesses(1)
    const [[site, browser] = []] = browsers
    if (!site || !browser) throw new Error('there is one')
    await site.verify(app.code(), browser)
    const begun = (await (
      await site.json('two-factor/enrol-totp', { name: 'Tablet' }, browser)
    ).json()) as { id: string; secret: string }
    const code = site.app(begun.secret).code()
    await Promise.all([
      site.json('two-factor/confirm-totp', { id: begun.id, code }, browser),
      site.json('two-factor/remove', { all: true }, browser),
    ])
    const next = sites[1].world.otherBrowser()
    const answer = (await (await sites[1].signIn(email, undefined, next)).json()) as {
      status: string
    }
    const isListed = answer.status === 'second_factor_required'
    if (isListed) {
      sites[1].world.advance(60)
      const second = await sites[1].verify(site.app(begun.secret).code(2), next)
      expect(second.status).toBe(200)
    } else expect(answer.status).toBe('signed_in')
  })

  test('MF-17: a code by mail, typed twice at once in two processes, begins one session', async () => {
    const { sites, email } = await twoProcesses(0, { methods: ['totp', 'email'] })
    const [first, second] = sites
    expect((await first.json('two-factor/use-email', { use: true })).status).toBe(200)
    const browser = first.world.otherBrowser()
    await first.signIn(email, undefined, browser)
    expect((await first.json('two-factor/send', { method: 'email' }, browser)).status).toBe(202)
    const code = first.code()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 === 0 ? first : second).verify(code, browser, { method: 'email' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
