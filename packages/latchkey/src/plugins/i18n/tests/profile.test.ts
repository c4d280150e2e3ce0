import { describe, expect, test } from 'vitest'
import { type PasswordsSite, passwordsSite } from '../../../../tests/support/passwords-site.ts'
import type { World } from '../../../entries/testing.ts'
import { account } from '../../account/index.ts'
import { i18n } from '../index.ts'

/** A site with a user who chose a language, if one is given, in the first browser. */
async function siteWith(language?: string): Promise<PasswordsSite> {
  const site = passwordsSite({ limits: false }, { plugins: [account({ limits: false }), i18n()] })
  await site.signUp()
  if (language !== undefined) await site.json('account/update', { language })
  return site
}

async function langOf(world: World, headers: Record<string, string> = {}): Promise<string> {
  const response = await world.get('/auth/account', {
    headers: { accept: 'text/html', 'accept-language': 'fr', ...headers },
  })
  return response.headers.get('content-language') ?? `none, status ${response.status}`
}

async function signedInAt(site: PasswordsSite, email?: string, world = site.world.otherBrowser()) {
  await site.signIn(email, undefined, world)
  return world
}

describe('I18N-2: the language of the profile', () => {
  test.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['zh-CN', 'zh-Hans'],
    ['nl', 'fr'],
  ])('%s: a browser in which its user signs in has pages in %s', async (language, lang) => {
    const site = await siteWith(language)
    expect(await langOf(await signedInAt(site))).toBe(lang)
  })

  test('leaves the language of the browser to a user who chose none', async () => {
    const site = await siteWith()
    const world = await signedInAt(site)
    expect(await langOf(world)).toBe('fr')
  })

  test('comes after what somebody chose in the browser, before and after the sign-in', async () => {
    const site = await siteWith('de')
    const world = site.world.otherBrowser()
    await world.get('/auth/signin?lang=ja')
    expect(await langOf(await signedInAt(site, undefined, world))).toBe('ja')
    const other = await signedInAt(site)
    await other.get('/auth/account?lang=es')
    expect(await langOf(other)).toBe('es')
    await site.signIn(undefined, undefined, other)
    expect(await langOf(other)).toBe('es')
  })

  test('ends with the sign-out', async () => {
    const site = await siteWith('de')
    const world = await signedInAt(site)
    expect(await langOf(world)).toBe('de')
    await world.post('/auth/signout', {})
    const page = await world.get('/auth/signin', { headers: { 'accept-language': 'fr' } })
    expect(page.headers.get('content-language')).toBe('fr')
  })

  test('does not stay for the next user of the browser', async () => {
    const site = await siteWith('de')
    const world = await signedInAt(site)
    await site.signUp('eve@example.com', undefined, site.world.otherBrowser())
    await signedInAt(site, 'eve@example.com', world)
    expect(await langOf(world)).toBe('fr')
  })

  test('is the new one from the next sign-in in a browser', async () => {
    const site = await siteWith('de')
    const world = await signedInAt(site)
    await site.json('account/update', { language: 'pt' })
    expect(await langOf(await signedInAt(site, undefined, world))).toBe('pt')
  })
})
