import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../tests/support/authenticator.ts'
import { authenticate, ORIGIN, register } from '../../../../tests/support/passkeys.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { World } from '../../../entries/testing.ts'
import passkey from '../../../providers/passkey.ts'
import { account } from '../../account/index.ts'
import type { TwoFactorOptions } from '../settings.ts'

const html = { headers: { accept: 'text/html' } }

/** A user with passkeys, of whom a second factor is required, in a browser that proved one. */
async function withKeys(count: number, options: TwoFactorOptions = { require: 'all', grace: 1 }) {
  const site = twoFactorSite(options, { plugins: [account({ limits: false })] }, {}, {}, [
    passkey(),
  ])
  await site.signUp()
  const key = createAuthenticator(ORIGIN)
  for (let made = 0; made < count; made++) await register(site.world, key)
  site.world.advance(2)
  const browser = site.world.otherBrowser()
  await authenticate(browser, key)
  expect(await browser.session()).not.toBeNull()
  return { site, browser, key, ids: await idsOf(browser) }
}

async function idsOf(browser: World): Promise<readonly string[]> {
  const answer = (await (await browser.get('/auth/account/passkeys')).json()) as {
    passkeys: { id: string }[]
  }
  return answer.passkeys.map(({ id }) => id)
}

const remove = (site: TwoFactorSite, browser: World, id = ''): Promise<Response> =>
  site.json('account/remove-passkey', { id }, browser)

describe('MF-15: a passkey that is the last required second factor', () => {
  test('is not removed on the account page, until there is another one', async () => {
    const { site, browser, ids } = await withKeys(1)
    const refused = await remove(site, browser, ids[0])
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'last_factor' }])
    const form = await browser.post('/auth/account/remove-passkey', { id: ids[0] ?? '' }, html)
    expect(form.status).toBe(409)
    expect(await form.text()).toContain('this passkey is the only one')
    expect(await idsOf(browser)).toEqual(ids)

    await site.addApp('Phone', browser)
    expect((await remove(site, browser, ids[0])).status).toBe(204)
    expect(await idsOf(browser)).toEqual([])
  })

  test('is removed where none is required', async () => {
    const { site, browser, ids } = await withKeys(1, {})
    expect((await remove(site, browser, ids[0])).status).toBe(204)
  })

  test('T-ACC-22: stays when both passkeys are removed at once', async () => {
    const { site, browser, ids } = await withKeys(2)
    const answers = await Promise.all(ids.map((id) => remove(site, browser, id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
    expect(await idsOf(browser)).toHaveLength(1)
  })

  test('T-ACC-22: stays when it and the app are removed at once', async () => {
    const { site, browser, ids, key } = await withKeys(1)
    const app = await site.addApp('Phone', browser)
    expect((await site.json('two-factor/use-passkeys', { use: true }, browser)).status).toBe(200)
    const other = site.world.otherBrowser()
    site.world.advance(1)
    await authenticate(other, key)
    const answers = await Promise.all([
      remove(site, browser, ids[0]),
      site.json('two-factor/remove', { id: app.id }, other),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const apps = await site.statusOf()
    expect(apps.factors.length + (await keysLeft(site))).toBe(1)
  })
})

async function keysLeft(site: TwoFactorSite): Promise<number> {
  const { adapter } = site.world.config
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  return (await adapter?.listAuthenticatorsByUserId?.(String(user?.id)))?.length ?? 0
}
