import { describe, expect, test } from 'vitest'
import { GOOD, OTHER } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { World } from '../../../entries/testing.ts'
import { createVerifier } from '../../../verifier/session-verifier.ts'
import type { PasswordsApi } from '../../passwords/index.ts'

const html = { headers: { accept: 'text/html' } }

describe('MF-3: an authenticator app is set up', () => {
  test('the secret is shown in groups, as an address and as a QR code, and counts only after a right code', async () => {
    const site = twoFactorSite({ issuer: 'Acme', recovery: { count: 10 } })
    await site.signUp()
    const start = await site.world.get('/auth/two-factor/enrol-totp', html)
    expect(await start.text()).toContain('Name of the app')
    const page = await (
      await site.world.post('/auth/two-factor/enrol-totp', { name: 'Phone' }, html)
    ).text()
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(page) ?? []
    const [, key = ''] = /id="key"[^>]*>([^<]+)</.exec(page) ?? []
    expect(key).toMatch(/^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    const secret = key.replaceAll(' ', '')
    expect(page).toContain(`otpauth://totp/Acme:ada%40example.com?secret=${secret}&amp;issuer=Acme`)
    expect(page).toContain('<svg xmlns="http://www.w3.org/2000/svg" class="qr"')
    expect(page).not.toMatch(/<img[^>]+qr/)
    const before = await (await site.world.get('/auth/two-factor/status')).json()
    expect(before).toMatchObject({ level: 1, factors: [], recoveryCodesLeft: 0, required: false })

    const app = site.app(secret)
    const wrong = await site.world.post(
      '/auth/two-factor/confirm-totp',
      { id, code: app.code(5) },
      html,
    )
    expect(wrong.status).toBe(400)
    const again = await wrong.text()
    expect(again).toContain('This code is not right')
    expect(again).toContain(key)

    const done = await site.world.post(
      '/auth/two-factor/confirm-totp',
      { id, code: app.code() },
      html,
    )
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toBe('/auth/two-factor/recovery-codes')
    const codes = await (await site.world.get('/auth/two-factor/recovery-codes', html)).text()
    const [, shown = ''] = /<textarea[^>]*>([^<]+)<\/textarea>/.exec(codes) ?? []
    expect(shown.split('\n')).toHaveLength(10)
    for (const code of shown.split('\n'))
      expect(code).toMatch(/^[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4}){2}$/)
    const kept = await site.world.post('/auth/two-factor/kept', { kept: '1' }, html)
    expect(kept.headers.get('location')).toMatch(/\/auth\/account\/two-factor$/)
    const gone = await (await site.world.get('/auth/two-factor/recovery-codes', html)).text()
    expect(gone).not.toContain(shown.slice(0, 14))
    const after = await (await site.world.get('/auth/two-factor/status')).json()
    expect(after).toMatchObject({
      level: 2,
      factors: [{ id, type: 'totp', name: 'Phone' }],
      recoveryCodesLeft: 10,
    })
    const account = await (await site.world.get('/auth/account/two-factor', html)).text()
    expect(account).toContain('The authenticator app was added.')
    expect(account).toContain('Phone')
    expect(account).not.toContain(secret)
  })

  test('MF-6: the codes are kept only with the box, and JSON has them as a list', async () => {
    const site = twoFactorSite()
    const { codes } = await site.enrol()
    expect(new Set(codes).size).toBe(5)
    expect((await site.world.post('/auth/two-factor/kept', {}, html)).status).toBe(400)
  })

  test('MF-15: the first factor ends the sessions without it, renews this one and mails the owner', async () => {
    const site = twoFactorSite()
    await site.signUp()
    const other = site.world.otherBrowser()
    await site.signIn(undefined, undefined, other)
    const waiting = [...site.world.jar].find(([name]) => name.includes('session-token'))?.[1]
    await site.addApp()
    expect(await other.session()).toBeNull()
    expect(await site.world.session()).not.toBeNull()
    const now = [...site.world.jar].find(([name]) => name.includes('session-token'))?.[1]
    expect(now).not.toBe(waiting)
    await site.settled()
    expect(site.mails.at(-1)?.subject).toContain('A second factor was added')
    expect(site.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['factor.added', 'recovery.made']),
    )
  })

  test('MF-15, T-ACC-21: an old session needs a new proof before a factor is added', async () => {
    const site = twoFactorSite()
    await site.signUp()
    site.world.advance(601)
    const late = await site.json('two-factor/enrol-totp')
    expect(late.status).toBe(403)
    expect(await late.json()).toMatchObject({ code: 'reauthentication_required' })
    await site.signIn()
    const begun = (await (await site.json('two-factor/enrol-totp')).json()) as {
      id: string
      secret: string
    }
    site.world.advance(601)
    const app = site.app(begun.secret)
    const confirmed = await site.json('two-factor/confirm-totp', { id: begun.id, code: app.code() })
    expect(confirmed.status).toBe(403)
  })

  test('MF-3: an enrolment ends after 15 minutes, and the oldest of four ends at once', async () => {
    const site = twoFactorSite()
    await site.signUp()
    const begin = async () =>
      (await (await site.json('two-factor/enrol-totp')).json()) as { id: string; secret: string }
    const first = await begin()
    site.world.advance(1)
    for (let more = 0; more < 3; more++) {
      await begin()
      site.world.advance(1)
    }
    const confirm = ({ id, secret }: { id: string; secret: string }) =>
      site.json('two-factor/confirm-totp', { id, code: site.app(secret).code() })
    expect((await confirm(first)).status).toBe(404)
    const late = await begin()
    site.world.advance(14 * 60)
    await site.signIn()
    site.world.advance(61)
    expect((await confirm(late)).status).toBe(404)
  })

  test('MF-5: a user has five apps at most, and the code of each signs in', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const apps = [app]
    for (const name of ['Tablet', 'Manager', 'Watch', 'Key']) apps.push(await site.addApp(name))
    const full = await site.json('two-factor/enrol-totp', { name: 'Sixth' })
    expect(full.status).toBe(409)
    expect(await full.json()).toMatchObject({ code: 'conflict' })
    for (const each of apps) {
      const browser = site.world.otherBrowser()
      site.world.advance(16 * 60)
      expect((await site.signInWith(each, browser)).status).toBe(200)
      expect(await browser.session()).not.toBeNull()
    }
  })
})

describe('MF-10, MF-11: after the first factor', () => {
  test('T-ACC-17, T-MFA-1: no session is issued, nobody is signed in anywhere, and the answer names the factors', async () => {
    const signedIn: unknown[] = []
    const site = twoFactorSite({}, { events: { signIn: (message) => void signedIn.push(message) } })
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    signedIn.length = 0
    const csrf = await browser.csrfToken()
    const answer = await site.signIn(undefined, undefined, browser)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      status: 'second_factor_required',
      next: '/auth/two-factor',
      factors: ['totp', 'recovery'],
      expires: new Date(site.world.now() + 600_000).toISOString(),
      url: '/auth/two-factor',
      detour: true,
    })
    expect([...browser.jar.keys()].filter((name) => name.includes('session'))).toEqual([])
    expect(await browser.session()).toBeNull()
    expect(signedIn).toEqual([])
    expect(await browser.csrfToken()).not.toBe(csrf)
    for (const path of ['two-factor/status', 'sessions/list', 'account/two-factor'])
      expect((await browser.get(`/auth/${path}`)).status).toBe(401)
    for (const path of ['two-factor/recovery-codes', 'two-factor/remove', 'password/set'])
      expect((await site.json(path, {}, browser)).status).toBe(401)
    site.world.advance(30)
    const done = await site.verify(app.code(), browser)
    expect(await done.json()).toEqual({ status: 'signed_in', url: 'https://app.example' })
    expect(await browser.session()).not.toBeNull()
    expect(signedIn).toHaveLength(1)
    expect(JSON.stringify(signedIn)).not.toContain('"key"')
  })

  test('T-ACC-17: a verifier at the edge reads no session between the factors, and reads one after the second', async () => {
    const site = twoFactorSite({}, {}, { startsAt: Date.now() })
    const { app } = await site.enrol()
    const verify = createVerifier(site.world.config as Parameters<typeof createVerifier>[0], {})
    const read = (browser: World) => {
      const cookie = [...browser.jar].map((pair) => pair.join('=')).join('; ')
      return verify(new Request('https://app.example/', { headers: { cookie } }))
    }
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    expect(await read(browser)).toBeNull()
    expect((await site.verify(app.code(1), browser)).status).toBe(200)
    expect(await read(browser)).not.toBeNull()
  })

  test('works without a script: from the form of the sign-in page over the page for the code to the target', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    const first = await browser.post(
      '/auth/callback/password',
      { identifier: 'ada@example.com', password: GOOD, callbackUrl: '/inside' },
      html,
    )
    expect(first.headers.get('location')).toBe('/auth/two-factor')
    const page = await (await browser.get('/auth/two-factor', html)).text()
    expect(page).toContain('autocomplete="one-time-code"')
    expect(page).toContain('ada@example.com')
    expect(page).toContain('Do not ask in this browser for 30 days')
    const wrong = await browser.post(
      '/auth/two-factor/verify',
      { method: 'totp', code: app.code(9) },
      html,
    )
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('This code is not right')
    site.world.advance(30)
    const done = await browser.post(
      '/auth/two-factor/verify',
      { method: 'totp', code: app.code() },
      html,
    )
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toContain('/inside')
    expect(await browser.session()).not.toBeNull()
  })

  test('MF-13: a session of the browser stays as it was while another sign-in waits', async () => {
    const site = twoFactorSite()
    await site.enrol()
    const own = await site.world.session()
    await site.signIn()
    expect(await site.world.session()).toEqual(own)
  })

  test('MF-12: a waiting sign-in ends after ten minutes and works in its own browser only', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const thief = site.world.otherBrowser()
    for (const [name, value] of browser.jar)
      if (name.includes('pending')) thief.jar.set(name, value)
    expect((await site.verify(app.code(1), thief)).status).toBe(401)
    site.world.advance(601)
    expect((await site.verify(app.code(), browser)).status).toBe(401)
    const page = await browser.get('/auth/two-factor', html)
    expect(page.status).toBe(303)
    expect(page.headers.get('location')).toContain('/auth/signin')
    const shown = await browser.get(page.headers.get('location') ?? '', html)
    expect(await shown.text()).toContain('not finished within ten minutes')
    // The same for the form that was open for too long.
    const sent = await browser.post('/auth/two-factor/verify', { method: 'totp', code: '1' }, html)
    expect(sent.headers.get('location')).toContain('error=PendingExpired')
  })

  test('MF-14: comes before a password that must be changed, whatever the order of the plugins', async () => {
    // `passwords` is before `twoFactor` in the list.
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const { core, config } = site.world
    const user = await config.adapter?.getUserByEmail?.('ada@example.com')
    const passwords = core.plan(config).plugins?.api('passwords') as PasswordsApi
    await passwords.set(String(user?.id), OTHER, { mustChange: true })
    site.world.advance(60)
    const browser = site.world.otherBrowser()
    const first = await site.signIn(undefined, OTHER, browser)
    expect(await first.json()).toMatchObject({ next: '/auth/two-factor' })
    const third = 'a third password, long enough'
    const early = await site.json('password/renew', { password: third }, browser)
    expect(early.status).toBe(401)
    const proved = await site.verify(app.code(), browser)
    expect(await proved.json()).toMatchObject({ url: '/auth/password/renew' })
    expect(await browser.session()).toBeNull()
    expect((await site.json('password/renew', { password: third }, browser)).status).toBe(200)
    expect(await browser.session()).not.toBeNull()
  })

  test('WCAG 2.2.1: its pages say that they end, and when', async () => {
    const site = twoFactorSite({ require: 'all', grace: 0 })
    await site.signUp()
    const enrolling = site.world.otherBrowser()
    await site.signIn(undefined, undefined, enrolling)
    for (const path of ['enrol', 'enrol-totp']) {
      const page = await enrolling.get(`/auth/two-factor/${path}`, html)
      expect(await page.text()).toContain('You have ten minutes for this.')
    }
    const app = await site.addApp('Phone', enrolling)
    const browser = site.world.otherBrowser()
    site.world.advance(60)
    await site.signIn(undefined, undefined, browser)
    const page = await browser.get('/auth/two-factor', html)
    expect(await page.text()).toContain('You have ten minutes for this.')
    expect((await site.verify(app.code(), browser)).status).toBe(200)
  })
})

describe('MF-2, T-ACC-19: a code works once', () => {
  test('the code that confirmed the app does not sign in, nor does the one before it', async () => {
    const site = twoFactorSite()
    await site.signUp()
    const { id, secret } = (await (await site.json('two-factor/enrol-totp')).json()) as {
      id: string
      secret: string
    }
    const app = site.app(secret, id)
    await site.json('two-factor/confirm-totp', { id, code: app.code() })
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    expect((await site.verify(app.code(), browser)).status).toBe(400)
    expect((await site.verify(app.code(-1), browser)).status).toBe(400)
    expect((await site.verify(app.code(1), browser)).status).toBe(200)
  })

  test('a code that was used before a restart is refused after it', async () => {
    const adapter = memoryAdapter()
    const before = twoFactorSite({}, { adapter }, { seed: 1 })
    const { app } = await before.enrol()
    await before.signIn()
    expect((await before.verify(app.code(1))).status).toBe(200)
    const after = twoFactorSite({}, { adapter }, { seed: 2 })
    await after.signIn()
    expect((await after.verify(app.code(1))).status).toBe(400)
    after.world.advance(60)
    expect((await after.verify(app.code(2))).status).toBe(200)
  })

  test('after a sign-in its code is used up, also in a later sign-in', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    site.world.advance(60)
    const [one, other] = [site.world.otherBrowser(), site.world.otherBrowser()]
    await site.signIn(undefined, undefined, one)
    await site.signIn(undefined, undefined, other)
    const code = app.code()
    expect((await site.verify(code, one)).status).toBe(200)
    expect((await site.verify(code, other)).status).toBe(400)
    expect(await other.session()).toBeNull()
  })
})
