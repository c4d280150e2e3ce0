import { describe, expect, test } from 'vitest'
import type { OAuth2Config } from '../../src/options/provider-options.ts'
import apple from '../../src/providers/apple.ts'
import atlassian from '../../src/providers/atlassian.ts'
import auth0 from '../../src/providers/auth0.ts'
import discord from '../../src/providers/discord.ts'
import dropbox from '../../src/providers/dropbox.ts'
import github from '../../src/providers/github.ts'
import google from '../../src/providers/google.ts'
import hubspot from '../../src/providers/hubspot.ts'
import linkedin from '../../src/providers/linkedin.ts'
import microsoft from '../../src/providers/microsoft-entra-id.ts'
import okta from '../../src/providers/okta.ts'
import salesforce from '../../src/providers/salesforce.ts'
import slack from '../../src/providers/slack.ts'
import twitch from '../../src/providers/twitch.ts'
import zoom from '../../src/providers/zoom.ts'

type Factory = (options?: object) => OAuth2Config<unknown>
const rulesOf = (factory: unknown) => (factory as Factory)({})?.tokens

test.each([
  ['apple', apple, 'none', 'https://appleid.apple.com/auth/revoke'],
  ['atlassian', atlassian, 'overlap', undefined],
  ['auth0', auth0, 'strict', undefined],
  ['discord', discord, undefined, 'https://discord.com/api/oauth2/token/revoke'],
  ['dropbox', dropbox, 'none', undefined],
  ['github', github, 'strict', expect.any(Function)],
  ['google', google, 'none', 'https://oauth2.googleapis.com/revoke'],
  ['hubspot', hubspot, undefined, expect.any(Function)],
  ['linkedin', linkedin, 'none', undefined],
  ['microsoft-entra-id', microsoft, 'overlap', false],
  ['okta', okta, 'strict', undefined],
  ['salesforce', salesforce, 'strict', undefined],
  ['slack', slack, 'strict', undefined],
  ['twitch', twitch, undefined, expect.any(Function)],
  ['zoom', zoom, 'strict', 'https://zoom.us/oauth/revoke'],
])(
  'the entry of %s knows how it rotates refresh tokens, and how it revokes them',
  (_id, factory, rotation, revocation) => {
    expect(rulesOf(factory)?.rotation).toEqual(rotation)
    expect(rulesOf(factory)?.revocation).toEqual(revocation)
  },
)

describe("a provider's own form of revocation", () => {
  async function revoke(factory: unknown, status: number) {
    const provider = (factory as Factory)({ clientId: 'id', clientSecret: 'secret' })
    const { revocation } = provider.tokens ?? {}
    if (typeof revocation !== 'function') throw new Error('it has none')
    const asked: Request[] = []
    const send: typeof fetch = async (input, init) => {
      asked.push(new Request(input, init))
      return new Response(null, { status })
    }
    const clientful = { ...provider, clientId: 'id', clientSecret: 'secret' }
    for (const hint of ['refresh_token', 'access_token'] as const)
      await revocation({ provider: clientful, token: `the ${hint}`, hint, fetch: send })
    return asked
  }

  test('of GitHub deletes the access token', async () => {
    const [asked, ...more] = await revoke(github, 204)
    expect(more).toEqual([])
    expect([asked?.method, asked?.url]).toEqual([
      'DELETE',
      'https://api.github.com/applications/id/token',
    ])
    expect(asked?.headers.get('authorization')).toBe(`Basic ${btoa('id:secret')}`)
    expect(await asked?.json()).toEqual({ access_token: 'the access_token' })
  })

  test('of Twitch names the client', async () => {
    const [asked, ...more] = await revoke(twitch, 200)
    expect(more).toEqual([])
    expect([asked?.method, asked?.url]).toEqual(['POST', 'https://id.twitch.tv/oauth2/revoke'])
    expect(await asked?.text()).toBe('client_id=id&token=the+access_token')
  })

  test('of HubSpot sends the refresh token in the body, and no access token', async () => {
    const [asked, ...more] = await revoke(hubspot, 200)
    expect(more).toEqual([])
    expect([asked?.method, asked?.url]).toEqual([
      'POST',
      'https://api.hubapi.com/oauth/2026-03/token/revoke',
    ])
    expect(await asked?.text()).toBe(
      'client_id=id&client_secret=secret&token=the+refresh_token&token_type_hint=refresh_token',
    )
  })

  test.each([
    ['GitHub', github, [404, 422]],
    ['HubSpot', hubspot, []],
    ['Twitch', twitch, [400]],
  ])(
    'of %s counts a token that is gone as revoked, and nothing else',
    async (_name, factory, gone) => {
      for (const status of gone) await expect(revoke(factory, status)).resolves.toHaveLength(1)
      for (const status of [401, 500])
        await expect(revoke(factory, status)).rejects.toThrow(`${status}`)
    },
  )
})
