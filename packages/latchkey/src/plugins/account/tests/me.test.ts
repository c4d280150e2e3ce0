import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import { appWith } from '../../../../tests/support/two-factor-site.ts'
import { atomic } from '../../../model/adapter.ts'
import { i18n } from '../../i18n/index.ts'
import { type TwoFactorOptions, twoFactor } from '../../two-factor/index.ts'
import { usernames } from '../../usernames/index.ts'

/** A site on which people have second factors, too. */
const siteWithFactors = (options: TwoFactorOptions = {}) =>
  accountSite(
    {},
    { plugins: [twoFactor({ limits: false, recovery: { hash: CHEAP, count: 5 }, ...options })] },
  )

/** Removes a record, as if it had never been. */
async function forget({ world }: AccountSite, kind: string, key: string): Promise<void> {
  await world.config.adapter?.[atomic]?.takeRecord?.({ kind, key })
}

describe('`GET account/me`', () => {
  test('SS-15: every member that a page of the account needs is there, with null for what is not known', async () => {
    const site = accountSite()
    const begun = site.world.now()
    await site.signUp()
    expect(await site.read('account/me')).toEqual({
      user: {
        id: expect.any(String),
        name: null,
        email: 'ada@example.com',
        emailVerified: true,
        image: null,
        username: null,
        phone: null,
        locale: null,
        createdAt: new Date(begun).toISOString(),
      },
      has: { password: true, passkeys: 0, totp: 0, recoveryCodes: 0, connections: 0 },
      acr: 'urn:latchkey:acr:1',
      authTime: expect.any(Number),
      secondFactorBy: null,
      groups: [],
      offers: ['passkey'],
    })
    const stranger = site.world.otherBrowser()
    expect((await stranger.get('/auth/account/me')).status).toBe(401)
  })

  test('SS-15: a user from before the plugin has no time of creation', async () => {
    const site = accountSite()
    await site.signUp()
    const { user } = (await site.read('account/me')) as { user: { id: string } }
    await forget(site, 'profile', user.id)
    expect(await site.read('account/me')).toMatchObject({ user: { createdAt: null } })
  })

  test('SS-15: the time of creation stays when the profile changes', async () => {
    const site = accountSite({}, { plugins: [i18n()] })
    const begun = new Date(site.world.now()).toISOString()
    await site.signUp()
    site.world.advance(1000)
    await site.json('account/update', { language: 'de' })
    expect(await site.read('account/me')).toMatchObject({ user: { createdAt: begun } })
  })

  test('SS-15: has the user name of usernames()', async () => {
    const site = accountSite({}, { plugins: [usernames()] })
    await site.signUp()
    expect((await site.json('usernames/set', { name: 'lovelace' })).status).toBe(200)
    expect(await site.read('account/me')).toMatchObject({ user: { username: 'lovelace' } })
  })

  test('SS-15: counts the apps and the recovery codes of twoFactor()', async () => {
    const site = siteWithFactors()
    await site.signUp()
    expect(await site.read('account/me')).toMatchObject({
      has: { totp: 0, recoveryCodes: 0 },
      offers: ['passkey', 'totp'],
    })
    const begun = await site.json('two-factor/enrol-totp', { name: 'Phone' })
    const { id, secret } = (await begun.json()) as { id: string; secret: string }
    expect(await site.read('account/me')).toMatchObject({ has: { totp: 0 } })
    const code = appWith(secret, site.world).code()
    expect((await site.json('two-factor/confirm-totp', { id, code })).status).toBe(200)
    expect(await site.read('account/me')).toMatchObject({
      has: { totp: 1, recoveryCodes: 5 },
      offers: ['passkey'],
    })
  })

  test('SS-15: offers a password to who has none, and no app where the site takes none', async () => {
    const site = siteWithFactors({ methods: ['passkey', 'recovery'] })
    await site.signUp()
    const { user } = (await site.read('account/me')) as { user: { id: string } }
    await forget(site, 'password', user.id)
    expect(await site.read('account/me')).toMatchObject({
      has: { password: false },
      offers: ['passkey', 'password'],
    })
  })
})
