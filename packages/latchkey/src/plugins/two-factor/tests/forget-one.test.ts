import { describe, expect, test } from 'vitest'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { World } from '../../../entries/testing.ts'
import type { TwoFactorStatus } from '../two-factor-api.ts'

const html = { headers: { accept: 'text/html' } }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

/** Enrols, and signs in with two other browsers that are trusted from then on. */
async function twoTrusted() {
  const site = twoFactorSite()
  const { app } = await site.enrol()
  const trust = async (headers: Record<string, string> = {}): Promise<World> => {
    const browser = site.world.otherBrowser()
    site.world.advance(60)
    await site.signIn(undefined, undefined, browser)
    const fields = { method: 'totp', code: app.code(), trust: true }
    const done = await browser.request('/auth/two-factor/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
      body: JSON.stringify(fields),
    })
    if (done.status !== 200) throw new Error(await done.text())
    return browser
  }
  return { site, first: await trust({ 'user-agent': FIREFOX }), second: await trust() }
}

const trustedIn = async (browser: World): Promise<TwoFactorStatus['trusted']> =>
  ((await (await browser.get('/auth/two-factor/status')).json()) as TwoFactorStatus).trusted

/** Whether a sign-in with the password asks for a second factor. */
async function asks(site: TwoFactorSite, browser: World): Promise<boolean> {
  const answer = (await (await site.signIn(undefined, undefined, browser)).json()) as object
  return 'status' in answer && answer.status === 'second_factor_required'
}

describe('MF-18: one trusted browser', () => {
  test('is listed with its name and its times, and says whether it is the one that asks', async () => {
    const { site, first, second } = await twoTrusted()
    const [newest, oldest] = await trustedIn(first)
    expect(oldest).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Firefox, Linux',
      lastUsedAt: new Date(site.world.now() - 60_000).toISOString(),
      until: expect.any(String),
      thisDevice: true,
    })
    expect(newest).toMatchObject({ name: null, thisDevice: false })
    expect((await trustedIn(second)).map(({ thisDevice }) => thisDevice)).toEqual([true, false])
    expect(await site.statusOf()).toMatchObject({
      devices: 2,
      trusted: [{ thisDevice: false }, { thisDevice: false }],
    })
  })

  test('loses its trust by its id, and other browsers stay trusted', async () => {
    const { site, first, second } = await twoTrusted()
    const id = (await trustedIn(first)).find(({ thisDevice }) => thisDevice)?.id
    expect((await site.json('two-factor/forget-devices', { id }, second)).status).toBe(204)
    expect(site.events.at(-1)?.type).toBe('device.forgotten')
    expect(await trustedIn(second)).toHaveLength(1)
    expect(await asks(site, second)).toBe(false)
    expect(await asks(site, first)).toBe(true)
    expect((await site.json('two-factor/forget-devices', { id }, second)).status).toBe(404)
    expect(await asks(site, second)).toBe(false)
  })

  test('SS-3: is not found by the id of a browser of somebody else', async () => {
    const { site, first } = await twoTrusted()
    const [{ id } = { id: '' }] = await trustedIn(first)
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    for (const asked of [id, 'x'.repeat(22)])
      expect((await site.json('two-factor/forget-devices', { id: asked }, eve)).status).toBe(404)
    expect((await site.json('two-factor/forget-devices', { id: '' }, first)).status).toBe(400)
    expect(await asks(site, first)).toBe(false)
  })

  test('has its own button on the account page, without a script', async () => {
    const { site, first, second } = await twoTrusted()
    const page = await (await second.get('/auth/account/two-factor', html)).text()
    expect(page).toContain('2 trusted browsers')
    expect(page).toContain('Firefox, Linux')
    const id = (await trustedIn(first)).find(({ thisDevice }) => thisDevice)?.id ?? ''
    expect(page).toContain(`name="id" value="${id}"`)
    const done = await second.post('/auth/two-factor/forget-devices', { id }, html)
    const after = await (await second.get(done.headers.get('location') ?? '', html)).text()
    expect(after).toContain('You are asked for a code again in that browser.')
    expect(after).not.toContain('Firefox, Linux')
    expect(await asks(site, first)).toBe(true)
  })

  test('T-ACC-23: stays without trust after a sign-in in it at the same moment', async () => {
    const { site, first, second } = await twoTrusted()
    const id = (await trustedIn(first)).find(({ thisDevice }) => thisDevice)?.id
    await Promise.all([
      site.signIn(undefined, undefined, first),
      site.json('two-factor/forget-devices', { id }, second),
      site.signIn(undefined, undefined, first),
    ])
    expect(await asks(site, first)).toBe(true)
    expect(await asks(site, second)).toBe(false)
  })
})
