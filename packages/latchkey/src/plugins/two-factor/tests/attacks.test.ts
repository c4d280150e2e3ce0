import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../tests/support/authenticator.ts'
import { createGitHub } from '../../../../tests/support/github.ts'
import { authenticate, ORIGIN, register } from '../../../../tests/support/passkeys.ts'
import { GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import { atomic, type Call, definePlugin, type Host } from '../../../entries/plugin.ts'
import type { World } from '../../../entries/testing.ts'
import credentials from '../../../providers/credentials.ts'
import github from '../../../providers/github.ts'
import passkey from '../../../providers/passkey.ts'
import { emailCode } from '../../email-code/index.ts'
import { limits } from '../../limits/index.ts'
import type { PasswordsApi } from '../../passwords/index.ts'

const ADA = 'ada@example.com'
const html = { headers: { accept: 'text/html' } }

/** A way in of another plugin. */
const door = definePlugin<'door', object, Host>({
  name: 'door',
  needs: ['adapter'],
  routes: {
    door: {
      POST: {
        who: 'anyone',
        run: async () => async (call: Call, host: Host) => {
          const user = await host.store?.getUserByEmail(ADA)
          if (!user) throw new Error('there is no user')
          const before = await host.sessions.beforeProof(user.id)
          return host.sessions.establish(call, { user, amr: ['face'], before })
        },
      },
    },
  },
  setUp: (host) => ({ own: host }),
})

/** A site with every way to sign in, and a user who has all of them. */
async function everyWay() {
  const adapter = memoryAdapter()
  const codes: string[] = []
  const post = {
    id: 'post',
    name: 'Post',
    type: 'email' as const,
    maxAge: 600,
    code: true,
    options: {},
    sendVerificationRequest: ({ code = '' }: { code?: string }) => void codes.push(code),
    sendMail: ({ mail }: { mail: { text: string } }) =>
      void codes.push(/\b\d{6}\b/.exec(mail.text)?.[0] ?? ''),
  }
  const word = credentials({
    id: 'word',
    credentials: { word: {} },
    authorize: async () => (await adapter.getUserByEmail?.(ADA)) ?? null,
  })
  // Neither asks for the verification of the user, as a security key without a PIN.
  const key = passkey({
    authenticationOptions: { userVerification: 'discouraged' },
    verifyAuthenticationOptions: { requireUserVerification: false },
  })
  const { fetch } = createGitHub()
  const site = twoFactorSite(
    {},
    {
      adapter,
      providers: [post, github({ clientId: 'id', clientSecret: 'secret' }), word, key],
      plugins: [emailCode(), door],
    },
    { fetch },
    { resetSignsIn: true },
  )
  const { world } = site
  await site.json('password/sign-up', { email: ADA, password: GOOD })
  await site.json('password/verify', { code: codes.at(-1) })
  const authenticator = createAuthenticator(ORIGIN)
  await register(world, authenticator)
  const app = await site.addApp()
  const userId = String((await adapter.getUserByEmail?.(ADA))?.id)
  const account = { provider: 'github', providerAccountId: '7', type: 'oauth' as const, userId }
  await adapter.linkAccount?.(account)
  const last = (): string => codes.at(-1) ?? ''
  const ways: Record<string, (browser: World) => Promise<unknown>> = {
    password: (browser) => site.signIn(ADA, GOOD, browser),
    'the form of the sign-in page': (browser) =>
      browser.post('/auth/callback/password', { identifier: ADA, password: GOOD }),
    'a code beside the link of a mail': async (browser) => {
      await browser.post('/auth/signin/post', { email: ADA })
      return browser.post('/auth/callback/post', { code: last() })
    },
    'a code by mail': async (browser) => {
      await site.json('email-code/send', { email: ADA }, browser)
      await site.settled()
      return site.json('email-code/verify', { code: last() }, browser)
    },
    'a provider': async (browser) => {
      const begun = await browser.post('/auth/signin/github')
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
      return browser.get(`/auth/callback/github?code=any&state=${encodeURIComponent(state)}`)
    },
    'a credentials provider': (browser) => browser.post('/auth/callback/word', { word: 'any' }),
    'a passkey that did not verify the user': (browser) =>
      authenticate(browser, authenticator, { userVerified: false }),
    'another plugin': (browser) => site.json('door', {}, browser),
  }
  return { site, app, ways }
}

describe('T-ACC-18, T-MFA-2: every way in passes the gate', () => {
  test('none of them gives a session without the second factor, and each does with it', async () => {
    const { site, app, ways } = await everyWay()
    for (const [name, enter] of Object.entries(ways)) {
      site.world.advance(16 * 60)
      const browser = site.world.otherBrowser()
      await enter(browser)
      expect([name, await browser.session()]).toEqual([name, null])
      const page = await browser.get('/auth/two-factor', html)
      expect([name, page.status]).toEqual([name, 200])
      expect([name, (await site.verify(app.code(), browser)).status]).toEqual([name, 200])
      expect([name, (await browser.session())?.user?.['email']]).toEqual([name, ADA])
    }
  })

  test('T-ACC-15: a reset that signs in asks for the second factor', async () => {
    const site = twoFactorSite({}, {}, {}, { resetSignsIn: true })
    const { app } = await site.enrol()
    await site.settled()
    await site.json('password/forgot', { identifier: ADA })
    await site.settled()
    const browser = site.world.otherBrowser()
    await browser.get(site.link('password/reset'), html)
    const answer = await site.json('password/reset', { password: OTHER }, browser)
    expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
    expect(await browser.session()).toBeNull()
    expect((await site.verify(app.code(1), browser)).status).toBe(200)
    expect(await (await browser.get('/auth/two-factor/status')).json()).toMatchObject({
      factors: [{ id: app.id }],
    })
  })

  test('T-ACC-40: a sign-in that waits ends when the password changes or the user is deleted', async () => {
    const adapter = memoryAdapter()
    const site = twoFactorSite({}, { adapter })
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    await site.json('password/change', { current: GOOD, password: OTHER })
    expect((await site.verify(app.code(1), browser)).status).toBe(401)
    await site.signIn(undefined, OTHER, browser)
    const userId = String((await adapter.getUserByEmail?.(ADA))?.id)
    await adapter.deleteUser?.(userId)
    expect((await site.verify(app.code(1), browser)).status).not.toBe(200)
    expect(await browser.session()).toBeNull()
  })

  test('T-ACC-16: a planted sign-in signs in nobody else than the account that the page names', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const victim = site.world.otherBrowser()
    await site.signUp('victim@example.com', undefined, victim)
    const attacker = site.world.otherBrowser()
    await site.signIn(undefined, undefined, attacker)
    for (const [name, value] of attacker.jar) victim.jar.set(name, value)
    expect((await victim.session())?.user?.['email']).toBe('victim@example.com')
    const page = await (await victim.get('/auth/two-factor', html)).text()
    expect(page).toContain(ADA)
    expect((await site.json('two-factor/enrol-totp', {}, victim)).status).toBe(200)
    await site.verify(app.code(1), victim)
    expect((await victim.session())?.user?.['email']).toBe(ADA)
  })
})

describe('T-ACC-3: an account whose address nobody proved', () => {
  test('loses a second factor of the person who made it when the owner of the address proves it', async () => {
    const adapter = memoryAdapter()
    const mails: string[] = []
    const post = {
      id: 'post',
      name: 'Post',
      type: 'email' as const,
      maxAge: 600,
      options: {},
      sendVerificationRequest() {},
      sendMail: ({ mail }: { mail: { text: string } }) => void mails.push(mail.text),
    }
    const site = twoFactorSite({}, { adapter, providers: [post], plugins: [emailCode()] })
    await adapter.createUser?.({ id: 'made', email: ADA, emailVerified: null })
    const { core, config } = site.world
    const api = core.plan(config).plugins?.api('passwords') as PasswordsApi
    const userId = String((await adapter.getUserByEmail?.(ADA))?.id)
    await api.set(userId, GOOD)
    const attacker = site.world.otherBrowser()
    await site.signIn(ADA, GOOD, attacker)
    await site.addApp('Trojan', attacker)
    const owner = site.world.otherBrowser()
    await site.json('email-code/send', { email: ADA }, owner)
    const codeOf = () => /\b\d{6}\b/.exec(mails.at(-1) ?? '')?.[0]
    await expect.poll(codeOf).toBeDefined()
    const code = codeOf()
    const answer = await site.json('email-code/verify', { code }, owner)
    expect(await answer.json()).toMatchObject({ status: 'signed_in' })
    expect(await (await owner.get('/auth/two-factor/status')).json()).toMatchObject({
      level: 1,
      factors: [],
      recoveryCodesLeft: 0,
    })
    expect(await attacker.session()).toBeNull()
  })
})

describe('T-ACC-20, MF-20: guesses', () => {
  test('of 1,000 in parallel in many browsers, five of strangers are compared, and the owner signs in from a known browser', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const known = site.world.otherBrowser()
    await site.signInWith(app, known)
    site.world.advance(60)
    const thieves = Array.from({ length: 5 }, () => site.world.otherBrowser())
    for (const thief of thieves) await site.signIn(undefined, undefined, thief)
    const wrong = app.code(50) === '000000' ? '111111' : '000000'
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => site.verify(wrong, thieves[at % 5])),
    )
    const count = (status: number): number =>
      answers.filter((each) => each.status === status).length
    expect(count(400)).toBeLessThanOrEqual(5)
    // After ten codes, a sign-in waits no more.
    expect(count(400) + count(429)).toBe(50)
    expect(count(401)).toBe(950)
    await site.signIn(undefined, undefined, thieves[0])
    const refused = await site.verify(app.code(), thieves[0])
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    await site.signIn(undefined, undefined, known)
    expect((await site.verify(app.code(), known)).status).toBe(200)
  })

  test('MF-20: after 50 wrong codes in a row strangers are refused the right one; a recovery code and a new app mend it', async () => {
    const site = twoFactorSite()
    const { app, codes } = await site.enrol()
    const thief = site.world.otherBrowser()
    for (let round = 0; round < 10; round++) {
      site.world.advance(16 * 60)
      await site.signIn(undefined, undefined, thief)
      for (let tries = 0; tries < 5; tries++) await site.verify(app.code(7), thief)
    }
    site.world.advance(16 * 60)
    await site.signIn(undefined, undefined, thief)
    expect((await site.verify(app.code(), thief)).status).toBe(400)
    expect(site.events.filter(({ type }) => type === 'factor.disabled')).toHaveLength(1)
    await site.settled()
    const subjects = site.mails.map(({ subject }) => subject)
    expect(subjects.filter((each) => each.includes('factor was disabled'))).toHaveLength(1)
    const owner = site.world.otherBrowser()
    await site.signIn(undefined, undefined, owner)
    expect((await site.verify(codes[0] ?? '', owner, { method: 'recovery' })).status).toBe(200)
    const next = await site.addApp('New phone', owner)
    site.world.advance(16 * 60)
    const browser = site.world.otherBrowser()
    expect((await site.signInWith(next, browser)).status).toBe(200)
  })

  test('MF-21: the owner is told of the third wrong code, once a day', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const thief = site.world.otherBrowser()
    const told = () => site.mails.filter(({ subject }) => subject.includes('Wrong codes')).length
    const guess = async (times: number): Promise<void> => {
      site.world.advance(16 * 60)
      await site.signIn(undefined, undefined, thief)
      for (let tries = 0; tries < times; tries++) await site.verify(app.code(7), thief)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await guess(2)
    expect(told()).toBe(0)
    await guess(4)
    await expect.poll(told).toBe(1)
    site.world.advance(24 * 3600)
    await guess(1)
    await expect.poll(told).toBe(2)
  })

  test('MF-12, MF-20: a waiting sign-in compares ten codes of all kinds together, also in a known browser, and then ends', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    site.world.advance(60)
    await site.signIn()
    const statuses: number[] = []
    for (const method of ['totp', 'recovery'])
      for (let tries = 0; tries < 6; tries++)
        statuses.push((await site.verify(app.code(7), site.world, { method })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 401, 401])
    await site.signIn()
    expect((await site.verify(app.code(7), site.world, { method: 'recovery' })).status).toBe(400)
  })

  test('MF-12: the form of a waiting sign-in with ten wrong codes leads to the sign-in page, from which a new sign-in works', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    site.world.advance(60)
    await site.signIn()
    for (const method of ['totp', 'recovery'])
      for (let tries = 0; tries < 5; tries++) await site.verify(app.code(7), site.world, { method })
    const fields = { method: 'totp', code: app.code() }
    const ended = await site.world.post('/auth/two-factor/verify', fields, html)
    expect(ended.status).toBe(303)
    expect(ended.headers.get('location')).toBe('/auth/signin?error=PendingExpired')
    site.world.advance(6)
    // Without a code, too: nothing waits any more.
    expect((await site.world.get('/auth/two-factor', html)).status).toBe(303)
    const store = site.world.config.adapter?.[atomic]
    const waiting = await store?.listRecords?.({ kind: 'pending-sign-in', limit: 9 })
    const now = site.world.now()
    expect(waiting?.records.map(({ expires }) => Number(expires) < now)).toEqual([true])
    await site.signIn()
    const answer = await site.verify(app.code())
    expect(answer.status).toBe(200)
  })

  test('MF-20: of one network, sixty codes are compared in 15 minutes, whatever browsers they come from', async () => {
    const site = twoFactorSite({}, { plugins: [limits({ client: { hops: 1 } })] })
    const browsers: { email: string; browser: World }[] = []
    for (const email of [ADA, 'bob@example.com']) {
      const { app } = await site.enrol(email)
      for (let at = 0; at < 4; at++) {
        const browser = site.world.otherBrowser()
        await site.signInWith(app, browser, email)
        browsers.push({ email, browser })
      }
    }
    site.world.advance(16 * 60)
    const typed = async (browser: World, address: string): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': address,
      }
      const body = JSON.stringify({ method: 'totp', code: 'wrong' })
      const path = '/auth/two-factor/verify'
      return (await browser.request(path, { method: 'POST', headers, body })).status
    }
    const statuses: number[] = []
    for (const { email, browser } of browsers) {
      await site.signIn(email, undefined, browser)
      for (let tries = 0; tries < 8; tries++) statuses.push(await typed(browser, '203.0.113.7'))
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 400), 429, 429, 429, 429])
    expect(await typed(browsers[7]?.browser as World, '203.0.113.8')).toBe(400)
  })

  test('the log and the events have no code', async () => {
    const site = twoFactorSite()
    const { app, codes } = await site.enrol()
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const typed = [app.code(4), codes[0] ?? '']
    await site.verify(typed[0] ?? '', browser)
    await site.verify(typed[1] ?? '', browser, { method: 'recovery' })
    const said = JSON.stringify([site.world.log, site.events, site.mails])
    for (const code of typed) expect(said).not.toContain(code)
  })
})

describe('the start', () => {
  test('sealed sessions without the plugin sessions are refused by name', async () => {
    const { twoFactor } = await import('../index.ts')
    const { createLatchkey } = await import('../../../entries/index.ts')
    expect(() =>
      createLatchkey({
        secret: 'pX4nQ8rT2vB6yK0wE5uI9oL3sD7fG1hJ',
        adapter: memoryAdapter(),
        session: { strategy: 'jwt' },
        providers: [],
        plugins: [twoFactor()],
      }),
    ).toThrow(/twoFactor\(\).*add sessions\(\)/s)
  })

  test('nobody without a factor sees anything but the section of the account page', async () => {
    const [plain, offered] = [passwordsSite(), twoFactorSite()]
    const bodies: unknown[] = []
    for (const site of [plain, offered]) {
      await site.signUp()
      const answer = await site.signIn()
      bodies.push(await answer.json())
    }
    expect(bodies[1]).toEqual(bodies[0])
  })
})

describe.each(['jwt', 'database'] as const)(
  'T-ACC-30, MF-12: sign-ins that wait, strategy %s',
  (strategy) => {
    const waitingSite = async () => {
      const site = twoFactorSite({}, { session: { strategy } })
      const { app } = await site.enrol()
      site.world.advance(60)
      /** Signs in with the right password, and waits for the second factor. */
      const wait = async (browser: World): Promise<void> => {
        site.world.advance(20)
        const answer = await site.signIn(ADA, GOOD, browser)
        expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
      }
      const strangers = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) await wait(site.world.otherBrowser())
      }
      return { site, app, wait, strangers }
    }

    test('strangers who know the password do not end that of a browser in which the owner signed in before', async () => {
      const { site, app, wait, strangers } = await waitingSite()
      await wait(site.world)
      await strangers(7)
      expect((await site.verify(app.code())).status).toBe(200)
    })

    test('those of known browsers leave room for a new one, and the oldest of them ends first', async () => {
      const { site, app, wait } = await waitingSite()
      const known = [site.world]
      for (let n = 0; n < 4; n++) {
        const browser = site.world.otherBrowser()
        expect((await site.signInWith(app, browser)).status).toBe(200)
        known.push(browser)
      }
      const fresh = site.world.otherBrowser()
      await wait(fresh)
      for (const browser of known) await wait(browser)
      expect((await site.verify(app.code(), known[0])).status).not.toBe(200)
      expect((await site.verify(app.code(), fresh)).status).toBe(200)
      site.world.advance(60)
      expect((await site.verify(app.code(), known[1])).status).toBe(200)
    })
  },
)
