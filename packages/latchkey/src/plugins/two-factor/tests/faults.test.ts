import { expect, test } from 'vitest'
import { breakingStore } from '../../../../tests/support/breaking-store.ts'
import { GOOD } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { atomic } from '../../../entries/plugin.ts'

const ADDRESS = 'ada@example.com'

const isWriteOf =
  (kind: string) =>
  (name: string, [written]: readonly unknown[]): boolean =>
    /^(create|replace)Record$/.test(name) && (written as { kind: string }).kind === kind

test('MF-15: where the store is gone directly after a first factor counts, no session without it is left', async () => {
  const { adapter, breakAfter, mend } = breakingStore()
  const site = twoFactorSite({}, { adapter })
  await site.signUp()
  const other = site.world.otherBrowser()
  await site.signIn(ADDRESS, GOOD, other)
  const begun = await site.json('two-factor/enrol-totp', {})
  const { id, secret } = (await begun.json()) as { id: string; secret: string }
  const app = site.app(secret, id)
  breakAfter(isWriteOf('factors'))
  expect((await site.json('two-factor/confirm-totp', { id, code: app.code() })).status).toBe(503)
  expect(mend()).toBe(true)
  expect(await other.session()).toBeNull()
  // The factor counts, and its owner signs in with it.
  site.world.advance(60)
  const again = site.world.otherBrowser()
  const first = await site.signIn(ADDRESS, GOOD, again)
  expect(await first.json()).toMatchObject({ status: 'second_factor_required' })
  expect((await site.verify(app.code(), again)).status).toBe(200)
})

test('12.2: whatever call of the store fails, a factor that is set up counts or can be set up again, and its code never works twice', async () => {
  for (let at = 0, isOver = false; !isOver; at += 3) {
    const { adapter, failAt, mend } = breakingStore()
    const site = twoFactorSite({}, { adapter })
    await site.signUp()
    const begun = await site.json('two-factor/enrol-totp', {})
    const { id, secret } = (await begun.json()) as { id: string; secret: string }
    const app = site.app(secret, id)
    failAt(at)
    const done = await site.json('two-factor/confirm-totp', { id, code: app.code() })
    isOver = !mend()
    const browser = site.world.otherBrowser()
    const first = (await (await site.signIn(ADDRESS, GOOD, browser)).json()) as { status: string }
    const counts = first.status === 'second_factor_required'
    if (isOver) expect([done.status, counts]).toEqual([200, true])
    if (counts) {
      expect((await site.verify(app.code(), browser)).status).toBe(400)
      site.world.advance(60)
      expect((await site.verify(app.code(), browser)).status).toBe(200)
    } else {
      expect((await site.addApp('Phone', browser)).id).not.toBe('')
    }
  }
}, 240_000)

test('SS-5: a damaged record of factors stays one when what was added is taken back, so that one factor is not enough', async () => {
  const site = twoFactorSite()
  await site.enrol()
  const { adapter } = site.world.config
  const userId = String((await adapter?.getUserByEmail?.(ADDRESS))?.id)
  const records = adapter?.[atomic]
  const found = await records?.getRecord?.({ kind: 'factors', key: userId })
  if (!found) throw new Error('there is no record of factors')
  await records?.replaceRecord?.({ ...found, data: { rev: 'none' }, version: found.version + 1 })
  await site.removeAdded(userId, { after: 0, until: site.world.now() })
  expect(await records?.getRecord?.({ kind: 'factors', key: userId })).toMatchObject({
    data: { rev: 'none' },
  })
  const first = await site.signIn(ADDRESS, GOOD, site.world.otherBrowser())
  expect(await first.json()).toMatchObject({ status: 'second_factor_required' })
})
