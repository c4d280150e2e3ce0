import { describe, expect, test } from 'vitest'
import type { OAuth2Config } from './provider-options.ts'
import { fillTemplates, missingMembers } from './templates.ts'

function provider(members: Record<string, unknown>): OAuth2Config<unknown> {
  return { id: 'acme', name: 'Acme', type: 'oauth', ...members }
}

describe('placeholders in the description of a provider', () => {
  test('are filled in addresses, parameters, fields and headers', () => {
    const filled = fillTemplates(
      provider({
        clientId: 'id',
        clientSecret: 'secret',
        account: 'a1',
        issuer: 'https://{account}.acme.example',
        wellKnown: '{issuer}/metadata',
        jwks_endpoint: '{issuer}/keys',
        authorization: {
          url: '{issuer}/authorize',
          params: { app: '{clientId}', claims: { a: 1 } },
        },
        token: {
          url: '{issuer}/token',
          params: { secret: '{clientSecret}' },
          body: { app: '{clientId}' },
        },
        userinfo: { url: '{issuer}/me', headers: { 'api-key': '{clientId}' }, method: 'POST' },
      }),
    )
    expect(filled).toMatchObject({
      issuer: 'https://a1.acme.example',
      wellKnown: 'https://a1.acme.example/metadata',
      jwks_endpoint: 'https://a1.acme.example/keys',
      authorization: {
        url: 'https://a1.acme.example/authorize',
        params: { app: 'id', claims: { a: 1 } },
      },
      token: {
        url: 'https://a1.acme.example/token',
        params: { secret: 'secret' },
        body: { app: 'id' },
      },
      userinfo: { url: 'https://a1.acme.example/me', headers: { 'api-key': 'id' }, method: 'POST' },
    })
  })

  test('join an address that ends in a slash with one slash', () => {
    const { token } = fillTemplates(provider({ issuer: 'https://a.example/', token: '{issuer}/t' }))
    expect(token).toBe('https://a.example/t')
  })

  test('stay in texts that others fill: tokens, and JSON', () => {
    const userinfo = {
      url: 'https://a.example/{tokens.user_id}',
      body: { query: 'query { viewer { id } }', list: '{"a":1}' },
    }
    expect(fillTemplates(provider({ userinfo })).userinfo).toEqual(userinfo)
    expect(missingMembers(provider({ userinfo }))).toEqual([])
  })

  test('leave the given provider unchanged', () => {
    const given = provider({ issuer: 'https://a.example', token: { url: '{issuer}/t' } })
    fillTemplates(given)
    expect(given.token).toEqual({ url: '{issuer}/t' })
  })

  test('without a value are named in the error, each once, as are those with an empty one', () => {
    expect(
      missingMembers(
        provider({ issuer: '', authorization: '{issuer}/a', token: '{issuer}/{tenant}/t' }),
      ),
    ).toEqual(['issuer', 'tenant'])
  })

  test('are filled once: a value with a placeholder stays text', () => {
    const { token } = fillTemplates(
      provider({
        clientId: '{clientSecret}',
        clientSecret: 's',
        token: 'https://a.example/{clientId}',
      }),
    )
    expect(token).toBe('https://a.example/{clientSecret}')
  })
})
