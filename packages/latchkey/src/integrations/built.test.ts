import { afterEach, expect, test, vi } from 'vitest'
import Credentials from '../providers/credentials.ts'
import { builtEnv, createLatchkey, modeOf } from './built.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const secret = 'mNq3vT9xB4nL8sW1cR6yH3jF5pD0gZaE'
const config = { secret, providers: [Credentials({ credentials: {}, authorize: () => null })] }

test('an application that was built runs in production, unless a variable names another mode', () => {
  vi.stubEnv('NODE_ENV', '')
  expect(modeOf(undefined)).toBe('production')
  expect(builtEnv()).toMatchObject({ NODE_ENV: 'production' })
  expect(builtEnv({ AUTH_URL: 'a' })).toEqual({ AUTH_URL: 'a', NODE_ENV: 'production' })
  const given = { NODE_ENV: 'test' }
  expect(builtEnv(given)).toBe(given)
  vi.stubEnv('NODE_ENV', 'development')
  expect(modeOf('')).toBe('development')
  expect(builtEnv({})).toEqual({ NODE_ENV: 'development' })
})

test('an application in production does not start without the address of the site', () => {
  vi.stubEnv('NODE_ENV', '')
  expect(() => createLatchkey(config)).toThrow(expect.objectContaining({ type: 'UntrustedHost' }))
  expect(() =>
    createLatchkey({ ...config, secret: 'a' }, { AUTH_URL: 'https://a.example' }),
  ).toThrow(/secret/)
  expect(() => createLatchkey(config, { AUTH_URL: 'https://a.example' })).not.toThrow()
  expect(() => createLatchkey(config, { NODE_ENV: 'development' })).not.toThrow()
})
