import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { Profile } from '../../src/model/profile.ts'
import { customFetch } from '../../src/options/markers.ts'
import type { OAuthUserConfig } from '../../src/options/provider-options.ts'
import { oidc } from '../../src/providers/define.ts'
import { locationOf } from '../support/logout-site.ts'
import {
  CLIENT_ID,
  ISSUER,
  key,
  type Misbehaviour,
  simulateProvider,
} from '../support/simulated-provider.ts'

const { privateKey } = await generateKeyPair('ES256')

const METADATA = {
  pushed_authorization_request_endpoint: `${ISSUER}/par`,
  token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
  dpop_signing_alg_values_supported: ['ES256', 'EdDSA'],
}

/** A site with a provider of FAPI 2.0. */
function site(
  options: OAuthUserConfig<Profile> = {},
  { metadata, tokens, ...told }: Misbehaviour = {},
  origin = 'https://app.example',
) {
  const op = simulateProvider(
    () => world.now(),
    {
      signWith: () => key('fapi', 'ES256'),
      ...told,
      tokens: { token_type: 'DPoP', ...tokens },
      metadata: { ...METADATA, ...metadata },
    },
    { authMethod: 'private_key_jwt', needsPkce: true },
  )
  const bank = oidc<Profile>({ id: 'bank', name: 'Bank', issuer: ISSUER, clientId: CLIENT_ID })
  const provider = bank({
    client: { token_endpoint_auth_method: 'private_key_jwt' },
    token: { clientPrivateKey: { key: privateKey, kid: 'ours' } },
    securityProfile: 'fapi2',
    ...options,
  })
  const world: World = createWorld({ providers: [provider] }, { fetch: op.fetch, origin })
  const begin = async (query = '') => locationOf(await world.post(`/auth/signin/bank${query}`))
  const comeBack = async (url: URL) => world.get(`/auth/callback/bank?${op.authorize(url)}`)
  const signIn = async () => {
    await comeBack(await begin())
    return world.session()
  }
  const fault = () => world.core.plan(world.config).fault?.message
  const logged = () => JSON.stringify(world.log.map(({ message }) => message))
  return { world, op, begin, comeBack, signIn, fault, logged }
}

const formsOf = ({ asked }: ReturnType<typeof site>['op'], to: string) =>
  asked.filter(({ path }) => path === to)

describe('FAPI-4: a sign-in with `securityProfile`', () => {
  test('pushes the request with every binding, and the browser carries only a reference', async () => {
    const { begin, op, comeBack, world } = site()
    const url = await begin('?scope=all&login_hint=ada&display=popup&ui_locales=de&foo=x')
    expect([...url.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const [pushed] = formsOf(op, '/par')
    const params = Object.fromEntries(pushed?.form ?? [])
    expect(params).toMatchObject({
      response_type: 'code',
      redirect_uri: 'https://app.example/auth/callback/bank',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      state: expect.any(String),
      nonce: expect.any(String),
      dpop_jkt: expect.any(String),
      login_hint: 'ada',
      ui_locales: 'de',
    })
    expect(params).not.toHaveProperty('display')
    expect(params).not.toHaveProperty('foo')
    await comeBack(url)
    expect(await world.session()).toMatchObject({ user: { name: 'Ada Lovelace' } })
    expect(formsOf(op, '/token')[0]?.headers.get('dpop')).toMatch(/^ey/)
  })

  test('T-ST-30: authenticates the client with a new assertion for the issuer each time', async () => {
    const { signIn, op, world } = site()
    expect(await signIn()).not.toBeNull()
    const assertions = ['/par', '/token'].map((path) => {
      const jwt = formsOf(op, path)[0]?.form.get('client_assertion') ?? ''
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'ES256', kid: 'ours' })
      const claims = decodeJwt(jwt)
      expect(claims).toMatchObject({ aud: ISSUER, iss: CLIENT_ID, sub: CLIENT_ID })
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBeLessThanOrEqual(60)
      expect(Math.abs((claims.iat ?? 0) - world.now() / 1000)).toBeLessThanOrEqual(1)
      return claims.jti
    })
    expect(new Set(assertions).size).toBe(2)
  })

  const answers: [string, Misbehaviour][] = [
    ['without `iss`', { response: { iss: undefined } }],
    ['with the `iss` of another', { response: { iss: 'https://evil.example' } }],
    ['with an `iss` with a slash', { response: { iss: `${ISSUER}/` } }],
    ['with an RS256 ID token', { signWith: () => key('usual') }],
    ['with a bearer token', { tokens: { token_type: 'Bearer' } }],
    ['with an ID token of the future', { claims: { iat: 1893456000 + 62 } }],
    ['without the nonce', { claims: { nonce: undefined } }],
  ]
  test.each(answers)('T-ST-30: refuses a response %s', async (_, told) => {
    expect(await site({}, told).signIn()).toBeNull()
  })

  test('accepts an ID token whose clock is ten seconds ahead', async () => {
    const at = 1893456000 + 10
    expect(await site({}, { claims: { iat: at, nbf: at } }).signIn()).not.toBeNull()
    expect(await site({}, { claims: { nbf: at + 51 } }).signIn()).toBeNull()
  })

  const lacking: [string, Record<string, unknown>][] = [
    ['pushed_authorization_request_endpoint', {}],
    ['authorization_response_iss_parameter_supported', {}],
    ['code_challenge_methods_supported', {}],
    ['token_endpoint_auth_methods_supported', {}],
    ['jwks_uri', {}],
    ['id_token_signing_alg_values_supported', { value: ['RS256'] }],
    ['dpop_signing_alg_values_supported', { value: ['RS256'] }],
    ['code_challenge_methods_supported', { value: ['plain'] }],
    ['authorization_response_iss_parameter_supported', { value: false }],
    ['token_endpoint', { value: 'http://op.example/token' }],
    ['authorization_endpoint', { value: 'http://op.example/authorize' }],
  ]
  test.each(lacking)(
    'T-ST-30: is not begun at a provider whose `%s` is %j',
    async (name, { value }) => {
      const { begin, op, logged } = site({}, { metadata: { [name]: value } })
      expect((await begin()).searchParams.get('error')).toBe('OAuthSignin')
      expect(logged()).toContain(name)
      expect(formsOf(op, '/par')).toEqual([])
    },
  )

  test('T-ST-30: reads the metadata also if every endpoint is configured', async () => {
    const { begin } = site(
      {
        authorization: `${ISSUER}/authorize`,
        token: { url: `${ISSUER}/token`, clientPrivateKey: privateKey },
        jwks_endpoint: `${ISSUER}/keys`,
      },
      { metadata: { authorization_response_iss_parameter_supported: false } },
    )
    expect((await begin()).searchParams.get('error')).toBe('OAuthSignin')
  })

  test('T-ST-30: is not begun if the pushed request is refused or has expired', async () => {
    const expired = { error: 'invalid_request_uri', error_description: 'expired' }
    const { begin } = site({}, { pushed: () => Response.json(expired, { status: 400 }) })
    expect((await begin()).searchParams.get('error')).toBe('OAuthSignin')
    const late = site()
    const url = await late.begin()
    const state = new URLSearchParams(formsOf(late.op, '/par')[0]?.form).get('state') ?? ''
    const answer = { error: 'invalid_request_uri', state, iss: ISSUER }
    await late.world.get(`/auth/callback/bank?${new URLSearchParams(answer)}`)
    expect(url.searchParams.has('request_uri')).toBe(true)
    expect(await late.world.session()).toBeNull()
  })

  test('T-ST-30: needs a callback URL with https, except on this machine', async () => {
    const plain = site({}, {}, 'http://app.example')
    expect((await plain.begin()).searchParams.get('error')).toBe('OAuthSignin')
    expect(plain.logged()).toContain('set AUTH_URL')
    const local = site({}, {}, 'http://localhost:3000')
    expect((await local.begin()).origin).toBe(ISSUER)
  })

  test('binds tokens to the certificate of the connection, at the endpoints for certificates', async () => {
    const metadata = {
      tls_client_certificate_bound_access_tokens: true,
      mtls_endpoint_aliases: { token_endpoint: `${ISSUER}/token?mtls` },
    }
    const sent: string[] = []
    const made = (bound: boolean) => {
      const { tls_client_certificate_bound_access_tokens: _, ...unbound } = metadata
      const all = site(
        {
          client: { token_endpoint_auth_method: 'tls_client_auth' },
          token: {},
          [customFetch]: async (input, init) => {
            sent.push(String(input))
            return all.op.fetch(input, init)
          },
        },
        { metadata: bound ? metadata : unbound, tokens: { token_type: 'Bearer' } },
      )
      return all
    }
    const bound = made(true)
    expect(await bound.signIn()).not.toBeNull()
    expect(sent).toContain(`${ISSUER}/token?mtls`)
    expect(formsOf(bound.op, '/token')[0]?.form.get('client_id')).toBe(CLIENT_ID)
    expect(formsOf(bound.op, '/token')[0]?.headers.has('dpop')).toBe(false)
    expect((await made(false).begin()).searchParams.get('error')).toBe('OAuthSignin')
  })

  test('binds tokens to a certificate beside `private_key_jwt`', async () => {
    const sent: string[] = []
    const made = site(
      {
        client: {
          token_endpoint_auth_method: 'private_key_jwt',
          tls_client_certificate_bound_access_tokens: true,
        },
        [customFetch]: async (input, init) => {
          sent.push(String(input))
          return made.op.fetch(input, init)
        },
      },
      {
        metadata: {
          tls_client_certificate_bound_access_tokens: true,
          mtls_endpoint_aliases: { token_endpoint: `${ISSUER}/token?mtls` },
        },
        tokens: { token_type: 'Bearer' },
      },
    )
    expect(await made.signIn()).not.toBeNull()
    expect(sent).toContain(`${ISSUER}/token?mtls`)
  })
})

const rsa = await generateKeyPair('RS256')
const p384 = await generateKeyPair('ES384')
const pss = await generateKeyPair('PS256')
const ed = await generateKeyPair('EdDSA')
const method = (name: string) => ({ client: { token_endpoint_auth_method: name as never } })

describe('T-ST-30, FAPI-4: the start with `securityProfile`', () => {
  const refused: [string, OAuthUserConfig<Profile>][] = [
    ['`clientSecret`', { clientSecret: 's' }],
    ['`client.token_endpoint_auth_method`', { ...method('none'), token: {} }],
    ['`token.clientPrivateKey`', { token: { clientPrivateKey: rsa.privateKey } }],
    ['`token.clientPrivateKey`', { token: { clientPrivateKey: p384.privateKey } }],
    ['`dpop: false`', { dpop: false }],
    ['`par: false`', { par: false }],
    ['`checks`', { checks: ['state'] }],
    ['`checks`', { checks: ['none'] }],
    ["'proven'", { allowDangerousEmailAccountLinking: true }],
    ['`token.isLenient`', { token: { clientPrivateKey: privateKey, isLenient: true } }],
    ['`token.conform`', { token: { clientPrivateKey: privateKey, conform: () => undefined } }],
    [
      '`client.id_token_signed_response_alg`',
      {
        client: {
          token_endpoint_auth_method: 'private_key_jwt',
          id_token_signed_response_alg: 'RS256',
        },
      },
    ],
    [
      '`customFetch`',
      {
        client: {
          token_endpoint_auth_method: 'private_key_jwt',
          tls_client_certificate_bound_access_tokens: true,
        },
      },
    ],
    ['`tenantIssuer`', { tenantIssuer: 'https://{tid}.example' }],
    [
      'Message Signing (JAR, JARM, signed introspection) is not',
      { securityProfile: 'fapi2-message-signing' as never },
    ],
    ["`securityProfile` must be 'fapi2'", { securityProfile: 'fapi1' as never }],
    ['for FAPI 2.0, set `securityProfile`', { profile: 'fapi2' as never }],
  ]
  test.each(refused)('fails with %s', (message, options) => {
    const { fault } = site(options)
    expect(fault()).toContain('provider bank: ')
    expect(fault()).toContain(message)
  })

  test.each([
    ['RSA-PSS', pss.privateKey],
    ['Ed25519', ed.privateKey],
  ])('succeeds with a key of the type %s', (_, clientPrivateKey) => {
    expect(site({ token: { clientPrivateKey } }).fault()).toBeUndefined()
  })
})

describe('FAPI-5: the start without `securityProfile` fails', () => {
  const plain: OAuthUserConfig<Profile> = { securityProfile: undefined }
  const params = (given: Record<string, unknown>) => ({
    ...plain,
    authorization: { params: given },
  })
  const client = (name: string) => ({
    ...plain,
    client: { token_endpoint_auth_method: 'private_key_jwt' as const, [name]: 'x' },
  })
  test.each<[string, OAuthUserConfig<Profile>]>([
    ['authorization.params.request', params({ request: 'ey' })],
    ['authorization.params.request_uri', params({ request_uri: 'urn:x' })],
    ['authorization.params.response_mode', params({ response_mode: 'query.jwt' })],
    ['authorization.params.response_type', params({ response_type: 'code id_token' })],
    [
      'authorization.params.response_type',
      { ...plain, authorization: `${ISSUER}/a?response_type=token` },
    ],
    ['client.request_object_signing_alg', client('request_object_signing_alg')],
    ['client.authorization_signed_response_alg', client('authorization_signed_response_alg')],
    ['client.id_token_encrypted_response_alg', client('id_token_encrypted_response_alg')],
    ['client.userinfo_encrypted_response_enc', client('userinfo_encrypted_response_enc')],
  ])('with the option `%s` of FAPI', (name, options) => {
    expect(site(options).fault()).toContain(`provider bank: \`${name}\``)
  })
})
