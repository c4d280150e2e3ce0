import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../src/entries/plugin.ts'
import { createSoftPasskey } from '../../src/entries/testing.ts'
import Passkey from '../../src/providers/passkey.ts'
import { GOOD, OTHER } from '../support/passwords-site.ts'
import { twoFactorSite } from '../support/two-factor-site.ts'

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
