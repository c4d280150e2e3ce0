import { describe, expect, test } from 'vitest'
import { growth, LINEAR } from '../../tests/support/growth.ts'
import { isAuthError } from '../base/errors.ts'
import { planOf } from '../core/auth.ts'
import { createLatchkey } from '../instance/create-latchkey.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { type Env, setEnvDefaults } from '../options/env.ts'
import { secretWeakness } from './secret-rules.ts'

const STRONG = 'kY3vQm8Zr1Tn6Wc0Xp5Lb9Jd2Hf7Gs4A'
const rules = { shortest: 16, different: 8 }

describe('T-KEY-1: the check of weak secrets', () => {
  test.each([
    ['', 'is too short: it has 0 characters, and needs at least 16'],
    ['a', 'is a known example'],
    ['kP9x', 'is too short: it has 4 characters, and needs at least 16'],
    ['V7q1zJx0Lr8mTn3', 'is too short: it has 15 characters, and needs at least 16'],
    ['a'.repeat(64), 'repeats a few characters'],
    ['abab'.repeat(16), 'repeats a few characters'],
    ['0123456789abcdef0123456789abcdef', 'repeats a few characters'],
    ['zyxwvuzyxwuvyzxwvuzyxwvvvzz', 'repeats a few characters'],
    ...[
      'secret',
      'SECRET',
      'changeme',
      'changeMe123',
      'my-super-secret-key',
      'mysupersecretkey2026',
      // Of the documentation of Auth.js, and of templates that use it.
      'This is an example',
      'your-secret-key-here-min-32-chars-long',
      'your_nextauth_secret',
      'your-secret-key-here-generate-with-openssl-rand-base64-32',
      'change-this-to-a-long-random-secret',
      'random-secret-32-chars',
      'dev-secret-change-me',
      'openssl rand -base64 32',
      'build-only-auth-secret-0000000000000000',
      'generate-a-random-string-of-at-least-32-characters',
      // Of our own.
      'a secret for tests, 0123456789abcdef',
      'only-for-this-example-0123456789-abcdefgh',
    ].map((example) => [example, 'is a known example']),
  ])('refuses %j', (secret, weakness) => {
    expect(secretWeakness(secret, rules)).toBe(weakness)
  })

  test.each([
    STRONG,
    'V7q1zJx0Lr8mTn3c',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    '61940273855519264037110284756392',
    'violet tractors hum beneath nine quiet moons',
    'Zm9yIHByb2R1Y3Rpb24gb25seSwgMDEyMzQ1Njc4OWE=',
  ])('accepts %j', (secret) => {
    expect(secretWeakness(secret, rules)).toBeUndefined()
  })

  test('takes linear time for a long text', async () => {
    const long = (times: number): string => `${'secret'.repeat(times)}!x9Q`
    expect(secretWeakness(long(100_000), rules)).toBeUndefined()
    const looking = (times: number) => {
      const secret = long(times)
      return () => secretWeakness(secret, rules)
    }
    expect(await growth(looking, 100_000)).toBeLessThan(LINEAR)
  })
})

describe('T-KEY-1: a secret in production', () => {
  const production: Env = { NODE_ENV: 'production', AUTH_URL: 'https://app.example' }
  const codes: unknown[] = []
  const configOf = (change: Partial<AuthConfig>): AuthConfig => ({
    providers: [],
    logger: { error() {}, warn: (code) => void codes.push(code) },
    ...change,
  })
  const faultOf = (start: () => unknown): { type?: string; message?: string } | undefined => {
    try {
      start()
      return undefined
    } catch (error) {
      return isAuthError(error) ? error : { message: 'not ours' }
    }
  }

  const weak: [string, Partial<AuthConfig>, Env, string][] = [
    ['the secret', { secret: 'changeme' }, {}, '`secret` (or AUTH_SECRET) is a known example'],
    ['a variable', {}, { AUTH_SECRET: 'kP9x' }, '`secret` (or AUTH_SECRET) is too short: it has 4'],
    [
      'an old name',
      {},
      { NEXTAUTH_SECRET: 'kP9x' },
      '`secret` (or AUTH_SECRET) is too short: it has 4',
    ],
    [
      'the second of a list',
      { secret: [STRONG, 'a'.repeat(40)] },
      {},
      '`secret` (or AUTH_SECRET), number 2 of 2, repeats a few characters',
    ],
    [
      'a numbered variable',
      {},
      { AUTH_SECRET: STRONG, AUTH_SECRET_1: 'x' },
      'number 1 of 2, is too short',
    ],
    [
      'the secret of session tokens',
      { secret: STRONG, jwt: { secret: 'secret' } },
      {},
      '`jwt.secret` is a known example',
    ],
  ]

  test.each(weak)(
    'is refused at the start, with the command that creates one: %s',
    (_what, change, env, message) => {
      const all = { ...production, ...env }
      const starts = [() => createLatchkey(configOf(change), all)]
      if (!('NEXTAUTH_SECRET' in env)) {
        starts.push(() => {
          const config = configOf(change)
          setEnvDefaults(all, config)
          const { fault } = planOf(config)
          if (fault) throw fault
          return createLatchkey(configOf({ secret: STRONG }), all)
        })
      }
      for (const start of starts) {
        const fault = faultOf(start)
        expect(fault?.type).toBe('MissingSecret')
        expect(fault?.message).toContain(message)
        expect(fault?.message).toContain(
          'production needs a random secret, create one with: openssl rand -base64 33',
        )
        expect(fault?.message).not.toMatch(/changeme|kP9x|aaaa/)
      }
    },
  )

  test.each(weak)('is refused only there: %s', (_what, change, env) => {
    for (const mode of ['development', 'test', undefined]) {
      const all = { ...production, ...env, NODE_ENV: mode }
      expect(faultOf(() => createLatchkey(configOf(change), all))).toBeUndefined()
    }
  })

  test('of 16 to 31 characters causes a warning only, so that applications can migrate', () => {
    for (const [secret, warned] of [
      [STRONG.slice(0, 16), ['short-secret']],
      [STRONG.slice(0, 31), ['short-secret']],
      [STRONG, []],
    ] as const) {
      codes.length = 0
      expect(faultOf(() => createLatchkey(configOf({ secret }), production))).toBeUndefined()
      expect(codes).toEqual(warned)
    }
  })
})
