import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import { GOOD } from '../../../../tests/support/passwords-site.ts'
import { limits } from '../../limits/index.ts'
import { tokens } from '../../tokens/index.ts'

const html = { headers: { accept: 'text/html' } }
const WEEK = 7 * 24 * 60 * 60
const EMAIL = 'ada@example.com'

const isThere = async (site: AccountSite): Promise<boolean> =>
  ((await site.world.config.adapter?.getUserByEmail?.(EMAIL)) ?? null) !== null

describe('the deletion of an account', () => {
  test('SS-12, T-LINK-8: it is asked for with the address, ends all sessions, is told by mail, and happens after 7 days', async () => {
    const deleted: object[] = []
    const site = accountSite({}, { events: { deleteUser: (event) => void deleted.push(event) } })
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const wrong = await site.json('account/delete', { confirm: 'bob@example.com' })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      errors: [{ field: 'confirm', code: 'wrong_confirm' }],
    })
    const asked = await site.json('account/delete', { confirm: ' ADA@example.com ' })
    expect(asked.status).toBe(202)
    expect(await asked.json()).toEqual({
      deletedAt: new Date(site.world.now() + WEEK * 1000).toISOString(),
    })
    expect(await site.world.session()).toBeNull()
    expect(await other.session()).toBeNull()
    expect((await site.mailed('will be deleted')).text).toContain('/auth/account/keep')
    site.world.advance(WEEK - 1)
    await site.maintain()
    expect(await isThere(site)).toBe(true)
    site.world.advance(1)
    await site.maintain()
    expect(await isThere(site)).toBe(false)
    expect(deleted).toEqual([{ userId: expect.any(String), reason: 'user' }])
    expect(await site.mailed('was deleted')).toMatchObject({ to: EMAIL })
    expect(site.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['account.deletion-planned', 'user.deleted']),
    )
    expect((await site.signIn()).status).toBe(401)
    await site.signUp()
    expect(await site.world.session()).not.toBeNull()
  })

  test('SS-12: a sign-in within 7 days leads to a question after the full proof, has no session before the answer, and keeps the account', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/delete', { confirm: EMAIL })
    expect((await site.signIn(EMAIL, 'wrong')).status).toBe(401)
    const proved = await site.signIn()
    expect(await proved.json()).toMatchObject({
      url: expect.stringContaining('/auth/account/keep'),
    })
    expect(await site.world.session()).toBeNull()
    expect((await site.world.get('/auth/account/me')).status).toBe(401)
    const page = await (await site.world.get('/auth/account/keep', html)).text()
    expect(page).toContain('Keep your account?')
    const stranger = site.world.otherBrowser()
    expect((await site.json('account/keep', {}, stranger)).status).toBe(401)
    const kept = await site.world.post('/auth/account/keep', {}, html)
    expect(kept.status).toBe(303)
    expect(await site.world.session()).toMatchObject({ user: { email: EMAIL } })
    site.world.advance(WEEK + 1)
    await site.maintain()
    expect(await isThere(site)).toBe(true)
    expect(site.events.map(({ type }) => type)).toContain('account.deletion-stopped')
  })

  test('SS-12: API keys end as soon as the deletion is asked for', async () => {
    const site = accountSite({}, { plugins: [tokens({ apiKeys: {} })] })
    await site.signUp()
    await site.json('api-keys/create', { name: 'CI' })
    expect(await site.read('api-keys/list')).toMatchObject({ keys: [{ name: 'CI' }] })
    await site.json('account/delete', { confirm: EMAIL })
    await site.signIn()
    await site.world.post('/auth/account/keep', {}, html)
    expect(await site.read('api-keys/list')).toEqual({ keys: [] })
  })

  test('T-ACC-40: a sign-in whose proof was right before the deletion was planned gets no session', async () => {
    const site = accountSite()
    await site.signUp()
    const { adapter } = site.world.config
    const user = await adapter?.getUserByEmail?.(EMAIL)
    let plan: (() => Promise<unknown>) | undefined
    const racing = accountSite(
      {},
      {
        adapter: adapter as never,
        callbacks: {
          async signIn() {
            await plan?.()
            return true
          },
        },
      },
      { seed: 5 },
    )
    plan = async () => {
      plan = undefined
      expect((await site.json('account/delete', { confirm: EMAIL })).status).toBe(202)
    }
    await racing.signIn()
    expect(plan).toBeUndefined()
    expect(user).not.toBeNull()
    expect(await racing.world.session()).toBeNull()
  })

  test('SS-12: a handler that fails postpones the deletion by an hour, ten times', async () => {
    let calls = 0
    const site = accountSite(
      {},
      {
        events: {
          deleteUser() {
            calls++
            throw new Error('the shop does not answer')
          },
        },
      },
    )
    await site.signUp()
    await site.json('account/delete', { confirm: EMAIL })
    site.world.advance(WEEK)
    for (let tries = 1; tries <= 10; tries++) {
      await site.maintain()
      await site.maintain()
      expect(calls).toBe(tries)
      expect(await isThere(site)).toBe(true)
      site.world.advance(3600)
    }
    await site.signIn()
    const late = await (await site.world.get('/auth/account/keep', html)).text()
    expect(late).toContain('Your account is being deleted')
    expect((await site.json('account/keep')).status).toBe(404)
    await site.maintain()
    expect(await isThere(site)).toBe(false)
  })

  test('T-LINK-8: a deletion that stopped half way is finished later, and nobody signs in meanwhile', async () => {
    const site = accountSite()
    const { adapter } = site.world.config
    await site.signUp()
    await site.json('account/delete', { confirm: EMAIL })
    site.world.advance(WEEK)
    const remove = adapter?.deleteUser
    Object.assign(adapter as object, {
      deleteUser: async () => Promise.reject(new Error('the process was killed')),
    })
    await site.maintain()
    const browser = site.world.otherBrowser()
    await site.signIn(EMAIL, GOOD, browser)
    expect(await browser.session()).toBeNull()
    expect((await site.json('account/keep', {}, browser)).status).toBe(404)
    Object.assign(adapter as object, { deleteUser: remove })
    site.world.advance(3600)
    await site.maintain()
    expect(await isThere(site)).toBe(false)
  })

  test('SS-12: `grace: 0` deletes the account at once', async () => {
    const site = accountSite({ account: { deletion: { grace: 0 } } })
    await site.signUp()
    const page = await (await site.world.get('/auth/account/delete', html)).text()
    expect(page).toContain('is deleted for good, at once.')
    const done = await site.world.post('/auth/account/delete', { confirm: EMAIL }, html)
    expect(await done.text()).toContain('Your account was deleted')
    expect(await isThere(site)).toBe(false)
    expect(await site.world.session()).toBeNull()
  })

  test('SS-2: a deletion needs a recent proof of identity, and `deletion: false` has none', async () => {
    const site = accountSite()
    await site.signUp()
    site.world.advance(601)
    const answer = await site.json('account/delete', { confirm: EMAIL })
    expect(await answer.json()).toMatchObject({ code: 'reauthentication_required' })
    const without = accountSite({ account: { deletion: false } })
    await without.signUp()
    expect((await without.json('account/delete', { confirm: EMAIL })).status).toBe(404)
    const page = await (await without.world.get('/auth/account/data', html)).text()
    expect(page).not.toContain('account/delete')
  })

  test('SS-12: two requests at once plan one deletion', async () => {
    const site = accountSite()
    await site.signUp()
    const cookie = [...site.world.jar].map(([key, value]) => `${key}=${value}`).join('; ')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        site.world.otherBrowser().request('/auth/account/delete', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
          body: JSON.stringify({ confirm: EMAIL }),
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 202)).toHaveLength(1)
    for (const status of statuses) expect([202, 401, 409]).toContain(status)
  })
})

describe('the download of an account', () => {
  test('SS-11: the file has what is stored about the user, and no secret', async () => {
    const site = accountSite({
      account: {
        export: async function* (userId) {
          yield { order: 1, of: userId.length > 0 }
        },
      },
    })
    await site.signUp()
    await site.json('account/update', { name: 'Ada "Countess" Lovelace' })
    const answer = await site.world.get('/auth/account/export')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="account.json"')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      user: { email: EMAIL, name: 'Ada "Countess" Lovelace' },
      password: { isSet: true, setAt: expect.any(String) },
      passkeys: [],
      accounts: [],
      sessions: [
        {
          sid: expect.any(String),
          begun: expect.any(String),
          expires: expect.any(String),
          via: 'cookie',
          methods: expect.arrayContaining(['pwd']),
          device: expect.any(Object),
        },
      ],
      devices: [],
      export: [{ order: 1, of: true }],
    })
    for (const secret of ['$argon2', 'hash', 'eyJ', 'token', 'secret'])
      expect(text).not.toContain(secret)
    expect(site.events.map(({ type }) => type)).toContain('account.exported')
  })

  test('SS-11: the file has the browsers in which the user signed in, each once', async () => {
    const site = accountSite({}, { plugins: [limits()] })
    await site.signUp()
    const begun = new Date(site.world.now()).toISOString()
    site.world.advance(90)
    for (const browser of [site.world, site.world.otherBrowser()])
      await site.signIn(undefined, undefined, browser)
    const seen = new Date(site.world.now()).toISOString()
    const { devices } = await site.read('account/export')
    expect(devices).toHaveLength(2)
    expect(devices).toEqual(
      expect.arrayContaining([
        { firstAt: begun, lastAt: seen },
        { firstAt: seen, lastAt: seen },
      ]),
    )
  })

  test('SS-11: it needs a recent proof of identity, and is limited to three a day', async () => {
    const site = accountSite({ account: { limits: true } })
    await site.signUp()
    for (const status of [200, 200, 200, 429])
      expect((await site.world.get('/auth/account/export')).status).toBe(status)
    site.world.advance(24 * 60 * 60)
    await site.signIn()
    site.world.advance(601)
    expect((await site.world.get('/auth/account/export')).status).toBe(403)
  })

  test('SS-11: a link of another site begins no download, and uses up none', async () => {
    const site = accountSite({ account: { limits: true } })
    await site.signUp()
    const from = (sender: string) =>
      site.world.get('/auth/account/export', { headers: { 'sec-fetch-site': sender } })
    for (let link = 0; link < 4; link++) expect((await from('cross-site')).status).toBe(403)
    for (const sender of ['none', 'same-site', 'same-origin'])
      expect((await from(sender)).status).toBe(200)
    expect(site.events.filter(({ type }) => type === 'account.exported')).toHaveLength(3)
  })

  test('SS-11: it can be turned off', async () => {
    const without = accountSite({ account: { export: false } })
    await without.signUp()
    expect((await without.world.get('/auth/account/export')).status).toBe(404)
  })
})
