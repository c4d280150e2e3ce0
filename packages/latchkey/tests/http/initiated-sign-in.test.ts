import { describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { OIDCConfig } from '../../src/options/provider-options.ts'

const ISSUER = 'https://corp.example'

function site(options: Partial<OIDCConfig<unknown>> = { providerMayBegin: true }): World {
  return createWorld({
    providers: [
      {
        id: 'corp',
        name: 'Corp',
        type: 'oidc',
        issuer: ISSUER,
        clientId: 'id',
        clientSecret: 'secret',
        authorization: `${ISSUER}/authorize`,
        token: `${ISSUER}/token`,
        userinfo: `${ISSUER}/me`,
        jwks_endpoint: `${ISSUER}/jwks`,
        ...options,
      },
    ],
  })
}

function begun(query: Record<string, string>, provider = 'corp'): string {
  return `/auth/signin/${provider}?${new URLSearchParams({ iss: ISSUER, ...query })}`
}

/** The form of a page: its address, and its hidden fields. */
async function formOf(
  answer: Response,
): Promise<{ action: string; fields: Record<string, string> }> {
  const html = await answer.text()
  const action = /<form action="([^"]*)" method="post"/.exec(html)?.[1] ?? ''
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return {
    action: action.replaceAll('&amp;', '&'),
    fields: Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
  }
}

describe('PUB-7: a sign-in that the provider begins (OpenID Connect Core section 4)', () => {
  test('shows a page with a question, whose form leads to the provider', async () => {
    const world = site()
    const page = await world.get(
      begun({ login_hint: 'ada@corp.example', target_link_uri: 'https://app.example/report?y=1' }),
      { headers: { 'sec-fetch-site': 'cross-site' } },
    )
    expect(page.status).toBe(200)
    const { action, fields } = await formOf(page)
    const answer = await world.request(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
    const to = new URL(answer.headers.get('location') ?? '')
    expect(to.origin + to.pathname).toBe(`${ISSUER}/authorize`)
    expect(to.searchParams.get('login_hint')).toBe('ada@corp.example')
    expect(to.searchParams.has('iss')).toBe(false)
    expect(fields['callbackUrl']).toBe('https://app.example/report?y=1')
  })

  test.each([undefined, 'cross-site', 'same-site', 'none'])(
    'begins nothing by itself (Sec-Fetch-Site: %s)',
    async (sent) => {
      const headers = sent === undefined ? undefined : { 'sec-fetch-site': sent }
      const answer = await site().get(begun({}), headers && { headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.getSetCookie().join()).not.toContain('latchkey.sign-in')
    },
  )

  test('goes on without a question if a page of the site has the link', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const answer = await site().get(begun({ login_hint: 'ada' }), { headers })
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/corp\.example\/authorize\?.*login_hint=ada/,
    )
  })

  test('ends at no other site, and sets no other parameter', async () => {
    const world = site()
    const page = await world.get(
      begun({ target_link_uri: 'https://evil.example/', prompt: 'none', client_id: 'evil' }),
    )
    const { action, fields } = await formOf(page)
    expect(fields['callbackUrl']).toBe('https://app.example')
    expect(action).toBe('https://app.example/auth/signin/corp')
  })

  test.each([
    ['of another issuer', site(), begun({ iss: 'https://evil.example' })],
    ['without an issuer', site(), '/auth/signin/corp?login_hint=ada'],
  ])('is refused with one %s', async (_, world, path) => {
    const answer = await world.get(path)
    expect(answer.headers.get('location')).toContain('error=OAuthSignin')
    expect(world.log.map(({ message }) => message).join()).toContain('`iss`')
  })

  test('is off by default, and the log names the option', async () => {
    const world = site({})
    const answer = await world.get(begun({}))
    expect(answer.headers.get('location')).toContain('error=Configuration')
    expect(world.log.map(({ message }) => message).join()).toContain('`providerMayBegin`')
  })
})
