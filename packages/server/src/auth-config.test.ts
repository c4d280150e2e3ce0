import type { Adapter } from 'latchkey/adapters'
import { atomic } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { email } from 'latchkey/providers/define'
import { createWorld } from 'latchkey/testing'
import { expect, test } from 'vitest'
import { type AuthParts, authConfig } from './auth-config.ts'
import type { Settings } from './settings.ts'

const withoutRecords: Adapter = { ...memoryAdapter(), [atomic]: {} }

const pluginsOf = (...asked: Parameters<typeof configOf>) => configOf(...asked).plugins

function configOf(settings: Partial<Settings>, adapter: Adapter = memoryAdapter(), demo?: object) {
  const parts = {
    secret: [],
    named: [],
    adapter,
    demo,
    origin: demo && 'http://localhost:3000',
    log: { isLevelEnabled: () => false },
  }
  const complete = {
    auth: {},
    limits: true,
    challenge: 'proof-of-work',
    federatedLogout: 'off',
    sessionAbsoluteDays: 90,
    sessionRemember: 'ask',
    revocationBound: 1000,
    languages: ['en'],
    ...settings,
  }
  return authConfig(complete as Settings, parts as unknown as AuthParts)
}

const namesOf = (...asked: Parameters<typeof pluginsOf>) =>
  pluginsOf(...asked)?.map(({ name }) => name)

test('tokens of providers are records if the store has records, unless `providerTokens` is set', () => {
  expect(namesOf({})).toEqual(['limits', 'sessions', 'providerTokens'])
  expect(namesOf({ sessions: false })).toEqual(['limits', 'providerTokens'])
  expect(namesOf({ providerTokens: false })).toEqual(['limits', 'sessions'])
  expect(namesOf({}, withoutRecords)).toEqual(['limits'])
  expect(namesOf({ providerTokens: true }, withoutRecords)).toContain('providerTokens')
})

test('ACC-23: pages that say that a mail was sent link to the mailbox of development, unless mails are sent', () => {
  const demo = { mailTransport: {}, providers: [], account: { provider: email } }
  const mailboxOf = (settings: Partial<Settings>, given?: object) =>
    (
      configOf({ breachedPasswords: 'off', ...settings }, undefined, given).providers as readonly {
        options?: { mailbox?: string }
      }[]
    )
      .map(({ options }) => options?.mailbox)
      .filter(Boolean)
  expect(mailboxOf({}, demo)).toEqual(['/mailbox'])
  expect(mailboxOf({ smtp: 'smtp://localhost' }, demo)).toEqual([])
  expect(mailboxOf({ smtp: 'smtp://localhost', mailFrom: 'a@b.example' })).toEqual([])
})

test('a plugin of the configuration replaces that of the service', () => {
  const own = providerTokens({ columns: 'keep' })
  const asked = { auth: { providers: [], plugins: [own] }, limits: false, sessions: false }
  expect(pluginsOf(asked)).toEqual([own])
})

test('options of the service set the look of the pages, and `auth.theme` has the rest', () => {
  const theme = {
    name: 'Other',
    radius: 'large',
    footer: { terms: '/old', imprint: '/imprint' },
  } as const
  expect(configOf({ auth: { theme } }).theme).toEqual(theme)
  expect(
    configOf({
      auth: { theme },
      themeName: 'Acme',
      themeLogo: '/logo.svg',
      themeAccent: '#0a6b4b',
      themeAccentDark: '#6ddcb0',
      themeTerms: '/terms',
      themeSupport: 'mailto:help@acme.example',
    }).theme,
  ).toEqual({
    name: 'Acme',
    logo: '/logo.svg',
    accent: { light: '#0a6b4b', dark: '#6ddcb0' },
    radius: 'large',
    footer: { terms: '/terms', imprint: '/imprint', support: 'mailto:help@acme.example' },
  })
})

test('LIM-12: a service of challenges needs its keys', () => {
  const asked = { challenge: 'turnstile' } as const
  expect(() => namesOf(asked)).toThrow(
    'challenge: turnstile needs the keys of your site; set LATCHKEY_CHALLENGE_SITE',
  )
  expect(namesOf({ ...asked, challengeSite: 'site', challengeSecret: 'secret' })).toContain(
    'limits',
  )
  expect(namesOf({ ...asked, limits: false })).not.toContain('limits')
  expect(namesOf(asked, withoutRecords)).toContain('limits')
})

const post = email({
  id: 'post',
  name: 'Post',
  sendVerificationRequest: () => {},
  sendMail: () => {},
})
const mailed = { auth: { providers: [post] }, breachedPasswords: 'off', signUp: 'open' } as const

test('a second factor is offered where mails can be sent, unless `twoFactor` is set', () => {
  expect(namesOf(mailed)).toContain('twoFactor')
  expect(namesOf({})).not.toContain('twoFactor')
  expect(namesOf({ ...mailed, twoFactor: 'off' })).not.toContain('twoFactor')
  expect(namesOf({ twoFactor: 'all' })).toContain('twoFactor')
  expect(namesOf(mailed, withoutRecords)).not.toContain('twoFactor')
  expect(() => namesOf({ ...mailed, twoFactor: 'all' }, withoutRecords)).toThrow(/^twoFactor: /)
})

test('people look after their account where mails can be sent, unless `account` is false', () => {
  expect(namesOf(mailed)).toContain('account')
  expect(namesOf({})).not.toContain('account')
  expect(namesOf({ ...mailed, account: false })).not.toContain('account')
  expect(namesOf(mailed, withoutRecords)).not.toContain('account')
  expect(() => namesOf({ account: true })).toThrow(/^account: needs a mail service/)
  expect(() => namesOf({ ...mailed, account: true }, withoutRecords)).toThrow(/^account: /)
})

test('passwords may have 8 characters where everybody must have a second factor', async () => {
  const minLength = async (settings: Parameters<typeof configOf>[0]): Promise<unknown> => {
    const world = createWorld({
      ...configOf({ ...mailed, ...settings }),
      secret: 'a secret for tests, 0123456789abcdef',
      logger: {},
      trustHost: true,
    })
    return ((await (await world.get('/auth/password/rules')).json()) as { minLength: number })
      .minLength
  }
  expect(await minLength({})).toBe(15)
  expect(await minLength({ twoFactor: 'all' })).toBe(8)
  expect(await minLength({ twoFactor: 'all', passwordMinLength: 12 })).toBe(12)
})

test('I18N-1: pages are in all languages, in those that `languages` names, or in English alone', () => {
  const alone = { limits: false, sessions: false, providerTokens: false }
  expect(namesOf({ ...alone, languages: 'all' })).toEqual(['i18n'])
  expect(namesOf({ ...alone, languages: ['de', 'en'] })).toEqual(['i18n'])
  expect(namesOf({ ...alone, languages: ['en'] })).toEqual([])
  expect(() => pluginsOf({ languages: ['de', 'nl'] })).toThrow(/languages: .*"nl".*not built in/)
})

test('PW-23: with `verifyAddress`, people may sign in before they prove their address', async () => {
  const statusOf = async (verifyAddress: 'first' | 'after'): Promise<number> => {
    const world = createWorld({
      ...configOf({ ...mailed, verifyAddress, limits: false }),
      secret: 'a secret for tests, 0123456789abcdef',
      logger: {},
      trustHost: true,
    })
    const json = (path: string, fields: object): Promise<Response> =>
      world.request(`/auth/password/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(fields),
      })
    const password = 'a rather long password'
    expect((await json('sign-up', { email: 'ada@example.com', password })).status).toBe(202)
    return (await json('sign-in', { identifier: 'ada@example.com', password })).status
  }
  expect(await statusOf('first')).toBe(401)
  expect(await statusOf('after')).toBe(200)
})
