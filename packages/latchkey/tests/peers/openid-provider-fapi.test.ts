import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld } from '../../src/entries/testing.ts'
import type { Profile } from '../../src/model/profile.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { oidc } from '../../src/providers/define.ts'
import {
  type OpenIdProvider,
  startOpenIdProvider,
  visitProvider,
} from '../support/openid-provider.ts'
import { requestFrom, tokensApi } from '../support/token-site.ts'

const ORIGIN = 'https://app.example'
const CALENDAR = 'https://calendar.example/'
const redirectUri = `${ORIGIN}/auth/callback/bank`

describe('FAPI-6: with oidc-provider and its profile of FAPI 2.0', () => {
  let provider: OpenIdProvider
  let privateKey: CryptoKey

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256')
    privateKey = pair.privateKey
    const jwk = { ...(await exportJWK(pair.publicKey)), alg: 'ES256', use: 'sig', kid: 'ours' }
    provider = await startOpenIdProvider(redirectUri, {
      clients: [
        {
          client_id: 'bank-client',
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [jwk] },
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          id_token_signed_response_alg: 'ES256',
          dpop_bound_access_tokens: true,
          require_pushed_authorization_requests: true,
        },
      ],
      clientAuthMethods: ['private_key_jwt'],
      resources: [CALENDAR],
      features: {
        devInteractions: { enabled: false },
        fapi: { enabled: true, profile: '2.0' },
        dPoP: { enabled: true },
        pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
      },
    })
  })
  afterAll(() => provider.close())

  function site() {
    const bank = oidc<Profile>({
      id: 'bank',
      name: 'Bank',
      issuer: provider.issuer,
      clientId: 'bank-client',
    })({
      securityProfile: 'fapi2',
      idToken: false,
      client: {
        token_endpoint_auth_method: 'private_key_jwt',
        id_token_signed_response_alg: 'ES256',
      },
      token: { clientPrivateKey: { key: privateKey, kid: 'ours' } },
      tokens: { resources: [CALENDAR] },
      authorization: {
        params: { scope: 'openid email profile offline_access', prompt: 'consent' },
      },
    })
    const world = createWorld(
      { adapter: memoryAdapter(), providers: [bank], plugins: [providerTokens()] },
      { startsAt: Date.now(), fetch: globalThis.fetch, origin: ORIGIN },
    )
    const comeBack = async (begun: Response): Promise<void> => {
      const location = begun.headers.get('location') ?? ''
      expect([...new URL(location).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
      await world.get((await visitProvider(location, provider.issuer)).href)
    }
    return { world, api: tokensApi(world), comeBack }
  }

  test('signs in, sends proofs and renews', async () => {
    const { world, api, comeBack } = site()
    await comeBack(await world.post('/auth/signin/bank?login_hint=ada'))
    expect(await world.session()).toMatchObject({ user: { email: 'ada@example.test' } })
    const me = `${provider.issuer}/me`
    const answer = await api.fetch(requestFrom(world), 'bank', me)
    expect(await answer.json()).toMatchObject({ sub: 'ada' })
    const token = await api.get(requestFrom(world), 'bank', { minTtl: 61 })
    expect(token).toMatchObject({ ok: true, token_type: 'DPoP' })
    expect(await provider.renewals()).toMatchObject({ refused: 0 })
  })

  test('PT-20: renews for a resource, with a token that is bound to the key of the sign-in', async () => {
    const { world, api, comeBack } = site()
    await comeBack(await world.post('/auth/signin/bank?login_hint=bob'))
    await comeBack(await world.post('/auth/provider-tokens/connect/bank', { resource: CALENDAR }))
    const before = await provider.renewals()
    const token = await api.get(requestFrom(world), 'bank', { resource: CALENDAR })
    expect(token).toMatchObject({ ok: true, token_type: 'DPoP' })
    const claims = decodeJwt(token.ok ? token.access_token : '')
    expect(claims.aud).toBe(CALENDAR)
    const proof = token.ok ? await token.proof?.('GET', CALENDAR) : undefined
    const { jwk } = decodeProtectedHeader(proof ?? '')
    expect(claims['cnf']).toEqual({ jkt: await calculateJwkThumbprint(jwk ?? {}) })
    expect(await api.get(requestFrom(world), 'bank', { resource: CALENDAR })).toMatchObject({
      access_token: token.ok ? token.access_token : '',
    })
    const after = await provider.renewals()
    expect([after.asked - before.asked, after.refused]).toEqual([1, 0])
  })
})
