import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { AuthError } from '../../src/base/errors.ts'
import { planOf } from '../../src/core/auth.ts'
import { createLatchkey } from '../../src/instance/create-latchkey.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { setEnvDefaults } from '../../src/options/env.ts'
import type { Provider } from '../../src/options/provider-options.ts'

const folder = new URL('../../src/providers/', import.meta.url)

/** Every file of the catalogue, by what an application imports. */
const catalogue = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^define\.ts$/.test(file))
    .map(async (file) => {
      const { default: factory } = (await import(new URL(file, folder).href)) as {
        default: Provider
      }
      return { module: file.slice(0, -'.ts'.length), factory }
    }),
)

function configOf(providers: Provider[]): AuthConfig {
  return {
    providers,
    adapter: memoryAdapter(),
    secret: 'the secret of an empty environment, 7Hq',
    trustHost: true,
    logger: { error() {}, warn() {} },
  }
}

/** Ways in which a list of providers becomes a configuration that is judged. */
const starts = [
  ['createLatchkey', (config: AuthConfig) => createLatchkey(config, {})],
  ['Auth', (config: AuthConfig) => judged(config)],
  [
    'setEnvDefaults and Auth',
    (config: AuthConfig) => {
      setEnvDefaults({}, config)
      judged(config)
    },
  ],
] as const

function judged(config: AuthConfig): void {
  const { fault } = planOf(config)
  if (fault) throw fault
}

function faultOf(start: () => unknown): unknown {
  try {
    start()
    return undefined
  } catch (error) {
    return error
  }
}

/** What a provider may miss. */
const NAMED = /^(?:InvalidEndpoints|InvalidProvider|MissingAuthorize)$/

test('the catalogue has 113 providers', () => {
  expect(catalogue).toHaveLength(113)
})

describe.each(catalogue)('$module, uncalled and without environment', ({ factory }) => {
  test.each(starts)('works, or names what is missing: %s', (_how, start) => {
    const fault = faultOf(() => start(configOf([factory])))
    if (fault === undefined) return
    const { type, message, cause } = fault as AuthError
    expect(type).toMatch(NAMED)
    expect(message).toMatch(
      /^provider [\w-]+: (?:.*`\w+` is missing|neither `\w+` nor `\w+` is set).*; (?:set|add) /,
    )
    expect(cause?.err).toBeUndefined()
  })

  test('throws nothing if it is called without arguments', () => {
    expect(() => (factory as () => unknown)()).not.toThrow()
  })
})
