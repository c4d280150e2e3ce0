import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../../tests/support/authenticator.ts'
import { breakingStore } from '../../../../tests/support/breaking-store.ts'
import { ORIGIN, register } from '../../../../tests/support/passkeys.ts'
import { GOOD, OTHER } from '../../../../tests/support/passwords-site.ts'
import { type TwoFactorSite, twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { type Call, definePlugin, type Host } from '../../../entries/plugin.ts'
import type { World } from '../../../entries/testing.ts'
import passkey from '../../../providers/passkey.ts'

const DAY = 24 * 60 * 60

/** Enrols, and signs in with another browser that is trusted from then on. */
async function trusting(...given: Parameters<typeof twoFactorSite>) {
  const site = twoFactorSite(...given)
  const enrolled = await site.enrol()
  const browser = site.world.otherBrowser()
  site.world.advance(60)
  await site.signIn(undefined, undefined, browser)
  const done = await site.verify(enrolled.app.code(), browser, { trust: true })
  if (done.status !== 200) throw new Error(await done.text())
  return { site, browser, ...enrolled }
}

async function statusAfter(site: TwoFactorSite, browser: World, password = GOOD): Promise<string> {
  const answer = await site.signIn(undefined, password, browser)
  return ((await answer.json()) as { status: string }).status
}

/** A gate after the second factor, where each sign-in waits until its page sends the form. */
const terms = definePlugin<'terms', object, Host>({
  name: 'terms',
  needs: ['records'],
  gate: 'require',
  routes: {
    'terms/accept': {
      POST: {
        who: 'pending',
        run: async () => async (call: Call, host: Host) =>
          host.sessions.resume(call, { amr: [], browser: { accepted: true } }),
      },
    },
  },
  setUp: (host) => ({
    own: host,
    atGate: ({ browser, isNewUser }) =>
      isNewUser || browser?.['accepted'] ? undefined : host.site.path('terms/accept'),
  }),
})

/** Returns another browser, into which somebody copied the device cookie of this one. */
function withCopyOf(browser: World, site: TwoFactorSite): World {
  const thief = site.world.otherBrowser()
  for (const [name, value] of browser.jar) if (name.includes('device')) thief.jar.set(name, value)
  return thief
}

describe.each(['jwt', 'database'] as const)(
  'T-ACC-23: a copied device cookie, strategy %s',
  (strategy) => {
    const trustingSite = () => trusting({}, { session: { strategy } })

    test('is worth nothing after the next sign-in of its owner, which keeps the trust', async () => {
      const { site, browser } = await trustingSite()
      const thief = withCopyOf(browser, site)
      expect(await statusAfter(site, browser)).toBe('signed_in')
      expect(await statusAfter(site, thief)).toBe('second_factor_required')
      expect(await statusAfter(site, browser)).toBe('signed_in')
      const status = await browser.get('/auth/two-factor/status')
      expect(await status.json()).toMatchObject({ devices: 1 })
    })

    test('throws its owner out of the trust if it is used first, so that both are asked after that', async () => {
      const { site, browser } = await trustingSite()
      const thief = withCopyOf(browser, site)
      expect(await statusAfter(site, thief)).toBe('signed_in')
      expect(await statusAfter(site, browser)).toBe('second_factor_required')
    })
  },
)

describe.each(['jwt', 'database'] as const)(
  'MF-18: a sign-out with `forget`, strategy %s',
  (strategy) => {
    const html = { headers: { accept: 'text/html' } }
    const trustingSite = async () => {
      const made = await trusting({}, { session: { strategy } })
      expect(await statusAfter(made.site, made.browser)).toBe('signed_in')
      return made
    }

    test.each([
      ['of a form', (browser: World) => browser.post('/auth/signout', { forget: '1' })],
      [
        'of a program',
        async (browser: World) => {
          const answer = await browser.get('/auth/csrf')
          const { csrfToken } = (await answer.json()) as { csrfToken: string }
          return browser.request('/auth/signout', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
            body: JSON.stringify({ csrfToken, forget: true }),
          })
        },
      ],
    ])(
      '%s ends the trust of this browser and of copies of its cookie, and of no other',
      async (_, signOut) => {
        const { site, browser, app } = await trustingSite()
        const other = site.world.otherBrowser()
        site.world.advance(60)
        await site.signIn(undefined, undefined, other)
        await site.verify(app.code(), other, { trust: true })
        const copy = withCopyOf(browser, site)
        expect((await signOut(browser)).status).toBe(302)
        expect(await (await browser.get('/auth/session')).json()).toBeNull()
        expect([...browser.jar.keys()].filter((name) => name.includes('device'))).toEqual([])
        expect(site.events.map(({ type }) => type)).toContain('device.forgotten')
        for (const asked of [browser, copy])
          expect(await statusAfter(site, asked)).toBe('second_factor_required')
        expect(await statusAfter(site, other)).toBe('signed_in')
      },
    )

    test('is offered on the page of a trusted browser, and a sign-out without it keeps the trust', async () => {
      const { site, browser } = await trustingSite()
      const page = async (of: World) => (await of.get('/auth/signout', html)).text()
      expect(await page(browser)).toMatch(/name="forget" value="1"/)
      expect(await page(site.world)).not.toContain('name="forget"')
      await browser.post('/auth/signout', {})
      expect(await page(browser)).not.toContain('name="forget"')
      expect(await statusAfter(site, browser)).toBe('signed_in')
    })
  },
)

describe('MF-18: trusted browsers', () => {
  test('MF-18: keep the trust for the 30 days that were chosen, however often somebody signs in', async () => {
    const { site, browser } = await trusting()
    for (let week = 0; week < 4; week++) {
      site.world.advance(7 * DAY)
      expect(await statusAfter(site, browser)).toBe('signed_in')
    }
    site.world.advance(2 * DAY)
    expect(await statusAfter(site, browser)).toBe('second_factor_required')
  })

  test('MF-18: stay trusted when a reset of the password is refused', async () => {
    const { site, browser } = await trusting()
    await site.json('password/forgot', { identifier: 'ada@example.com' })
    await expect.poll(() => site.mails.some(({ text }) => text.includes('reset?token'))).toBe(true)
    const link = new URL(site.link('password/reset'), site.world.origin)
    const token = link.searchParams.get('token')
    expect((await site.json('password/reset', { token, password: 'short' })).status).toBe(422)
    expect(site.events.at(-1)).toMatchObject({ type: 'password.reset', outcome: 'refused' })
    expect(await statusAfter(site, browser)).toBe('signed_in')
  })

  test('MF-18: are asked again if the response to a sign-in is lost, and never locked out', async () => {
    const { site, browser, app } = await trusting()
    const lost = withCopyOf(browser, site)
    expect(await statusAfter(site, lost)).toBe('signed_in')
    expect(await statusAfter(site, browser)).toBe('second_factor_required')
    site.world.advance(60)
    expect((await site.verify(app.code(), browser, { trust: true })).status).toBe(200)
    expect(await statusAfter(site, browser)).toBe('signed_in')
  })

  test('MF-18: stay trusted if two tabs sign in at once, of which the slower one may be asked', async () => {
    const { site, browser, app } = await trusting()
    const tabs = [browser, withCopyOf(browser, site)] as const
    const ends = await Promise.all(tabs.map((tab) => statusAfter(site, tab)))
    expect(ends).toContain('signed_in')
    site.world.advance(30)
    for (const [n, tab] of tabs.entries()) {
      if (ends[n] !== 'signed_in') expect((await site.verify(app.code(), tab)).status).toBe(200)
      const status = await tab.get('/auth/two-factor/status')
      expect(await status.json()).toMatchObject({ devices: 1 })
    }
    site.world.advance(120)
    for (const tab of tabs) expect(await statusAfter(site, tab)).toBe('signed_in')
  })

  test('are not asked for 30 days, and say so in the status; others are asked', async () => {
    const { site, browser } = await trusting()
    expect(await statusAfter(site, browser)).toBe('signed_in')
    expect(await (await browser.get('/auth/two-factor/status')).json()).toMatchObject({
      devices: 1,
    })
    expect(await statusAfter(site, site.world.otherBrowser())).toBe('second_factor_required')
    site.world.advance(30 * DAY - 120)
    expect(await statusAfter(site, browser)).toBe('signed_in')
    site.world.advance(200)
    expect(await statusAfter(site, browser)).toBe('second_factor_required')
  })

  test('the trust is no second factor of the session: what needs one asks for it', async () => {
    const { site, browser, app } = await trusting()
    await site.signIn(undefined, undefined, browser)
    expect((await site.json('two-factor/remove', { id: app.id }, browser)).status).toBe(403)
    expect((await site.json('two-factor/enrol-totp', {}, browser)).status).toBe(403)
  })

  test('T-ACC-23: the cookie is worth nothing for another user, nor in a request without the mark', async () => {
    const { site, browser } = await trusting()
    const eve = site.world.otherBrowser()
    await site.signUp('eve@example.com', undefined, eve)
    const app = await site.addApp('Eve', eve)
    for (const [name, value] of browser.jar) if (name.includes('device')) eve.jar.set(name, value)
    const answer = await site.signIn('eve@example.com', undefined, eve)
    expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
    site.world.advance(60)
    await site.verify(app.code(), eve)
    expect(await (await eve.get('/auth/two-factor/status')).json()).toMatchObject({ devices: 0 })
  })

  test('T-ACC-23: a device entry that was in the browser before the trust is not trusted', async () => {
    const site = twoFactorSite()
    const { app } = await site.enrol()
    const browser = site.world.otherBrowser()
    await site.signInWith(app, browser)
    const planted = [...browser.jar].find(([name]) => name.includes('device'))
    site.world.advance(60)
    await site.signIn(undefined, undefined, browser)
    await site.verify(app.code(), browser, { trust: true })
    const thief = site.world.otherBrowser()
    thief.jar.set(planted?.[0] ?? '', planted?.[1] ?? '')
    expect(await statusAfter(site, thief)).toBe('second_factor_required')
    expect(await statusAfter(site, browser)).toBe('signed_in')
  })

  test('are asked again after the button of the account page, and after a change of the factors or of the password', async () => {
    for (const change of ['forget', 'factor', 'password', 'reset'] as const) {
      const { site, browser } = await trusting()
      expect(await statusAfter(site, browser)).toBe('signed_in')
      let password = GOOD
      if (change === 'forget') await site.json('two-factor/forget-devices', {}, site.world)
      if (change === 'factor') await site.addApp('Tablet')
      if (change === 'password') {
        password = OTHER
        const fields = { current: GOOD, password }
        expect((await site.json('password/change', fields)).status).toBe(200)
      }
      if (change === 'reset') {
        password = OTHER
        await site.settled()
        await site.json('password/forgot', { identifier: 'ada@example.com' })
        await site.settled()
        const other = site.world.otherBrowser()
        await other.get(site.link('password/reset'), { headers: { accept: 'text/html' } })
        expect((await site.json('password/reset', { password }, other)).status).toBe(200)
      }
      expect([change, await statusAfter(site, browser, password)]).toEqual([
        change,
        'second_factor_required',
      ])
    }
  })

  test('T-ACC-23: a browser whose sign-in waits at another gate is not trusted if all browsers were forgotten meanwhile', async () => {
    for (const isForgotten of [false, true]) {
      const site = twoFactorSite({}, { plugins: [terms] })
      const { app } = await site.enrol()
      const browser = site.world.otherBrowser()
      site.world.advance(60)
      await site.signIn(undefined, undefined, browser)
      const held = await site.verify(app.code(), browser, { trust: true })
      expect(await (await browser.get('/auth/session')).json()).toBeNull()
      expect(held.status).toBe(200)
      if (isForgotten) await site.json('two-factor/forget-devices')
      expect((await site.json('terms/accept', {}, browser)).status).toBe(200)
      expect(await (await browser.get('/auth/two-factor/status')).json()).toMatchObject({
        devices: isForgotten ? 0 : 1,
      })
      const status = await statusAfter(site, browser)
      expect(status).toBe(isForgotten ? 'second_factor_required' : 'step_required')
    }
  })

  test('T-ACC-23: trust ends with the write of a new password, also if the store is gone directly after it', async () => {
    const { adapter, breakAfter, mend } = breakingStore()
    const { site, browser } = await trusting({}, { adapter })
    expect(await statusAfter(site, browser)).toBe('signed_in')
    breakAfter(
      (name, [written]) =>
        name === 'replaceRecord' && (written as { kind: string }).kind === 'password',
    )
    const changed = await site.json('password/change', { current: GOOD, password: OTHER })
    expect(changed.status).toBe(503)
    expect(mend()).toBe(true)
    expect(await statusAfter(site, browser, OTHER)).toBe('second_factor_required')
    expect(await (await site.world.get('/auth/two-factor/status')).json()).not.toMatchObject({
      devices: 1,
    })
  })

  test('T-ACC-23: trust ends with a change of the address', async () => {
    const { site, browser } = await trusting()
    const store = site.world.config.adapter
    const { id } = (await store?.getUserByEmail?.('ada@example.com')) ?? {}
    await store?.updateUser?.({ id: String(id), email: 'lovelace@example.com' })
    const answer = await site.signIn('lovelace@example.com', GOOD, browser)
    expect(await answer.json()).toMatchObject({ status: 'second_factor_required' })
  })

  test('five wrong passwords in a row from a trusted browser end its trust, and no other', async () => {
    const { site, browser, app } = await trusting()
    const other = site.world.otherBrowser()
    site.world.advance(60)
    await site.signIn(undefined, undefined, other)
    await site.verify(app.code(), other, { trust: true })
    for (let wrong = 0; wrong < 4; wrong++) await site.signIn(undefined, OTHER, browser)
    expect(await statusAfter(site, browser)).toBe('signed_in')
    for (let wrong = 0; wrong < 5; wrong++) await site.signIn(undefined, OTHER, browser)
    // The built-in limits of passwords are not what refuses the next one.
    site.world.advance(16 * 60)
    expect(await statusAfter(site, browser)).toBe('second_factor_required')
    expect(await statusAfter(site, other)).toBe('signed_in')
  })

  test('of a user without a record of factors, who must have two and has a passkey, ends with a new password', async () => {
    const site = twoFactorSite({ require: 'all', grace: 1 }, {}, {}, {}, [passkey()])
    await site.signUp()
    const key = createAuthenticator(ORIGIN)
    await register(site.world, key)
    site.world.advance(2)
    const browser = site.world.otherBrowser()
    await site.signIn(undefined, undefined, browser)
    const asked = await site.json('two-factor/passkey-options', {}, browser)
    const { options } = (await asked.json()) as { options: Parameters<typeof key.get>[0] }
    const data = JSON.stringify(key.get(options))
    const proved = await site.json('two-factor/passkey', { data, trust: true }, browser)
    expect(proved.status).toBe(200)
    expect(await statusAfter(site, browser)).toBe('signed_in')
    const changed = await site.json('password/change', { current: GOOD, password: OTHER }, browser)
    expect(changed.status).toBe(200)
    expect(await statusAfter(site, browser, OTHER)).toBe('second_factor_required')
  })

  test('with `trustDevice: false` there is no box, and a field of that name does nothing', async () => {
    const { site, browser } = await trusting({ trustDevice: false })
    expect(await statusAfter(site, browser)).toBe('second_factor_required')
    const page = await browser.get('/auth/two-factor', { headers: { accept: 'text/html' } })
    expect(await page.text()).not.toContain('name="trust"')
  })
})
