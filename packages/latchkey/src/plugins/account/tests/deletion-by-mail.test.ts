import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'

const html = { headers: { accept: 'text/html' } }
const EMAIL = 'ada@example.com'
const HOUR = 60 * 60

/** A site on which Ada asked for the deletion of her account. */
async function asked(deletion: object = {}): Promise<AccountSite> {
  const site = accountSite({ account: { deletion: { confirm: 'mail', ...deletion } } })
  await site.signUp()
  const answer = await site.json('account/delete', { confirm: EMAIL })
  expect(answer.status).toBe(202)
  expect(await answer.json()).toEqual({ status: 'mail_sent' })
  await site.mailed('Confirm that your account')
  return site
}

const tokenOf = (site: AccountSite): string =>
  new URL(site.link('account/confirm-delete'), 'https://app.example').searchParams.get('token') ??
  ''

describe("SS-12: a deletion with `confirm: 'mail'`", () => {
  test('is planned after the button on the page of the link, in whatever browser, and not before', async () => {
    const site = await asked()
    expect(await site.world.session()).not.toBeNull()
    const mail = await site.mailed('Confirm that your account')
    expect(mail).toMatchObject({ to: EMAIL })
    expect(mail.text).toContain('/auth/account/secure?token=')
    const phone = site.world.otherBrowser()
    const opened = await phone.get(site.link('account/confirm-delete'), html)
    expect(opened.headers.get('location')).toBe('/auth/account/confirm-delete')
    const page = await phone.get('/auth/account/confirm-delete', html)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const text = await page.text()
    expect(text).toContain('Delete your account?')
    expect(text).toContain(EMAIL)
    expect(await site.world.session()).not.toBeNull()
    const done = await phone.post('/auth/account/confirm-delete', {}, html)
    expect(done.status).toBe(202)
    expect(done.headers.get('referrer-policy')).toBe('no-referrer')
    expect(done.headers.getSetCookie().join()).toMatch(/latchkey\.flow[^;]*=;[^,]*Max-Age=0/i)
    expect(await done.text()).toContain('Your account will be deleted')
    expect(await site.world.session()).toBeNull()
    await site.mailed('will be deleted')
    site.world.advance(7 * 24 * HOUR)
    await site.maintain()
    expect(await site.world.config.adapter?.getUserByEmail?.(EMAIL)).toBeNull()
  })

  test('a link works once, for an hour, and until another one was mailed', async () => {
    const site = await asked({ grace: 0 })
    const first = tokenOf(site)
    const before = site.mails.length
    await site.json('account/delete', { confirm: EMAIL })
    while (site.mails.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
    const second = tokenOf(site)
    expect(second).not.toBe(first)
    for (const token of [first, '', 'x'])
      expect((await site.json('account/confirm-delete', { token })).status).toBe(400)
    site.world.advance(HOUR + 1)
    expect((await site.json('account/confirm-delete', { token: second })).status).toBe(400)
    const dead = await site.world.get(site.link('account/confirm-delete'), html)
    const page = await site.world.get(dead.headers.get('location') ?? '', html)
    expect(page.status).toBe(400)
    await site.signIn()
    await site.json('account/delete', { confirm: EMAIL })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const token = tokenOf(site)
    const done = await site.json('account/confirm-delete', { token })
    expect([done.status, await done.text()]).toEqual([204, ''])
    expect((await site.json('account/confirm-delete', { token })).status).toBe(400)
  })

  test('T-OTV-3: of parallel confirmations one plans it', async () => {
    const site = await asked()
    const token = tokenOf(site)
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => site.json('account/confirm-delete', { token })),
    )
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1)
  })

  test('a link to an address that the user no longer has deletes nothing', async () => {
    const site = await asked()
    const token = tokenOf(site)
    const user = await site.world.config.adapter?.getUserByEmail?.(EMAIL)
    await site.world.config.adapter?.updateUser?.({ id: String(user?.id), email: 'b@example.com' })
    expect((await site.json('account/confirm-delete', { token })).status).toBe(400)
  })

  test('waits as long as the last change of the address can be undone', async () => {
    const site = await asked()
    const token = tokenOf(site)
    await site.changeAddress('b@example.com')
    // The application sets it back, so that it is the one of the mail again.
    const user = await site.world.config.adapter?.getUserByEmail?.('b@example.com')
    await site.world.config.adapter?.updateUser?.({ id: String(user?.id), email: EMAIL })
    const refused = await site.json('account/confirm-delete', { token })
    expect(await refused.json()).toMatchObject({ code: 'undo_open' })
    expect(await site.world.session()).not.toBeNull()
  })

  test('a user without a proven address confirms with the recent proof alone', async () => {
    const site = accountSite({ account: { deletion: { confirm: 'mail' } } })
    await site.signUp()
    const user = await site.world.config.adapter?.getUserByEmail?.(EMAIL)
    await site.world.config.adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    const answer = await site.json('account/delete', { confirm: EMAIL })
    expect(await answer.json()).toEqual({ deletedAt: expect.any(String) })
  })

  test('asking still needs the recent proof, and a form gets a page', async () => {
    const site = accountSite({ account: { deletion: { confirm: 'mail' } } })
    await site.signUp()
    const page = await site.world.post('/auth/account/delete', { confirm: EMAIL }, html)
    expect(await page.text()).toContain('Check your email')
    site.world.advance(601)
    expect((await site.json('account/delete', { confirm: EMAIL })).status).toBe(403)
  })
})
