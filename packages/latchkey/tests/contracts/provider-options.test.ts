import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { withEnv } from '../../src/options/env.ts'
import type { OAuth2Config, Provider } from '../../src/options/provider-options.ts'
import azureAd from '../../src/providers/azure-ad.ts'
import bungie from '../../src/providers/bungie.ts'
import discord, { type DiscordProfile } from '../../src/providers/discord.ts'
import dribbble from '../../src/providers/dribbble.ts'
import foursquare from '../../src/providers/foursquare.ts'
import fusionAuth from '../../src/providers/fusionauth.ts'
import github from '../../src/providers/github.ts'
import gitLab from '../../src/providers/gitlab.ts'
import kakao from '../../src/providers/kakao.ts'
import mastodon from '../../src/providers/mastodon.ts'
import microsoft from '../../src/providers/microsoft.ts'
import entra from '../../src/providers/microsoft-entra-id.ts'
import netSuite from '../../src/providers/netsuite.ts'
import notion from '../../src/providers/notion.ts'
import payPal from '../../src/providers/paypal.ts'
import tiktok from '../../src/providers/tiktok.ts'
import webex from '../../src/providers/webex.ts'
import weChat from '../../src/providers/wechat.ts'
import workOS from '../../src/providers/workos.ts'
import yandex, { type YandexProfile } from '../../src/providers/yandex.ts'
import { CLIENT_ID, CLIENT_SECRET, createVendor, type ProviderFacts } from '../support/vendor.ts'
import vectors from '../vectors/providers.json' with { type: 'json' }

const client = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }

describe('options that move a provider', () => {
  test.for<[string, Provider, [authorize: string, token: string, userinfo: string]]>([
    [
      'a GitHub Enterprise Server',
      github({ ...client, enterprise: { baseUrl: 'https://git.example/' } }),
      [
        'https://git.example/login/oauth/authorize',
        'https://git.example/login/oauth/access_token',
        'https://git.example/api/v3/user',
      ],
    ],
    [
      'a GitLab below a path',
      gitLab({ ...client, baseUrl: 'https://git.example/lab' }),
      [
        'https://git.example/lab/oauth/authorize',
        'https://git.example/lab/oauth/token',
        'https://git.example/lab/api/v4/user',
      ],
    ],
    [
      'Webex for governments',
      webex({ ...client, apiBaseUrl: 'https://api.example/v1/' }),
      [
        'https://api.example/v1/authorize',
        'https://api.example/v1/access_token',
        'https://api.example/v1/people/me',
      ],
    ],
    [
      'PayPal for real',
      payPal({ ...client, environment: 'live' }),
      [
        'https://www.paypal.com/signin/authorize',
        'https://api-m.paypal.com/v1/oauth2/token',
        'https://api-m.paypal.com/v1/identity/oauth2/userinfo?schema=paypalv1.1',
      ],
    ],
    [
      'Foursquare of another day',
      foursquare({ ...client, apiVersion: '20250101' }),
      [
        'https://foursquare.com/oauth2/authenticate',
        'https://foursquare.com/oauth2/access_token',
        'https://api.foursquare.com/v2/users/self?v=20250101&oauth_token=the+token',
      ],
    ],
    [
      'an issuer without a slash at its end',
      workOS({ ...client, issuer: 'https://sso.example' }),
      [
        'https://sso.example/sso/authorize',
        'https://sso.example/sso/token',
        'https://sso.example/sso/profile',
      ],
    ],
    [
      'an issuer from the environment',
      mastodon,
      [
        'https://mastodon.example/oauth/authorize',
        'https://mastodon.example/oauth/token',
        'https://mastodon.example/api/v1/accounts/verify_credentials',
      ],
    ],
    [
      'an issuer from the environment, for a provider that was called before',
      mastodon({}),
      [
        'https://mastodon.example/oauth/authorize',
        'https://mastodon.example/oauth/token',
        'https://mastodon.example/api/v1/accounts/verify_credentials',
      ],
    ],
  ])('%s', async ([, provider, [authorize, token, userinfo]]) => {
    const { world, asked, begin } = plainWorld(provider)
    const url = await begin()
    expect(url.origin + url.pathname).toBe(authorize)
    const path = new URL(url.searchParams.get('redirect_uri') ?? '').pathname
    await world.get(`${path}?code=c&state=${url.searchParams.get('state')}`)
    expect(asked.slice(0, 2)).toEqual([token, userinfo])
  })
})

describe('options that change the authorization request', () => {
  test.for<[string, Provider, Record<string, string>]>([
    [
      'Dribbble: a scope',
      dribbble({ ...client, scope: 'public upload' }),
      { scope: 'public upload' },
    ],
    ['WorkOS: a connection', workOS({ ...client, connection: 'c1' }), { connection: 'c1' }],
    [
      'NetSuite: a prompt and a scope',
      netSuite({
        ...client,
        accountID: '1',
        userinfo: 'https://a.example',
        prompt: 'login',
        scope: 'restlets',
      }),
      { prompt: 'login', scope: 'restlets' },
    ],
    [
      'TikTok: another scope beside the client key',
      tiktok({
        ...client,
        authorization: { params: { scope: 'user.info.basic,user.info.profile' } },
      }),
      { scope: 'user.info.basic,user.info.profile', client_key: CLIENT_ID },
    ],
    [
      'WeChat: a website app',
      weChat({ ...client, platformType: 'WebsiteApp' }),
      { scope: 'snsapi_login', appid: CLIENT_ID },
    ],
    [
      'Notion: no redirect URI but our own',
      notion({ ...client, redirectUri: 'https://elsewhere.example' }),
      { redirect_uri: 'https://app.example/auth/callback/notion' },
    ],
  ])('%s', async ([, provider, expected]) => {
    const { begin } = plainWorld(provider)
    expect(Object.fromEntries((await begin()).searchParams)).toMatchObject(expected)
  })

  test('Dribbble: without a scope option no scope is sent', async () => {
    const { begin } = plainWorld(dribbble(client))
    expect((await begin()).searchParams.has('scope')).toBe(false)
  })

  test('WeChat: a website app has another page', async () => {
    const { begin } = plainWorld(weChat({ ...client, platformType: 'WebsiteApp' }))
    expect((await begin()).href).toMatch(
      /^https:\/\/open\.weixin\.qq\.com\/connect\/qrconnect\?.*#wechat_redirect$/,
    )
  })

  test('FusionAuth: a tenant is also named in the metadata request', async () => {
    const { asked, begin } = plainWorld(
      fusionAuth({ ...client, issuer: 'https://fusion.example', tenantId: 't1' }),
      { issuer: 'https://fusion.example', authorization_endpoint: 'https://fusion.example/a' },
    )
    expect((await begin()).searchParams.get('tenantId')).toBe('t1')
    expect(asked).toEqual(['https://fusion.example/.well-known/openid-configuration?tenantId=t1'])
  })

  test('NetSuite: without an account id the configuration is refused', async () => {
    const options = { ...client, userinfo: 'https://a.example' } as never
    const world = createWorld({ providers: [netSuite(options)] })
    await world.get('/auth/providers')
    expect(world.log).toMatchObject([
      { message: expect.stringContaining('`accountID` is missing') },
    ])
  })
})

describe('Bungie', () => {
  test('reads the API key from the environment', async () => {
    const asked: (string | null)[] = []
    const env = { AUTH_BUNGIE_KEY: 'key of the app' }
    for (const provider of [bungie, bungie(client)]) {
      const config = withEnv(
        { ...env, AUTH_BUNGIE_ID: 'id', AUTH_BUNGIE_SECRET: 's' },
        {
          providers: [provider],
          secret: 'x'.repeat(32),
          trustHost: true,
        },
      )
      const world = createWorld(config, {
        async fetch(input, init) {
          asked.push(new Request(input, init).headers.get('x-api-key'))
          return Response.json({ access_token: 'a', token_type: 'bearer' })
        },
      })
      const begun = await world.post('/auth/signin/bungie')
      const { searchParams } = new URL(begun.headers.get('location') ?? '')
      await world.get(`/auth/callback/bungie?code=c&state=${searchParams.get('state')}`)
    }
    expect(asked).toEqual([null, 'key of the app', null, 'key of the app'])
  })

  test('is refused without an API key', async () => {
    const world = createWorld({ providers: [bungie(client)] })
    await world.get('/auth/providers')
    expect(toldOf(world)).toMatchObject([
      { message: expect.stringContaining('`apiKey` is missing') },
    ])
  })
})

describe('Microsoft Entra ID', () => {
  const known = (vectors as unknown as Record<string, ProviderFacts>)['microsoft-entra-id']
  const facts = known as ProviderFacts
  const one = 'https://login.microsoftonline.com/11111111-1111-4111-8111-111111111111/v2.0'
  const other = 'https://login.microsoftonline.com/22222222-2222-4222-8222-222222222222/v2.0'

  test('ignores a picture that cannot be loaded', async () => {
    for (const answer of [() => new Response(null, { status: 404 }), lost]) {
      const { users, asked } = await signIn(entra(client), facts, answer)
      expect(users).toMatchObject([{ name: 'Ada Lovelace', image: null }])
      expect(asked.at(-1)).toContain('/photos/48x48/')
    }
  })

  test('logs a warning for a picture that the network lost, but not for a missing one', async () => {
    const { world } = await signIn(entra(client), facts, lost)
    expect(toldOf(world)).toMatchObject([
      { level: 'warn', message: 'profile-incomplete', detail: expect.stringContaining('lost') },
    ])
    const none = await signIn(entra(client), facts, () => new Response(null, { status: 404 }))
    expect(toldOf(none.world)).toEqual([])
  })

  test('loads the picture in the configured size, or not at all', async () => {
    const large = await signIn(entra({ ...client, profilePhotoSize: 648 }), facts)
    expect(large.asked.at(-1)).toContain('/photos/648x648/')
    const without = await signIn(
      microsoft({ ...client, disableProfilePhoto: true }),
      { ...facts, id: 'microsoft' },
      lost,
    )
    expect(without.users).toMatchObject([{ name: 'Ada Lovelace', image: null }])
    expect(without.asked.join()).not.toContain('photos')
  })

  test('with one organization refuses users of another', async () => {
    const options = { ...client, issuer: one }
    const right = await signIn(entra(options), { ...facts, issuer: one })
    expect(right.users).toHaveLength(1)
    const answer = { ...facts.answer, iss: other, tid: other.split('/')[3] }
    const wrong = await signIn(entra(options), { ...facts, issuer: one, answer })
    expect(wrong.users).toEqual([])
  })

  test('for all organizations requires a token with the issuer of its organization', async () => {
    const answer = { ...facts.answer, iss: other, tid: one.split('/')[3] }
    expect((await signIn(entra(client), { ...facts, answer })).users).toEqual([])
    const elsewhere = { ...facts.answer, iss: 'https://evil.example/v2.0', tid: 'x' }
    expect((await signIn(entra(client), { ...facts, answer: elsewhere })).users).toEqual([])
  })

  test('for all organizations accepts a response with the issuer of an organization', async () => {
    const named = async (facts: ProviderFacts, options: object, iss: string): Promise<unknown[]> =>
      (await signIn(entra({ ...client, ...options }), facts, undefined, { iss })).users
    expect(await named(facts, {}, other)).toHaveLength(1)
    expect(await named(facts, {}, 'https://evil.example/v2.0')).toEqual([])
    const single = { ...facts, issuer: one }
    expect(await named(single, { issuer: one }, one)).toHaveLength(1)
    expect(await named(single, { issuer: one }, other)).toEqual([])
  })

  test('uses the organization of the environment, unless the application names one', () => {
    const env = { AUTH_MICROSOFT_ENTRA_ID_ISSUER: one, AUTH_AZURE_AD_ISSUER: other }
    const issuerOf = (provider: Provider): string | undefined => {
      const [filled] = withEnv(env, { providers: [provider] }).providers
      const { issuer, options } = filled as OAuth2Config<unknown>
      return options?.issuer ?? issuer
    }
    expect(issuerOf(entra)).toBe(one)
    expect(issuerOf(entra(client))).toBe(one)
    expect(issuerOf(entra({ ...client, issuer: other }))).toBe(other)
    expect(issuerOf(azureAd(client))).toBe(other)
  })
})

describe('pictures of providers', () => {
  test.for([
    ['0', '80351110224678912', 5],
    ['0', '1', 0],
    ['0007', '80351110224678912', 2],
  ] as const)(
    'Discord, without one of their own, discriminator %s of %s: number %i',
    async ([discriminator, id, kind]) => {
      const shown = { id, discriminator, username: 'ada', global_name: null, avatar: null }
      const profile = shown as unknown as DiscordProfile
      expect(await discord().profile?.(profile, {})).toMatchObject({
        name: 'ada',
        image: `https://cdn.discordapp.com/embed/avatars/${kind}.png`,
      })
    },
  )

  test('Discord: a hash of a still image', async () => {
    const profile = { id: '7', avatar: 'hash' } as DiscordProfile
    expect(await discord().profile?.(profile, {})).toHaveProperty(
      'image',
      'https://cdn.discordapp.com/avatars/7/hash.png',
    )
  })

  test('Yandex: no picture for the placeholder', async () => {
    const profile = { id: '1', is_avatar_empty: true, default_avatar_id: '0/0-0' } as YandexProfile
    expect(await yandex().profile?.(profile, {})).toHaveProperty('image', null)
  })
})

test('Kakao: an address that now belongs to another user is not passed on', async () => {
  const account = { email: 'ada@example.com', is_email_verified: true, is_email_valid: false }
  const user = await kakao().profile?.({ id: 1, kakao_account: account }, {})
  expect(user).toHaveProperty('email', null)
})

const toldOf = ({ log }: World): World['log'] => log.filter(({ level }) => level !== 'debug')

const lost = (): Response => {
  throw new TypeError('lost')
}

/** A world in which every request is answered with this, and tokens. */
function plainWorld(
  provider: Provider,
  answer: object = {},
): { world: World; asked: string[]; begin: () => Promise<URL> } {
  const asked: string[] = []
  const env = {
    AUTH_MASTODON_ID: 'id',
    AUTH_MASTODON_SECRET: 's',
    AUTH_MASTODON_ISSUER: 'https://mastodon.example',
  }
  const config = withEnv(env, { providers: [provider], secret: 'x'.repeat(32), trustHost: true })
  const world = createWorld(config, {
    async fetch(input) {
      const { url } = new Request(input)
      asked.push(url)
      return Response.json({ access_token: 'the token', token_type: 'bearer', ...answer })
    },
  })
  const { id } = (typeof provider === 'function' ? provider({}) : provider) as { id: string }
  return {
    world,
    asked,
    async begin() {
      const response = await world.post(`/auth/signin/${id}`)
      return new URL(response.headers.get('location') ?? '')
    },
  }
}

/** Signs Ada in. @param photo answers for her picture. @param said of the authorization response */
async function signIn(
  provider: Provider,
  facts: ProviderFacts,
  photo: () => Response = () => new Response('hi'),
  said: Readonly<Record<string, string>> = {},
): Promise<{ world: World; users: unknown[]; asked: string[] }> {
  const users: unknown[] = []
  const asked: string[] = []
  const vendor = createVendor(facts, () => world.now())
  const world: World = createWorld(
    { providers: [provider], events: { signIn: ({ user }) => void users.push(user) } },
    {
      async fetch(input, init) {
        const { url } = new Request(input)
        asked.push(url)
        return url.includes('/photos/') ? photo() : vendor.fetch(input, init)
      },
    },
  )
  const begun = await world.post(`/auth/signin/${facts.id}`)
  const params = vendor.authorize(new URL(begun.headers.get('location') ?? ''))
  for (const [name, value] of Object.entries(said)) params.set(name, value)
  await world.get(`/auth/callback/${facts.id}?${params}`)
  return { world, users, asked }
}
