import { describe, expect, test } from 'vitest'
import { createTestProvider, type TestProvider, type World } from '../../src/entries/testing.ts'
import {
  claiming,
  type ReauthenticateSite,
  reauthenticateSite,
} from '../support/reauthenticate-site.ts'

const html = { headers: { accept: 'text/html' } }
const HOUR = 3600

interface Site extends ReauthenticateSite {
  readonly idp: TestProvider
  /** Signs in at the provider, and back. @param at the time of the sign-in there, seconds since the epoch; `undefined` for none */
  answer(url: string, at: number | undefined, browser?: World): Promise<Response>
  now(): number
}

/** A site with an OpenID provider that says which claims it has. */
function providerSite(claims: readonly string[] | null = ['sub', 'auth_time']): Site {
  const idp = createTestProvider({ id: 'acme' })
  const site = reauthenticateSite({}, {}, [claiming(idp, claims)])
  const now = (): number => Math.floor(site.world.now() / 1000)
  return {
    ...site,
    idp,
    now,
    async answer(url, at, browser = site.world) {
      const { auth_time: _, ...profile } = idp.profile
      idp.profile = { ...profile, ...(at !== undefined && { auth_time: at }) }
      const back = idp.authorize(url, { now: site.world.now() })
      return browser.get(back.pathname + back.search, html)
    },
  }
}

/** A user of the provider whose last proof is an hour old. */
async function old(claims?: readonly string[] | null): Promise<Site & { readonly next: string }> {
  const site = providerSite(claims)
  await site.idp.signIn(site.world)
  site.world.advance(HOUR)
  const { status, next } = await site.open({ maxAge: 300 })
  expect(status).toBe(403)
  return { ...site, next }
}

async function begin(site: Site, next: string, browser = site.world): Promise<string> {
  const begun = await site.prove(next, { way: 'provider-acme', begin: '1' }, browser)
  expect(begun.status).toBe(200)
  return ((await begun.json()) as { url: string }).url
}

describe('MF-26: a provider as a proof', () => {
  test('is asked for a new sign-in, and its recent time opens the step in the same session', async () => {
    const site = await old()
    expect(site.next).toContain('/auth/reauthenticate')
    const page = await (await site.world.get(site.next, html)).text()
    expect(page).toContain('Sign in again with Test')
    const before = await site.facts()
    const url = await begin(site, site.next)
    const { searchParams } = new URL(url)
    expect(searchParams.get('prompt')).toBe('login')
    expect(searchParams.get('max_age')).toBe('0')
    // Passwords, codes and consent at the provider take a while.
    site.world.advance(240)
    const back = await site.answer(url, site.now() - 100)
    expect(back.headers.get('location')).toContain('/auth/vault/open')
    const after = await site.facts()
    expect(after.auth_time).toBe(site.now())
    expect(after.amr).toContain('fed')
    expect(after.auth_time).not.toBe(before.auth_time)
    expect((await site.open({ maxAge: 300 })).status).toBe(200)
    expect(site.events.map(({ type }) => type)).toContain('signin.step-up')
  })

  test('without a time, or with one from before, it is refused and nothing changes', async () => {
    const site = await old()
    const before = await site.facts()
    for (const at of [undefined, site.now() - 60, site.now() - HOUR]) {
      const back = await site.answer(await begin(site, site.next), at)
      expect(back.headers.get('location') ?? '').toContain('error=OAuthCallbackError')
      expect(await site.facts()).toEqual(before)
      expect((await site.open({ maxAge: 300 })).status).toBe(403)
    }
  })

  test('of another account, in another session or used before, it is refused', async () => {
    const site = await old()
    const { idp } = site
    const before = await site.facts()
    const ada = idp.profile
    idp.profile = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: true }
    const other = await site.answer(await begin(site, site.next), site.now())
    expect(other.headers.get('location')).not.toContain('/vault')
    expect(await site.facts()).toEqual(before)
    expect(await site.world.config.adapter?.getUserByEmail?.('eve@example.com')).toBeNull()
    idp.profile = ada

    const url = await begin(site, site.next)
    const mallory = site.world.otherBrowser()
    await idp.signIn(mallory)
    for (const [name, value] of site.world.jar)
      if (name.includes('sign-in') || name.includes('state')) mallory.jar.set(name, value)
    const theirs = await site.facts(mallory)
    await site.answer(url, site.now(), mallory)
    expect(await site.facts(mallory)).toEqual(theirs)

    const again = await begin(site, site.next)
    idp.profile = { ...ada, auth_time: site.now() }
    const back = idp.authorize(again, { now: site.world.now() })
    const first = await site.world.get(back.pathname + back.search, html)
    expect(first.headers.get('location')).toContain('/auth/vault/open')
    site.world.advance(HOUR)
    const replayed = await site.world.get(back.pathname + back.search, html)
    expect(replayed.headers.get('location')).toContain('error')
    expect((await site.open({ maxAge: 300 })).status).toBe(403)
  })

  test('an account that was disconnected meanwhile proves nothing', async () => {
    const site = await old()
    const url = await begin(site, site.next)
    const account = { provider: 'acme', providerAccountId: 'ada' }
    await site.world.config.adapter?.unlinkAccount?.(account)
    await site.answer(url, site.now())
    expect((await site.open({ maxAge: 300 })).status).toBe(403)
  })

  test('a form without the provider proves nothing', async () => {
    const site = await old()
    expect((await site.prove(site.next, { way: 'provider-acme' })).status).toBe(400)
    expect((await site.open({ maxAge: 300 })).status).toBe(403)
  })

  for (const [what, claims] of [
    ['no claims', null],
    ['other claims', ['sub']],
  ] as const)
    test(`a provider whose metadata name ${what} is no way, since it may not report the time`, async () => {
      const site = await old(claims)
      expect(site.next).toContain('/auth/signin')
    })

  test('a user who has no account there does not get the way', async () => {
    const site = providerSite()
    await site.signUp()
    site.world.advance(HOUR)
    const { next } = await site.open({ maxAge: 300 })
    const page = await (await site.world.get(next, html)).text()
    expect(page).not.toContain('Sign in again with Test')
    expect((await site.prove(next, { way: 'provider-acme', begin: '1' })).status).toBe(400)
  })
})
