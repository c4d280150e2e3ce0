import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { passwordsSite } from '../../tests/support/passwords-site.ts'
import { memoryAdapter } from '../adapters/memory/index.ts'
import type { PasswordsApi } from '../plugins/passwords/index.ts'
import { providerTokens } from '../plugins/provider-tokens/index.ts'
import type { SessionsApi } from '../plugins/sessions/index.ts'
import { type TwoFactorApi, twoFactor } from '../plugins/two-factor/index.ts'
import { accounts } from './accounts.ts'
import { createLatchkey } from './index.ts'
import { createWorld } from './testing.ts'

const secret = 'pX4nQ8rT2vB6yK0wE5uI9oL3sD7fG1hJ'
const namesOf = (plugins: readonly { readonly name: string }[]): string[] =>
  plugins.map(({ name }) => name)

describe('ACC-22: accounts()', () => {
  test('has limits, sessions, passwords, twoFactor, account and i18n, and others by name', () => {
    const all = ['limits', 'sessions', 'passwords', 'twoFactor', 'account', 'i18n']
    const without = (...left: string[]): string[] => all.filter((name) => !left.includes(name))
    expect(namesOf(accounts())).toEqual(all)
    for (const name of ['limits', 'passwords', 'twoFactor', 'account', 'i18n'])
      expect(namesOf(accounts({ [name]: false }))).toEqual(without(name))
    expect(namesOf(accounts({ sessions: false }))).toEqual(without('sessions', 'account'))
    expect(namesOf(accounts({ usernames: false, emailCode: false }))).toEqual(all)
    expect(namesOf(accounts({ usernames: true, emailCode: { expiresIn: 300 } }))).toEqual([
      'limits',
      'sessions',
      'passwords',
      'twoFactor',
      'account',
      'i18n',
      'emailCode',
      'usernames',
    ])
  })

  test('refuses the name of a plugin that it does not have', () => {
    const misspelled = { passwords: {}, twofactor: false } as const
    expect(() => accounts(misspelled)).toThrow(
      'accounts(): there is no option `twofactor`; did you mean `twoFactor`?',
    )
    const other = { passwords: {}, organizations: true } as const
    expect(() => accounts(other)).toThrow(/The options are: limits, sessions, passwords/)
  })

  test('passes the options on', () => {
    expect(() => accounts({ passwords: { minLength: 3 } })).toThrow(/`minLength`/)
  })

  test('passwords may have 8 characters where everybody has a second factor, and no fewer than the option says', async () => {
    const minLength = async (options: Parameters<typeof accounts>[0]): Promise<unknown> => {
      const world = createWorld({ adapter: memoryAdapter(), plugins: accounts(options) })
      const rules = (await (await world.get('/auth/password/rules')).json()) as {
        minLength: number
      }
      return rules.minLength
    }
    expect(await minLength({})).toBe(15)
    expect(await minLength({ twoFactor: { require: 'all' } })).toBe(8)
    expect(await minLength({ twoFactor: { require: 'all' }, passwords: { minLength: 20 } })).toBe(
      20,
    )
    expect(await minLength({ twoFactor: {} })).toBe(15)
  })

  test('PW-1: a list with twoFactor() has the same least length', async () => {
    const { world } = passwordsSite({}, { plugins: [twoFactor({ require: 'all' })] })
    expect(await (await world.get('/auth/password/rules')).json()).toMatchObject({ minLength: 8 })
  })

  test('functions among the options have the types of their parameters', () => {
    const plugins = accounts({
      limits: {
        challengeWhen({ action }) {
          expectTypeOf(action).toEqualTypeOf<string>()
          return action === 'password.sign-up'
        },
      },
      twoFactor: {
        require(user) {
          expectTypeOf(user.id).toEqualTypeOf<string>()
          return false
        },
      },
    })
    expect(namesOf(plugins)).toContain('limits')
  })

  test('gives `latchkey.api` the types of the plugins that are in it', () => {
    const { api } = createLatchkey({
      secret,
      adapter: memoryAdapter(),
      providers: [],
      plugins: [...accounts(), providerTokens()],
    })
    expectTypeOf(api.passwords).toEqualTypeOf<PasswordsApi>()
    expectTypeOf(api.sessions).toEqualTypeOf<SessionsApi>()
    expectTypeOf(api.twoFactor).toEqualTypeOf<TwoFactorApi>()
    expectTypeOf(api).not.toHaveProperty('usernames')
    const without = createLatchkey({
      secret,
      adapter: memoryAdapter(),
      providers: [],
      plugins: accounts({ passwords: false, usernames: true }),
    })
    expectTypeOf(without.api).not.toHaveProperty('passwords')
    expectTypeOf(without.api).toHaveProperty('usernames')
  })

  test('ACC-23: is refused in production without a mail provider, by the name of what to add', () => {
    vi.stubEnv('NODE_ENV', 'production')
    vi.stubEnv('AUTH_URL', 'https://app.example')
    try {
      expect(() =>
        createLatchkey({ secret, adapter: memoryAdapter(), providers: [], plugins: accounts() }),
      ).toThrow(/mail provider/)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
