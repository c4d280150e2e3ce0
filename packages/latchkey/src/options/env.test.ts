import { describe, expect, test } from 'vitest'
import Credentials from '../providers/credentials.ts'
import { email, oauth, oidc } from '../providers/define.ts'
import GitHub from '../providers/github.ts'
import google from '../providers/google.ts'
import type { AuthConfig } from './auth-config.ts'
import { type Env, setEnvDefaults, withEnv } from './env.ts'

function filled(env: Env, config: Partial<AuthConfig> = {}): AuthConfig & { warned: string[] } {
  const warned: string[] = []
  const complete: AuthConfig = {
    providers: [],
    logger: { warn: (code) => warned.push(code) },
    ...config,
  }
  setEnvDefaults(env, complete)
  return { ...complete, warned }
}

describe('the base path', () => {
  for (const [what, env, basePath, expected, warned] of [
    ['is /auth without anything', {}, undefined, '/auth', []],
    ['is the configured one', {}, '/api/auth', '/api/auth', []],
    ['is the path of AUTH_URL', { AUTH_URL: 'https://a.example/p' }, undefined, '/p', []],
    ['is / for a bare origin', { AUTH_URL: 'https://a.example' }, undefined, '/', []],
    ['ignores an address that is none', { AUTH_URL: 'a.example' }, undefined, '/auth', []],
    ['ignores an empty variable', { AUTH_URL: '' }, undefined, '/auth', []],
    [
      'is the configured one beside AUTH_URL, and that is said',
      { AUTH_URL: 'https://a.example/p' },
      '/auth',
      '/auth',
      ['env-url-basepath-redundant'],
    ],
  ] as [string, Env, string | undefined, string, string[]][]) {
    // oxlint-disable-next-line vitest/valid-title
    test(what, () => {
      const config = filled(env, { basePath })
      expect(config.basePath).toBe(expected)
      expect(config.warned).toEqual(warned)
    })
  }

  test('of an integration causes no warning', () => {
    const warned: string[] = []
    const config: AuthConfig = {
      providers: [],
      basePath: '/auth',
      logger: { warn: (code) => warned.push(code) },
    }
    setEnvDefaults({ AUTH_URL: 'https://a.example/p' }, config, true)
    expect(warned).toEqual([])
  })
})

describe('the secret', () => {
  const env = {
    AUTH_SECRET: 'plain',
    AUTH_SECRET_1: 'one',
    AUTH_SECRET_2: 'two',
    AUTH_SECRET_3: 'three',
    AUTH_SECRET_4: 'four',
  }
  for (const [what, given, variables, expected] of [
    ['is the configured one', 'mine', env, 'mine'],
    ['is the configured list', ['a', 'b'], env, ['a', 'b']],
    [
      'comes from the environment, the highest number first',
      undefined,
      env,
      ['three', 'two', 'one', 'plain'],
    ],
    ['comes from there for an empty text', '', env, ['three', 'two', 'one', 'plain']],
    ['comes from there for an empty list', [], env, ['three', 'two', 'one', 'plain']],
    [
      'skips what is not set or empty',
      undefined,
      { ...env, AUTH_SECRET_2: '', AUTH_SECRET_1: undefined },
      ['three', 'plain'],
    ],
    ['is an empty list when nobody has one', undefined, {}, []],
  ] as [string, string | string[] | undefined, Env, string | string[]][]) {
    // oxlint-disable-next-line vitest/valid-title
    test(what, () => {
      expect(filled(variables, { secret: given }).secret).toEqual(expected)
    })
  }
})

describe('the trust in the host', () => {
  for (const [env, trusted] of [
    [{}, true],
    [{ NODE_ENV: 'development' }, true],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production ' }, false],
    [{ NODE_ENV: 'prod' }, false],
    [{ NODE_ENV: 'PRODUCTION' }, false],
    [{ NODE_ENV: 'preproduction' }, true],
    [{ NODE_ENV: 'production', AUTH_URL: 'https://a.example' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, true],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '1' }, true],
    [{ AUTH_TRUST_HOST: 'app.example' }, ['app.example']],
    [{ AUTH_TRUST_HOST: ' a.example, *.b.example ,' }, ['a.example', '*.b.example']],
    [{ AUTH_URL: 'https://a.example', AUTH_TRUST_HOST: 'a.example' }, ['a.example']],
    [{ AUTH_TRUST_HOST: ',' }, []],
    [{ NODE_ENV: 'production', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', CF_PAGES: '1' }, true],
    [{ AUTH_TRUST_HOST: 'false' }, false],
    [{ AUTH_TRUST_HOST: '0' }, false],
    [{ AUTH_TRUST_HOST: 'No' }, false],
    [{ AUTH_TRUST_HOST: 'OFF' }, false],
    [{ AUTH_TRUST_HOST: 'false', VERCEL: '1' }, false],
    [{ NODE_ENV: 'production', AUTH_URL: '', VERCEL: '1' }, true],
    [{ NODE_ENV: 'production', AUTH_URL: '', AUTH_TRUST_HOST: '' }, false],
  ] as [Env, boolean][]) {
    test(`is ${trusted ? 'given' : 'absent'} with ${JSON.stringify(env)}`, () => {
      expect(filled(env).trustHost).toEqual(trusted)
    })
  }

  test('is that of the configuration, before any variable of the environment', () => {
    expect(filled({ AUTH_URL: 'https://a.example' }, { trustHost: false }).trustHost).toBe(false)
    expect(filled({ AUTH_TRUST_HOST: 'no' }, { trustHost: true }).trustHost).toBe(true)
  })
})

describe('a provider', () => {
  const env = {
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'secret',
    AUTH_GITHUB_ISSUER: 'https://issuer.example',
    AUTH_GITHUB_KEY: 'key',
    AUTH_MY_OWN_ID: 'own',
    AUTH_RESEND_KEY: 'mail key',
    AUTH_CREDENTIALS_ID: 'nobody reads this',
  }

  test('as a function is called with its variables', () => {
    const [provider] = filled(env, { providers: [GitHub] }).providers
    expect(provider).toMatchObject({
      id: 'github',
      options: { clientId: 'id', clientSecret: 'secret', issuer: 'https://issuer.example' },
    })
  })

  test('as an object gets its variables, and its own options override them', () => {
    const github = GitHub({ clientId: 'mine' })
    filled(env, { providers: [github] })
    expect(github).toMatchObject({
      clientId: 'id',
      clientSecret: 'secret',
      options: { clientId: 'mine' },
    })
  })

  test('keeps its own options', () => {
    const own = { ...google(), clientId: 'mine' }
    filled(
      { AUTH_GOOGLE_ID: 'other', AUTH_GOOGLE_ISSUER: 'https://x.example' },
      { providers: [own] },
    )
    expect(own).toMatchObject({ clientId: 'mine', issuer: 'https://accounts.google.com' })
  })

  test('has the names of its variables from its id, also from one of the application', () => {
    const own = oauth({ id: 'my-own', name: 'Mine' })
    const renamed = GitHub({ id: 'my-own' })
    const [first, second] = filled(env, { providers: [own, renamed] }).providers
    expect(first).toMatchObject({ options: { clientId: 'own' } })
    expect(second).toMatchObject({ clientId: 'own' })
  })

  test('has only the members of its type', () => {
    const mail = email({ id: 'resend', name: 'Mail', sendVerificationRequest: async () => {} })
    const login = Credentials({ authorize: () => null })
    const plain = oidc({ id: 'plain', name: 'Plain' })()
    filled(env, { providers: [mail, login, plain] })
    expect(mail).toMatchObject({ apiKey: 'mail key' })
    expect(mail).not.toHaveProperty('clientId')
    expect(login).not.toHaveProperty('clientId')
    expect(plain).not.toHaveProperty('clientId')
  })

  test('that throws stays as it is, and is reported later', () => {
    const broken = (): never => {
      throw new Error('no tenant')
    }
    expect(filled(env, { providers: [broken] }).providers).toEqual([broken])
  })
})

describe('filling a configuration from the environment', () => {
  test('reads the address of the redirect proxy', () => {
    const env = { AUTH_REDIRECT_PROXY_URL: 'https://proxy.example/auth' }
    expect(filled(env).redirectProxyUrl).toBe('https://proxy.example/auth')
    expect(filled(env, { redirectProxyUrl: 'https://mine.example' }).redirectProxyUrl).toBe(
      'https://mine.example',
    )
    expect(filled({})).not.toHaveProperty('redirectProxyUrl')
  })

  test('accepts a configuration without a list of providers', () => {
    const config = {} as AuthConfig
    setEnvDefaults({}, config)
    expect(config.providers).toEqual([])
  })

  test('can leave the given configuration and its providers unchanged', () => {
    const github = GitHub({})
    const config: AuthConfig = Object.freeze({ providers: Object.freeze([github]) })
    const full = withEnv({ AUTH_SECRET: 's', AUTH_GITHUB_ID: 'id' }, config)
    expect(full).toMatchObject({
      secret: ['s'],
      basePath: '/auth',
      providers: [{ clientId: 'id' }],
    })
    expect(github).not.toHaveProperty('clientId')
    expect(Object.keys(config)).toEqual(['providers'])
  })
})
