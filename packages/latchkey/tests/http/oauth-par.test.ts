import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { Profile } from '../../src/model/profile.ts'
import type { OAuthUserConfig } from '../../src/options/provider-options.ts'
import { oidc } from '../../src/providers/define.ts'
import { corp, locationOf, ORIGIN } from '../support/logout-site.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  type Misbehaviour,
  type Registration,
  simulateProvider,
} from '../support/simulated-provider.ts'

const ENDPOINT = { pushed_authorization_request_endpoint: `${ISSUER}/par` }

/** A site with a provider that takes pushed requests. */
function site(
  options: OAuthUserConfig<Profile>,
  { metadata = ENDPOINT, ...told }: Misbehaviour = {},
  registered?: Registration,
) {
  const op = simulateProvider(() => world.now(), { ...told, metadata }, registered)
  const world: World = createWorld({ providers: [corp(options)] }, { fetch: op.fetch })
  const begin = async (query = '') => locationOf(await world.post(`/auth/signin/corp${query}`))
  return { world, op, begin }
}

describe('FAPI-1: a pushed authorization request', () => {
  test.each([
    ['client_secret_basic', {}],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
  ] as const)(
    'has all parameters and the credentials of the client, %s',
    async (authMethod, client) => {
      const { world, op, begin } = site({ par: true, client }, {}, { authMethod, needsPkce: true })
      const url = await begin('?login_hint=ada&redirect_uri=https://evil.example&state=x')
      expect(url.origin + url.pathname).toBe(`${ISSUER}/authorize`)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: CLIENT_ID,
        request_uri: 'urn:ietf:params:oauth:request_uri:0',
      })
      const { form } = op.asked.find(({ path }) => path === '/par') ?? {}
      expect(Object.fromEntries(form ?? [])).toMatchObject({
        response_type: 'code',
        client_id: CLIENT_ID,
        redirect_uri: `${ORIGIN}/auth/callback/corp`,
        scope: 'openid profile email',
        login_hint: 'ada',
        code_challenge_method: 'S256',
        nonce: expect.any(String),
      })
      expect(form?.get('state')).not.toBe('x')
      await world.get(`/auth/callback/corp?${op.authorize(url)}`)
      expect((await world.session())?.user?.['name']).toBe('Ada Lovelace')
    },
  )

  test('is sent if the metadata requires it, unless it is switched off', async () => {
    const metadata = { ...ENDPOINT, require_pushed_authorization_requests: true }
    const required = site({}, { metadata })
    expect((await required.begin()).searchParams.has('request_uri')).toBe(true)
    const off = site({ par: false }, { metadata })
    expect((await off.begin()).searchParams.has('request_uri')).toBe(false)
    const offered = site({})
    expect((await offered.begin()).searchParams.has('request_uri')).toBe(false)
    expect(offered.op.asked.some(({ path }) => path === '/par')).toBe(false)
  })

  test('is sent also if all endpoints are configured', async () => {
    const op = simulateProvider(() => world.now(), { metadata: ENDPOINT })
    const provider = oidc<Profile>({
      id: 'corp',
      name: 'Corp',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      par: true,
      authorization: `${ISSUER}/authorize`,
      token: `${ISSUER}/token`,
      jwks_endpoint: `${ISSUER}/keys`,
    })
    const world: World = createWorld({ providers: [provider] }, { fetch: op.fetch })
    const url = locationOf(await world.post('/auth/signin/corp'))
    expect(url.searchParams.has('request_uri')).toBe(true)
  })

  const refused = { error: 'invalid_request', error_description: 'no' }
  const answers: [string, () => Response][] = [
    ['a refusal', () => Response.json(refused, { status: 400 })],
    ['a wrong status', () => Response.json({ request_uri: 'urn:x', expires_in: 60 })],
    ['no `request_uri`', () => Response.json({ expires_in: 60 }, { status: 201 })],
    ['no end', () => Response.json({ request_uri: 'urn:x' }, { status: 201 })],
    ['no JSON', () => new Response('x', { status: 201 })],
    ['a redirect', () => Response.redirect('https://evil.example/', 307)],
  ]

  test.each(answers)(
    'that gets %s leads to the sign-in page, and not to the provider',
    async (_, pushed) => {
      const { world, begin } = site({ par: true }, { pushed })
      const url = await begin()
      expect(url.origin).toBe(ORIGIN)
      expect(url.searchParams.get('error')).toBe('OAuthSignin')
      expect([...world.jar.keys()].some((name) => name.includes('sign-in'))).toBe(false)
    },
  )

  test('needs an endpoint', async () => {
    const { world, begin } = site({ par: true }, { metadata: {} })
    expect((await begin()).searchParams.get('error')).toBe('OAuthSignin')
    expect(JSON.stringify(world.log.map(({ message }) => message))).toContain('`par: false`')
  })

  test('is not sent over plain http', async () => {
    const { begin, op } = site(
      { par: true },
      { metadata: { pushed_authorization_request_endpoint: 'http://op.example/par' } },
    )
    expect((await begin()).searchParams.get('error')).toBe('OAuthSignin')
    expect(op.asked.some(({ path }) => path === '/par')).toBe(false)
  })
})
