import { describe, expect, test } from 'vitest'
import { type AccountSite, accountSite } from '../../../../tests/support/account-site.ts'
import {
  type CeremonyOptions,
  createAuthenticator,
} from '../../../../tests/support/authenticator.ts'
import { authenticate } from '../../../../tests/support/passkeys.ts'
import { GOOD } from '../../../../tests/support/passwords-site.ts'
import { limits } from '../../limits/index.ts'
import { tokens } from '../../tokens/index.ts'

const html = { headers: { accept: 'text/html' } }

async function withPasskey(): Promise<{
  site: AccountSite
  thief: ReturnType<typeof createAuthenticator>
  link: string
}> {
  const site = accountSite()
  await site.signUp()
  const thief = createAuthenticator('https://app.example')
  const options = (await (await site.json('account/passkey-options')).json()) as CeremonyOptions
  await site.json('account/add-passkey', { data: JSON.stringify(thief.create(options)) })
  await site.mailed('A passkey was added')
  site.world.advance(1)
  return { site, thief, link: site.link('account/secure') }
}

const tokenOf = (link: string): string =>
  new URL(link, 'https://app.example').searchParams.get('token') ?? ''

describe('the link "this was not me"', () => {
  test('SS-13: its page says what happened, and its button removes it, ends all sessions and mails a link for a password', async () => {
    const { site, thief, link } = await withPasskey()
    const owner = site.world.otherBrowser()
    const kept = await owner.get(link, html)
    expect(kept.headers.get('location')).toBe('/auth/account/secure')
    const page = await (await owner.get('/auth/account/secure', html)).text()
    expect(page).toContain('The passkey “Passkey” was added to your account.')
    expect(page).toContain('Remove what was added')
    const before = site.mails.length
    const done = await owner.post('/auth/account/secure', {}, html)
    expect(await done.text()).toContain('Your account is secured')
    expect(await site.world.session()).toBeNull()
    site.world.advance(1)
    await authenticate(site.world, thief)
    expect(await site.world.session()).toBeNull()
    expect(
      site.mails
        .slice(before)
        .map(({ text }) => text)
        .join(),
    ).toContain('password/reset?token=')
    expect((await site.signIn(undefined, GOOD, owner)).status).toBe(200)
    expect(site.events.map(({ type }) => type)).toContain('account.secured')
  })

  test('SS-13: it works once, for 7 days, and without a session', async () => {
    const { site, link } = await withPasskey()
    const owner = site.world.otherBrowser()
    const token = tokenOf(link)
    expect((await site.json('account/secure', { token }, owner)).status).toBe(200)
    expect((await site.json('account/secure', { token }, owner)).status).toBe(400)
    const late = await withPasskey()
    late.site.world.advance(7 * 24 * 60 * 60)
    const answer = await late.site.json('account/secure', { token: tokenOf(late.link) })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_code' })
    const page = await late.site.world.otherBrowser().get('/auth/account/secure', html)
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('This link does not work')
  })

  test('T-ACC-27: after an API key was made, it ends the key, and no key from before it', async () => {
    const site = accountSite({}, { plugins: [tokens({ apiKeys: {} })] })
    await site.signUp()
    expect((await site.json('api-keys/create', { name: 'Of the owner' })).status).toBe(201)
    await site.mailed('A new API key')
    const before = site.mails.length
    expect((await site.json('api-keys/create', { name: 'Of the thief' })).status).toBe(201)
    await expect.poll(() => site.mails.length).toBe(before + 1)
    const { text } = await site.mailed('A new API key')
    expect(text).toContain('The API key “Of the thief” was made.')
    const owner = site.world.otherBrowser()
    const token = tokenOf(site.link('account/secure'))
    expect((await site.json('account/secure', { token }, owner)).status).toBe(200)
    expect((await site.signIn(undefined, GOOD, owner)).status).toBe(200)
    const list = JSON.stringify(await site.read('api-keys/list', owner))
    expect(list).toContain('Of the owner')
    expect(list).not.toContain('Of the thief')
  })

  test('T-ACC-27: a replaced API key is told, too, and its link ends the new key', async () => {
    const site = accountSite({}, { plugins: [tokens({ apiKeys: {} })] })
    await site.signUp()
    const made = (await (await site.json('api-keys/create', { name: 'Build' })).json()) as {
      key: { id: string }
    }
    await site.mailed('A new API key')
    const before = site.mails.length
    expect((await site.json('api-keys/replace', { id: made.key.id })).status).toBe(200)
    await expect.poll(() => site.mails.length).toBe(before + 1)
    const owner = site.world.otherBrowser()
    const token = tokenOf(site.link('account/secure'))
    expect((await site.json('account/secure', { token }, owner)).status).toBe(200)
    expect((await site.signIn(undefined, GOOD, owner)).status).toBe(200)
    expect(await site.read('api-keys/list', owner)).toMatchObject({ keys: [] })
  })

  test('T-ACC-27: it mails no link for a password to an address that was put in the place of the one it was sent to', async () => {
    const { site, link } = await withPasskey()
    await site.changeAddress('thief@example.com')
    await site.mailed('was changed', 'ada@example.com')
    const owner = site.world.otherBrowser()
    const before = site.mails.length
    await owner.get(link, html)
    expect(await (await owner.get('/auth/account/secure', html)).text()).not.toContain(
      'Send you a link',
    )
    expect((await owner.post('/auth/account/secure', {}, html)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(site.mails.slice(before)).toEqual([])
    expect(await site.world.session()).toBeNull()
  })

  test('SS-13: mails about a new password and about a new browser have the same link', async () => {
    const site = accountSite({}, { plugins: [limits()] })
    await site.signUp()
    await site.json('password/change', {
      current: GOOD,
      password: 'another rather long password',
    })
    const changed = await site.mailed('was changed')
    expect(changed.text).toContain('/auth/account/secure?token=')
    const { searchParams } = new URL(site.link('account/secure'), 'https://app.example')
    const owner = site.world.otherBrowser()
    await owner.get(`/auth/account/secure?${searchParams}`, html)
    expect(await (await owner.get('/auth/account/secure', html)).text()).toContain(
      'Your password was changed.',
    )
    site.world.advance(1)
    await site.signIn(undefined, 'another rather long password', site.world.otherBrowser())
    expect((await site.mailed('New sign-in')).text).toContain('/auth/account/secure?token=')
  })

  test('T-ACC-28: a link of one account changes nothing in another', async () => {
    const { site, link } = await withPasskey()
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    site.world.advance(1)
    const bob = site.world.otherBrowser()
    await site.signUp('bob@example.com', undefined, bob)
    expect((await site.json('account/secure', { token: tokenOf(link) }, eve)).status).toBe(200)
    expect(await bob.session()).not.toBeNull()
    expect((await site.signIn('eve@example.com', GOOD, eve)).status).toBe(200)
  })
})
