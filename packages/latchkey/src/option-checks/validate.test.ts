import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import { isAuthError } from '../base/errors.ts'
import { type Adapter, atomic } from '../model/adapter.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { customFetch } from '../options/markers.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import { secretsOf } from '../options/secrets.ts'
import { strategyOf } from '../options/strategy.ts'
import Passkey from '../providers/passkey.ts'
import { validate } from './validate.ts'

const credentials = {
  id: 'c',
  name: 'C',
  type: 'credentials',
  credentials: {},
  authorize: () => null,
} as const
const passkey = Passkey()
const mail = { id: 'm', name: 'M', type: 'email', sendVerificationRequest: async () => {} } as const
const endpoints = {
  authorization: 'https://a.example/authorize',
  token: 'https://a.example/token',
  userinfo: 'https://a.example/me',
}
const acme = { id: 'acme', name: 'Acme', type: 'oauth', ...endpoints } as const

const good: AuthConfig = { providers: [], trustHost: true, secret: 'x'.repeat(32) }

function without(...names: (keyof Adapter & string)[]): Adapter {
  const adapter = memoryAdapter()
  for (const name of names) delete adapter[name]
  return adapter
}

describe('a configuration is refused', () => {
  for (const [what, change, providers, type, message] of [
    ['without trustHost', { trustHost: undefined }, [], 'UntrustedHost', 'AUTH_TRUST_HOST'],
    [
      'with a store of records that has none',
      { records: { [atomic]: { createRecord: () => true } } },
      [],
      'MissingAdapterMethods',
      '`records` lacks getRecord, replaceRecord, takeRecord, listRecords; use `sqlRecords(…)`',
    ],
    [
      'with no list of hosts',
      { trustHost: 'app.example' },
      [],
      'UntrustedHost',
      'got "app.example"',
    ],
    ['with a list of no hosts', { trustHost: [] }, [], 'UntrustedHost', 'got []'],
    ['with a host that is none', { trustHost: ['a.example', '*'] }, [], 'UntrustedHost', 'got "*"'],
    [
      'with an origin that is not set',
      { redirectProxyOrigins: [undefined] },
      [],
      'AuthError',
      'got undefined',
    ],
    [
      'with a base path that is no text',
      { basePath: 5 },
      [],
      'AuthError',
      '`basePath` must be a path such as /auth, got 5',
    ],
    [
      'with a callback that is none',
      { callbacks: { jwt: true } },
      [],
      'AuthError',
      '`jwt` must be a function, got true',
    ],
    [
      'with a callback that is off',
      { callbacks: { signIn: false } },
      [],
      'AuthError',
      '`signIn` must be a function, got false',
    ],
    [
      'with a handler that is none',
      { events: { linkAccount: 'x' } },
      [],
      'AuthError',
      '`linkAccount` must be a function, got "x"',
    ],
    [
      'with an adapter that was not called',
      { adapter: memoryAdapter },
      [],
      'MissingAdapter',
      '`adapter` is a function; call it',
    ],
    [
      'with an adapter that is still to come',
      { adapter: Promise.resolve(memoryAdapter()) },
      [],
      'MissingAdapter',
      '`adapter` is a promise; await it',
    ],
    [
      'with a client of Prisma for an adapter',
      { adapter: { $connect: () => {}, $transaction: () => {} } },
      [],
      'MissingAdapter',
      'prismaAdapter(client)',
    ],
    ['with trustHost off', { trustHost: false }, [], 'UntrustedHost', 'trustHost: true'],
    ['without a secret', { secret: undefined }, [], 'MissingSecret', 'AUTH_SECRET'],
    ['with an empty secret', { secret: '' }, [], 'MissingSecret', 'secret'],
    ['with an empty list of secrets', { secret: [] }, [], 'MissingSecret', 'secret'],
    [
      'with secrets that are not set',
      { secret: [undefined, undefined] as never },
      [],
      'MissingSecret',
      'AUTH_SECRET',
    ],
    [
      'with a secret of bytes',
      { secret: new Uint8Array(32) as never },
      [],
      'MissingSecret',
      'to a string',
    ],
    [
      'with a secret of bytes for session tokens',
      { jwt: { secret: new Uint8Array(32) as never } },
      [],
      'MissingSecret',
      'to a string',
    ],
    [
      'with one text for a list',
      { acceptSessionsFrom: 'next-auth@4' as never },
      [],
      'AuthError',
      'acceptSessionsFrom',
    ],
    ['with a list of empty secrets', { secret: ['', ''] }, [], 'MissingSecret', 'secret'],
    ['when a provider has no id', {}, [{ ...acme, id: '' }], 'InvalidProvider', '`id`'],
    ...['my shop', 'a/b', 'a?b', 'zürich'].map((id) => [
      `when no address reaches a provider, ${id}`,
      {},
      [{ ...acme, id }],
      'InvalidProvider',
      `may contain, got "${id}"`,
    ]),
    ['when a type is unknown', {}, [{ ...acme, type: 'saml' }], 'InvalidProvider', '"saml"'],
    [
      'without an authorization endpoint',
      {},
      [{ ...acme, authorization: undefined }],
      'InvalidEndpoints',
      '`authorization`',
    ],
    ['without a token endpoint', {}, [{ ...acme, token: {} }], 'InvalidEndpoints', '`token`'],
    [
      'without a userinfo endpoint',
      {},
      [{ ...acme, userinfo: '' }],
      'InvalidEndpoints',
      '`userinfo`',
    ],
    [
      'naming the first endpoint that is missing',
      {},
      [{ id: 'acme', name: 'A', type: 'oidc' }],
      'InvalidEndpoints',
      'acme: neither `issuer` nor `authorization`',
    ],
    [
      'when an issuer is no address',
      {},
      [{ ...acme, issuer: 'acme' }],
      'InvalidEndpoints',
      '`issuer`',
    ],
    [
      'when the redirect proxy is nowhere',
      { redirectProxyUrl: 'p.example' },
      [],
      'AuthError',
      'AUTH_REDIRECT_PROXY_URL',
    ],
    ...[
      'https://p.example/auth?x=1',
      'https://p.example/auth#x',
      'https:p.example',
      ' https://p.example',
    ].map((redirectProxyUrl) => [
      `when nothing can be put behind the redirect proxy, ${redirectProxyUrl}`,
      { redirectProxyUrl },
      [],
      'AuthError',
      `\`redirectProxyUrl\` (or AUTH_REDIRECT_PROXY_URL) must be an http or https URL without a query, got "${redirectProxyUrl}"`,
    ]),
    [
      'when the redirect proxy is no text',
      { redirectProxyUrl: new URL('https://p.example') },
      [],
      'AuthError',
      'must be an http or https URL',
    ],
    [
      'when the redirect proxy of a provider has a query',
      {},
      [{ ...acme, redirectProxyUrl: 'https://p.example/auth?x=1' }],
      'InvalidProvider',
      'acme: `redirectProxyUrl`',
    ],
    [
      'when the redirect proxy serves something that is no origin',
      { redirectProxyOrigins: ['https://app.example', 'https://a.*.example'] },
      [],
      'AuthError',
      'https://a.*.example',
    ],
    [
      'when the redirect proxy of a provider is nowhere',
      {},
      [{ ...acme, redirectProxyUrl: 'p.example' }],
      'InvalidProvider',
      'redirectProxyUrl',
    ],
    [
      'without authorize',
      {},
      [{ ...credentials, authorize: undefined }],
      'MissingAuthorize',
      'c: `authorize`',
    ],
    [
      'when nothing sends the mail',
      {},
      [{ ...mail, sendVerificationRequest: undefined }],
      'InvalidProvider',
      'sendVerificationRequest',
    ],
    [
      'when a mail lives for no number of seconds',
      {},
      [{ ...mail, maxAge: '10m' }],
      'AuthError',
      'provider m: `maxAge`',
    ],
    [
      'T-DATA-1: for mailed codes whose attempts nobody counts',
      { adapter: { ...memoryAdapter(), [atomic]: {} } },
      [{ ...mail, code: true }],
      'MissingAdapterMethods',
      'countAttempt',
    ],
    ['for mail without an adapter', {}, [mail], 'MissingAdapter', 'e-mail'],
    [
      'for database sessions without an adapter',
      { session: { strategy: 'database' } },
      [],
      'MissingAdapter',
      'database',
    ],
    [
      'with another strategy',
      { session: { strategy: 'cookie' } },
      [],
      'UnsupportedStrategy',
      '"cookie"',
    ],
    [
      'when the adapter lacks methods',
      { adapter: without('getUser', 'deleteSession') },
      [],
      'MissingAdapterMethods',
      'the adapter lacks getUser, deleteSession for database sessions',
    ],
    [
      'when the adapter lacks methods of two features',
      {
        adapter: without('useVerificationToken', 'getAccount'),
      },
      [mail, passkey],
      'MissingAdapterMethods',
      'the adapter lacks useVerificationToken for sign-in by e-mail; getAccount for passkeys',
    ],
    [
      'when the adapter cannot keep links',
      { adapter: without('useVerificationToken') },
      [mail],
      'MissingAdapterMethods',
      'useVerificationToken',
    ],
  ] as [string, Partial<AuthConfig>, ProviderConfig[], string, string][]) {
    test(`${what}: ${type}`, () => {
      const { fault, warnings } = validate({ ...good, ...change }, providers)
      expect(isAuthError(fault)).toBe(true)
      expect(fault?.type).toBe(type)
      expect(fault?.message).toContain(message)
      expect(warnings).toEqual([])
    })
  }

  test('with the first reason of several', () => {
    const nothing = { providers: [], session: { strategy: 'database' } } as AuthConfig
    expect(validate(nothing, [mail]).fault?.type).toBe('UntrustedHost')
    expect(validate({ ...nothing, trustHost: true }, [mail]).fault?.type).toBe('MissingSecret')
    const broken = { ...credentials, authorize: undefined } as unknown as ProviderConfig
    const halfway = { ...good, session: nothing.session }
    expect(validate(halfway, [broken, { ...acme, token: undefined }]).fault?.type).toBe(
      'MissingAuthorize',
    )
    expect(validate(halfway, [mail]).fault?.type).toBe('MissingAdapter')
  })
})

/** Most providers here have no client id, which is a warning of its own. */
function isOther([code]: readonly [string, string?]): boolean {
  return code !== 'client-id-missing'
}

test('a provider without a client id causes a warning, with the variable', () => {
  const { clientId: _, ...nameless } = { clientId: '', ...acme, id: 'my-acme' }
  expect(validate(good, [nameless as ProviderConfig]).warnings).toEqual([
    ['client-id-missing', 'provider my-acme: set `clientId`, or AUTH_MY_ACME_ID'],
  ])
  const named = { ...nameless, clientId: 'client' } as ProviderConfig
  expect(validate(good, [named]).warnings).toEqual([])
})

test('a misspelled option causes a warning, with the right name', () => {
  const config = {
    ...good,
    sesion: {},
    plugin: [],
    session: { maxage: 60, strategy: 'jwt' },
    callbacks: { sesion: () => {}, isAllowed: () => true },
    events: { signin: () => {} },
    pages: { signin: '/enter', terms: '/terms' },
    cookies: { sessiontoken: {} },
    theme: undefined,
    tenant: 'own',
  } as unknown as AuthConfig
  const meant = {
    sesion: 'session',
    plugin: 'plugins',
    'session.maxage': 'session.maxAge',
    'callbacks.sesion': 'callbacks.session',
    'events.signin': 'events.signIn',
    'pages.signin': 'pages.signIn',
    'cookies.sessiontoken': 'cookies.sessionToken',
  }
  expect(validate(config, []).warnings).toEqual(
    Object.entries(meant).map(([name, right]) => [
      'unknown-option',
      `there is no option \`${name}\`; did you mean \`${right}\`?`,
    ]),
  )
})

describe('a configuration is accepted', () => {
  for (const [what, change, providers] of [
    ['without providers', {}, []],
    [
      'with an issuer alone',
      {},
      [{ id: 'a', name: 'A', type: 'oidc', issuer: 'https://a.example' }],
    ],
    ['with all endpoints', {}, [acme]],
    [
      'with an id of signs that addresses have',
      {},
      [{ ...acme, id: "Acme.eu_1~2@3:4-5+(6)*7%20'" }],
    ],
    [
      'with callbacks that are not given, and what the others need',
      { callbacks: { jwt: undefined, session: null, sessionsOf: 'x' }, events: { signIn: null } },
      [],
    ],
    ['with sessions that every visit writes', { session: { updateAge: 0 } }, []],
    [
      'with endpoints as objects',
      {},
      [{ ...acme, token: { url: endpoints.token }, userinfo: { request: () => ({}) } }],
    ],
    ['with credentials and database sessions', { adapter: memoryAdapter() }, [credentials]],
    [
      'with jwt sessions and an empty adapter',
      { adapter: {}, session: { strategy: 'jwt' } },
      [acme],
    ],
    [
      'with mail and the three methods it needs',
      { session: { strategy: 'jwt' }, adapter: without('createUser', 'getUser', 'linkAccount') },
      [mail],
    ],
  ] as [string, Partial<AuthConfig>, ProviderConfig[]][]) {
    // oxlint-disable-next-line vitest/valid-title
    test(what, () => {
      const { fault, warnings } = validate({ ...good, ...change }, providers)
      expect(fault).toBeUndefined()
      expect(warnings.filter(isOther)).toEqual([])
    })
  }

  for (const [what, change, providers, codes] of [
    ['debug', { debug: true }, [], ['debug-enabled']],
    ['a short secret', { secret: 'short' }, [], ['short-secret']],
    ['a short one in a list', { secret: ['x'.repeat(32), 'short'] }, [], ['short-secret']],
    ['two providers of one id', {}, [acme, acme], ['duplicate-provider-id']],
    [
      'a redirect proxy that serves any host',
      { redirectProxyUrl: 'https://auth.example/auth', trustHost: true },
      [],
      ['redirect-proxy-open'],
    ],
    [
      'a redirect proxy of one provider that serves any host',
      { trustHost: true },
      [{ ...acme, redirectProxyUrl: 'https://auth.example/auth' }],
      ['redirect-proxy-open'],
    ],
    [
      'one that serves a list',
      {
        redirectProxyUrl: 'https://auth.example/auth',
        trustHost: true,
        redirectProxyOrigins: ['https://app.example'],
      },
      [],
      [],
    ],
    ['one that is gone', {}, [{ ...acme, deprecated: 'it is shut' }], ['provider-deprecated']],
    [
      'mail in front of an adapter without sessions',
      { adapter: without('createSession') },
      [mail],
      ['adapter-methods-missing'],
    ],
  ] as [string, Partial<AuthConfig>, ProviderConfig[], string[]][]) {
    test(`with a warning about ${what}`, () => {
      const { fault, warnings } = validate({ ...good, ...change }, providers)
      expect(fault).toBeUndefined()
      expect(warnings.filter(isOther).map(([code]) => code)).toEqual(codes)
    })
  }

  test('independently: a warning about one is repeated for the next', () => {
    for (let i = 0; i < 2; i++) {
      expect(validate({ ...good, debug: true }, []).warnings).toHaveLength(1)
      expect(validate(good, [mail]).fault?.type).toBe('MissingAdapter')
      expect(validate(good, []).fault).toBeUndefined()
    }
  })
})

describe('the checks of a provider', () => {
  const allowed = 'pkce, state, nonce, none'
  for (const [checks, message] of [
    [['PKCE', 'foo'], `\`checks\` must be a list of ${allowed}, got "PKCE"`],
    [['pkce', 'foo'], `\`checks\` must be a list of ${allowed}, got "foo"`],
    [['pkce', undefined], `\`checks\` must be a list of ${allowed}, got undefined`],
    ['state', `\`checks\` must be a list of ${allowed}, got "state"`],
    [null, `\`checks\` must be a list of ${allowed}, got null`],
  ] as const) {
    test.each(['oauth', 'oidc'] as const)(`are not ${JSON.stringify(checks)}: %s`, (type) => {
      const provider = { ...acme, type, issuer: 'https://a.example', checks } as unknown
      const { fault } = validate(good, [provider as ProviderConfig])
      expect(fault?.type).toBe('InvalidProvider')
      expect(fault?.message).toBe(`provider acme: ${message}`)
    })
  }

  test('may be any of the four', () => {
    for (const checks of [['pkce', 'state', 'nonce'], ['none'], [], undefined] as const) {
      expect(validate(good, [{ ...acme, checks }]).fault).toBeUndefined()
    }
  })
})

test.each([
  ['oidc', [], 'must be a list of one or more strings without spaces, got undefined'],
  ['oidc', 'gold', 'got "gold"'],
  ['oidc', ['gold silver'], 'got "gold silver"'],
  ['oidc', ['gold', ''], 'got ""'],
  ['oidc', [1], 'got 1'],
  ['oidc', null, 'got null'],
  ['oauth', ['gold'], 'needs an ID token'],
])('T-OIDC-12: `requiredAcr` of %s is refused as %j', (type, requiredAcr, message) => {
  const issuer = 'https://a.example'
  const provider = { ...acme, type, issuer, requiredAcr } as unknown as ProviderConfig
  const { fault } = validate(good, [provider])
  expect(fault?.type).toBe('InvalidProvider')
  expect(fault?.message).toContain(message)
})

describe('the client authentication of a provider', () => {
  const key = (type: 'private' | 'public', usages: KeyUsage[], name = 'ECDSA'): CryptoKey => ({
    type,
    usages,
    algorithm: { name },
    extractable: false,
  })
  const good256 = key('private', ['sign'])
  const ed25519 = key('private', ['sign'], 'Ed25519')
  const provider = (method: unknown, more: object = {}, client: object = {}): ProviderConfig =>
    ({
      ...acme,
      client: {
        ...(method === undefined ? {} : { token_endpoint_auth_method: method }),
        ...client,
      },
      ...more,
    }) as ProviderConfig
  const withKey = (clientPrivateKey: unknown) => ({
    token: { url: endpoints.token, clientPrivateKey },
  })

  test.each([
    ['of a misspelt method', provider('client_secret_pots'), 'got "client_secret_pots"'],
    ['of a method in capitals', provider('PRIVATE_KEY_JWT'), 'must be one of client_secret_basic,'],
    ['of null', provider(null), 'got null'],
    ['of a list', provider(['none']), 'got ["none"]'],
    [
      'of private_key_jwt without a key',
      provider('private_key_jwt'),
      '`token.clientPrivateKey` is missing',
    ],
    [
      'of private_key_jwt with a text',
      provider('private_key_jwt', withKey('-----BEGIN')),
      'must be a private CryptoKey',
    ],
    [
      'of private_key_jwt with an empty key',
      provider('private_key_jwt', withKey({ key: null })),
      'must be a private CryptoKey',
    ],
    [
      'of private_key_jwt with a public key',
      provider('private_key_jwt', withKey(key('public', ['verify']))),
      'must be a private CryptoKey',
    ],
    [
      'of private_key_jwt with a key for decryption',
      provider('private_key_jwt', withKey(key('private', ['decrypt']))),
      "with the usage 'sign'",
    ],
    [
      'of a key without a method',
      provider(undefined, withKey(good256)),
      "set it to 'private_key_jwt'",
    ],
    [
      'of tls_client_auth without a connection',
      provider('tls_client_auth'),
      'needs a `customFetch`',
    ],
    [
      'of self_signed_tls_client_auth without a connection',
      provider('self_signed_tls_client_auth'),
      'needs a `customFetch`',
    ],
    [
      'of client_secret_jwt with another signature',
      provider('client_secret_jwt', {}, { token_endpoint_auth_signing_alg: 'HS265' }),
      '`client.token_endpoint_auth_signing_alg` must be one of HS256, HS384, HS512, got "HS265"',
    ],
    [
      'of an Ed25519 key with another signature',
      provider('private_key_jwt', withKey(ed25519), { token_endpoint_auth_signing_alg: 'ES256' }),
      'must be one of Ed25519, EdDSA, got "ES256"',
    ],
  ])('is refused: %s', (_what, config, message) => {
    for (const type of ['oauth', 'oidc']) {
      const { fault } = validate(good, [{ ...config, type } as ProviderConfig])
      expect(fault?.type).toBe('InvalidProvider')
      expect(fault?.message).toMatch(/^provider acme: `/)
      expect(fault?.message).toContain(message)
    }
  })

  test.each([
    ['nothing', provider(undefined)],
    ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'].map((method) => [
      method,
      provider(method),
    ]),
    ['a key', provider('private_key_jwt', withKey(good256))],
    ['a key with an id', provider('private_key_jwt', withKey({ key: good256, kid: 'one' }))],
    ['a key that another method does not need', provider('client_secret_post', withKey(good256))],
    ['a certificate', provider('tls_client_auth', { [customFetch]: fetch })],
    ['HS512', provider('client_secret_jwt', {}, { token_endpoint_auth_signing_alg: 'HS512' })],
    [
      'EdDSA',
      provider('private_key_jwt', withKey(ed25519), { token_endpoint_auth_signing_alg: 'EdDSA' }),
    ],
    [
      'a token request of its own, with a key',
      provider(undefined, {
        token: { request: () => ({ tokens: {} }), clientPrivateKey: good256 },
      }),
    ],
  ] as [string, ProviderConfig][])('is accepted: %s', (_what, config) => {
    expect(validate(good, [config]).fault).toBeUndefined()
  })
})

test('secrets are a list without empty texts', () => {
  expect(secretsOf('a')).toEqual(['a'])
  expect(secretsOf(['a', '', 'b'])).toEqual(['a', 'b'])
  expect(secretsOf([undefined as never, 'b'])).toEqual(['b'])
  expect(secretsOf(undefined)).toEqual([])
})

test('sessions are stored if there is an adapter, unless `session.strategy` is set', () => {
  expect(strategyOf(good)).toBe('jwt')
  expect(strategyOf({ ...good, adapter: {} })).toBe('database')
  expect(strategyOf({ ...good, adapter: {}, session: { strategy: 'jwt' } })).toBe('jwt')
})

for (const [name, config] of [
  ['session.maxAge', { session: { maxAge: '30d' as unknown as number } }],
  ['session.maxAge', { session: { maxAge: Number.NaN } }],
  ['session.maxAge', { session: { maxAge: 0 } }],
  ['session.maxAge', { session: { maxAge: Number.MAX_SAFE_INTEGER } }],
  ['jwt.maxAge', { jwt: { maxAge: 2e11 } }],
  ['session.updateAge', { session: { updateAge: -5 } }],
  ['jwt.maxAge', { jwt: { maxAge: -1 } }],
] as const) {
  test(`${name} is refused in ${JSON.stringify(config)}`, () => {
    const { fault } = validate(
      { providers: [], secret: 's'.repeat(32), trustHost: true, ...config },
      [],
    )
    expect(fault?.message).toContain(`\`${name}\` must be a number of seconds`)
  })
}

test('the longest session ends on a day that a cookie can express', () => {
  const session = { maxAge: 2e11 - 1 }
  const config = { providers: [], secret: 's'.repeat(32), trustHost: true, session }
  expect(validate(config, []).fault).toBeUndefined()
  expect(new Date(Date.now() + session.maxAge * 1000).toUTCString()).toMatch(/ \d{4} /)
})
