import { describe, expect, test } from 'vitest'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { createTestProvider, type TestProfile } from '../../../entries/testing.ts'
import type { AuthConfig } from '../../../options/auth-config.ts'
import { twoFactor } from '../index.ts'
import type { TwoFactorOptions } from '../settings.ts'

const ADA: TestProfile = {
  sub: 'ada',
  name: 'Ada',
  email: 'ada@example.com',
  email_verified: true,
}
const OKTA = { trustProviders: ['okta'] }

/** Signs a user with an app in at a provider that says this. @returns what the session says, or where the sign-in waits. */
async function signedIn(
  said: object,
  options: TwoFactorOptions = OKTA,
  { id = 'okta', isPlain = false } = {},
) {
  const idp = createTestProvider({ id, profile: { ...ADA, ...said } })
  const userinfo = 'https://provider.test/userinfo'
  const provider = {
    ...idp.provider,
    allowDangerousEmailAccountLinking: true,
    ...(isPlain && {
      type: 'oauth',
      userinfo,
      authorization: 'https://provider.test/authorize',
      token: 'https://provider.test/token',
      checks: ['state'],
    }),
  } as NonNullable<AuthConfig['providers']>[number]
  const site = twoFactorSite(options, {}, {}, {}, [provider])
  await site.enrol()
  const browser = site.world.otherBrowser()
  // The end of the other sessions and this sign-in are not at the same moment.
  site.world.advance(1)
  const answer = await idp.signIn(browser)
  const session = await browser.session()
  return { site, browser, location: answer.headers.get('location') ?? '', session }
}

/** Returns the contexts that a sign-in with a provider asks for. */
async function askedBy(
  { id, ...further }: { id: string; authorization?: object },
  options: TwoFactorOptions,
) {
  const idp = createTestProvider({ id, profile: ADA })
  const provider = { ...idp.provider, ...further } as typeof idp.provider
  const { world } = twoFactorSite(options, {}, {}, {}, [provider])
  const answer = await world.post(`/auth/signin/${id}`)
  const to = new URL(answer.headers.get('location') ?? '')
  return to.searchParams.get('acr_values')
}

describe('MF-24: a provider that is trusted for factors', () => {
  test.each([
    ['`mfa`', { amr: ['pwd', 'mfa'] }],
    ['two methods of different kinds', { amr: ['pwd', 'otp'] }],
    ['a known context', { acr: 'urn:okta:loa:2fa:any' }],
  ])('stands for the second factor where the ID token says %s', async (_, said) => {
    const { session } = await signedIn(said)
    expect(session).not.toBeNull()
  })

  test.each([
    ['nothing', {}],
    ['one method', { amr: ['pwd'] }],
    ['two methods of one kind', { amr: ['otp', 'sms'] }],
    ['a text', { amr: 'mfa' }],
    ['a list of something else', { amr: ['mfa', 1] }],
    [
      'a context of another provider',
      { acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' },
    ],
  ])('T-ACC-24: does not where it says %s', async (_, said) => {
    const { session, location } = await signedIn(said)
    expect(session).toBeNull()
    expect(location).toContain('/auth/two-factor')
  })

  test('T-ACC-24, T-OIDC-12: another provider that says `mfa` is one factor, and so is one without an ID token', async () => {
    for (const given of [{ id: 'acme' }, { isPlain: true }]) {
      const { session, location } = await signedIn({ amr: ['mfa'] }, OKTA, given)
      expect([session, new URL(location, 'https://app.example').pathname]).toEqual([
        null,
        '/auth/two-factor',
      ])
    }
    expect((await signedIn({ amr: ['mfa'] }, {})).session).toBeNull()
  })

  test.each<[string | null, string, TwoFactorOptions]>([
    ['urn:okta:loa:2fa:any', 'okta', { ...OKTA, require: 'all' }],
    ['urn:okta:loa:2fa:any', 'okta', { ...OKTA, require: () => false }],
    [null, 'okta', OKTA],
    [null, 'okta', { require: 'all' }],
    [null, 'acme', { ...OKTA, require: 'all' }],
    [null, 'keycloak', { trustProviders: ['keycloak'], require: 'all' }],
  ])('is asked for %j: %s with %j', async (acr, id, options) => {
    expect(await askedBy({ id }, options)).toBe(acr)
  })

  test('is asked for the context of its own configuration instead', async () => {
    const authorization = { params: { acr_values: 'gold' } }
    expect(await askedBy({ id: 'okta', authorization }, { ...OKTA, require: 'all' })).toBe('gold')
  })

  test('a function decides for others by the claims', async () => {
    const asked: string[] = []
    const trustProviders: TwoFactorOptions['trustProviders'] = ({ provider, claims }) => {
      asked.push(provider)
      return claims['acr'] === 'gold' ? ['mfa'] : []
    }
    const acme = { id: 'acme' }
    expect((await signedIn({ acr: 'gold' }, { trustProviders }, acme)).session).not.toBeNull()
    expect((await signedIn({ acr: 'silver' }, { trustProviders }, acme)).session).toBeNull()
    expect(new Set(asked)).toEqual(new Set(['acme']))
  })

  test('a function also receives the claims as its second argument', async () => {
    const given: unknown[] = []
    const trustProviders: TwoFactorOptions['trustProviders'] = (account, claims) => {
      given.push([account.provider, claims === account.claims])
      return [String(claims['acr'])]
    }
    const acme = { id: 'acme' }
    expect((await signedIn({ acr: 'mfa' }, { trustProviders }, acme)).session).not.toBeNull()
    expect(given).toContainEqual(['acme', true])
  })

  test('T-MFA-3: without its time, the second factor of the provider is not recent', async () => {
    const { site, browser } = await signedIn({ amr: ['mfa'] })
    expect((await site.json('two-factor/recovery-codes', {}, browser)).status).toBe(403)
    const now = Math.floor(site.world.now() / 1000)
    const timed = await signedIn({ amr: ['mfa'], auth_time: now })
    const codes = await timed.site.json('two-factor/recovery-codes', {}, timed.browser)
    expect(codes.status).toBe(200)
    const old = await signedIn({ amr: ['mfa'], auth_time: now - 3600 })
    expect((await old.site.json('two-factor/recovery-codes', {}, old.browser)).status).toBe(403)
  })

  test('an unknown provider in the list is refused at the start', () => {
    expect(() => twoFactor({ trustProviders: ['acme'] })).toThrow(/trustProviders.*a function/)
    expect(() => twoFactor({ trustProviders: true as never })).toThrow(/trustProviders/)
  })
})
