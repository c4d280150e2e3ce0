import { describe, expect, test } from 'vitest'
import { emailCodeSite } from '../../../../tests/support/email-code-site.ts'
import { GOOD } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { World } from '../../../entries/testing.ts'
import { atomic } from '../../../model/adapter.ts'
import { account } from '../../account/index.ts'
import { i18n } from '../../i18n/index.ts'
import { twoFactor } from '../index.ts'

const html = { headers: { accept: 'text/html' } }
const DAY = 24 * 60 * 60

describe('MF-19: until a second factor must be set up', () => {
  const GRACE = 2 * DAY
  const sentence = /Set up a second factor by [^.<]+\. After that, you cannot sign in without one\./
  const overviewOf = async (browser: World) =>
    (await browser.get('/auth/account', { headers: { accept: 'text/html' } })).text()

  test('each sign-in says the day, to programs and on the account page', async () => {
    const site = twoFactorSite({ require: 'all', grace: GRACE }, { plugins: [account()] })
    const until = new Date(site.world.now() + GRACE * 1000).toISOString()
    const signedUp = await site.signUp()
    expect(await signedUp.json()).toMatchObject({ status: 'signed_in', secondFactorBy: until })
    for (let day = 0; day < 2; day++) {
      const browser = site.world.otherBrowser()
      const answer = await site.signIn(undefined, undefined, browser)
      expect(await answer.json()).toMatchObject({ status: 'signed_in', secondFactorBy: until })
      expect(await overviewOf(browser)).toMatch(sentence)
      const me = await (await browser.get('/auth/account/me')).json()
      expect(me).toMatchObject({ secondFactorBy: until })
      site.world.advance(DAY - 60)
    }
  })

  test('nothing is said to users who have one, and to users who need none', async () => {
    const site = twoFactorSite({ require: 'all', grace: GRACE }, { plugins: [account()] })
    const { app } = await site.enrol()
    expect(await overviewOf(site.world)).not.toMatch(sentence)
    site.world.advance(60)
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const done = await (await site.verify(app.code(), browser)).json()
    expect(done).not.toHaveProperty('secondFactorBy')
    const free = twoFactorSite({}, { plugins: [account()] })
    expect(await (await free.signUp()).json()).not.toHaveProperty('secondFactorBy')
    expect(await overviewOf(free.world)).not.toMatch(sentence)
    expect(await (await free.world.get('/auth/account/me')).json()).toMatchObject({
      secondFactorBy: null,
    })
  })

  test('a sign-in with a code by mail says the day, also to a user who is created', async () => {
    const site = emailCodeSite({}, { plugins: [twoFactor({ require: 'all', grace: GRACE })] })
    const until = new Date(site.world.now() + GRACE * 1000).toISOString()
    for (const browser of [site.world, site.world.otherBrowser()]) {
      await site.send('ada@example.com', browser)
      const { body } = await site.verify(site.code(), browser)
      expect(body).toMatchObject({ status: 'signed_in', secondFactorBy: until })
      site.world.advance(60)
    }
  })

  test('the sentence is in the language of the visitor', async () => {
    const site = twoFactorSite({ require: 'all', grace: GRACE }, { plugins: [account(), i18n()] })
    await site.signUp()
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const page = await (await site.world.get('/auth/account', { headers })).text()
    expect(page).toContain('lang="de"')
    expect(page).toMatch(/Richten Sie bis zum [^<]+ einen zweiten Faktor ein\./)
    expect(page).not.toMatch(sentence)
  })
})

describe('MF-19: a second factor that everybody must have', () => {
  test('can wait for the days of `grace` from the first sign-in on, and must be set up then before the session begins', async () => {
    const site = twoFactorSite({ require: 'all', grace: 2 * DAY })
    await site.signUp()
    const until = new Date(site.world.now() + 2 * DAY * 1000).toISOString()
    const early = await (await site.world.get('/auth/two-factor/status')).json()
    expect(early).toMatchObject({ required: true, level: 1, until })
    const page = await (await site.world.get('/auth/account/two-factor', html)).text()
    expect(page).toContain('Set up a second factor by')
    site.world.advance(2 * DAY - 10)
    expect(await (await site.signIn()).json()).toMatchObject({ status: 'signed_in' })
    site.world.advance(11)
    const browser = site.world.otherBrowser()
    const answer = await site.signIn(undefined, undefined, browser)
    expect(await answer.json()).toMatchObject({
      status: 'second_factor_required',
      next: '/auth/two-factor/enrol',
      factors: [],
    })
    expect(await browser.session()).toBeNull()
    const must = await (await browser.get('/auth/two-factor/enrol', html)).text()
    expect(must).toContain('Protect your account')
    const app = await site.addApp('Phone', browser)
    expect(await browser.session()).not.toBeNull()
    const next = site.world.otherBrowser()
    await site.signIn(undefined, undefined, next)
    expect((await site.verify(app.code(), next)).status).toBe(400)
    expect((await site.verify(app.code(1), next)).status).toBe(200)
  })

  test('the step works without a script, and the recovery codes are shown after it', async () => {
    const site = twoFactorSite({ require: 'all', grace: 0 })
    await site.json('password/sign-up', {
      email: 'ada@example.com',
      password: 'correct horse battery staple',
    })
    const first = await site.world.post('/auth/password/verify', { code: site.code() }, html)
    expect(first.headers.get('location')).toBe('/auth/two-factor/enrol')
    const start = await (await site.world.get('/auth/two-factor/enrol-totp', html)).text()
    expect(start).toContain('Signing in as')
    const page = await (
      await site.world.post('/auth/two-factor/enrol-totp', { name: 'Phone' }, html)
    ).text()
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(page) ?? []
    const [, key = ''] = /id="key"[^>]*>([^<]+)</.exec(page) ?? []
    const code = site.app(key.replaceAll(' ', '')).code()
    const done = await site.world.post('/auth/two-factor/confirm-totp', { id, code }, html)
    expect(done.headers.get('location')).toBe('/auth/two-factor/recovery-codes')
    expect(await site.world.session()).not.toBeNull()
    const codes = await site.world.get('/auth/two-factor/recovery-codes', html)
    expect(await codes.text()).toContain('I have kept these codes')
    const kept = await site.world.post('/auth/two-factor/kept', { kept: '1' }, html)
    expect(kept.headers.get('location')).toBe('https://app.example')
  })

  test('MF-13, T-ACC-18: a waiting sign-in of a user with a factor sets up no other one, also with a secret that it was shown before', async () => {
    const site = twoFactorSite({ require: 'all', grace: 0 })
    await site.signUp()
    const thief = site.world.otherBrowser()
    await site.signIn(undefined, undefined, thief)
    const begun = (await (await site.json('two-factor/enrol-totp', {}, thief)).json()) as {
      id: string
      secret: string
    }
    await site.addApp()
    const code = site.app(begun.secret).code()
    const confirmed = await site.json('two-factor/confirm-totp', { id: begun.id, code }, thief)
    expect([401, 403]).toContain(confirmed.status)
    await site.signIn(undefined, undefined, thief)
    for (const [path, fields] of [
      ['enrol-totp', {}],
      ['confirm-totp', { id: begun.id, code }],
    ] as const) {
      const refused = await site.json(`two-factor/${path}`, fields, thief)
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({ code: 'forbidden', next: '/auth/two-factor' })
    }
    expect((await thief.get('/auth/two-factor/enrol', html)).headers.get('location')).toBe(
      '/auth/two-factor',
    )
    expect(await thief.session()).toBeNull()
  })

  test('12.1: of two browsers that set up the first factor at once, one is signed in', async () => {
    const site = twoFactorSite({ require: 'all', grace: 0 })
    await site.signUp()
    const browsers = [site.world, site.world.otherBrowser()]
    await site.signIn(undefined, undefined, browsers[1])
    const begun = await Promise.all(
      browsers.map(
        async (browser) =>
          (await (await site.json('two-factor/enrol-totp', {}, browser)).json()) as {
            id: string
            secret: string
          },
      ),
    )
    const answers = await Promise.all(
      begun.map(({ id, secret }, at) =>
        site.json('two-factor/confirm-totp', { id, code: site.app(secret).code() }, browsers[at]),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const sessions = await Promise.all(browsers.map((browser) => browser.session()))
    expect(sessions.filter(Boolean)).toHaveLength(1)
  })

  test('MF-15: the last factor stays, also when two are removed at once', async () => {
    const site = twoFactorSite({ require: 'all' })
    const { app } = await site.enrol()
    const other = await site.addApp('Tablet')
    const answers = await Promise.all(
      [app, other].map(({ id }) => site.json('two-factor/remove', { id })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(await refused?.json()).toMatchObject({ code: 'last_factor' })
    expect((await site.json('two-factor/remove', { all: true })).status).toBe(409)
    const status = (await (await site.world.get('/auth/two-factor/status')).json()) as {
      factors: unknown[]
    }
    expect(status.factors).toHaveLength(1)
  })

  test('a function knows the request, where there is one', async () => {
    const asked: (string | undefined)[] = []
    const site = twoFactorSite({
      grace: 0,
      require(_, { request }) {
        asked.push(request && new URL(request.url).pathname)
        return request?.headers.get('x-network') === 'outside'
      },
    })
    await site.signUp()
    expect(await site.world.session()).not.toBeNull()
    expect(asked).toContain('/auth/password/verify')
    await site.statusOf()
    expect(asked.at(-1)).toBeUndefined()
    const typed = { identifier: 'ada@example.com', password: GOOD }
    const outside = site.world.otherBrowser()
    const answer = await outside.request('/auth/password/sign-in', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-network': 'outside',
      },
      body: JSON.stringify(typed),
    })
    expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
    expect(await outside.session()).toBeNull()
  })

  test('a function decides for each user, and one that fails lets nobody in', async () => {
    const site = twoFactorSite({
      grace: 0,
      require({ email }) {
        if (email === 'broken@example.com') throw new Error('the directory does not answer')
        return email === 'admin@example.com'
      },
    })
    await site.signUp('ada@example.com')
    expect(await site.world.session()).not.toBeNull()
    const admin = site.world.otherBrowser()
    await site.signUp('admin@example.com', undefined, admin)
    expect(await admin.session()).toBeNull()
    const broken = site.world.otherBrowser()
    const answer = await site.signUp('broken@example.com', undefined, broken)
    expect(answer.status).toBe(500)
    expect(await broken.session()).toBeNull()
  })
})

describe('the options', () => {
  test('MF-1, MF-2: of codes have the one value that every authenticator app knows, which may be written out', () => {
    const totp = { digits: 6, period: 30, algorithm: 'SHA1', window: 1, most: 3 } as const
    expect(() => twoFactor({ totp })).not.toThrow()
  })

  test.each([
    [{ methods: ['sms'] }, /`methods`/],
    [{ methods: ['recovery'] }, /`methods`/],
    [{ require: 'everybody' }, /`require`/],
    [{ grace: -1 }, /`grace`/],
    [{ trustDevice: 5 }, /`trustDevice`/],
    [{ issuer: ':' }, /`issuer`/],
    [{ totp: { most: 0 } }, /`totp.most`/],
    [{ totp: { digits: 8 } }, /`totp.digits` must be 6, got 8/],
    [{ totp: { period: 60 } }, /`totp.period` must be 30, got 60/],
    [{ totp: { algorithm: 'SHA256' } }, /`totp.algorithm` must be 'SHA1', got "SHA256"/],
    [{ totp: { window: 2 } }, /`totp.window` must be 1, got 2/],
    [{ recovery: { count: 1 } }, /`recovery.count`/],
    [{ recovery: { hash: { memory: 1 } } }, /twoFactor\(\): `recovery\.hash\.memory`/],
    [{ recovery: { hash: null } }, /twoFactor\(\): `recovery\.hash` must be an object, got null/],
    [
      { recovery: { hash: { passes: 1 } } },
      /twoFactor\(\): `recovery\.hash\.memory` × `recovery\.hash\.passes`/,
    ],
    [{ limits: 'no' }, /`limits`/],
  ])('%j is refused at the start by its name', (options, message) => {
    expect(() => twoFactor(options as never)).toThrow(message)
  })
})

test('ACC-19: the gate reads the two records of a user without a second factor in one round', async () => {
  const store = memoryAdapter()
  const abilities = store[atomic]
  let open = 0
  let most = 0
  const getRecord: NonNullable<typeof abilities>['getRecord'] = async (key) => {
    const isOfGate = ['factors', 'enforcement'].includes(key.kind)
    if (isOfGate) most = Math.max(most, ++open)
    await Promise.resolve()
    const found = await abilities?.getRecord?.(key)
    if (isOfGate) open--
    return found ?? null
  }
  const adapter = { ...store, [atomic]: { ...abilities, getRecord } }
  const site = twoFactorSite({}, { adapter })
  await site.signUp()
  most = 0
  expect((await site.signIn(undefined, undefined, site.world.otherBrowser())).status).toBe(200)
  expect(most).toBe(2)
})
