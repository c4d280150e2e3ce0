import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { revocations } from '../../src/verifier/revocations.ts'
import {
  createTokenVerifier,
  type TokenVerifierOptions,
} from '../../src/verifier/session-verifier.ts'

const ISSUER = 'https://app.example/auth'
const API = 'https://api.example'
const NOW = 1767225600

/** A public key, and the private one beside it. */
async function keyPair(alg: 'ES256' | 'EdDSA' | 'RS256' = 'ES256', kid = 'one') {
  const pair = await generateKeyPair(alg, { extractable: true })
  const common = { kid, alg, use: 'sig' }
  return {
    jwk: { ...(await exportJWK(pair.publicKey)), ...common } as JWK,
    privateKey: pair.privateKey,
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...common },
  }
}

const CLAIMS = {
  iss: ISSUER,
  sub: 'u1',
  aud: API,
  client_id: 'latchkey',
  iat: NOW,
  exp: NOW + 300,
  jti: 'AAECAwQFBgcICQoLDA0ODw',
  scope: 'read write',
}

const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'one' }
const ours = await keyPair()
const edwards = await keyPair('EdDSA', 'two')

const sign = (claims: object = {}, header: object = {}, key = ours.privateKey): Promise<string> =>
  new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ ...HEADER, ...header }).sign(key)

const verifier = (more: Partial<TokenVerifierOptions> = {}) =>
  createTokenVerifier({
    issuer: ISSUER,
    audience: API,
    jwks: [ours.jwk, edwards.jwk] as JsonWebKey[],
    ...more,
  })

beforeEach(() => {
  vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a token verifier', () => {
  test('TOK-9: returns the claims of a valid token, from each place', async () => {
    const token = await sign()
    const verify = verifier()
    const headers = new Headers({ authorization: `bearer ${token}` })
    expect(await verify(token)).toEqual(CLAIMS)
    expect(await verify(headers)).toEqual(CLAIMS)
    expect(await verify(Object.assign(new Headers(headers), { headers: {} }))).toEqual(CLAIMS)
    expect(await verify(new Request(API, { headers }))).toEqual(CLAIMS)
    // A `Request` of another realm is no instance of this one.
    expect(await verify({ headers: new Headers(headers) } as Request)).toEqual(CLAIMS)
    expect(await verify(await sign({}, { alg: 'EdDSA', kid: 'two' }, edwards.privateKey))).toEqual(
      CLAIMS,
    )
    for (const typ of ['AT+JWT', 'application/at+jwt', 'application/AT+jwt'])
      expect(await verify(await sign({}, { typ }))).toEqual(CLAIMS)
  })

  test('accepts the token of the derived key, byte for byte', async () => {
    const seed = { kty: 'OKP', crv: 'Ed25519', x: 'MMerOpcRWguRZBsnMPGG97bDB20g1tK6xjGGDJFW23Y' }
    const kid = 'dftTlXalDxI8VCktycu5RPQD_DcHLBSp8wokxJXEaO8'
    const verify = verifier({ jwks: [{ ...seed, kid, alg: 'EdDSA', use: 'sig' } as JsonWebKey] })
    expect(await verify(VECTOR)).toEqual({
      iss: ISSUER,
      sub: 'u1',
      aud: API,
      client_id: 'latchkey',
      iat: NOW,
      exp: NOW + 300,
      jti: 'AAECAwQFBgcICQoLDA0ODw',
      sid: 'U4GuAeYRB4wVFnTUjRrW4w',
      auth_time: 1767225000,
      amr: ['pwd', 'otp'],
    })
  })

  const matrix: [string, object, object, string?][] = [
    ['of another issuer', { iss: 'https://evil.example/auth' }, {}],
    ['of an issuer that begins alike', { iss: `${ISSUER}/` }, {}],
    ['for another audience', { aud: 'https://other.example' }, {}],
    ['for an audience that begins alike', { aud: `${API}/` }, {}],
    ['for several audiences', { aud: [API, 'https://other.example'] }, {}],
    ['for a list with the audience', { aud: [API] }, {}],
    ['without an audience', { aud: undefined }, {}],
    ['that is over', { exp: NOW - 16 }, {}],
    ['without an end', { exp: undefined }, {}],
    ['whose end is a text', { exp: String(NOW + 300) }, {}],
    ['from the future', { iat: NOW + 16 }, {}],
    ['that does not say when it was issued', { iat: undefined }, {}],
    ['that is not good yet', { nbf: NOW + 16 }, {}],
    ['without a subject', { sub: undefined }, {}],
    ['with an empty subject', { sub: '' }, {}],
    ['without a name of its own', { jti: undefined }, {}],
    ['without a client', { client_id: undefined }, {}],
    ['T-ST-21: that is an ID token', { nonce: 'n' }, { typ: 'JWT' }],
    ['T-ST-21: that is a logout token', { events: {} }, { typ: 'logout+jwt' }],
    ['T-ST-21: without a type', {}, { typ: undefined }],
    ['without the name of a key', {}, { kid: undefined }],
    ['with the name of no key', {}, { kid: 'three' }],
    ['with the name of another key', {}, { kid: 'two' }],
    ['with an extension that must be understood', {}, { crit: ['exp'], exp: 1 }],
  ]

  test.each(matrix)('T-ST-21, T-KEY-6, TOK-9: refuses a token %s', async (_, claims, header) => {
    const token = await sign(claims, header).catch(() => rawToken(claims, header))
    const { claims: none, why } = await verifier().result(token)
    expect(none).toBeNull()
    expect(why).toMatch(/./)
    expect(await verifier()(token)).toBeNull()
  })

  test('T-ST-21: refuses a signature of a key that the token contains', async () => {
    const theirs = await keyPair()
    for (const header of [
      { jwk: theirs.jwk },
      { jku: 'https://evil.example/jwks' },
      { x5u: 'https://evil.example/cert' },
    ])
      expect(await verifier()(await sign({}, header, theirs.privateKey))).toBeNull()
    // The header alone changes nothing.
    expect(await verifier()(await sign({}, { jku: 'https://evil.example/jwks' }))).not.toBeNull()
  })

  test('T-ST-21: refuses `none`, and a MAC made with the public key', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.`
    const mac = await new CompactSign(Buffer.from(JSON.stringify(CLAIMS)))
      .setProtectedHeader({ ...HEADER, alg: 'HS256' })
      .sign(Buffer.from(JSON.stringify(ours.jwk)))
    for (const token of [unsigned, mac]) expect(await verifier()(token)).toBeNull()
  })

  test('T-ST-21: refuses an algorithm that is not in the list, even if its key is published', async () => {
    const rsa = await keyPair('RS256', 'three')
    const token = await sign({}, { alg: 'RS256', kid: 'three' }, rsa.privateKey)
    expect(await verifier({ jwks: [rsa.jwk] as JsonWebKey[] })(token)).toBeNull()
    expect(await verifier({ algorithms: ['EdDSA'] })(await sign())).toBeNull()
  })

  test('TOK-9: reads one header, and nothing else of a request', async () => {
    const token = await sign()
    const verify = verifier()
    const asked = (headers: [string, string][], path = '') =>
      verify(new Request(API + path, { headers }))
    expect(await asked([])).toBeNull()
    expect(await asked([['authorization', `Basic ${token}`]])).toBeNull()
    expect(await asked([['authorization', `Bearer  ${token}`]])).toBeNull()
    expect(
      await asked([
        ['authorization', `Bearer ${token}`],
        ['authorization', `Bearer ${token}`],
      ]),
    ).toBeNull()
    expect(await asked([['cookie', `token=${token}`]])).toBeNull()
    expect(await asked([], `/?access_token=${token}`)).toBeNull()
    const big = await sign({ more: 'x'.repeat(8192) })
    expect((await verify.result(big)).why).toContain('longer than 8192')
    expect(await asked([['authorization', `Bearer ${big}`]])).toBeNull()
    for (const odd of ['', '.', '..', 'a.b.c', '\u0000', 'ä.b.c'])
      expect(await verify(odd)).toBeNull()
  })

  test('TOK-9: requires all scopes, and a token no older than configured', async () => {
    const token = await sign({ iat: NOW - 100 })
    expect(await verifier({ scopes: ['read', 'write'] })(token)).not.toBeNull()
    expect((await verifier({ scopes: ['read', 'delete'] }).result(token)).why).toBe(
      'the scope delete is missing',
    )
    expect(await verifier({ scopes: ['rea'] })(token)).toBeNull()
    expect(await verifier({ scopes: ['read'] })(await sign({ scope: undefined }))).toBeNull()
    expect(await verifier({ maxAge: 60 })(token)).toBeNull()
    expect(await verifier({ maxAge: 90 })(token)).not.toBeNull()
    expect(await verifier({ clockTolerance: 0 })(await sign({ iat: NOW + 1 }))).toBeNull()
  })

  test('TOK-9: loads keys once in ten minutes, and for unknown ids twice a minute', async () => {
    let keys = [ours.jwk]
    const asked: string[] = []
    const fetch = (async (url: string) => {
      asked.push(String(url))
      return Response.json({ keys })
    }) as typeof globalThis.fetch
    const verify = createTokenVerifier({ issuer: ISSUER, audience: API, fetch })
    const at = (seconds: number) => vi.setSystemTime((NOW + seconds) * 1000)
    const fresh = (seconds: number, header = {}, key = ours.privateKey) =>
      sign({ iat: NOW + seconds, exp: NOW + seconds + 300 }, header, key)
    await Promise.all([verify(await sign()), verify(await sign())])
    expect(asked).toEqual([`${ISSUER}/jwks`])
    for (let i = 0; i < 100; i++) await verify(await sign({}, { kid: `guess-${i}` }))
    expect(asked).toHaveLength(1)
    at(31)
    keys = [ours.jwk, edwards.jwk]
    expect(
      await verify(await fresh(31, { alg: 'EdDSA', kid: 'two' }, edwards.privateKey)),
    ).not.toBeNull()
    expect(asked).toHaveLength(2)
    at(31 + 601)
    expect(await verify(await fresh(632))).not.toBeNull()
    expect(asked).toHaveLength(3)
  })

  test('TOK-9: never throws for any response of the issuer', async () => {
    for (const answer of [
      () => Promise.reject(new Error('offline')),
      async () => new Response('', { status: 500 }),
      async () => new Response('{"keys":1}'),
      async () => Response.json({ keys: [{ kty: 'oct', k: 'x', kid: 'one' }] }),
    ]) {
      const verify = createTokenVerifier({
        issuer: ISSUER,
        audience: API,
        fetch: answer,
      })
      expect((await verify.result(await sign())).why).toMatch(/./)
    }
  })

  test.each<[string, object, string]>([
    ['an issuer', { issuer: 'app.example' }, '`issuer` must be a URL, got "app.example"'],
    ['an audience', { audience: [] }, '`audience` must be'],
    ['keys', { jwks: 'keys' }, '`jwks` must be'],
    [
      'an algorithm',
      { algorithms: ['HS256'] },
      '`algorithms` must be a list of ES256 and EdDSA, got ["HS256"]',
    ],
    ['scopes', { scopes: 'read' }, '`scopes` must be'],
    ['an age', { maxAge: 0 }, 'got 0'],
    ['a tolerance', { clockTolerance: 3600 }, 'got 3600'],
    ['a misspelled name', { scope: ['read'] }, 'no option `scope`; did you mean `scopes`?'],
    ['a name of nothing', { secret: 'x' }, 'no option `secret`. The options are: issuer, audience'],
  ])('TOK-9: throws at once for invalid options: %s', (_, options, message) => {
    expect(() => verifier(options)).toThrow(message)
  })
})

/** A token that `jose` would not make. */
async function rawToken(claims: object, header: object): Promise<string> {
  const key = (await importJWK(ours.privateJwk, 'ES256')) as CryptoKey
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ ...HEADER, ...header })}.${part({ ...CLAIMS, ...claims })}`
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    Buffer.from(signed),
  )
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

const VECTOR = [
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImRmdFRsWGFsRHhJOFZDa3R5Y3U1UlBRRF9EY0hMQlNwOHdva3hKWEVhTzgifQ',
  'eyJpc3MiOiJodHRwczovL2FwcC5leGFtcGxlL2F1dGgiLCJzdWIiOiJ1MSIsImF1ZCI6Imh0dHBzOi8vYXBpLmV4YW1wbGUiLCJjbGllbnRfaWQiOiJsYXRjaGtleSIsImlhdCI6MTc2NzIyNTYwMCwiZXhwIjoxNzY3MjI1OTAwLCJqdGkiOiJBQUVDQXdRRkJnY0lDUW9MREEwT0R3Iiwic2lkIjoiVTRHdUFlWVJCNHdWRm5UVWpSclc0dyIsImF1dGhfdGltZSI6MTc2NzIyNTAwMCwiYW1yIjpbInB3ZCIsIm90cCJdfQ',
  'uKVOcn3PMFLo5rUAcgscyQcJ6hrGxyTvS73cFnz-p2ZHzsIbsETIS3qD6oJi0MnDCicAcgFwnE6R2vE2qPO6Ag',
].join('.')

describe('SEC-29: a token verifier with an issuer over plain http', () => {
  const options = { audience: API, issuer: 'http://app.example/auth' }

  test('on another machine reads no keys', () => {
    expect(() => createTokenVerifier(options)).toThrow('must be an https URL')
    const jwks = 'http://10.0.0.7/auth/jwks'
    expect(() => createTokenVerifier({ ...options, jwks })).toThrow('must be an https URL')
    for (const url of [
      'http://app.example/auth',
      'http://127.0.0.1.app.example/auth',
      'ftp://localhost/',
    ])
      expect(() => revocations({ url, secret: 'x'.repeat(32) })).toThrow('must be an https URL')
  })

  test.each(['localhost', '127.0.0.1', '[::1]'])('on this machine reads the keys: %s', (host) => {
    const url = `http://${host}:3000/auth`
    expect(() => createTokenVerifier({ ...options, issuer: url })).not.toThrow()
    expect(() => revocations({ url, secret: 'x'.repeat(32) })).not.toThrow()
  })
})
