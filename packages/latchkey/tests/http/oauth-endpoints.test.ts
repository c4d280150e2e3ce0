import { exportJWK, generateKeyPair, importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { TokenSet } from '../../src/model/account.ts'
import { customFetch } from '../../src/options/markers.ts'
import type { OAuthUserConfig, TokenRequestContext } from '../../src/options/provider-options.ts'
import { oauth, oidc } from '../../src/providers/define.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  type SimulatedProvider,
  simulateProvider,
} from '../support/simulated-provider.ts'

const CONFIGURATION = 'https://app.example/auth/error?error=Configuration'

interface SetUp {
  readonly world: World
  readonly provider: SimulatedProvider
  /** Where the sign-in is begun. */
  begin(): Promise<URL>
  signIn(): Promise<string>
}

/** An OpenID provider with options, in front of a provider that does everything right. */
function setUp(options: OAuthUserConfig<unknown> = {}): SetUp {
  const authMethod = options.client?.token_endpoint_auth_method
  const provider = simulateProvider(() => world.now(), {}, { authMethod })
  const world: World = createWorld(
    {
      debug: true,
      providers: [
        oidc({ id: 'op', name: 'OP', issuer: ISSUER })({
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          ...options,
        }),
      ],
    },
    { fetch: provider.fetch },
  )
  const begin = async (): Promise<URL> =>
    new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
  return {
    world,
    provider,
    begin,
    async signIn() {
      const answer = provider.authorize(await begin())
      const end = await world.get(`/auth/callback/op?${answer}`)
      return end.headers.get('location') ?? ''
    },
  }
}

/** Asks for tokens as an application may that does it itself. */
async function ownTokenRequest({
  params,
  checks,
  provider,
  fetch,
}: TokenRequestContext): Promise<{ tokens: TokenSet }> {
  const answer = await fetch(`${ISSUER}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: params['code'] ?? '',
      redirect_uri: provider.callbackUrl,
      code_verifier: checks.code_verifier ?? '',
    }),
  })
  return { tokens: (await answer.json()) as TokenSet }
}

describe('parameters of the authorization request', () => {
  test('with structures are sent as JSON, others as text', async () => {
    const details = [{ type: 'payment', amount: { currency: 'EUR', value: '1.00' } }]
    const { begin } = setUp({
      authorization: {
        params: {
          authorization_details: details,
          claims: { userinfo: { email: null } },
          prompt: 'consent',
          max_age: 300,
          display: undefined,
        },
      },
    })
    const { searchParams } = await begin()
    expect(JSON.parse(searchParams.get('authorization_details') ?? '')).toEqual(details)
    expect(searchParams.get('claims')).toBe('{"userinfo":{"email":null}}')
    expect(searchParams.get('prompt')).toBe('consent')
    expect(searchParams.get('max_age')).toBe('300')
    expect(searchParams.has('display')).toBe(false)
  })

  test('with a JSON text are sent as they are', async () => {
    const claims = '{"userinfo":{"email":null}}'
    const { begin } = setUp({ authorization: { params: { claims } } })
    expect((await begin()).searchParams.get('claims')).toBe(claims)
  })

  test('also count in the address of the endpoint: cookies are sent with a posted response', async () => {
    const authorization = `${ISSUER}/authorize?response_mode=form_post`
    const { world } = setUp({ authorization })
    const begun = await world.post('/auth/signin/op')
    const [attempt] = begun.headers.getSetCookie().filter((cookie) => cookie.includes('sign-in.'))
    expect(attempt).toContain('SameSite=None')
  })

  test.each(['5x', 'x5', '-5', '', ' '])(
    'from the visitor with the invalid `max_age=%s` are passed on, and no response is checked for it',
    async (maxAge) => {
      const { world, provider } = setUp()
      const query = new URLSearchParams({ max_age: maxAge })
      const begun = await world.post(`/auth/signin/op?${query}`)
      const url = new URL(begun.headers.get('location') ?? '')
      expect(url.searchParams.get('max_age')).toBe(maxAge)
      const end = await world.get(`/auth/callback/op?${provider.authorize(url)}`)
      expect(end.headers.get('location')).toBe(world.origin)
    },
  )

  const essential = (acr: object) => ({
    authorization: { params: { claims: { id_token: { acr } } } },
  })
  test.each([
    ['`requiredAcr`', { requiredAcr: ['gold', 'silver'] }],
    ['essential `values`', essential({ essential: true, values: ['gold', 'silver'] })],
    ['an essential `value`', essential({ essential: true, value: 'silver' })],
    [
      '`requiredAcr`, whatever `acr_values` asks for',
      { requiredAcr: ['silver'], authorization: { params: { acr_values: 'bronze' } } },
    ],
  ])('T-OIDC-12: with %s refuse another context, with a named error', async (_what, options) => {
    for (const acr of ['bronze', '', undefined, ['silver'], 'silver ']) {
      const { signIn, provider, world } = setUp(options)
      provider.misbehaviour = { claims: { acr } }
      expect(await signIn()).toBe(`${world.origin}/auth/signin?error=OAuthCallbackError`)
      expect(await world.session()).toBeNull()
      const [logged] = world.log.filter(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        type: 'OAuthCallbackError',
        cause: { provider: 'op', error: 'unmet_authentication_requirements' },
      })
    }
    const { signIn, provider, world } = setUp(options)
    provider.misbehaviour = { claims: { acr: 'silver' } }
    expect(await signIn()).toBe(world.origin)
  })

  test('with `requiredAcr` request those contexts, and no caller can request others', async () => {
    const { world } = setUp({ requiredAcr: ['gold', 'silver'] })
    const begun = await world.post('/auth/signin/op?acr_values=bronze')
    const { searchParams } = new URL(begun.headers.get('location') ?? '')
    expect(searchParams.get('acr_values')).toBe('gold silver')
  })

  test.each([
    ['`acr_values`', { authorization: { params: { acr_values: 'gold' } } }],
    ['`values` that are not essential', essential({ values: ['gold'] })],
    ['an essential `acr` without values', essential({ essential: true })],
    [
      'claims of the userinfo',
      {
        authorization: {
          params: { claims: { userinfo: { acr: { essential: true, values: ['gold'] } } } },
        },
      },
    ],
    ['claims that are no JSON', { authorization: { params: { claims: '{' } } }],
  ])('with %s are a wish, and another context is accepted', async (_what, options) => {
    for (const acr of ['bronze', undefined]) {
      const { signIn, provider, world } = setUp(options)
      provider.misbehaviour = { claims: { acr } }
      expect(await signIn()).toBe(world.origin)
    }
  })

  test.each([
    ['too long ago', { auth_time: Date.UTC(2029, 0, 1) / 1000 }],
    ['at an unknown moment', {}],
  ])(
    'T-OIDC-12: with `max_age` refuse an authentication %s, with a named error',
    async (_what, claims) => {
      const { signIn, provider, world } = setUp({ authorization: { params: { max_age: 60 } } })
      provider.misbehaviour = { claims }
      expect(await signIn()).toBe(`${world.origin}/auth/signin?error=OAuthCallbackError`)
      const [logged] = world.log.filter(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        cause: { error: 'unmet_authentication_requirements' },
      })
    },
  )

  test.each([
    ['oidc', ['plain'], true],
    ['oidc', ['S256'], false],
    ['oauth', ['plain'], false],
  ] as const)(
    'T-OIDC-2: of %s, if the server lists %j for PKCE: a nonce is sent %s',
    async (type, methods, isSent) => {
      const provider = simulateProvider(() => Date.UTC(2030, 0, 1), {
        metadata: { code_challenge_methods_supported: methods },
      })
      const description = { id: 'op', name: 'OP', issuer: ISSUER }
      const op = type === 'oidc' ? oidc(description) : oauth(description)
      const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
      const world = createWorld({ providers: [op(client)] }, { fetch: provider.fetch })
      const begun = new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
      expect(begun.searchParams.has('nonce')).toBe(isSent)
      expect(begun.searchParams.get('code_challenge_method')).toBe('S256')
      const end = await world.get(`/auth/callback/op?${provider.authorize(begun)}`)
      expect(end.headers.get('location')).toBe(world.origin)
    },
  )

  test('are not sent without a client id, and the error names the provider', async () => {
    const { world } = setUp({ clientId: '' })
    const begun = await world.post('/auth/signin/op')
    expect(begun.headers.get('location')).toBe(CONFIGURATION)
    expect(world.log.map(({ message }) => message)).toContain(
      'provider op: `clientId` is missing; set it, or AUTH_OP_ID',
    )
  })
})

describe('T-NET-1: the authorization endpoint', () => {
  test.each([
    ['is at https', 'https://login.op.example/authorize', false, true],
    ['may not be plain on this machine', 'http://localhost:9000/authorize', false, false],
    ['may not be plain elsewhere', 'http://op.example/authorize', false, false],
    ['may be plain with a fetch of the application', 'http://op.example/authorize', true, true],
    ['is no script', 'javascript:alert(1)', true, false],
    ['is an address', 'authorize', true, false],
    ['is there', undefined, true, false],
  ])('%s', async (_what, endpoint, custom, isTaken) => {
    const provider = simulateProvider(() => Date.UTC(2030, 0, 1), {
      metadata: { authorization_endpoint: endpoint },
    })
    const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
    const { fetch } = provider
    const op = oidc({ id: 'op', name: 'OP', issuer: ISSUER })({
      ...client,
      ...(custom ? { [customFetch]: fetch } : {}),
    })
    const world = createWorld({ providers: [op] }, { fetch })
    const to = (await world.post('/auth/signin/op')).headers.get('location') ?? ''
    if (isTaken) {
      expect(to.split('?')[0]).toBe(endpoint)
      return
    }
    expect(to).toBe(`${world.origin}/auth/signin?error=OAuthSignin`)
    const [logged] = world.log.filter(({ level }) => level === 'error')
    expect(logged?.detail).toMatchObject({ type: 'OAuthSignInError' })
  })
})

describe('T-NET-1: an endpoint on this machine', () => {
  const LOCAL = 'http://127.0.0.1:9000'

  /** Signs in with an issuer whose metadata names endpoints. @returns the addresses that were asked */
  async function signInWith(
    issuer: string,
    named: (typeof names)[number],
    options: OAuthUserConfig<unknown> = {},
  ) {
    const asked: string[] = []
    const provider = simulateProvider(() => Date.UTC(2030, 0, 1), {
      claims: { iss: issuer },
      metadata: {
        ...Object.fromEntries(names.map((name) => [name, `${issuer}/${paths[name]}`])),
        issuer,
        authorization_response_iss_parameter_supported: undefined,
        [named]: `${LOCAL}/${paths[named]}`,
        mtls_endpoint_aliases: { token_endpoint: `${LOCAL}/mtls` },
      },
      response: { iss: undefined },
    })
    const op = oidc({ id: 'op', name: 'OP', issuer, idToken: false })({
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      ...options,
    })
    const world = createWorld(
      { providers: [op] },
      {
        fetch: (input, init) => {
          asked.push(new Request(input, init).url)
          return provider.fetch(input, init)
        },
      },
    )
    const to = (await world.post('/auth/signin/op')).headers.get('location') ?? ''
    const url = new URL(to)
    if (url.origin === world.origin) return { asked, isSignedIn: false }
    await world.get(`/auth/callback/op?${provider.authorize(url)}`)
    return { asked, isSignedIn: (await world.session()) !== null }
  }

  const names = [
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'jwks_uri',
  ] as const
  const paths = {
    authorization_endpoint: 'authorize',
    token_endpoint: 'token',
    userinfo_endpoint: 'userinfo',
    jwks_uri: 'keys',
  }
  const members = {
    authorization_endpoint: 'authorization',
    token_endpoint: 'token',
    userinfo_endpoint: 'userinfo',
    jwks_uri: 'jwks_endpoint',
  }

  test.each(names)('is not called if metadata from elsewhere names it: %s', async (name) => {
    const { asked, isSignedIn } = await signInWith(ISSUER, name)
    expect(isSignedIn).toBe(false)
    expect(asked.filter((url) => url.startsWith(LOCAL))).toEqual([])
  })

  test.each(names)('is called if the issuer is on this machine: %s', async (name) => {
    expect(await signInWith('http://localhost:9001', name)).toMatchObject({ isSignedIn: true })
  })

  test.each(names)('is called if the application names it: %s', async (name) => {
    const options = { [members[name]]: `${LOCAL}/${paths[name]}` }
    expect(await signInWith(ISSUER, name, options)).toMatchObject({ isSignedIn: true })
  })

  test.each(names)('is not called if the application names another one: %s', async (name) => {
    const other = name === 'token_endpoint' ? 'userinfo_endpoint' : 'token_endpoint'
    const options = { [members[other]]: `http://localhost:9002/${paths[other]}` }
    const { asked, isSignedIn } = await signInWith(ISSUER, name, options)
    expect(isSignedIn).toBe(false)
    expect(asked.filter((url) => url.startsWith(LOCAL))).toEqual([])
  })

  test('is not called by a client with a certificate', async () => {
    const { asked, isSignedIn } = await signInWith(ISSUER, 'token_endpoint', {
      clientSecret: undefined,
      client: { use_mtls_endpoint_aliases: true },
      token: `${ISSUER}/token`,
    })
    expect(isSignedIn).toBe(false)
    expect(asked.filter((url) => url.startsWith(LOCAL))).toEqual([])
  })
})

describe('parameters of the authorization response', () => {
  test('that the configuration names become members of the profile, parsed if they are JSON', async () => {
    const profiles: Record<string, unknown>[] = []
    const { signIn, provider } = setUp({
      responseParams: ['user', 'plan', 'team'],
      profile(profile) {
        profiles.push(profile as Record<string, unknown>)
        return { id: 'ada' }
      },
    })
    const user = { name: { firstName: 'Ada' } }
    provider.misbehaviour = {
      response: { user: JSON.stringify(user), plan: 'free', sub: 'eve', role: 'admin' },
    }
    await signIn()
    expect(profiles).toMatchObject([{ user, plan: 'free', sub: 'ada' }])
    expect(Object.keys(profiles[0] ?? {})).not.toContain('role')
    expect(Object.keys(profiles[0] ?? {})).not.toContain('team')
  })
})

test('metadata that cannot be read leads back to the sign-in page', async () => {
  const op = oidc({ id: 'op', name: 'OP', issuer: ISSUER })({ clientId: CLIENT_ID })
  const fetch = async (): Promise<Response> => new Response(null, { status: 500 })
  const world = createWorld({ providers: [op] }, { fetch })
  const begun = await world.post('/auth/signin/op')
  expect(begun.headers.get('location')).toBe(`${world.origin}/auth/signin?error=OAuthSignin`)
  const [logged] = world.log.filter(({ level }) => level === 'error')
  expect(logged?.detail).toMatchObject({ cause: { provider: 'op' } })
})

describe('endpoints that are configured', () => {
  const endpoints = {
    authorization: `${ISSUER}/authorize`,
    token: `${ISSUER}/token`,
    jwks_endpoint: `${ISSUER}/keys`,
    userinfo: `${ISSUER}/userinfo`,
  }
  test.each([
    ['oidc', [], false],
    ['oidc', ['userinfo'], false],
    ['oidc', ['authorization'], true],
    ['oidc', ['token'], true],
    ['oidc', ['jwks_endpoint'], true],
    ['oauth', ['jwks_endpoint'], false],
    ['oauth', ['authorization'], true],
    ['oauth', ['token'], true],
    ['oauth', ['userinfo'], true],
  ] as const)('%s without %j: the metadata is requested %s', async (type, missing, isAsked) => {
    const provider = simulateProvider(() => Date.UTC(2030, 0, 1))
    const given = Object.entries(endpoints).filter(([name]) => !missing.some((one) => one === name))
    const description = { id: 'op', name: 'OP', issuer: ISSUER, ...Object.fromEntries(given) }
    const op = type === 'oidc' ? oidc(description) : oauth(description)
    const world = createWorld(
      { providers: [op({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })] },
      { fetch: provider.fetch },
    )
    const begun = new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
    const end = await world.get(`/auth/callback/op?${provider.authorize(begun)}`)
    expect(end.headers.get('location')).toBe(world.origin)
    expect(provider.asked.some(({ path }) => path.includes('well-known'))).toBe(isAsked)
  })

  describe('without that of the keys', () => {
    async function begun(metadata: Record<string, unknown> = {}) {
      const provider = simulateProvider(() => Date.UTC(2030, 0, 1), { metadata })
      let isDown = true
      const { jwks_endpoint: _, ...known } = endpoints
      const op = oidc({ id: 'op', name: 'OP', issuer: ISSUER, ...known })
      const world = createWorld(
        { providers: [op({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })] },
        {
          fetch: async (input, init) =>
            isDown ? new Response(null, { status: 500 }) : provider.fetch(input, init),
        },
      )
      const to = (await world.post('/auth/signin/op')).headers.get('location') ?? ''
      isDown = false
      return { provider, world, to: new URL(to) }
    }

    test('begin a sign-in while the metadata cannot be read', async () => {
      const { provider, world, to } = await begun()
      expect(to.origin + to.pathname).toBe(`${ISSUER}/authorize`)
      expect(provider.asked).toEqual([])
      const end = await world.get(`/auth/callback/op?${provider.authorize(to)}`)
      expect(end.headers.get('location')).toBe(world.origin)
      expect(provider.asked.map(({ path }) => path)).toEqual([
        '/.well-known/openid-configuration',
        '/token',
        '/keys',
      ])
    })

    test('T-OIDC-2: send a nonce, since it is unknown whether the server supports PKCE', async () => {
      const { provider, world, to } = await begun({ code_challenge_methods_supported: ['plain'] })
      expect(to.searchParams.has('nonce')).toBe(true)
      provider.misbehaviour = { ...provider.misbehaviour, claims: { nonce: 'another' } }
      const end = await world.get(`/auth/callback/op?${provider.authorize(to)}`)
      expect(end.headers.get('location')).toBe(CONFIGURATION)
    })
  })

  test('need no metadata if `userinfo.request` reads the profile', async () => {
    const provider = simulateProvider(() => Date.UTC(2030, 0, 1))
    const { authorization, token } = endpoints
    const userinfo = { request: () => ({ sub: 'ada' }) }
    const op = oauth({ id: 'op', name: 'OP', issuer: ISSUER, authorization, token, userinfo })
    const world = createWorld(
      { providers: [op({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })] },
      { fetch: provider.fetch },
    )
    const begun = new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
    await world.get(`/auth/callback/op?${provider.authorize(begun)}`)
    expect(await world.session()).not.toBeNull()
    expect(provider.asked.map(({ path }) => path)).toEqual(['/token'])
  })
})

describe('a client that authenticates itself', () => {
  test.each([['client_secret_basic'], ['client_secret_post']] as const)(
    'with %s sends its credentials to the usual endpoints',
    async (method) => {
      const hosts: string[] = []
      const { signIn, provider, world } = setUp({
        client: { token_endpoint_auth_method: method },
        [customFetch]: (input, init) => {
          hosts.push(new URL(input instanceof Request ? input.url : input).host)
          return provider.fetch(input, init)
        },
      })
      const aliases = { token_endpoint: 'https://mtls.op.example/token' }
      provider.misbehaviour = { metadata: { mtls_endpoint_aliases: aliases } }
      expect(await signIn()).toBe(world.origin)
      expect(new Set(hosts)).toEqual(new Set(['op.example']))
    },
  )

  test('with private_key_jwt signs an assertion for the token endpoint', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const { signIn, provider, world } = setUp({
      clientSecret: undefined,
      token: { clientPrivateKey: { key: privateKey, kid: 'mine' } },
      client: { token_endpoint_auth_method: 'private_key_jwt' },
    })
    expect(await signIn()).toBe(world.origin)
    const { form, headers } = provider.asked.find(({ path }) => path === '/token') ?? never()
    expect(headers.has('authorization')).toBe(false)
    expect(form.has('client_secret')).toBe(false)
    const key = await importJWK(await exportJWK(publicKey), 'ES256')
    const { payload, protectedHeader } = await jwtVerify(form.get('client_assertion') ?? '', key, {
      currentDate: new Date(world.now()),
    })
    expect(protectedHeader.kid).toBe('mine')
    expect(payload).toMatchObject({ iss: CLIENT_ID, sub: CLIENT_ID, jti: expect.any(String) })
    expect([payload.aud].flat()).toContain(ISSUER)
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60)
  })

  test('with tls_client_auth sends its id only, to the endpoints for such clients, over its own connection', async () => {
    const provider = simulateProvider(
      () => Date.UTC(2030, 0, 1),
      { metadata: { mtls_endpoint_aliases: { token_endpoint: 'https://mtls.op.example/token' } } },
      { authMethod: 'tls_client_auth' },
    )
    const hosts: string[] = []
    const { world } = setUp({
      clientSecret: undefined,
      client: { token_endpoint_auth_method: 'tls_client_auth' },
      [customFetch]: (input, init) => {
        hosts.push(new URL(input instanceof Request ? input.url : input).host)
        return provider.fetch(input, init)
      },
    })
    const location = new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
    const end = await world.get(`/auth/callback/op?${provider.authorize(location)}`)
    expect(end.headers.get('location')).toBe(world.origin)
    expect(hosts).toContain('mtls.op.example')
    const { form, headers } = provider.asked.find(({ path }) => path === '/token') ?? never()
    expect(form.get('client_id')).toBe(CLIENT_ID)
    expect(headers.has('authorization')).toBe(false)
    expect(form.has('client_secret')).toBe(false)
  })

  const LISTED = 'token_endpoint_auth_signing_alg_values_supported'

  test.each([
    ['EdDSA, where the provider lists that', ['RS256', 'EdDSA'], undefined, 'EdDSA'],
    ['Ed25519, where the provider lists that', ['Ed25519'], undefined, 'Ed25519'],
    ['Ed25519, where the provider lists both', ['EdDSA', 'Ed25519'], undefined, 'Ed25519'],
    ['Ed25519, where the provider lists neither', ['RS256'], undefined, 'Ed25519'],
    ['Ed25519, where the provider lists nothing', undefined, undefined, 'Ed25519'],
    ['EdDSA, where the application says so', undefined, 'EdDSA', 'EdDSA'],
    ['Ed25519, where the application says so', ['EdDSA'], 'Ed25519', 'Ed25519'],
  ])('with an Ed25519 key signs as %s', async (_what, listed, alg, expected) => {
    const { publicKey, privateKey } = await generateKeyPair('Ed25519', { extractable: true })
    const { signIn, provider, world } = setUp({
      clientSecret: undefined,
      token: { clientPrivateKey: privateKey },
      client: {
        token_endpoint_auth_method: 'private_key_jwt',
        ...(alg ? { token_endpoint_auth_signing_alg: alg } : {}),
      },
    })
    provider.misbehaviour = { metadata: { [LISTED]: listed } }
    expect(await signIn()).toBe(world.origin)
    const { form } = provider.asked.find(({ path }) => path === '/token') ?? never()
    const { protectedHeader } = await jwtVerify(form.get('client_assertion') ?? '', publicKey, {
      currentDate: new Date(world.now()),
      algorithms: [expected],
    })
    expect(protectedHeader.alg).toBe(expected)
  })

  test.each([
    ['HS256', undefined, undefined],
    ['HS256', ['HS512', 'HS256'], undefined],
    ['HS384', ['HS512', 'HS384'], undefined],
    ['HS512', ['RS256', 'HS512'], undefined],
    ['HS512', ['HS256', 'HS512'], 'HS512'],
  ])(
    'with client_secret_jwt signs with %s, if %j is listed and %s configured',
    async (expected, listed, alg) => {
      const { signIn, provider, world } = setUp({
        client: {
          token_endpoint_auth_method: 'client_secret_jwt',
          ...(alg ? { token_endpoint_auth_signing_alg: alg } : {}),
        },
      })
      provider.misbehaviour = { metadata: { [LISTED]: listed } }
      expect(await signIn()).toBe(world.origin)
      const { form } = provider.asked.find(({ path }) => path === '/token') ?? never()
      const secret = new TextEncoder().encode(CLIENT_SECRET)
      const { protectedHeader } = await jwtVerify(form.get('client_assertion') ?? '', secret, {
        currentDate: new Date(world.now()),
        algorithms: [expected],
      })
      expect(protectedHeader).toEqual({ alg: expected })
    },
  )
})

describe('token.request', () => {
  test('receives the response, its bindings, the provider and its fetch, and replaces the request', async () => {
    const seen: Record<string, unknown>[] = []
    const { begin, provider, world } = setUp({
      checks: ['pkce', 'state', 'nonce'],
      token: {
        request(context) {
          const { params, checks, provider: self } = context
          seen.push({ params, checks, callbackUrl: self.callbackUrl, signinUrl: self.signinUrl })
          return ownTokenRequest(context)
        },
      },
    })
    const url = await begin()
    const end = await world.get(`/auth/callback/op?${provider.authorize(url)}`)
    expect(end.headers.get('location')).toBe(world.origin)
    expect(await world.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(seen).toEqual([
      {
        params: { code: 'code-0', state: url.searchParams.get('state'), iss: ISSUER },
        checks: {
          state: url.searchParams.get('state'),
          nonce: url.searchParams.get('nonce'),
          code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        },
        callbackUrl: 'https://app.example/auth/callback/op',
        signinUrl: 'https://app.example/auth/signin/op',
      },
    ])
    const requests = provider.asked.filter(({ path }) => path === '/token')
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['no access token', { token_type: 'bearer' }],
    ['no ID token', { access_token: 'x', token_type: 'bearer' }],
    [
      'an ID token that nobody signed',
      { access_token: 'x', token_type: 'bearer', id_token: 'a.b.c' },
    ],
    ['nothing', undefined],
  ])(
    'T-OIDC-11: returns a result that is checked like any other response: %s',
    async (_what, tokens) => {
      const { signIn, world } = setUp({
        token: { request: () => ({ tokens: tokens as TokenSet }) },
      })
      expect(await signIn()).toBe(CONFIGURATION)
      expect(await world.session()).toBeNull()
    },
  )
})

describe('T-OIDC-5: an ID token', () => {
  const HOUR = 60 * 60
  test.each([
    ['that lay around for 23 hours is taken', -23 * HOUR, true],
    ['that lay around for 25 hours is not', -25 * HOUR, false],
    ['of a clock that is 4 minutes ahead is taken', 240, true],
    ['of a clock that is 6 minutes ahead is not', 360, false],
  ])('%s', async (_what, offset, taken) => {
    const { signIn, provider, world } = setUp()
    provider.misbehaviour = { claims: { iat: Math.floor(world.now() / 1000) + offset } }
    expect(await signIn()).toBe(taken ? world.origin : CONFIGURATION)
    const both = [(Math.floor(world.now() / 1000) + offset) * 1000, world.now()]
    const [issued, here] = both.map((at) => new Date(at).toISOString())
    const said = `the ID token was issued at ${issued}, and it is ${here} here`
    expect(JSON.stringify(world.log.map(({ message }) => message)).includes(said)).toBe(!taken)
  })

  test.each([
    ['that is empty', ''],
    ['of a single blank', ' '],
    ['that is a number', 7],
    ['that is null', null],
    ['that is a list', ['ada']],
    ['that is missing', undefined],
    ['of 256 characters', 'a'.repeat(256)],
  ])('T-OIDC-5: with the `sub` %s is refused, also without an adapter', async (_what, sub) => {
    const { signIn, provider, world } = setUp()
    provider.misbehaviour = { claims: { sub } }
    expect(await signIn()).toBe(CONFIGURATION)
    expect(await world.session()).toBeNull()
  })

  test('with a `sub` of 255 characters is accepted', async () => {
    const { signIn, provider, world } = setUp()
    provider.misbehaviour = { claims: { sub: 'a'.repeat(255) } }
    expect(await signIn()).toBe(world.origin)
  })

  test('is accepted without keys over the connection to the token endpoint, with a warning', async () => {
    const { signIn, provider, world } = setUp()
    provider.misbehaviour = { metadata: { jwks_uri: undefined } }
    expect(await signIn()).toBe(world.origin)
    expect(world.log.map(({ message }) => message)).toContain('id-token-unverified')
  })

  test('is refused if neither keys nor that connection prove it', async () => {
    const { signIn, provider, world } = setUp({
      token: { request: ownTokenRequest },
    })
    provider.misbehaviour = { metadata: { jwks_uri: undefined, token_endpoint: undefined } }
    expect(await signIn()).toBe(CONFIGURATION)
    expect(world.log.map(({ message }) => message).join()).toContain(
      'there are no keys to verify its ID tokens',
    )
  })

  const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
  const OTHER = '0f4d3c2b-6c67-4c5b-b112-36a304b66dad'
  test.each([
    ['of its tenant is taken with the metadata of all', '{tenantid}', TENANT, TENANT, true],
    ['of another tenant than it names is not', '{tenantid}', OTHER, TENANT, false],
    ['of any tenant is not, where one is configured', '', TENANT, TENANT, false],
  ])('with a template as issuer: %s', async (_what, placeholder, named, tid, taken) => {
    const { signIn, provider, world } = setUp({ tenantIssuer: `${ISSUER}/{tid}` })
    provider.misbehaviour = {
      metadata: { issuer: placeholder === '' ? ISSUER : `${ISSUER}/${placeholder}` },
      claims: { iss: `${ISSUER}/${named}`, tid },
    }
    expect(await signIn()).toBe(taken ? world.origin : CONFIGURATION)
  })

  test.each([
    ['of the tenant is taken with the metadata of all', '/{tenantid}', `${ISSUER}/${TENANT}`, true],
    ['of somebody else is not', '/{tenantid}', 'https://evil.example', false],
    ['of no tenant is not', '/{tenantid}', `${ISSUER}/x`, false],
    ['of any tenant is not, where one is configured', '', `${ISSUER}/${TENANT}`, false],
  ])('T-OIDC-4: with an `iss` beside the code %s', async (_what, placeholder, iss, isTaken) => {
    const { signIn, provider, world } = setUp({ tenantIssuer: `${ISSUER}/{tid}` })
    provider.misbehaviour = {
      metadata: { issuer: `${ISSUER}${placeholder}` },
      claims: placeholder === '' ? {} : { iss: `${ISSUER}/${TENANT}`, tid: TENANT },
      response: { iss },
    }
    expect(await signIn()).toBe(isTaken ? world.origin : CONFIGURATION)
  })

  test.each([
    ['with the nonce is taken', {}, true],
    ['with another nonce is not', { nonce: 'another' }, false],
    ['without the nonce is not', { nonce: undefined }, false],
  ])('of a plain OAuth provider that is checked by a nonce, %s', async (_what, claims, taken) => {
    const provider = simulateProvider(() => Date.UTC(2030, 0, 1), { claims })
    const club = oauth({
      id: 'op',
      name: 'OP',
      issuer: ISSUER,
      authorization: `${ISSUER}/authorize`,
      token: `${ISSUER}/token`,
      userinfo: `${ISSUER}/userinfo`,
      jwks_endpoint: `${ISSUER}/keys`,
      checks: ['state', 'nonce'],
    })
    const world = createWorld(
      { providers: [club({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })] },
      { fetch: provider.fetch },
    )
    const begun = new URL((await world.post('/auth/signin/op')).headers.get('location') ?? '')
    const end = await world.get(`/auth/callback/op?${provider.authorize(begun)}`)
    expect(end.headers.get('location') === world.origin).toBe(taken)
    expect((await world.session()) !== null).toBe(taken)
  })
})

describe('a plain OAuth provider', () => {
  test('may send an ID token, which is passed on unread; the profile comes from userinfo', async () => {
    const stored: unknown[] = []
    const provider = oauth<{ uid: number }>({
      id: 'club',
      name: 'Club',
      authorization: 'https://club.example/authorize',
      token: 'https://club.example/token',
      userinfo: 'https://club.example/user',
      profile: ({ uid }) => ({ id: String(uid), name: 'Ada' }),
    })
    const world = createWorld(
      {
        providers: [provider({ clientId: 'id', clientSecret: 'secret' })],
        events: {
          signIn({ account }) {
            stored.push(account)
          },
        },
      },
      {
        fetch: async (input) =>
          new URL(new Request(input).url).pathname === '/token'
            ? Response.json({ access_token: 'x', token_type: 'bearer', id_token: 'not a JWT' })
            : Response.json({ uid: 7 }),
      },
    )
    const begun = new URL((await world.post('/auth/signin/club')).headers.get('location') ?? '')
    const state = begun.searchParams.get('state')
    await world.get(`/auth/callback/club?code=c&state=${state}`)
    expect(stored).toMatchObject([{ providerAccountId: '7', id_token: 'not a JWT' }])
  })

  test('is called as its description says, with values from options, environment and tokens', async () => {
    const asked: Request[] = []
    const provider = oauth<{ uid: number }>({
      id: 'club',
      name: 'Club',
      issuer: 'https://{tenant}.club.example',
      authorization: '{issuer}/authorize?client_key={clientId}',
      token: {
        url: '{issuer}/token',
        body: { client_key: '{clientId}' },
        params: { v: '2' },
        headers: { 'x-client': '{clientId}' },
        isLenient: true,
      },
      userinfo: {
        url: '{issuer}/users/{tokens.member}',
        params: { key: '{clientId}', token: '{tokens.access_token}' },
        method: 'POST',
        headers: { authorization: '', 'x-api-key': '{clientId}' },
        body: { fields: ['name'] },
        unwrap: 'response.0',
      },
      profile: ({ uid }) => ({ id: String(uid), name: 'Ada' }),
    })
    const options = { clientId: 'id', clientSecret: 'secret', tenant: 'chess' }
    const world = createWorld(
      { providers: [provider(options)] },
      {
        async fetch(input, init) {
          const request = new Request(input, init)
          asked.push(request.clone())
          return new URL(request.url).pathname === '/token'
            ? Response.json({ access_token: 'x&y', member: 'a/b', scope: ['one', 'two'] })
            : Response.json({ response: [{ uid: 7 }] })
        },
      },
    )
    const begun = new URL((await world.post('/auth/signin/club')).headers.get('location') ?? '')
    expect(begun.origin + begun.pathname).toBe('https://chess.club.example/authorize')
    expect(begun.searchParams.get('client_key')).toBe('id')
    const state = begun.searchParams.get('state')
    const end = await world.get(`/auth/callback/club?code=c&state=${state}`)
    expect(end.headers.get('location')).toBe(world.origin)

    const [token, user] = asked
    expect(token?.url).toBe('https://chess.club.example/token?v=2')
    expect(token?.headers.get('x-client')).toBe('id')
    expect(new URLSearchParams(await token?.text()).get('client_key')).toBe('id')
    expect(user?.url).toBe('https://chess.club.example/users/a%2Fb?key=id&token=x%26y')
    expect(user?.method).toBe('POST')
    expect(user?.headers.get('authorization')).toBeNull()
    expect(user?.headers.get('x-api-key')).toBe('id')
    expect(await user?.json()).toEqual({ fields: ['name'] })
  })
})

test('T-AUD-1: `debug` logs each step of a sign-in, by names and without secrets', async () => {
  const { signIn, world } = setUp({ checks: ['pkce', 'state', 'nonce'] })
  await signIn()
  const steps = world.log.filter(({ level }) => level === 'debug')
  expect(steps.map(({ message }) => message)).toEqual([
    'authorization request',
    'answer',
    'authorization response',
    'token response',
    'profile',
    'answer',
  ])
  expect(steps[0]?.detail).toMatchObject({
    provider: 'op',
    endpoint: `${ISSUER}/authorize`,
    names: expect.arrayContaining(['response_type', 'state', 'nonce', 'code_challenge']),
  })
  expect(steps[2]?.detail).toMatchObject({
    provider: 'op',
    names: expect.arrayContaining(['code', 'state']),
  })
  expect(steps[4]?.detail).toMatchObject({
    provider: 'op',
    names: expect.arrayContaining(['sub', 'email']),
  })
  expect(steps[3]?.detail).toMatchObject({ names: expect.arrayContaining(['access_token']) })
  expect(steps[5]?.detail).toMatchObject({
    action: 'callback',
    provider: 'op',

    names: expect.arrayContaining([
      '__Secure-authjs.session-token',
      expect.stringMatching(/^no __Host-latchkey\.sign-in\./),
    ]),
  })
  expect(JSON.stringify(steps)).not.toMatch(/access token of Ada|code-0|ey[\w-]+\./)
})

function never(): never {
  throw new Error('the provider was not asked')
}
