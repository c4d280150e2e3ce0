import { CompactSign, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { ClientOptions, OIDCConfig } from '../../src/options/provider-options.ts'
import {
  ACCESS_TOKEN,
  CLIENT_SECRET,
  halfHash,
  ISSUER,
  key,
  type Misbehaviour,
} from '../support/simulated-provider.ts'

/** What a relying party must do with a provider that behaves so. */
export interface ConformanceCase {
  /** The plans of the OpenID Foundation that ask for it. */
  readonly plans: readonly Plan[]
  readonly group: string
  readonly name: string
  /** The threat that it is a proof for. */
  readonly threat?: string
  readonly provider?: Misbehaviour
  readonly options?: Partial<OIDCConfig<unknown>>
  readonly expected: 'signed in' | 'refused'
}

export type Plan = 'Basic' | 'Config' | 'Form-post'

const ALL: readonly Plan[] = ['Basic', 'Config', 'Form-post']

const YEAR = 365 * 24 * 60 * 60

/** Moments relative to the time of the tests' world, 2030-01-01. */
const at = (seconds: number): number => Date.UTC(2030, 0, 1) / 1000 + seconds

const idToken = (name: string, provider: Misbehaviour, threat = 'T-OIDC-5'): ConformanceCase => ({
  plans: ALL,
  group: 'ID token refused',
  name,
  threat,
  provider,
  expected: 'refused',
})

const hs256 = (secret: string) => async (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))

/** The public key as text, taken for a shared secret. */
const publicKeyAsSecret = async (claims: JWTPayload) => {
  const { jwk } = await key('usual')
  return hs256(JSON.stringify(jwk))(claims)
}

const badSignature = (alg: string): ConformanceCase =>
  idToken(`a signature with another key, ${alg}`, {
    metadata: { id_token_signing_alg_values_supported: [alg] },
    keys: async () => [await key('published', alg, 'one')],
    signWith: () => key('another', alg, 'one'),
  })

const signedBy = (alg: string): ConformanceCase => ({
  plans: ALL,
  group: 'ID token accepted',
  name: `signed with ${alg}`,
  provider: {
    metadata: { id_token_signing_alg_values_supported: [alg] },
    signWith: () => key('usual', alg),
  },
  expected: 'signed in',
})

const sealedWith = (claims: JWTPayload, changes: object, header: object) =>
  key('usual').then(({ privateKey }) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify({ ...claims, ...changes })))
      .setProtectedHeader({ alg: 'RS256', kid: 'usual', ...header })
      .sign(privateKey),
  )

export const cases: readonly ConformanceCase[] = [
  // ── good path ────────────────────────────────────────────────────────────────────────────
  { plans: ALL, group: 'good path', name: 'code flow', expected: 'signed in' },
  {
    plans: ALL,
    group: 'good path',
    name: 'code flow with a nonce',
    options: { checks: ['pkce', 'state', 'nonce'] },
    expected: 'signed in',
  },
  {
    plans: ['Basic'],
    group: 'good path',
    name: 'userinfo with the access token in the header',
    options: { idToken: false },
    expected: 'signed in',
  },
  {
    plans: ['Basic'],
    group: 'good path',
    name: 'client authentication with client_secret_basic',
    options: { client: { token_endpoint_auth_method: 'client_secret_basic' } },
    expected: 'signed in',
  },
  {
    plans: ['Basic'],
    group: 'good path',
    name: 'client authentication with client_secret_post',
    options: { client: { token_endpoint_auth_method: 'client_secret_post' } },
    expected: 'signed in',
  },
  {
    plans: ['Basic'],
    group: 'good path',
    name: 'client authentication with client_secret_jwt',
    options: { client: { token_endpoint_auth_method: 'client_secret_jwt' } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'good path',
    name: 'a token response without `scope`',
    provider: { tokens: { scope: undefined } },
    expected: 'signed in',
  },
  // ── ID token refused ─────────────────────────────────────────────────────────────────────
  idToken('another issuer', { claims: { iss: 'https://other.example' } }),
  idToken('an issuer with an additional slash at the end', { claims: { iss: `${ISSUER}/` } }),
  idToken('no issuer', { claims: { iss: undefined } }),
  idToken('no subject', { claims: { sub: undefined } }),
  idToken('a subject that is not a string', { claims: { sub: 7 } }),
  idToken('another audience', { claims: { aud: 'other' } }),
  idToken('no audience', { claims: { aud: undefined } }),
  idToken('a second audience, and no authorized party', { claims: { aud: ['client', 'other'] } }),
  idToken('a second audience that is the authorized party', {
    claims: { aud: ['client', 'other'], azp: 'other' },
  }),
  idToken('an expired ID token', { claims: { exp: at(-31) } }),
  idToken('no expiry', { claims: { exp: undefined } }),
  idToken('an ID token that is not yet valid (`nbf`)', { claims: { nbf: at(60) } }),
  idToken('no `iat`', { claims: { iat: undefined } }),
  idToken('issued a week ago', { claims: { iat: at(-7 * 24 * 60 * 60) } }),
  idToken('issued one year in the future', { claims: { iat: at(YEAR), exp: at(2 * YEAR) } }),
  idToken('another nonce', { claims: { nonce: 'another' } }),
  idToken('a nonce that is not a string', { claims: { nonce: 7 } }),
  {
    ...idToken('no nonce', { claims: { nonce: undefined } }),
    options: { checks: ['pkce', 'state', 'nonce'] },
  },
  {
    ...idToken('a nonce that was not requested', { claims: { nonce: 'unasked' } }),
    options: { checks: ['pkce', 'state'] },
  },
  badSignature('RS256'),
  badSignature('PS256'),
  badSignature('ES256'),
  badSignature('EdDSA'),
  idToken('a broken signature', {
    idToken: (_, right) => `${right.slice(0, -4)}${right.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`,
  }),
  idToken('an empty signature', { idToken: (_, right) => `${right.split('.', 2).join('.')}.` }),
  idToken('an algorithm other than the default RS256', { signWith: () => key('usual', 'ES256') }),
  {
    ...idToken('an algorithm other than the registered one', {
      signWith: () => key('usual', 'ES256'),
    }),
    options: { client: { id_token_signed_response_alg: 'PS256' } },
  },
  idToken('the algorithm `none`', { idToken: (claims) => new UnsecuredJWT(claims).encode() }),
  idToken('the algorithm `none`, listed in the metadata', {
    metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] },
    idToken: (claims) => new UnsecuredJWT(claims).encode(),
  }),
  idToken('HS256 with the public key as the secret', { idToken: publicKeyAsSecret }),
  idToken('HS256 with the public key as the secret, listed in the metadata', {
    metadata: { id_token_signing_alg_values_supported: ['RS256', 'HS256'] },
    idToken: publicKeyAsSecret,
  }),
  {
    ...idToken('HS256 with another secret', {
      idToken: hs256('another secret of thirty-two characters'),
    }),
    options: { client: { id_token_signed_response_alg: 'HS256' } },
  },
  {
    ...idToken('HS256 with an empty secret, for a client without a secret', {
      idToken: hs256('\0'),
    }),
    options: {
      clientSecret: undefined,
      client: { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'none' },
    },
  },
  idToken(
    'a key in the header of the token',
    {
      keys: async () => [await key('published', 'RS256', 'one')],
      signWith: () => key('own', 'RS256', 'one'),
      header: { jwk: { kty: 'RSA', e: 'AQAB', n: 'AQAB' } },
    },
    'T-OIDC-6',
  ),
  idToken(
    'a key URL in the header of the token',
    {
      keys: async () => [await key('published', 'RS256', 'one')],
      signWith: () => key('own', 'RS256', 'one'),
      header: { jku: 'https://evil.example/keys', x5u: 'https://evil.example/chain' },
    },
    'T-OIDC-6',
  ),
  idToken('a critical header extension (`crit`)', {
    idToken: (claims) => sealedWith(claims, {}, { crit: ['b64'], b64: true }),
  }),
  idToken('several keys and no `kid`', {
    keys: async () => [await key('first', 'RS256', ''), await key('second', 'RS256', '')],
    signWith: () => key('first', 'RS256', ''),
  }),
  idToken('an unknown `kid`', {
    keys: async () => [await key('published', 'RS256', 'one')],
    signWith: () => key('published', 'RS256', 'two'),
  }),
  idToken('an encrypted ID token', { idToken: () => 'eyJhbGciOiJkaXIifQ..a.b.c' }),
  idToken('no ID token', { tokens: { id_token: undefined } }),
  idToken('an ID token that is not a string', { tokens: { id_token: 7 } }),
  {
    ...idToken('no `auth_time` although `max_age` was requested', {}, 'T-OIDC-12'),
    options: { authorization: { params: { max_age: 60 } } },
  },
  {
    ...idToken(
      'an `auth_time` older than `max_age`',
      { claims: { auth_time: at(-120) } },
      'T-OIDC-12',
    ),
    options: { authorization: { params: { max_age: 60 } } },
  },
  {
    ...idToken('no `acr` although `requiredAcr` is set', {}, 'T-OIDC-12'),
    options: { requiredAcr: ['silver', 'gold'] },
  },
  {
    ...idToken('an `acr` that is not in `requiredAcr`', { claims: { acr: 'bronze' } }, 'T-OIDC-12'),
    options: { requiredAcr: ['silver', 'gold'] },
  },
  // ── ID token accepted ────────────────────────────────────────────────────────────────────
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'a single key, and no `kid`',
    provider: { signWith: () => key('single', 'RS256', '') },
    expected: 'signed in',
  },
  signedBy('RS256'),
  signedBy('RS512'),
  signedBy('PS256'),
  signedBy('ES256'),
  signedBy('ES384'),
  signedBy('EdDSA'),
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'HS256 with the client secret, if it is the registered algorithm',
    provider: { idToken: hs256(CLIENT_SECRET) },
    options: { client: { id_token_signed_response_alg: 'HS256' } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'a second audience, with this client as the authorized party',
    provider: { claims: { aud: ['other', 'client'], azp: 'client' } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'an expiry within the clock tolerance',
    provider: { claims: { exp: at(-29) } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'an `auth_time` within `max_age`',
    threat: 'T-OIDC-12',
    provider: { claims: { auth_time: at(-30) } },
    options: { authorization: { params: { max_age: 60 } } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'an `acr` that is in `requiredAcr`',
    threat: 'T-OIDC-12',
    provider: { claims: { acr: 'gold' } },
    options: { requiredAcr: ['silver', 'gold'] },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'ID token accepted',
    name: 'an `acr` that is not in `acr_values`',
    provider: { claims: { acr: 'bronze' } },
    options: { authorization: { params: { acr_values: 'silver gold' } } },
    expected: 'signed in',
  },
  // ── hashes ───────────────────────────────────────────────────────────────────────────────
  {
    plans: ALL,
    group: 'hashes',
    name: 'the right `at_hash`',
    threat: 'T-OIDC-5',
    provider: {
      idToken: async (claims) => sealedWith(claims, { at_hash: await halfHash(ACCESS_TOKEN) }, {}),
    },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'hashes',
    name: 'no `at_hash`, which the code flow does not need',
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'hashes',
    name: 'the `at_hash` of another access token',
    threat: 'T-OIDC-5',
    provider: {
      idToken: async (claims) => sealedWith(claims, { at_hash: await halfHash('another') }, {}),
    },
    expected: 'refused',
  },
  {
    plans: ALL,
    group: 'hashes',
    name: 'an `at_hash` with a hash function other than the one of the signature',
    threat: 'T-OIDC-5',
    provider: {
      idToken: async (claims) =>
        sealedWith(claims, { at_hash: await halfHash(ACCESS_TOKEN, 'SHA-512') }, {}),
    },
    expected: 'refused',
  },
  {
    plans: ALL,
    group: 'hashes',
    name: 'the `c_hash` of another code',
    threat: 'T-OIDC-5',
    provider: {
      idToken: async (claims) => sealedWith(claims, { c_hash: await halfHash('another') }, {}),
    },
    expected: 'refused',
  },
  {
    plans: ALL,
    group: 'hashes',
    name: 'the right `c_hash`',
    threat: 'T-OIDC-5',
    provider: {
      idToken: async (claims) => sealedWith(claims, { c_hash: await halfHash('code-0') }, {}),
    },
    expected: 'signed in',
  },
  // ── discovery ────────────────────────────────────────────────────────────────────────────
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'metadata of another issuer',
    threat: 'T-OIDC-7',
    provider: { metadata: { issuer: 'https://other.example' } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'an issuer with other upper and lower case letters',
    threat: 'T-OIDC-7',
    provider: { metadata: { issuer: 'https://op.example/Tenant' } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'metadata without an issuer',
    threat: 'T-OIDC-7',
    provider: { metadata: { issuer: undefined } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'metadata without a token endpoint',
    provider: { metadata: { token_endpoint: undefined } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'a token endpoint over plain http',
    threat: 'T-NET-1',
    provider: { metadata: { token_endpoint: 'http://op.example/token' } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'keys over plain http',
    threat: 'T-NET-1',
    provider: { metadata: { jwks_uri: 'http://op.example/keys' } },
    expected: 'refused',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'no PKCE method S256, so Latchkey sends a nonce',
    threat: 'T-OIDC-2',
    provider: { metadata: { code_challenge_methods_supported: ['plain'] } },
    options: { checks: ['pkce'] },
    expected: 'signed in',
  },
  {
    plans: ['Config'],
    group: 'discovery',
    name: 'no PKCE method S256, and no nonce in the ID token',
    threat: 'T-OIDC-2',
    provider: {
      metadata: { code_challenge_methods_supported: ['plain'] },
      claims: { nonce: undefined },
    },
    options: { checks: ['pkce'] },
    expected: 'refused',
  },
  // ── response ─────────────────────────────────────────────────────────────────────────────
  ...(
    [
      ['another state', { response: { state: 'another' } }, 'T-OIDC-1'],
      ['no state', { response: { state: undefined } }, 'T-OIDC-1'],
      [
        'the state twice',
        { respond: (p) => (p.append('state', p.get('state') ?? ''), p) },
        'T-OIDC-1',
      ],
      [
        'the code twice',
        { respond: (p) => (p.append('code', p.get('code') ?? ''), p) },
        'T-OIDC-1',
      ],
      ['no code', { response: { code: undefined } }, 'T-OIDC-1'],
      ['another issuer', { response: { iss: 'https://other.example' } }, 'T-OIDC-4'],
      [
        'an issuer with an additional slash at the end',
        { response: { iss: `${ISSUER}/` } },
        'T-OIDC-4',
      ],
      [
        'no issuer although the metadata announces one',
        { response: { iss: undefined } },
        'T-OIDC-4',
      ],
      ['the issuer twice', { respond: (p) => (p.append('iss', ISSUER), p) }, 'T-OIDC-4'],
      [
        'an error of another issuer',
        { response: { error: 'access_denied', code: undefined, iss: 'https://other.example' } },
        'T-OIDC-4',
      ],
      ['an error', { response: { error: 'access_denied', code: undefined } }, 'T-OIDC-10'],
      ['an error together with a code', { response: { error: 'access_denied' } }, 'T-OIDC-10'],
      [
        'an ID token of a flow that was not requested',
        { response: { id_token: 'a.b.c' } },
        'T-OIDC-9',
      ],
      [
        'a parameter `token`, of a flow that was not requested',
        { response: { token: 'x' } },
        'T-OIDC-9',
      ],
      ['a signed response that was not requested', { response: { response: 'a.b.c' } }, 'T-OIDC-9'],
    ] as readonly [string, Misbehaviour, string][]
  ).map(
    ([name, provider, threat]): ConformanceCase => ({
      plans: ALL,
      group: 'response refused',
      name,
      threat,
      provider,
      expected: 'refused',
    }),
  ),
  {
    plans: ALL,
    group: 'response accepted',
    name: 'unknown parameters',
    provider: { response: { session_state: 'x', hint: 'y' } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'response accepted',
    name: 'an access token that was not requested, which is ignored (RFC 6749 section 4.1.2)',
    provider: { response: { access_token: 'x', token_type: 'bearer' } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'response accepted',
    name: 'the issuer although the metadata does not announce one',
    threat: 'T-OIDC-4',
    provider: { metadata: { authorization_response_iss_parameter_supported: undefined } },
    expected: 'signed in',
  },
  {
    plans: ALL,
    group: 'response accepted',
    name: 'no issuer, and the metadata does not announce one',
    threat: 'T-OIDC-4',
    provider: {
      metadata: { authorization_response_iss_parameter_supported: undefined },
      response: { iss: undefined },
    },
    expected: 'signed in',
  },
  // ── userinfo ─────────────────────────────────────────────────────────────────────────────
  ...(
    [
      ['another subject', { userinfo: { sub: 'eve' } }, {}, 'refused'],
      ['no subject', { userinfo: { sub: undefined } }, {}, 'refused'],
      ['a subject that is not a string', { userinfo: { sub: 7 } }, {}, 'refused'],
      [
        'a signed response',
        { signsUserinfo: true },
        { userinfo_signed_response_alg: 'RS256' },
        'signed in',
      ],
      [
        'a signed response with a key that the provider does not publish',
        { signsUserinfo: true, userinfoKey: () => key('another', 'RS256', 'usual') },
        { userinfo_signed_response_alg: 'RS256' },
        'refused',
      ],
      [
        'a signed response with another subject',
        { signsUserinfo: true, userinfo: { sub: 'eve' } },
        { userinfo_signed_response_alg: 'RS256' },
        'refused',
      ],
      [
        'an unsigned response although a signature algorithm is registered',
        {},
        { userinfo_signed_response_alg: 'RS256' },
        'refused',
      ],
      [
        'a signed response with another algorithm',
        { signsUserinfo: true },
        { userinfo_signed_response_alg: 'ES256' },
        'refused',
      ],
    ] as readonly [string, Misbehaviour, ClientOptions, 'signed in' | 'refused'][]
  ).map(
    ([name, provider, client, expected]): ConformanceCase => ({
      plans: ['Basic'],
      group: 'userinfo',
      name,
      threat: 'T-OIDC-8',
      provider,
      options: { idToken: false, client },
      expected,
    }),
  ),
]
