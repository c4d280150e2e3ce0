import type { Adapter } from 'latchkey/adapters'
import { atomic } from 'latchkey/adapters'
import { memoryAdapter } from 'latchkey/adapters/memory'
import { providerTokens } from 'latchkey/plugins/provider-tokens'
import { expect, test } from 'vitest'
import { type AuthParts, authConfig } from './auth-config.ts'
import type { Settings } from './settings.ts'

const withoutRecords: Adapter = { ...memoryAdapter(), [atomic]: {} }

const pluginsOf = (...asked: Parameters<typeof configOf>) => configOf(...asked).plugins

function configOf(settings: Partial<Settings>, adapter: Adapter = memoryAdapter()) {
  const parts = {
    secret: [],
    named: [],
    adapter,
    demo: undefined,
    origin: undefined,
    log: { isLevelEnabled: () => false },
  }
  const complete = {
    auth: {},
    limits: true,
    federatedLogout: 'off',
    sessionAbsoluteDays: 90,
    sessionRemember: 'ask',
    revocationBound: 1000,
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
