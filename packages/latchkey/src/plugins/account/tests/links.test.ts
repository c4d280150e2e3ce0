import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import { CHEAP } from '../../../../tests/support/passwords-site.ts'
import { appWith } from '../../../../tests/support/two-factor-site.ts'
import { createTestProvider, type World } from '../../../entries/testing.ts'
import { twoFactor } from '../../two-factor/index.ts'

const html = { headers: { accept: 'text/html' } }

function linkedSite() {
  const idp = createTestProvider({ id: 'acme' })
  const other = createTestProvider({ id: 'other', issuer: 'https://other.test' })
  const site = accountSite({}, { providers: [idp.provider, other.provider] })
  return { site, idp }
}

/** A site on which a sign-in with a proven address links the account, and waits for a second factor. */
function siteOfTwo() {
  const idp = createTestProvider({ id: 'acme' })
  const linking = { ...idp.provider, allowDangerousEmailAccountLinking: 'proven' } as const
  const recovery = { hash: CHEAP, count: 5 }
  const plugins = [twoFactor({ limits: false, recovery })]
  return { site: accountSite({}, { providers: [linking], plugins }), idp }
}

/** Links the account of the provider to who is signed in. */
async function connect(
  { site, idp }: ReturnType<typeof linkedSite>,
  world: World = site.world,
): Promise<Response> {
  const begun = await site.json('account/link', { provider: 'acme' }, world)
  expect(begun.status).toBe(200)
  const { url } = (await begun.json()) as { url: string }
  const back = idp.authorize(url, { now: world.now() })
  return world.get(back.pathname + back.search, html)
}

interface Listed {
  readonly links: readonly { readonly id: string; readonly provider: string }[]
  readonly available: readonly { readonly id: string }[]
}

const list = async (site: AccountSite, world = site.world): Promise<Listed> =>
  (await site.read('account/links', world)) as unknown as Listed

describe('accounts of providers', () => {
  test('SS-13: one that a sign-in links is told, however long the sign-in waits for the second factor', async () => {
    const { site, idp } = siteOfTwo()
    await site.signUp()
    const begun = await site.json('two-factor/enrol-totp', {})
    const { id, secret } = (await begun.json()) as { id: string; secret: string }
    const app = appWith(secret, site.world)
    await site.json('two-factor/confirm-totp', { id, code: app.code() })
    site.world.advance(60)
    idp.profile = { sub: 'eve', email: 'ada@example.com', email_verified: true }
    const browser = site.world.otherBrowser()
    await idp.signIn(browser)
    site.world.advance(300)
    const proof = { method: 'totp', code: app.code() }
    expect((await site.json('two-factor/verify', proof, browser)).status).toBe(200)
    expect(await site.mailed('was connected')).toMatchObject({ to: 'ada@example.com' })
  })

  test('SS-13: the one with which somebody signs up is no news to them, then and later', async () => {
    const { site, idp } = siteOfTwo()
    idp.profile = { sub: 'bob', email: 'bob@example.com', email_verified: true }
    await idp.signIn(site.world)
    site.world.advance(300)
    await idp.signIn(site.world.otherBrowser())
    await site.json('account/change-address', { email: 'new@example.com' })
    await site.mailed('is your code', 'new@example.com')
    expect(site.mails.filter(({ subject }) => subject.includes('was connected'))).toEqual([])
  })

  test('SS-10: one is linked, listed, told by mail, signs in, and is unlinked', async () => {
    const made = linkedSite()
    const { site, idp } = made
    idp.profile = { sub: 'ada-at-acme', email: 'ada@acme.example', email_verified: true }
    await site.signUp()
    expect(await list(site)).toMatchObject({
      links: [],
      available: [{ id: 'acme' }, { id: 'other' }],
    })
    const back = await connect(made)
    expect(back.headers.get('location')).toMatch(/\/auth\/account\/links$/)
    const page = await site.world.get('/auth/account/links', html)
    expect(await page.text()).toContain('Test was connected.')
    const { links, available } = await list(site)
    expect(links).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        provider: 'acme',
        name: 'Test',
        linkedAt: new Date(site.world.now()).toISOString(),
      },
    ])
    expect(available.map(({ id }) => id)).toEqual(['other'])
    expect(await site.mailed('was connected')).toMatchObject({ to: 'ada@example.com' })
    const browser = site.world.otherBrowser()
    site.world.advance(120)
    await idp.signIn(browser, { id: 'acme' })
    expect(await browser.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    expect(site.mails.filter(({ subject }) => subject.includes('was connected'))).toHaveLength(1)
    const id = links[0]?.id ?? ''
    const question = await site.world.get(`/auth/account/links?confirm=${id}`, html)
    expect(await question.text()).toContain('Disconnect Test?')
    const done = await site.world.post('/auth/account/unlink', { id }, html)
    expect(done.status).toBe(303)
    expect((await list(site)).links).toEqual([])
    expect(await browser.session()).toBeNull()
    expect(await site.mailed('was disconnected')).toMatchObject({ to: 'ada@example.com' })
    expect((await site.json('account/unlink', { id })).status).toBe(404)
  })

  test('T-LINK-6: linking and unlinking need a recent proof of identity', async () => {
    const made = linkedSite()
    const { site } = made
    await site.signUp()
    await connect(made)
    const [link] = (await list(site)).links
    site.world.advance(601)
    for (const [path, fields] of [
      ['account/link', { provider: 'other' }],
      ['account/unlink', { id: link?.id }],
    ] as const)
      expect(await (await site.json(path, fields)).json()).toMatchObject({
        code: 'reauthentication_required',
      })
    expect((await list(site)).links).toHaveLength(1)
  })

  test('T-LINK-9, T-ACC-28: the id of a linked account is not found for another user, nor an unknown provider', async () => {
    const made = linkedSite()
    const { site } = made
    await site.signUp()
    await connect(made)
    const [link] = (await list(site)).links
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    expect((await site.json('account/unlink', { id: link?.id }, eve)).status).toBe(404)
    expect((await eve.get(`/auth/account/links?confirm=${link?.id}`)).status).toBe(404)
    for (const provider of ['post', 'passkey', 'password', 'nobody', '__proto__'])
      expect((await site.json('account/link', { provider }, eve)).status).toBe(404)
    expect((await list(site)).links).toHaveLength(1)
  })

  test('SS-7, T-LINK-6: the account that is the last way in is not unlinked', async () => {
    const made = linkedSite()
    const { site, idp } = made
    idp.profile = { sub: 'ada', name: 'Ada' }
    await idp.signIn(site.world, { id: 'acme' })
    const [link] = (await list(site)).links
    const answer = await site.json('account/unlink', { id: link?.id })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ code: 'last_way_in' })
    const form = await site.world.post('/auth/account/unlink', { id: link?.id ?? '' }, html)
    expect(form.status).toBe(409)
    expect(await form.text()).toContain('the only way into your account')
  })

  test('SS-13: the link in the mail about a connection removes that connection', async () => {
    const made = linkedSite()
    const { site, idp } = made
    idp.profile = { sub: 'thief', email: 'thief@acme.example', email_verified: true }
    await site.signUp()
    await connect(made)
    await site.mailed('was connected')
    const owner = site.world.otherBrowser()
    await owner.get(site.link('account/secure'), html)
    expect((await owner.post('/auth/account/secure', {}, html)).status).toBe(200)
    site.world.advance(1)
    const thief = site.world.otherBrowser()
    await idp.signIn(thief, { id: 'acme' })
    expect(await thief.session()).not.toMatchObject({ user: { email: 'ada@example.com' } })
  })
})
