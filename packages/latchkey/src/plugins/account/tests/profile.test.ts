import { describe, expect, test } from 'vitest'
import { accountSite } from '../../../../tests/support/account-site.ts'
import { i18n } from '../../i18n/index.ts'

const html = { headers: { accept: 'text/html' } }

describe('the profile of an account', () => {
  test('SS-1: the name is changed with a form and no script, and the session shows it', async () => {
    const site = accountSite()
    await site.signUp()
    const page = await (await site.world.get('/auth/account/profile', html)).text()
    expect(page).toContain('autocomplete="name"')
    expect(page).not.toContain('name="image"')
    const done = await site.world.post('/auth/account/update', { name: ' Ada Lovelace ' }, html)
    expect(done.status).toBe(303)
    const after = await (await site.world.get(done.headers.get('location') ?? '', html)).text()
    expect(after).toContain('Your profile was saved.')
    expect(after).toContain('value="Ada Lovelace"')
    expect(await site.world.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(site.events.map(({ type }) => type)).toContain('user.updated')
  })

  test('SS-1: `account/security` leads to the overview, which has the password, passkeys and second factors', async () => {
    const site = accountSite()
    await site.signUp()
    const answer = await site.world.get('/auth/account/security', html)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth/account'])
  })

  test('I18N-2: the language is chosen on the page of the profile, for mails and this browser', async () => {
    const site = accountSite({}, { plugins: [i18n({ locales: ['en', 'de', 'fr'] })] })
    await site.signUp()
    const page = await (await site.world.get('/auth/account/profile', html)).text()
    expect(page).toContain('<label for="locale">Language</label>')
    expect(page).toContain('<option value="" lang="en">English</option>')
    expect(page).toContain('<option value="de" lang="de">Deutsch</option>')
    // Who saves a name chooses no language.
    await site.world.post('/auth/account/update', { name: 'Ada', locale: '' }, html)
    expect(await site.read('account/me')).toMatchObject({ user: { locale: null } })
    const done = await site.world.post('/auth/account/update', { locale: 'de' }, html)
    const picked = await site.world.get(done.headers.get('location') ?? '', html)
    const after = await (await site.world.get(picked.headers.get('location') ?? '', html)).text()
    expect(after).toContain('<html lang="de"')
    expect(after).toContain('Ihr Profil wurde gespeichert.')
    expect(after).toContain('<option value="" lang="de">Deutsch</option>')
    expect(await site.read('account/me')).toMatchObject({ user: { locale: 'de' } })
  })

  test.each([
    ['of i18n()', i18n({ locales: ['en', 'de'], picker: false }), {}],
    ['of `texts`', undefined, { texts: { de: { 'sign-in.title': 'Anmelden' } } }],
  ])('I18N-2: `locale` is one of the languages %s, and no other', async (_, plugin, further) => {
    const site = accountSite({}, { plugins: plugin ? [plugin] : [], ...further })
    await site.signUp()
    const done = await site.json('account/update', { locale: 'de' })
    expect(await done.json()).toMatchObject({ user: { locale: 'de' } })
    for (const locale of ['fr', 'de-AT', 'DE', '../../etc', 'x'.repeat(36)]) {
      const refused = await site.json('account/update', { locale })
      expect(refused.status, locale).toBe(400)
      expect(await refused.json()).toMatchObject({
        code: 'invalid_input',
        errors: [{ field: 'locale' }],
      })
    }
    expect(await site.read('account/me')).toMatchObject({ user: { locale: 'de' } })
  })

  test('I18N-2: the form of the profile shows a language that the site does not have as a fault', async () => {
    const site = accountSite({}, { plugins: [i18n({ locales: ['en', 'de'] })] })
    await site.signUp()
    const refused = await site.world.post('/auth/account/update', { locale: 'fr' }, html)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('href="#locale"')
  })

  test('I18N-2: a language that the site does not have is kept for mails, and the page is shown', async () => {
    for (const plugins of [[], [i18n({ locales: ['en', 'de'] })]]) {
      const site = accountSite({}, { plugins })
      await site.signUp()
      const done = await site.world.post('/auth/account/update', { language: 'it' }, html)
      const after = await site.world.get(done.headers.get('location') ?? '', html)
      expect(after.status).toBe(200)
      expect(await after.text()).toContain('Your profile was saved.')
      expect(await site.read('account/me')).toMatchObject({ user: { language: 'it' } })
    }
  })

  test('the page of the profile has no list of languages without i18n()', async () => {
    const site = accountSite()
    await site.signUp()
    const page = await (await site.world.get('/auth/account/profile', html)).text()
    expect(page).not.toContain('name="locale"')
  })

  test('ACC-7: no link says that something of the account was changed', async () => {
    const site = accountSite()
    await site.signUp()
    for (const path of [
      'profile?done=1',
      'addresses?done=changed',
      'passkeys?done=removed',
      'links?added=acme',
      'links?removed=acme',
      'sessions?done=others',
    ]) {
      const page = await site.world.get(`/auth/account/${path}`, html)
      expect(page.status, path).toBe(400)
      expect(await page.text(), path).not.toContain('role="status"')
    }
  })

  test('SS-2: an update keeps the time of the last proof of identity', async () => {
    const site = accountSite()
    await site.signUp()
    const { authTime } = await site.read('account/me')
    site.world.advance(500)
    expect((await site.json('account/update', { name: 'Ada' })).status).toBe(200)
    expect((await site.read('account/me'))['authTime']).toBe(authTime)
  })

  test.each([
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a name with a control', { name: 'Ada\u202eLovelace' }],
    ['a picture that is no https address', { image: 'javascript:alert(1)' }],
    ['a language that is none', { language: '../../etc' }],
  ])('SS-2: %s is refused', async (_, fields) => {
    const site = accountSite({ account: { changeImage: true } })
    await site.signUp()
    const answer = await site.json('account/update', fields)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' })
  })

  test('SS-2: a language is kept for the application', async () => {
    const site = accountSite()
    await site.signUp()
    await site.json('account/update', { language: 'de-CH' })
    expect(await site.read('account/me')).toMatchObject({ user: { language: 'de-CH' } })
  })

  test('T-ACC-29: no field but those of the form is accepted, over JSON and as a form', async () => {
    const site = accountSite()
    await site.signUp()
    const before = await site.read('account/me')
    for (const field of [
      'id',
      'userId',
      'email',
      'emailVerified',
      'groups',
      'roles',
      'role',
      'disabled',
      'image',
    ]) {
      const fields = { [field]: 'https://evil.example/x' }
      expect((await site.json('account/update', { name: 'Eve', ...fields })).status).toBe(400)
      expect((await site.world.post('/auth/account/update', { ...fields })).status).toBe(400)
    }
    const raw = '{"name":"Eve","__proto__":{"emailVerified":true}}'
    const polluted = await site.world.request('/auth/account/update', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: raw,
    })
    expect(polluted.status).toBe(400)
    expect(await site.read('account/me')).toEqual(before)
  })
})
