import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sessionAges } from '../packages/latchkey/src/core/compile/session-options.ts'
import { settingsOf as emailCodeSettings } from '../packages/latchkey/src/plugins/email-code/settings.ts'
import { settingsOf as logoutSettings } from '../packages/latchkey/src/plugins/federated-logout/settings.ts'
import { settingsOf as i18nSettings } from '../packages/latchkey/src/plugins/i18n/settings.ts'
import { settingsOf as limitSettings } from '../packages/latchkey/src/plugins/limits/settings.ts'
import { settingsOf as providerTokenSettings } from '../packages/latchkey/src/plugins/provider-tokens/settings.ts'
import { revocationSettings } from '../packages/latchkey/src/plugins/sessions/revocations/settings.ts'
import { settingsOf as sessionSettings } from '../packages/latchkey/src/plugins/sessions/settings.ts'
import { apiKeysSettings } from '../packages/latchkey/src/plugins/tokens/api-keys/settings.ts'
import { deviceSettings } from '../packages/latchkey/src/plugins/tokens/device/settings.ts'
import { jwtSettings } from '../packages/latchkey/src/plugins/tokens/jwt/settings.ts'
import { nativeSettings } from '../packages/latchkey/src/plugins/tokens/native/settings.ts'
import { settingsOf as twoFactorSettings } from '../packages/latchkey/src/plugins/two-factor/settings.ts'
import { settingsOf as usernameSettings } from '../packages/latchkey/src/plugins/usernames/settings.ts'
import { OptionTypes } from './option-types.ts'

const files = globSync('packages/latchkey/src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
const types = new OptionTypes(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))

/** A literal at the beginning of a `@default`, for example `600`, `'ask'` or `[]`. */
const LITERAL = /@default (true|false|\d+|'[^']*'|\[\]|\{[^}]+\})(?= \(|\s*$|\s@)/

/** Returns the value of a `@default` that is a literal; `undefined` for a description. */
function literalOf(docstring: string): { value: unknown } | undefined {
  const text = LITERAL.exec(docstring)?.[1]
  if (text === undefined) return undefined
  const json = text.replaceAll("'", '"').replaceAll(/(\w+):/g, '"$1":')
  return { value: JSON.parse(json) }
}

const app = { id: 'app', name: 'App' }
const nativeApp = { ...app, redirectUris: ['com.example.app:/callback'] }

/** What the code uses if an application sets no option. */
const defaults: Readonly<Record<string, object>> = {
  'ApiKeysOptions from tokens/api-keys/settings.ts': apiKeysSettings({}),
  'DeviceOptions from tokens/device/settings.ts': deviceSettings({ clients: [app] }),
  'EmailCodeOptions from email-code/settings.ts': emailCodeSettings({}),
  'FederatedLogoutOptions from federated-logout/settings.ts': logoutSettings({}),
  'JwtOptions from tokens/jwt/settings.ts': jwtSettings({ audiences: { api: {} } }),
  'LimitsOptions from limits/settings.ts': limitSettings({}),
  'NativeOptions from tokens/native/settings.ts': nativeSettings({ clients: [nativeApp] }),
  'ProviderTokensOptions from provider-tokens/settings.ts': providerTokenSettings({}),
  'RevocationsOptions from sessions/revocations/settings.ts': revocationSettings({}),
  'SessionOptions from options/auth-config.ts': sessionAges({ providers: [] }),
  'SessionsOptions from sessions/settings.ts': sessionSettings({}),
  'TwoFactorOptions from two-factor/settings.ts': twoFactorSettings({}),
  'I18nOptions from i18n/settings.ts': i18nSettings({}),
  'UsernamesOptions from usernames/settings.ts': usernameSettings({}),
}

test.each(Object.entries(defaults))(
  '%s: the defaults of the docstrings are those of the code',
  (of, settings) => {
    const [name = '', path] = of.split(' from ')
    const documented: Record<string, unknown> = {}
    const used: Record<string, unknown> = {}
    for (const option of types.optionsOf(name, path)) {
      const literal = literalOf(option.docstring)
      const setting: unknown = Reflect.get(settings, option.name)
      // A setting of another kind is derived from the option, for example a list of providers from `false`.
      if (literal === undefined || typeof literal.value !== typeof setting) continue
      documented[option.name] = literal.value
      used[option.name] = setting
    }
    expect(documented).toEqual(used)
    expect(Object.keys(documented)).not.toEqual([])
  },
)

test('a default that differs from the code is found', () => {
  expect(literalOf('Seconds. @default 600')).toEqual({ value: 600 })
  expect(literalOf("Who. @default 'ask'")).toEqual({ value: 'ask' })
  expect(literalOf('How often. @default { limit: 600, seconds: 60 }')).toEqual({
    value: { limit: 600, seconds: 60 },
  })
  expect(literalOf('Seconds. @default 43200 (12 hours)')).toEqual({ value: 43_200 })
  expect(literalOf('Which. @default all of them')).toBeUndefined()
  expect(literalOf('Seconds. @default 86400, or less')).toBeUndefined()
})
