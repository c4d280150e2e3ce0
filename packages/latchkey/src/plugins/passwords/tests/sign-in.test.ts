import { describe, expect, test } from 'vitest'
import { CHEAP, GOOD, OTHER, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { atomic } from '../../../entries/plugin.ts'
import type { World } from '../../../entries/testing.ts'
import { passwordsClient } from '../client.ts'

const html = { headers: { accept: 'text/html' } }
/** A browser that sends the form of a page. */
const navigating = {
  headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
}

describe('sign-in with a password', () => {
  test('PW-25: JSON signs in, and every reason that concerns the account has one answer', async () => {
    const site = passwordsSite()
    await site.signUp()
    const { adapter } = site.world.config
    await adapter?.createUser?.({ id: 'u2', email: 'bob@example.com', emailVerified: null })
    const browser = site.world.otherBrowser()
    const right = await site.signIn('Ada@EXAMPLE.com ', GOOD, browser)
    expect(right.status).toBe(200)
    expect(await right.json()).toEqual({ status: 'signed_in', url: 'https://app.example' })
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    const bodies = new Set<string>()
    for (const [name, password] of [
      ['ada@example.com', 'wrong password here'],
      ['bob@example.com', GOOD],
      ['nobody@example.com', GOOD],
      ['nobody', GOOD],
      ['', GOOD],
    ]) {
      const answer = await site.signIn(name, password, site.world.otherBrowser())
      expect(answer.status, name).toBe(401)
      bodies.add(await answer.text())
    }
    expect(bodies.size).toBe(1)
  })

  test.each([
    ['/orders', 'https://app.example/orders'],
    ['https://evil.example/', 'https://app.example'],
  ])(
    'PW-25: a page of the application leads to %s after a sign-up and a sign-in at %s',
    async (redirectTo, url) => {
      const site = passwordsSite()
      const pageIn = (browser: World) =>
        passwordsClient({
          ask: async (path, fields = {}) => (await site.json(path, fields, browser)).json(),
          store: { changed: async () => {} },
        })
      const page = pageIn(site.world)
      await page.signUp({ email: 'ada@example.com', password: GOOD, redirectTo })
      expect(await page.verify({ code: site.code() })).toMatchObject({ status: 'signed_in', url })
      const proof = { identifier: 'ada@example.com', password: GOOD, redirectTo }
      const signedIn = await pageIn(site.world.otherBrowser()).signIn(proof)
      expect(signedIn).toMatchObject({ status: 'signed_in', url })
    },
  )

  test('the sign-in page has the form, and a wrong password comes back with the address and the way to reset', async () => {
    const alone = passwordsSite()
    await alone.signUp()
    const browser = alone.world.otherBrowser()
    const page = await (await browser.get('/auth/signin', html)).text()
    expect(page).toContain('/auth/password/sign-up')
    const first = await (
      await browser.post('/auth/signin', { email: 'ada@example.com' }, html)
    ).text()
    expect(first).toContain('action="/auth/callback/password"')
    expect(first).toContain('href="/auth/password/forgot"')
    const wrong = await browser.post(
      '/auth/callback/password',
      { identifier: 'ada@example.com', email: 'ada@example.com', password: 'wrong' },
      navigating,
    )
    expect(wrong.status).toBe(401)
    const again = await wrong.text()
    expect(again).toContain('Wrong email address or password')
    expect(again).toContain('ada@example.com')
    const right = await browser.post('/auth/callback/password', {
      identifier: 'ada@example.com',
      password: GOOD,
      callbackUrl: 'https://app.example/inside',
    })
    expect(right.headers.get('location')).toBe('https://app.example/inside')
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test("today's client, which posts to the callback, gets a URL, and `GET providers` lists the way", async () => {
    const site = passwordsSite()
    await site.signUp()
    const browser = site.world.otherBrowser()
    const providers = (await (await browser.get('/auth/providers')).json()) as object
    expect(providers).toMatchObject({ password: { id: 'password', type: 'credentials' } })
    const answer = await browser.post(
      '/auth/callback/password',
      { identifier: 'ada@example.com', password: GOOD },
      { headers: { 'x-auth-return-redirect': '1' } },
    )
    expect(await answer.json()).toEqual({ url: 'https://app.example' })
  })

  test('PW-14, PW-15: a sign-in replaces a weaker hash, and nothing else changes', async () => {
    const site = passwordsSite({}, {}, { hashing: 'configured' })
    await site.signUp()
    const { adapter } = site.world.config
    const stronger = passwordsSite(
      { hash: { memory: 8192, passes: 5 } },
      { adapter: adapter as never },
      { hashing: 'configured' },
    )
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    const recordOf = async () => {
      const record = await adapter?.[atomic]?.getRecord?.({
        kind: 'password',
        key: String(user?.id),
      })
      return record?.data ?? {}
    }
    const before = await recordOf()
    expect((await stronger.signIn()).status).toBe(200)
    const after = await recordOf()
    expect(after['hash']).not.toBe(before['hash'])
    expect({ ...after, hash: 0 }).toEqual({ ...before, hash: 0 })
    expect(stronger.events.map(({ type }) => type)).toContain('password.rehashed')
    // Not downwards.
    expect((await site.signIn()).status).toBe(200)
    expect((await recordOf())['hash']).toBe(after['hash'])
  })

  test('PW-15, T-ACC-46: a password that no secret opens is wrong, the log names it, and the reset works', async () => {
    const site = passwordsSite()
    await site.signUp()
    const { adapter } = site.world.config
    const rotated = passwordsSite(
      {},
      { adapter: adapter as never, secret: 'another secret, 0123456789abcdefg' },
    )
    expect((await rotated.signIn()).status).toBe(401)
    expect(rotated.world.log.some(({ message }) => message.includes('password_unreadable'))).toBe(
      true,
    )
    await rotated.json('password/forgot', { identifier: 'ada@example.com' })
    await rotated.settled()
    await rotated.world.get(rotated.link('password/reset'), html)
    expect((await rotated.json('password/reset', { password: OTHER })).status).toBe(200)
    expect((await rotated.signIn('ada@example.com', OTHER)).status).toBe(200)
  })

  test('T-ACC-13: a sealed hash that is moved to another user opens for neither', async () => {
    const adapter = passwordsSite().world.config.adapter
    const site = passwordsSite({}, { adapter: adapter as never })
    await site.signUp('ada@example.com', GOOD)
    site.world.advance(61)
    await site.signUp('bob@example.com', OTHER, site.world.otherBrowser())
    const idOf = async (email: string) => String((await adapter?.getUserByEmail?.(email))?.id)
    const [ada, bob] = [await idOf('ada@example.com'), await idOf('bob@example.com')]
    const { getRecord, replaceRecord } = adapter?.[atomic] ?? {}
    const of = async (key: string) => getRecord?.({ kind: 'password', key })
    const [first, second] = [await of(ada), await of(bob)]
    if (!first || !second) throw new Error('both have a password')
    expect(await replaceRecord?.({ ...first, version: first.version + 1, data: second.data })).toBe(
      true,
    )
    expect(
      await replaceRecord?.({ ...second, version: second.version + 1, data: first.data }),
    ).toBe(true)
    for (const name of ['ada@example.com', 'bob@example.com'])
      for (const password of [GOOD, OTHER])
        expect((await site.signIn(name, password, site.world.otherBrowser())).status).toBe(401)
  })

  test('PW-26: `mustChange` leads to a page first, and no session begins before another password is chosen', async () => {
    const site = passwordsSite({ hash: CHEAP })
    await site.signUp()
    const browser = site.world.otherBrowser()
    const { createLatchkey } = await import('../../../entries/index.ts')
    const { api } = createLatchkey(site.world.config as never) as never as {
      api: { passwords: { set(id: string, password: string, options: object): Promise<void> } }
    }
    const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
    await api.passwords.set(String(user?.id), OTHER, { mustChange: true })
    const first = await site.signIn('ada@example.com', OTHER, browser)
    expect(await first.json()).toMatchObject({ url: '/auth/password/renew' })
    expect(await browser.session()).toBeNull()
    const page = await browser.get('/auth/password/renew', html)
    expect(await page.text()).toContain('Choose a new password before you go on')
    const same = await site.json('password/renew', { password: OTHER }, browser)
    expect(await same.json()).toMatchObject({
      code: 'password_refused',
      errors: [{ code: 'unchanged' }],
    })
    expect(await browser.session()).toBeNull()
    expect(
      (await site.json('password/renew', { password: 'a third password, long enough' }, browser))
        .status,
    ).toBe(200)
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
  })

  test.each(['jwt', 'database'] as const)(
    'T-ACC-2: sessions (%s) from before a password had to be changed end when it is',
    async (strategy) => {
      const site = passwordsSite({}, { session: { strategy } })
      const thief = site.world
      await site.signUp()
      const { createLatchkey } = await import('../../../entries/index.ts')
      const { api } = createLatchkey(site.world.config as never) as never as {
        api: { passwords: { set(id: string, password: string, options: object): Promise<void> } }
      }
      const user = await site.world.config.adapter?.getUserByEmail?.('ada@example.com')
      // As if the password was found among those of breaches: nobody was signed out then.
      const found = { mustChange: true, endSessions: false, skipRules: true }
      await api.passwords.set(String(user?.id), GOOD, found)
      expect(await thief.session()).not.toBeNull()
      const browser = site.world.otherBrowser()
      await site.signIn('ada@example.com', GOOD, browser)
      const renewed = await site.json('password/renew', { password: OTHER }, browser)
      expect(renewed.status).toBe(200)
      expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
      expect(await thief.session()).toBeNull()
    },
  )

  test('T-ACC-10: long, broken and odd passwords are wrong or whole, and never cut', async () => {
    const site = passwordsSite()
    const long = 'x'.repeat(5).concat('ä1 b2 c3 '.repeat(20))
    await site.signUp('ada@example.com', `${long}a`)
    for (const [password, status] of [
      [`${long}b`, 401],
      [long, 401],
      ['\ud800 half a character', 401],
      ['a'.repeat(5000), 401],
      [`${long}a`, 200],
    ] as const)
      expect(
        (await site.signIn('ada@example.com', password, site.world.otherBrowser())).status,
      ).toBe(status)
    for (const password of ['a'.repeat(5000), `${'a1 '.repeat(8)}\ud800`]) {
      const answer = await site.json('password/sign-up', { email: 'bob@example.com', password })
      expect(answer.status).toBe(422)
    }
    const huge = await site.json('password/sign-in', {
      identifier: 'ada@example.com',
      password: 'x'.repeat(1_000_000),
    })
    expect(huge.status).toBe(413)
  })
})
