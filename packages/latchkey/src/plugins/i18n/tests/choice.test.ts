import { describe, expect, test } from 'vitest'
import { passwordsSite } from '../../../../tests/support/passwords-site.ts'
import { twoFactorSite } from '../../../../tests/support/two-factor-site.ts'
import { createWorld, type World } from '../../../entries/testing.ts'
import GitHub from '../../../providers/github.ts'
import { account } from '../../account/index.ts'
import { type I18nOptions, i18n } from '../index.ts'
import { languagesOf } from '../languages.ts'
import { settingsOf } from '../settings.ts'

const github = GitHub({ clientId: 'id', clientSecret: 'secret' })

function worldWith(options: I18nOptions = {}, further = {}): World {
  return createWorld({ providers: [github], plugins: [i18n(options)], ...further })
}

async function pageIn(world: World, headers: Record<string, string> = {}, path = '/auth/signin') {
  const response = await world.get(path, { headers: { accept: 'text/html', ...headers } })
  const text = await response.text()
  return { response, text, lang: /<html lang="([^"]+)"/.exec(text)?.[1] }
}

describe('I18N-2: the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['de', 'de'],
    ['de-AT, en;q=0.8', 'de'],
    ['pt-BR', 'pt'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-SG', 'zh-Hans'],
    ['zh', 'zh-Hans'],
    ['zh-TW', 'en'],
    ['zh-TW, ja;q=0.5', 'ja'],
    ['ar-EG', 'ar'],
    ['xx, fr;q=0.1', 'fr'],
    ['fr;q=0, *;q=0.5', 'en'],
    ['en;q=0, *;q=0.5', 'de'],
    ['de;q=0.2, es;q=0.9', 'es'],
  ])('is, for a browser that sends the Accept-Language %j, %s', async (header, lang) => {
    const headers = header === undefined ? {} : { 'accept-language': header }
    const page = await pageIn(worldWith(), headers)
    expect(page.lang).toBe(lang)
    expect(page.response.headers.get('content-language')).toBe(lang)
  })

  test('I18N-4: is named by the first page that says that there is nothing at an address', async () => {
    const page = await pageIn(worldWith(), { 'accept-language': 'de' }, '/auth/nothing')
    expect(page.response.status).toBe(404)
    expect(page.lang).toBe('de')
    expect(page.response.headers.get('content-language')).toBe('de')
  })

  test('I18N-4: is named by a problem in JSON, whose title is in it', async () => {
    const { json, world } = passwordsSite({}, { plugins: [i18n()] })
    world.jar.set('__Host-latchkey.language', 'fr')
    const problem = await json('password/change', { current: 'x', password: 'y' })
    expect(problem.status).toBe(401)
    expect(problem.headers.get('content-language')).toBe('fr')
    expect(await problem.json()).toMatchObject({ title: 'Connectez-vous d’abord.' })
    const answer = await world.get('/auth/csrf')
    expect(answer.headers.get('content-language')).toBeNull()
  })

  test.each([
    'x'.repeat(64_000),
    Array.from({ length: 10_000 }, (_, at) => `x${at}`).join(','),
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'de<script>',
    ';q=1',
    ',,,,',
  ])(
    'T-ACC-44: is the fallback for a browser that sends nonsense, in bounded work (%#)',
    async (header) => {
      const page = await pageIn(worldWith(), { 'accept-language': header })
      expect(page.response.status).toBe(200)
      expect(page.lang).toBe('en')
    },
  )

  test('is the one that a visitor picks on the page, also later', async () => {
    const world = worldWith()
    const first = await pageIn(world)
    expect(first.text).toContain('<a href="?lang=de" lang="de" hreflang="de">Deutsch</a>')
    expect(first.text).toContain('<a href="?lang=ar" lang="ar" hreflang="ar" dir="rtl">')
    const picked = await world.get('/auth/signin?callbackUrl=%2Finside&lang=de')
    expect(picked.headers.get('location')).toBe('/auth/signin?callbackUrl=%2Finside')
    expect(picked.headers.getSetCookie().join()).toContain('latchkey.language=de;')
    expect((await pageIn(world, { 'accept-language': 'fr' })).lang).toBe('de')
    expect((await pageIn(world.otherBrowser(), { 'accept-language': 'fr' })).lang).toBe('fr')
  })

  test.each(['//evil.example/auth/signin', '///evil.example/', '/\\evil.example/auth/signin'])(
    'leads to this site alone after a choice, for the path %s',
    async (path) => {
      const languages = languagesOf(settingsOf({}))({}, { logger: console, now: Date.now })
      const url = new URL(`https://app.example${path}?lang=de`).href
      const chosen = await languages.arrive({ method: 'GET', url, headers: new Headers() })
      expect(new URL(String(chosen?.to), 'https://app.example').origin).toBe('https://app.example')
    },
  )

  test.each(['xx', '', '<b>', 'DE', '__proto__', '../de'])(
    'T-ACC-44: does not change for the unknown choice %j',
    async (lang) => {
      const path = `/auth/signin?lang=${encodeURIComponent(lang)}`
      const { response, lang: shown } = await pageIn(worldWith(), {}, path)
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie().join()).not.toContain('latchkey.language')
      expect(shown).toBe('en')
    },
  )

  test('T-ACC-44: does not change for a cookie with markup', async () => {
    const cookie = '__Host-latchkey.language=%3Cscript%3E; latchkey.language=<script>'
    const { lang, text } = await pageIn(worldWith(), { cookie })
    expect(lang).toBe('en')
    expect(text).not.toContain('<script>;')
  })

  test('is that of the function `choose` before all others, unless it names none of them', async () => {
    const choose = (headers: Pick<Headers, 'get'>) => headers.get('x-language') ?? undefined
    const world = worldWith({ choose })
    expect((await pageIn(world, { 'x-language': 'ja', 'accept-language': 'de' })).lang).toBe('ja')
    expect((await pageIn(world, { 'x-language': 'xx', 'accept-language': 'de' })).lang).toBe('de')
  })

  test('is one of `locales` alone, with the fallback and the messages of the application', async () => {
    const world = worldWith({
      locales: ['de', 'eo'],
      fallback: 'de',
      messages: { eo: { 'sign-in.title': 'Ensalutu' } },
      picker: false,
    })
    const esperanto = await pageIn(world, { 'accept-language': 'eo' })
    expect(esperanto.text).toContain('Ensalutu')
    expect(esperanto.text).not.toContain('?lang=')
    expect((await pageIn(world, { 'accept-language': 'fr' })).lang).toBe('de')
  })

  test('is one of the option `texts`, too, whose texts replace built-in ones', async () => {
    const texts = { de: { 'sign-in.title': 'Hereinspaziert' }, eo: { 'sign-in.title': 'Ensalutu' } }
    const world = worldWith({}, { texts })
    expect((await pageIn(world, { 'accept-language': 'de' })).text).toContain('Hereinspaziert')
    expect((await pageIn(world, { 'accept-language': 'eo' })).text).toContain('Ensalutu')
  })
})

describe('I18N-4, I18N-7: a page in Arabic', () => {
  test('runs from right to left', async () => {
    const { text } = await pageIn(worldWith(), { 'accept-language': 'ar' })
    expect(text).toContain('<html lang="ar" dir="rtl">')
  })
})

describe('I18N-1: pages of plugins and mails', () => {
  test('are in the language of the visitor', async () => {
    const site = passwordsSite({}, { plugins: [i18n()] })
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const page = await (await site.world.get('/auth/password/sign-up', { headers })).text()
    expect(page).toContain('<html lang="de">')
    expect(page).not.toContain('Create')
    await site.world.request('/auth/password/sign-up', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'accept-language': 'de',
      },
      body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery staple' }),
    })
    expect(site.mails.at(-1)?.text).toContain('Code')
    expect(site.mails.at(-1)?.text).not.toContain('Enter this code')
  })

  test('without the plugin, are in English, and no header names a language', async () => {
    const world = createWorld({ providers: [github] })
    const { lang, response, text } = await pageIn(world, { 'accept-language': 'de' })
    expect(lang).toBe('en')
    expect(response.headers.get('content-language')).toBeNull()
    expect(text).not.toContain('class="languages"')
  })
})

describe('options of i18n()', () => {
  test.each<[I18nOptions, string]>([
    [{ locales: ['xx-bad-tag-é'] }, 'is no language tag'],
    [{ locales: ['nl'] }, 'is not built in'],
    [{ locales: ['de'] }, '`fallback` must be one of `locales`'],
    [{ fallback: 'nl' }, '`fallback` must be one of `locales`'],
    [{ choose: 'de' as never }, '`choose` must be a function'],
    [{ locales: 'de' as never }, '`locales` must be a list'],
  ])('%j is refused', (options, message) => {
    expect(() => i18n(options)).toThrow(message)
  })
})

describe('I18N-3: the language of a mail', () => {
  test.each([
    ['is the one that its receiver chose, whoever causes the mail', 'de', 'Passwort'],
    ['is that of the request for a receiver who chose none', undefined, 'Choose a new password'],
  ])('%s', async (_, language, word) => {
    const site = passwordsSite({ limits: false }, { plugins: [account({ limits: false }), i18n()] })
    await site.signUp()
    if (language) await site.json('account/update', { language })
    const stranger = site.world.otherBrowser()
    await site.json('password/forgot', { identifier: 'ada@example.com' }, stranger)
    await site.settled()
    expect(site.mails.at(-1)?.text).toContain(word)
  })

  test('is the one that its receiver chose for a code that is a second factor, in a new browser', async () => {
    const site = twoFactorSite(
      { methods: ['totp', 'email', 'recovery'] },
      { plugins: [account({ limits: false }), i18n()] },
    )
    await site.signUp()
    await site.json('two-factor/use-email', { use: true })
    await site.json('account/update', { locale: 'de' })
    const stranger = site.world.otherBrowser()
    await site.signIn(undefined, undefined, stranger)
    expect((await site.json('two-factor/send', { method: 'email' }, stranger)).status).toBe(202)
    expect(site.mails.at(-1)?.text).toContain('Geben Sie diesen Code')
  })

  test('is the one that its receiver chose for all mails about a new address', async () => {
    const site = passwordsSite({ limits: false }, { plugins: [account({ limits: false }), i18n()] })
    await site.signUp()
    await site.json('account/update', { locale: 'de' })
    await site.json('account/change-address', { email: 'new@example.com' })
    await site.settled()
    const code = /\b\d{6}\b/.exec(site.mails.find(({ to }) => to === 'new@example.com')?.text ?? '')
    await site.json('account/confirm-address', { code: code?.[0] })
    await site.settled()
    const changed = site.mails.slice(1).map(({ subject }) => subject)
    expect(changed.length).toBeGreaterThanOrEqual(4)
    for (const subject of changed) expect(subject).toMatch(/Adresse|Code/)
  })
})
