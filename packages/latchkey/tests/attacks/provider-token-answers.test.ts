import { describe, expect, test } from 'vitest'
import type { PluginRecord } from '../../src/entries/plugin.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { recordsOf, requestFrom, tokensApi } from '../support/token-site.ts'
import { createSite, idToken, providerSignIn } from './support/site.ts'
import { goodTokens, malformedTokenResponses, wrongIdTokens } from './support/token-responses.ts'

const HOUR = 3600

/** Carol, who signed in with a provider whose tokens have come to their end, and what it answers to a renewal. */
async function ended(provider: 'acme' | 'corp', answer: () => Response | Promise<Response>) {
  const site = await createSite({
    config: { plugins: [providerTokens()], session: { strategy: 'jwt', maxAge: 1000 * HOUR } },
    answer: async (url, init) => {
      if (url.pathname !== '/token') return undefined as never
      const form = new URLSearchParams(await new Response(init.body).text())
      if (form.get('grant_type') === 'refresh_token') return answer()
      const [subject = '', nonce = ''] = (form.get('code') ?? '').split('.')
      return Response.json({
        access_token: `access-${subject}`,
        token_type: 'bearer',
        refresh_token: 'refresh',
        expires_in: HOUR,
        ...(url.host === 'corp.example' && { id_token: await idToken(subject, { nonce }) }),
      })
    },
  })
  await providerSignIn(site.world, provider, 'carol')
  const stored = async () => (await recordsOf(site.adapter, 'provider-tokens'))[0]
  const before = await stored()
  site.world.advance(HOUR)
  const get = () => tokensApi(site.world).get(requestFrom(site.world), provider)
  return { ...site, stored, before, get }
}

const withoutTrying = (record: PluginRecord | undefined) => {
  const { trying: _, ...data } = record?.data ?? {}
  return JSON.stringify(data)
}

describe('T-OIDC-11: invalid responses to a renewal', () => {
  for (const [what, answer] of Object.entries(malformedTokenResponses)) {
    if (what === 'an error with status 200') continue
    test(`with ${what}: the provider is unavailable, and the record stays`, async () => {
      for (const provider of ['acme', 'corp'] as const) {
        const { get, before, stored, world } = await ended(provider, answer)
        expect(await get()).toEqual({ ok: false, error: 'ProviderUnavailable', setCookie: [] })
        expect(before).toBeDefined()
        expect(withoutTrying(await stored())).toBe(withoutTrying(before))
        expect(await world.session()).not.toBeNull()
      }
    })
  }

  // A renewal needs no ID token, and the one of a renewal has no nonce (OpenID Connect Core section 12.2).
  const others = new Set(['no ID token', 'another nonce', 'no nonce'])
  for (const [what, claim] of Object.entries(wrongIdTokens)) {
    if (others.has(what)) continue
    test(`with ${what} in the ID token: the provider is unavailable, and the record stays`, async () => {
      const { get, before, stored } = await ended('corp', async () =>
        Response.json({
          ...goodTokens,
          expires_in: HOUR,
          id_token: typeof claim === 'object' ? await idToken('carol', claim ?? {}) : claim,
        }),
      )
      expect(await get()).toMatchObject({ ok: false, error: 'ProviderUnavailable' })
      expect(withoutTrying(await stored())).toBe(withoutTrying(before))
    })
  }
})

describe('T-ST-14: a response to a renewal', () => {
  test('with the ID token of another subject (PT-9) ends the connection, not the session', async () => {
    const { get, stored, world } = await ended('corp', async () =>
      Response.json({ ...goodTokens, id_token: await idToken('mallory', {}) }),
    )
    expect(await get()).toMatchObject({ ok: false, error: 'RefreshTokenError' })
    expect((await stored())?.data).toMatchObject({
      gen: 0,
      error: { code: 'id_token_of_another', gen: 0 },
    })
    expect(await world.session()).not.toBeNull()
  })

  test('with an ID token of the same subject returns the token', async () => {
    const { get } = await ended('corp', async () =>
      Response.json({ ...goodTokens, id_token: await idToken('carol', {}) }),
    )
    expect(await get()).toMatchObject({ ok: true, access_token: goodTokens.access_token })
  })

  test.each([
    ['access_token', { access_token: 'x'.repeat(16_001) }],
    ['refresh_token', { refresh_token: 'x'.repeat(16_001) }],
  ])('with a token that is too long (%s) changes nothing', async (_what, tokens) => {
    const { get, before, stored } = await ended('acme', () =>
      Response.json({ ...goodTokens, ...tokens }),
    )
    expect(await get()).toMatchObject({ ok: false, error: 'ProviderUnavailable' })
    expect(withoutTrying(await stored())).toBe(withoutTrying(before))
  })

  test('with the longest accepted tokens is accepted', async () => {
    const { get } = await ended('acme', () =>
      Response.json({
        ...goodTokens,
        access_token: 'x'.repeat(16_000),
        refresh_token: 'y'.repeat(16_000),
      }),
    )
    expect(await get()).toMatchObject({ ok: true, access_token: 'x'.repeat(16_000) })
  })
})
