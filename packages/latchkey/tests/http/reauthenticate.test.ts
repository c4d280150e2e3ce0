import { describe, expect, test } from 'vitest'
import { createTestProvider } from '../../src/entries/testing.ts'
import Passkey from '../../src/providers/passkey.ts'
import { GOOD, OTHER } from '../support/passwords-site.ts'
import { CODE, codes, reauthenticateSite } from '../support/reauthenticate-site.ts'

const html = { headers: { accept: 'text/html' } }

describe.each(['jwt', 'database'] as const)('with the strategy %s', (strategy) => {
  const siteWith = (...given: Parameters<typeof reauthenticateSite>) => {
    const [{ ...further } = {}, options] = given
    return reauthenticateSite({ session: { strategy }, ...further }, options)
  }

  test(`MF-26: a step that needs a recent proof leads to the page that asks for the password, which renews the session (${strategy})`, async () => {
    const site = siteWith()
    await site.signUp()
    const before = await site.facts()
    site.world.advance(3600)
    const refused = await site.open({ maxAge: 600 })
    expect(refused.status).toBe(403)
    expect(refused.next).toMatch(/^\/auth\/reauthenticate\?for=/)

    const shown = await site.world.get(refused.next, html)
    expect(shown.status).toBe(200)
    expect(await shown.text()).toContain('ada@example.com')

    const cookies = new Map(site.world.jar)
    const proved = await site.prove(refused.next, { way: 'password', password: GOOD })
    expect([proved.status, await proved.json()]).toEqual([200, { status: 'proved' }])
    const after = await site.facts()
    expect(after.auth_time).toBe((before.auth_time ?? 0) + 3600)
    expect(after.sid).not.toBe(before.sid)
    expect((await site.open({ maxAge: 600 })).status).toBe(200)
    // T-SESS-2: the earlier value of the cookie is no session any more.
    const { jar } = site.world
    for (const [name, value] of cookies) if (name.includes('session-token')) jar.set(name, value)
    expect(await site.world.session()).toBeNull()
    expect(site.events.at(-1)).toMatchObject({ type: 'signin.step-up', outcome: 'success' })
  })

  test(`T-MFA-3: a password that is typed now is not enough beside a code of this morning (${strategy})`, async () => {
    const site = siteWith({ plugins: [codes()] })
    await site.signUp()
    const first = await site.open({ maxAge: 600, factors: 2 })
    await site.prove(first.next, { way: 'code', code: CODE })
    expect((await site.open({ maxAge: 600, factors: 2 })).status).toBe(200)
    const { second_time } = await site.facts()

    site.world.advance(4 * 3600)
    const later = await site.open({ maxAge: 600 })
    expect((await site.prove(later.next, { way: 'password', password: GOOD })).status).toBe(200)
    expect(await site.facts()).toMatchObject({
      second_time,
      amr: expect.arrayContaining(['pwd', 'otp']) as string[],
      acr: 'urn:latchkey:acr:2',
    })
    expect((await site.open({ maxAge: 600 })).status).toBe(200)
    const refused = await site.open({ maxAge: 600, factors: 2 })
    expect(refused.status).toBe(403)
    // Nor does the page take it.
    const typed = await site.prove(refused.next, { way: 'password', password: GOOD })
    expect(typed.status).toBe(400)
    expect((await site.open({ maxAge: 600, factors: 2 })).status).toBe(403)
    expect((await site.prove(refused.next, { way: 'code', code: CODE })).status).toBe(200)
    expect((await site.open({ maxAge: 600, factors: 2 })).status).toBe(200)
  })

  test(`T-MFA-3: a changed password does not make a second factor recent (${strategy})`, async () => {
    const site = siteWith({ plugins: [codes()] })
    await site.signUp()
    const { next } = await site.open({ factors: 2 })
    await site.prove(next, { way: 'code', code: CODE })
    const { second_time } = await site.facts()
    site.world.advance(3600)
    const password = { current: GOOD, password: OTHER }
    expect((await site.json('password/change', password)).status).toBe(200)
    const after = await site.facts()
    expect(after).toMatchObject({ second_time, auth_time: (second_time ?? 0) + 3600 })
    expect((await site.open({ factors: 2, maxAge: 600 })).status).toBe(403)
  })

  test(`MF-26: a method counts for twelve hours after it was proved, and two factors may then both be asked for (${strategy})`, async () => {
    const site = siteWith({ plugins: [codes()], session: { strategy, maxAge: 7 * 86_400 } })
    await site.signUp()
    site.world.advance(13 * 3600)
    const { next } = await site.open({ factors: 2, maxAge: 600 })
    const first = await site.prove(next, { way: 'code', code: CODE })
    const { status, next: page } = (await first.json()) as { status: string; next: string }
    expect([status, (await site.facts()).amr]).toEqual(['continue', ['otp']])
    expect((await site.open({ factors: 2, maxAge: 600 })).status).toBe(403)
    const second = await site.prove(page, { way: 'password', password: GOOD })
    expect(await second.json()).toEqual({ status: 'proved' })
    expect((await site.open({ factors: 2, maxAge: 600 })).status).toBe(200)
  })

  test(`MF-26: the first factor is no younger for a code that is proved after it (${strategy})`, async () => {
    const site = siteWith({ plugins: [codes()], session: { strategy, maxAge: 7 * 86_400 } })
    await site.signUp()
    const { auth_time: begun = 0 } = await site.facts()
    for (const hours of [10, 11]) {
      site.world.advance(begun + hours * 3600 - Math.floor(site.world.now() / 1000))
      const { next } = await site.open({ factors: 2, maxAge: 600 })
      await site.prove(next, { way: 'code', code: CODE })
      expect((await site.facts()).acr).toBe('urn:latchkey:acr:2')
    }
    site.world.advance(2 * 3600)
    const { next } = await site.open({ factors: 2, maxAge: 600 })
    const code = await site.prove(next, { way: 'code', code: CODE })
    expect(await code.json()).toMatchObject({ status: 'continue' })
    expect((await site.open({ factors: 2, maxAge: 600 })).status).toBe(403)
  })

  test(`MF-28: bounds are checked to the second (${strategy})`, async () => {
    const site = siteWith()
    await site.signUp()
    site.world.advance(600)
    expect((await site.open({ maxAge: 600 })).status).toBe(200)
    site.world.advance(1)
    expect((await site.open({ maxAge: 600 })).status).toBe(403)
  })

  test(`MF-26: a way in that is added leads to the page, too, and then back to the page that asked for it (${strategy})`, async () => {
    const acme = createTestProvider({ id: 'acme' })
    const site = reauthenticateSite({ session: { strategy } }, {}, [acme.provider, Passkey()])
    await site.signUp()
    site.world.advance(3600)
    const callbackUrl = 'https://app.example/account'
    const linked = await site.world.post('/auth/signin/acme', { callbackUrl })
    const page = new URL(linked.headers.get('location') ?? '')
    expect([page.pathname, page.searchParams.get('callbackUrl')]).toEqual([
      '/auth/reauthenticate',
      callbackUrl,
    ])
    const asked = await site.world.get('/auth/webauthn-options/passkey?action=register')
    expect([asked.status, await asked.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required', url: expect.stringContaining('/auth/reauthenticate?') },
    ])
    const fields = { way: 'password', password: GOOD, for: page.searchParams.get('for') ?? '' }
    const proved = await site.world.post('/auth/reauthenticate', fields)
    expect(proved.headers.get('location')).toBe(callbackUrl)
    const again = await site.world.post('/auth/signin/acme', { callbackUrl })
    expect(new URL(again.headers.get('location') ?? '').origin).not.toBe('https://app.example')
  })
})
