import { expect, test } from 'vitest'
import { GOOD, OTHER } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { atomic } from '../../../entries/plugin.ts'

const html = { headers: { accept: 'text/html' } }
const ADDRESS = 'ada@example.com'

test('MF-6: recovery codes that were just made are shown to their user alone, in the same browser', async () => {
  const site = twoFactorSite()
  const { codes } = await site.enrol()
  const shown = async () => (await site.world.get('/auth/two-factor/recovery-codes', html)).text()
  expect(await shown()).toContain(codes[0])
  await site.world.post('/auth/signout', {})
  expect(await shown()).not.toContain(codes[0])
  site.world.advance(61)
  await site.signUp('bob@example.com', OTHER)
  expect(await shown()).not.toContain(codes[0])
})

test('MF-20: a new set of recovery codes works after the one before was disabled by guesses', async () => {
  const site = twoFactorSite()
  const { app } = await site.enrol()
  const stranger = site.world.otherBrowser()
  for (let guess = 0; guess < 70; guess++) {
    if (guess % 5 === 0) {
      site.world.advance(15 * 60 + 1)
      await site.signIn(ADDRESS, GOOD, stranger)
    }
    await site.verify('0000-0000-0000', stranger, { method: 'recovery' })
  }
  await site.signInWith(app, site.world)
  const made = await site.json('two-factor/recovery-codes', {})
  const { codes } = (await made.json()) as { codes: string[] }
  const fresh = site.world.otherBrowser()
  site.world.advance(15 * 60 + 1)
  await site.signIn(ADDRESS, GOOD, fresh)
  expect((await site.verify(codes[0] ?? '', fresh, { method: 'recovery' })).status).toBe(200)
})

test('MF-12: a sign-in that waits ends when another factor is added', async () => {
  const site = twoFactorSite()
  const { app } = await site.enrol()
  const waiting = site.world.otherBrowser()
  await site.signIn(ADDRESS, GOOD, waiting)
  site.world.advance(60)
  await site.addApp('Tablet')
  site.world.advance(60)
  expect((await site.verify(app.code(), waiting)).status).toBe(401)
})

test('MF-10: a damaged record of factors stays one after a change of the password, so that one factor is not enough', async () => {
  const site = twoFactorSite()
  await site.enrol()
  const { adapter } = site.world.config
  const user = await adapter?.getUserByEmail?.(ADDRESS)
  const records = adapter?.[atomic]
  const found = await records?.getRecord?.({ kind: 'factors', key: String(user?.id) })
  if (!found) throw new Error('there is no record of factors')
  await records?.replaceRecord?.({ ...found, data: { rev: 'none' }, version: found.version + 1 })
  const changed = await site.json('password/change', { current: GOOD, password: OTHER })
  expect(changed.status).toBe(200)
  const browser = site.world.otherBrowser()
  expect(await (await site.signIn(ADDRESS, OTHER, browser)).json()).toMatchObject({
    status: 'second_factor_required',
  })
  expect(await browser.session()).toBeNull()
})
