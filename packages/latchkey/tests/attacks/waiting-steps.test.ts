import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../src/entries/plugin.ts'
import { createSoftPasskey, createTestProvider } from '../../src/entries/testing.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { twoFactor } from '../../src/plugins/two-factor/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import { type AccountSite, accountSite } from '../support/account-site.ts'
import { CHEAP, GOOD, OTHER } from '../support/passwords-site.ts'
import { appWith, twoFactorSite } from '../support/two-factor-site.ts'

const html = { headers: { accept: 'text/html' } }
const ADDRESS = 'ada@example.com'

describe('MF-13, T-ACC-18: a sign-in that waits for a second factor', () => {
  test('changes no password, which is a step of another gate', async () => {
    const site = twoFactorSite()
    await site.enrol()
    const browser = site.world.otherBrowser()
    const waiting = { status: 'second_factor_required' }
    expect(await (await site.signIn(ADDRESS, GOOD, browser)).json()).toMatchObject(waiting)
    const answer = await site.json('password/renew', { password: OTHER }, browser)
    expect(answer.status).toBe(401)
    expect((await browser.get('/auth/password/renew', html)).status).not.toBe(200)
    const again = await site.signIn(ADDRESS, GOOD, site.world.otherBrowser())
    expect(await again.json()).toMatchObject(waiting)
  })

  test('ends with a sign-out', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    await site.signIn(ADDRESS, GOOD, browser)
    await browser.post('/auth/signout', {})
    expect([...browser.jar.keys()].join()).not.toContain('latchkey.pending')
    site.world.advance(60)
    expect((await site.verify(app.code(), browser)).status).toBe(401)
    expect(await browser.session()).toBeNull()
  })
})

describe('MF-12, MF-13, T-ACC-21: a sign-in that waits while all sessions of its user end', () => {
  /** Each act with which an owner gets rid of a stranger who knows the password. */
  const acts = {
    'with the link of a mail that says it was not them': async (site: AccountSite) => {
      await site.mailed('New sign-in')
      await site.json('account/secure', { token: site.link('account/secure').split('token=')[1] })
    },
    'in the list of sessions': (site: AccountSite) => site.json('sessions/end-all'),
    'with the deletion of the account': (site: AccountSite) =>
      site.json('account/delete', { confirm: ADDRESS }),
  }

  test.each(Object.keys(acts) as (keyof typeof acts)[])(
    'sets up no second factor afterwards: ended %s',
    async (act) => {
      let must = false
      const recovery = { hash: CHEAP, count: 5 }
      const site = accountSite(
        {},
        { plugins: [limits(), twoFactor({ require: () => must, grace: 0, recovery })] },
      )
      await site.signUp()
      await site.signIn(ADDRESS, GOOD, site.world.otherBrowser())
      must = true
      const stranger = site.world.otherBrowser()
      expect(await (await site.signIn(ADDRESS, GOOD, stranger)).json()).toMatchObject({
        next: '/auth/two-factor/enrol',
      })
      const begun = await site.json('two-factor/enrol-totp', {}, stranger)
      const { id, secret } = (await begun.json()) as { id: string; secret: string }
      const { code } = appWith(secret, site.world)
      await acts[act](site)
      const late = await site.json('two-factor/confirm-totp', { id, code: code() }, stranger)
      expect(late.status).toBe(401)
      const owner = await site.signIn(ADDRESS, GOOD, site.world.otherBrowser())
      expect(await owner.json()).toMatchObject({ next: '/auth/two-factor/enrol' })
    },
  )

  test('sets up no second factor afterwards: it began at a provider, whose account it linked', async () => {
    let must = false
    const idp = createTestProvider({ id: 'acme' })
    const provider = { ...idp.provider, allowDangerousEmailAccountLinking: 'proven' } as const
    const recovery = { hash: CHEAP, count: 5 }
    const plugins = [twoFactor({ limits: false, require: () => must, grace: 0, recovery })]
    const site = accountSite({}, { providers: [provider], plugins })
    await site.signUp()
    must = true
    idp.profile = { sub: 'stranger', email: ADDRESS, email_verified: true }
    const stranger = site.world.otherBrowser()
    await idp.signIn(stranger)
    const begun = await site.json('two-factor/enrol-totp', {}, stranger)
    const { id, secret } = (await begun.json()) as { id: string; secret: string }
    await site.json('sessions/end-all')
    const { code } = appWith(secret, site.world)
    const late = await site.json('two-factor/confirm-totp', { id, code: code() }, stranger)
    expect(late.status).toBe(401)
  })

  test('keeps no account that is about to be deleted', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/delete', { confirm: ADDRESS })
    const stranger = site.world.otherBrowser()
    await site.signIn(ADDRESS, GOOD, stranger)
    await site.json('password/forgot', { identifier: ADDRESS })
    await site.mailed('Choose a new password')
    const token = site.link('password/reset').split('token=')[1]
    expect((await site.json('password/reset', { token, password: OTHER })).status).toBe(200)
    expect((await site.json('account/keep', {}, stranger)).status).toBe(401)
    const owner = await site.signIn(ADDRESS, OTHER, site.world.otherBrowser())
    expect(await owner.json()).toMatchObject({ next: '/auth/account/keep' })
  })
})

test('MF-15, T-ACC-21: a passkey is not added with the password alone to an account with a second factor', async () => {
  const keys = definePlugin({ name: 'keys', providers: [Passkey()], setUp: () => ({}) })
  const site = twoFactorSite({}, { plugins: [keys] })
  await site.enrol()
  site.world.advance(8 * 3600)
  const proved = await site.json('reauthenticate', { way: 'password', password: GOOD })
  expect(proved.status).toBe(200)
  const passkey = createSoftPasskey()
  await expect(passkey.register(site.world, ADDRESS)).rejects.toThrow()
})
