import { describe, expect, test } from 'vitest'
import { OTHER } from '../../../../tests/support/passwords-site.ts'
import { vault } from '../../../../tests/support/reauthenticate-site.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import type { AuthConfig } from '../../../entries/index.ts'
import type { World } from '../../../entries/testing.ts'
import { account } from '../../account/index.ts'
import { emailCode } from '../../email-code/index.ts'
import { twoFactor } from '../index.ts'

const METHODS = ['totp', 'passkey', 'recovery', 'email'] as const
const HTML = { headers: { accept: 'text/html' } }

/** Ada, who signed up with a password, and a site that lets people use codes by mail. */
async function siteOfAda(
  further: Partial<AuthConfig> = {},
  options: Parameters<typeof twoFactorSite>[0] = {},
): Promise<TwoFactorSite> {
  const site = twoFactorSite({ methods: METHODS, ...options }, further)
  await site.signUp()
  return site
}

/** The same, with codes by mail as her second factor. */
async function mailedSite(...asked: Parameters<typeof siteOfAda>) {
  const site = await siteOfAda(...asked)
  const used = await site.json('two-factor/use-email', { use: true })
  const { recoveryCodes: codes = [] } = (await used.json()) as { recoveryCodes?: string[] }
  await site.settled()
  return { ...site, codes }
}

/** A browser in which the password was typed. */
async function waiting(site: TwoFactorSite, password?: string): Promise<World> {
  const browser = site.world.otherBrowser()
  await site.signIn(undefined, password, browser)
  return browser
}

const send = (site: TwoFactorSite, browser: World): Promise<Response> =>
  site.json('two-factor/send', { method: 'email' }, browser)

const typed = (site: TwoFactorSite, browser: World, code = site.code()): Promise<Response> =>
  site.verify(code, browser, { method: 'email' })

describe('MF-17: codes by mail as a second factor', () => {
  test('are off by default, and then nobody can set them up', async () => {
    const site = twoFactorSite()
    await site.signUp()
    const page = await (await site.world.get('/auth/account/two-factor', HTML)).text()
    expect(page).not.toContain('Code by email')
    expect((await site.json('two-factor/use-email', { use: true })).status).toBe(404)
    expect(await site.statusOf()).toMatchObject({ level: 1, email: false })
  })

  test('need a mail provider', () => {
    expect(twoFactor({ methods: METHODS }).needs).toContain('mail')
    expect(twoFactor().needs).not.toContain('mail')
  })

  test('are set up on the page, which calls them the weakest, without a script', async () => {
    const site = await siteOfAda()
    const { world } = site
    const page = await (await world.get('/auth/account/two-factor', HTML)).text()
    expect(page).toContain('Code by email')
    expect(page).toContain('The weakest second factor')
    const used = await world.post('/auth/two-factor/use-email', { use: '1' }, HTML)
    expect(used.headers.get('location')).toBe('/auth/two-factor/recovery-codes')
    expect(await site.statusOf()).toMatchObject({ level: 2, email: true, recoveryCodesLeft: 5 })
    const stopped = await waiting(site)
    expect(await stopped.session()).toBeNull()
  })

  test('let somebody in who has the password and the mailbox, and the session has two factors', async () => {
    const site = await mailedSite({ plugins: [vault()] })
    const browser = site.world.otherBrowser()
    const begun = await site.signIn(undefined, undefined, browser)
    expect(await begun.json()).toMatchObject({
      status: 'second_factor_required',
      factors: ['email', 'recovery'],
    })
    const sent = await send(site, browser)
    expect(sent.status).toBe(202)
    expect(await sent.json()).toMatchObject({
      status: 'mail_sent',
      resendAt: new Date(site.world.now() + 60_000).toISOString(),
    })
    expect(site.mails.at(-1)?.to).toBe('ada@example.com')
    expect(site.mails.at(-1)?.subject).toContain(site.code())
    expect(await (await typed(site, browser)).json()).toMatchObject({ status: 'signed_in' })
    const facts = (await (await browser.get('/auth/vault/facts')).json()) as {
      amr: string[]
      acr: string
    }
    expect(facts.amr).toEqual(expect.arrayContaining(['pwd', 'email', 'mfa']))
    expect(facts.acr).toBe('urn:latchkey:acr:2')
  })

  test('work without a script', async () => {
    const site = await mailedSite()
    const browser = await waiting(site)
    const asked = await (await browser.get('/auth/two-factor', HTML)).text()
    expect(asked).toContain('action="/auth/two-factor/send"')
    expect(asked).not.toContain('name="code"')
    const sent = await browser.post('/auth/two-factor/send', { method: 'email' }, HTML)
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      '/auth/two-factor?method=email',
    ])
    const page = await (await browser.get('/auth/two-factor?method=email', HTML)).text()
    expect(page).toContain('autocomplete="one-time-code"')
    const wrong = site.code() === '000000' ? '000001' : '000000'
    const again = await browser.post(
      '/auth/two-factor/verify',
      { method: 'email', code: wrong },
      HTML,
    )
    expect(await again.text()).toContain('aria-invalid')
    const done = { method: 'email', code: site.code() }
    expect((await browser.post('/auth/two-factor/verify', done, HTML)).status).toBe(303)
    expect(await browser.session()).not.toBeNull()
  })

  test('a sign-up has one factor, although it proves a password and a mailbox', async () => {
    const site = await siteOfAda({ plugins: [vault()] })
    const facts = (await (await site.world.get('/auth/vault/facts')).json()) as { acr: string }
    expect(facts.acr).toBe('urn:latchkey:acr:1')
  })

  test('T-ACC-19: a code works once, and in the browser alone that asked for it', async () => {
    const site = await mailedSite()
    const browser = await waiting(site)
    await send(site, browser)
    const code = site.code()
    const other = await waiting(site)
    expect((await typed(site, other, code)).status).toBe(400)
    expect((await typed(site, browser, code)).status).toBe(200)
    expect((await typed(site, await waiting(site), code)).status).toBe(400)
  })

  test('T-ACC-20: one code is tried five times, and ten codes a day', async () => {
    const site = await mailedSite()
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      site.world.advance(15 * 60 + 1)
      const browser = await waiting(site)
      await send(site, browser)
      const wrong = site.code() === '000000' ? '000001' : '000000'
      for (let tries = 0; tries < 5; tries++)
        statuses.push((await typed(site, browser, wrong)).status)
      statuses.push((await typed(site, browser, wrong)).status)
    }
    const judged = [400, 400, 400, 400, 400, 429]
    expect(statuses).toEqual([...judged, ...judged, ...Array.from({ length: 6 }, () => 429)])
  })

  test('T-ACC-34: no second mail within a minute, five an hour', async () => {
    const site = await mailedSite()
    const before = site.mails.length
    const browser = await waiting(site)
    for (let at = 0; at < 2; at++) await send(site, browser)
    expect(site.mails.length - before).toBe(1)
    const statuses: number[] = []
    for (let at = 0; at < 5; at++) {
      site.world.advance(61)
      statuses.push((await send(site, await waiting(site))).status)
    }
    expect(statuses).toEqual([202, 202, 202, 429, 429])
    expect(site.mails.length - before).toBe(4)
  })

  test('LIM-8: are counted as wrong codes, also where they are no code, and the page says how long to wait', async () => {
    const site = await mailedSite()
    const browser = await waiting(site)
    const statuses: number[] = []
    for (let at = 0; at < 6; at++) statuses.push((await typed(site, browser, 'x')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    expect(site.mails.at(-1)?.subject).toContain('Wrong codes')
    const fields = { method: 'email', code: 'x' }
    const limited = await browser.post('/auth/two-factor/verify', fields, HTML)
    expect(await limited.text()).toMatch(/Wait 1[5-7] minutes, then try again\./)
  })

  test('are refused where the mailbox was the first factor: with a code by mail', async () => {
    const site = await mailedSite({ plugins: [emailCode()] })
    const browser = site.world.otherBrowser()
    site.world.advance(60)
    await site.json('email-code/send', { email: 'ada@example.com' }, browser)
    const entered = await site.json('email-code/verify', { code: site.code() }, browser)
    expect(await entered.json()).toMatchObject({ factors: ['recovery'] })
    const mails = site.mails.length
    expect((await send(site, browser)).status).toBe(403)
    expect((await typed(site, browser, '123456')).status).toBe(403)
    expect(site.mails).toHaveLength(mails)
    const page = await (await browser.get('/auth/two-factor', HTML)).text()
    expect(page).toContain('A code by email is no second proof now')
    const code = site.codes[0] ?? ''
    expect((await site.verify(code, browser, { method: 'recovery' })).status).toBe(200)
  })

  test('are refused for 24 hours after the password was reset by mail', async () => {
    const site = await mailedSite()
    await site.json('password/forgot', { identifier: 'ada@example.com' })
    await site.settled()
    const token = new URL(site.link('password/reset'), 'https://app.example').searchParams.get(
      'token',
    )
    const stranger = site.world.otherBrowser()
    const reset = await site.json('password/reset', { token, password: OTHER }, stranger)
    expect(reset.status).toBe(200)
    const browser = await waiting(site, OTHER)
    expect((await send(site, browser)).status).toBe(403)
    site.world.advance(24 * 3600)
    const later = await waiting(site, OTHER)
    expect((await send(site, later)).status).toBe(202)
    expect((await typed(site, later)).status).toBe(200)
  })

  test('prove it again for a step, on the page and in JSON', async () => {
    const site = await mailedSite({ plugins: [vault()] })
    const { world } = site
    const browser = await waiting(site)
    await send(site, browser)
    await typed(site, browser)
    world.advance(3600)
    const way = { way: 'mailed-factor' }
    const page = await (await browser.get('/auth/reauthenticate?way=mailed-factor', HTML)).text()
    expect(page).toContain('We send a code to the email address of your account.')
    expect((await browser.post('/auth/reauthenticate', { ...way, begin: '1' })).status).toBe(303)
    const proof = { ...way, code: site.code() }
    expect((await browser.post('/auth/reauthenticate', proof)).status).toBe(303)
    const facts = (await (await browser.get('/auth/vault/facts')).json()) as {
      acr: string
      second_time: number
    }
    expect(facts).toMatchObject({
      acr: 'urn:latchkey:acr:2',
      second_time: Math.floor(world.now() / 1000),
    })
    const again = await site.json('reauthenticate', proof, browser)
    expect([again.status, await again.json()]).toMatchObject([400, { code: 'invalid_code' }])
  })

  test('MF-9: remove a lost app after a sign-in with a recovery code, which alone does not', async () => {
    const site = twoFactorSite({ methods: METHODS })
    const { app, codes } = await site.enrol()
    await site.json('two-factor/use-email', { use: true })
    const browser = await waiting(site)
    await site.verify(codes[0] ?? '', browser, { method: 'recovery' })
    await site.settled()
    const refused = await site.json('two-factor/remove', { id: app.id }, browser)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required', max_age: 600, acr_values: 'urn:latchkey:acr:2' },
    ])
    const way = { way: 'mailed-factor' }
    expect((await site.json('reauthenticate', { ...way, begin: '1' }, browser)).status).toBe(202)
    const proof = { ...way, code: site.code() }
    expect((await site.json('reauthenticate', proof, browser)).status).toBe(200)
    expect((await site.json('two-factor/remove', { id: app.id }, browser)).status).toBe(204)
  })

  test('prove nothing again in a session that the mailbox began', async () => {
    const site = await mailedSite({ plugins: [emailCode()] })
    const browser = site.world.otherBrowser()
    site.world.advance(60)
    await site.json('email-code/send', { email: 'ada@example.com' }, browser)
    await site.json('email-code/verify', { code: site.code() }, browser)
    await site.verify(site.codes[0] ?? '', browser, { method: 'recovery' })
    site.world.advance(3600)
    const asked = await browser.get('/auth/reauthenticate', {
      headers: { accept: 'application/json' },
    })
    const { ways } = (await asked.json()) as { ways: { id: string }[] }
    expect(ways.map(({ id }) => id)).not.toContain('mailed-factor')
  })

  test('go to the address that the user has now, and a code for the one before ends', async () => {
    const site = await mailedSite()
    const { adapter } = site.world.config
    const browser = await waiting(site)
    await send(site, browser)
    const code = site.code()
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    await adapter?.updateUser?.({ id: String(user?.id), email: 'new@example.com' })
    expect((await typed(site, browser, code)).status).toBe(400)
    const next = site.world.otherBrowser()
    await site.signIn('new@example.com', undefined, next)
    await send(site, next)
    expect(site.mails.at(-1)?.to).toBe('new@example.com')
  })

  test('are not taken by somebody who changes the address: that needs a code of the old one', async () => {
    const site = await mailedSite({ plugins: [account()] })
    site.world.advance(3600)
    const changed = await site.json('account/change-address', { email: 'eve@example.com' })
    expect(changed.status).toBe(403)
    expect(await changed.json()).toMatchObject({ code: 'reauthentication_required' })
  })

  test('are not set up where the address is not proved', async () => {
    const site = await siteOfAda()
    const { adapter } = site.world.config
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    await adapter?.updateUser?.({ id: String(user?.id), emailVerified: null })
    expect((await site.json('two-factor/use-email', { use: true })).status).toBe(404)
  })

  test('are not set up where the mailbox is the only way in', async () => {
    const site = twoFactorSite({ methods: METHODS }, { plugins: [emailCode()] })
    await site.json('email-code/send', { email: 'eve@example.com' })
    const { status } = await site.json('email-code/verify', { code: site.code() })
    expect(status).toBe(200)
    const page = await (await site.world.get('/auth/account/two-factor', HTML)).text()
    expect(page.includes('Code by email')).toBe(false)
    expect((await site.json('two-factor/use-email', { use: true })).status).toBe(404)
  })

  test('are removed with a second factor, and a recovery code is not enough', async () => {
    const site = await mailedSite()
    const lost = await waiting(site)
    await site.verify(site.codes[0] ?? '', lost, { method: 'recovery' })
    expect((await site.json('two-factor/use-email', { use: false }, lost)).status).toBe(403)
    const browser = await waiting(site)
    site.world.advance(60)
    await send(site, browser)
    await typed(site, browser)
    const stopped = await browser.post('/auth/two-factor/use-email', { use: '0' }, HTML)
    expect(stopped.headers.get('location')).toBe('/auth/account/two-factor')
    expect(await site.statusOf()).toMatchObject({ level: 1, email: false, recoveryCodesLeft: 0 })
    expect((await site.json('two-factor/use-email', { use: false }, browser)).status).toBe(404)
  })

  test('stay where a second factor is required and they are the last one', async () => {
    const site = await mailedSite({}, { require: 'all' })
    const browser = await waiting(site)
    await send(site, browser)
    await typed(site, browser)
    const refused = await site.json('two-factor/use-email', { use: false }, browser)
    expect(await refused.json()).toMatchObject({ code: 'last_factor' })
    const app = await site.addApp('Phone', browser)
    expect((await site.json('two-factor/use-email', { use: false }, browser)).status).toBe(200)
    expect((await site.json('two-factor/remove', { id: app.id }, browser)).status).toBe(409)
  })

  test('let the last app go where a second factor is required', async () => {
    const site = twoFactorSite({ methods: METHODS, require: 'all' })
    const { app } = await site.enrol()
    expect((await site.json('two-factor/use-email', { use: true })).status).toBe(200)
    expect((await site.json('two-factor/remove', { id: app.id })).status).toBe(204)
    expect(await site.statusOf()).toMatchObject({ level: 2, factors: [], email: true })
  })

  test('that alone were added within a time count as removed', async () => {
    const site = twoFactorSite({ methods: METHODS })
    await site.enrol()
    site.world.advance(60)
    const { id } = (await site.world.config.adapter?.getUserByEmail?.('ada@example.com')) ?? {}
    const before = site.world.now()
    site.world.advance(60)
    expect((await site.json('two-factor/use-email', { use: true })).status).toBe(200)
    const within = { after: before, until: site.world.now() }
    expect(await site.removeAdded(String(id), within)).toBe(true)
    expect(await site.removeAdded(String(id), within)).toBe(false)
  })

  test('that were added within a time are removed with the rest of what a thief added', async () => {
    const site = await mailedSite()
    const { id } = (await site.world.config.adapter?.getUserByEmail?.('ada@example.com')) ?? {}
    const now = site.world.now()
    expect(await site.removeAdded(String(id), { after: now, until: now + 1 })).toBe(false)
    expect(await site.statusOf()).toMatchObject({ email: true })
    expect(await site.removeAdded(String(id), { after: now - 1, until: now })).toBe(true)
    expect(await site.statusOf()).toMatchObject({ email: false, level: 1 })
  })
})
