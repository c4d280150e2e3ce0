import { describe, expect, test } from 'vitest'
import { type Damage, damageRecord } from '../../../../tests/support/damage.ts'
import {
  accountsOf,
  acmeProvider,
  comeBack,
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  strictProvider,
  type TokenSetting,
  tokenSite,
} from '../../../../tests/support/token-site.ts'
import { memoryAdapter } from '../../../adapters/memory/index.ts'
import type { World } from '../../../testing/world.ts'
import { sessions } from '../../sessions/index.ts'
import { providerTokensClient } from '../client.ts'
import { providerTokens } from '../index.ts'

const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

const post = (world: World, path: string, body: object = {}) =>
  world.request(`/auth/provider-tokens/${path}`, {
    method: 'POST',
    headers: JSON_OF_OURS,
    body: JSON.stringify(body),
  })

async function signedIn(setting: TokenSetting = {}) {
  const site = tokenSite({ rules: { scopes: ['write', 'admin'] }, ...setting })
  await signInWith(site.world)
  const get = (options?: Parameters<typeof site.api.get>[2]) =>
    site.api.get(requestFrom(site.world), 'acme', options)
  return { ...site, get }
}

const targetOf = async (answer: Response) =>
  new URL(((await answer.clone().json()) as { url: string }).url)

/** As {@link comeBack}, after JSON was sent. */
const finish = async (world: World, begun: Response) =>
  comeBack(world, new Response(null, { headers: { location: (await targetOf(begun)).href } }))

describe.each(['jwt', 'database'] as const)(
  'PT-19: connecting for more scopes (%s)',
  (strategy) => {
    const config = { session: { strategy, maxAge: 1000 * HOUR } }

    test('requests the granted and the new scopes, and stores the result', async () => {
      const { world, provider, get } = await signedIn({ config })
      expect(await get({ scopes: ['write'] })).toMatchObject({ error: 'ScopeMissing' })
      const begun = await post(world, 'connect/acme', { scopes: ['write'] })
      expect(begun.status).toBe(200)
      const target = await targetOf(begun)
      expect(target.origin + target.pathname).toBe('https://acme.example/authorize')
      expect(target.searchParams.get('scope')).toBe('read write')
      provider.more = { scope: 'read write' }
      expect((await finish(world, begun)).headers.get('location')).toBe(world.origin)
      expect(await get({ scopes: ['read', 'write'] })).toMatchObject({ access_token: 'access-2' })
      expect(await world.session()).toMatchObject({ user: { email: 'ada@example.com' } })
    })

    test('treats a response without scopes as a grant of all of them', async () => {
      const { world, provider, get } = await signedIn({ config })
      provider.more = { scope: undefined }
      await finish(world, await post(world, 'connect/acme', { scopes: ['write'] }))
      expect(await get({ scopes: ['read', 'write'] })).toMatchObject({ ok: true })
    })

    test('stores that fewer scopes were granted than requested', async () => {
      const { world, api, provider } = await signedIn({ config })
      provider.more = { scope: 'read write' }
      await finish(world, await post(world, 'connect/acme', { scopes: ['write', 'admin'] }))
      expect(await api.status(requestFrom(world))).toMatchObject({
        acme: { connected: true, error: 'ScopeMissing', scopes: ['read', 'write'] },
      })
    })

    test('T-ST-15: with another account changes nothing', async () => {
      const { world, provider, adapter, get } = await signedIn({ config })
      const before = await recordsOf(adapter, 'provider-tokens')
      const begun = await post(world, 'connect/acme', { scopes: ['write'] })
      provider.who = 'mallory'
      const end = await finish(world, begun)
      expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe(
        'AccountNotLinked',
      )
      expect(await recordsOf(adapter, 'provider-tokens')).toEqual(before)
      expect(await adapter.getUserByEmail?.('mallory@example.com')).toBeNull()
      expect(await get()).toMatchObject({ access_token: 'access-1' })
    })

    test('T-ST-15: without a session, or as another user, changes nothing', async () => {
      for (const after of ['sign-out', 'bob']) {
        const { world, provider, adapter } = await signedIn({ config })
        const begun = await post(world, 'connect/acme', { scopes: ['write'] })
        await world.post('/auth/signout')
        if (after === 'bob') {
          provider.who = 'bob'
          await signInWith(world)
          provider.who = 'ada'
        }
        const before = await recordsOf(adapter, 'provider-tokens')
        const end = await finish(world, begun)
        expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe(
          'AccountNotLinked',
        )
        expect(await recordsOf(adapter, 'provider-tokens')).toEqual(before)
      }
    })

    test('keeps the time and the methods of the last proof of identity', async () => {
      const plugins = [sessions({ device: false }), providerTokens()]
      const { world, provider } = await signedIn({ config: { ...config, plugins } })
      const known = async () => {
        const current = await world.core.plan(world.config).session.current({
          ...(await import('../../../session/session-request.ts')).sessionRequest(
            requestFrom(world).headers,
            world.origin,
          ),
        })
        const { auth_time, amr } = (await current?.facts.known()) ?? {}
        return { auth_time, amr }
      }
      const before = await known()
      expect(before.auth_time).toBe(world.now() / 1000)
      world.advance(60)
      provider.more = { scope: 'read write' }
      await finish(world, await post(world, 'connect/acme', { scopes: ['write'] }))
      expect(await known()).toEqual(before)
    })

    test('T-ST-15: in another session of the same user changes nothing', async () => {
      const plugins = [sessions({ device: false }), providerTokens()]
      const { world, adapter } = await signedIn({ config: { ...config, plugins } })
      const begun = await post(world, 'connect/acme')
      await world.post('/auth/signout')
      await signInWith(world)
      const before = await recordsOf(adapter, 'provider-tokens')
      const end = await finish(world, begun)
      expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe(
        'AccountNotLinked',
      )
      expect(await recordsOf(adapter, 'provider-tokens')).toEqual(before)
    })
  },
)

describe('a path of connections', () => {
  test('connect: begins with a form and ends where it began, with the parameters of the provider', async () => {
    const { world } = await signedIn({ rules: { connectParams: { prompt: 'consent' } } })
    const begun = await world.post('/auth/provider-tokens/connect/acme', { callbackUrl: '/inbox' })
    expect(begun.status).toBe(303)
    const target = new URL(begun.headers.get('location') ?? '')
    expect(target.searchParams.get('prompt')).toBe('consent')
    expect(target.searchParams.get('scope')).toBe('read')
    expect((await comeBack(world, begun)).headers.get('location')).toBe(`${world.origin}/inbox`)
  })

  test.each([
    [
      'a scope that is not in the list',
      'connect/acme',
      { scopes: ['root'] },
      400,
      'scope_not_allowed',
    ],
    ['scopes of another type', 'connect/acme', { scopes: [1] }, 400, 'invalid_input'],
    ['too many scopes', 'connect/acme', { scopes: Array(51).fill('write') }, 400, 'invalid_input'],
    ['a provider that is none', 'connect/nobody', {}, 404, 'not_found'],
    ['an inherited name', 'connect/constructor', {}, 404, 'not_found'],
    ['disconnecting what is not connected', 'disconnect', { provider: 'nobody' }, 404, 'not_found'],
  ])('is refused: %s', async (_what, path, body, status, code) => {
    const { world } = await signedIn()
    const answer = await post(world, path, body)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ])
  })

  test('responds only with a session, and not to another site', async () => {
    const { world } = await signedIn()
    const cross = { ...JSON_OF_OURS, 'sec-fetch-site': 'cross-site' }
    const other = await world.request('/auth/provider-tokens/disconnect', {
      method: 'POST',
      headers: cross,
      body: JSON.stringify({ provider: 'acme' }),
    })
    expect(other.status).toBe(403)
    world.jar.clear()
    expect((await world.get('/auth/provider-tokens/status')).status).toBe(401)
    expect((await post(world, 'connect/acme')).status).toBe(401)
    expect((await post(world, 'refresh', { provider: 'acme' })).status).toBe(401)
  })

  test('T-OIDC-14: never returns a token', async () => {
    const { world, get } = await signedIn()
    const answers = [
      await world.get('/auth/provider-tokens/status'),
      await post(world, 'refresh', { provider: 'acme' }),
      await post(world, 'connect/acme'),
      await world.get('/auth/session'),
      await post(world, 'disconnect', { provider: 'acme' }),
    ]
    for (const answer of answers) {
      const text = `${await answer.text()} ${JSON.stringify([...answer.headers])}`
      expect(text).not.toMatch(/access-\d|refresh-\d/)
    }
    expect(await get()).toMatchObject({ error: 'NoToken' })
    expect(JSON.stringify(world.log.map(({ message, detail }) => [message, detail]))).not.toMatch(
      /access-\d|refresh-\d/,
    )
  })

  test('status: lists the granted scopes, and where to connect', async () => {
    const { world } = await signedIn()
    expect(await (await world.get('/auth/provider-tokens/status')).json()).toEqual({
      providers: {
        acme: {
          connected: true,
          scopes: ['read'],
          expires_at: world.now() / 1000 + HOUR,
          reconnect: '/auth/provider-tokens/connect/acme',
        },
      },
    })
  })

  test('refresh: returns when the new token expires, or an error', async () => {
    const { world, provider } = await signedIn()
    world.advance(HOUR)
    const answer = await post(world, 'refresh', { provider: 'acme' })
    expect(await answer.json()).toEqual({ expires_at: world.now() / 1000 + HOUR })
    provider.answer = () => new Response(null, { status: 500 })
    world.advance(HOUR)
    const away = await post(world, 'refresh', { provider: 'acme' })
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await away.json()).toMatchObject({ code: 'provider_unavailable' })
    provider.answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
    world.advance(60)
    const refused = await post(world, 'refresh', { provider: 'acme' })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      code: 'refresh_token_error',
      reconnect: '/auth/provider-tokens/connect/acme',
    })
  })

  test('disconnect: needs a fresh proof if the time of the last one is known', async () => {
    const plugins = [sessions({ device: false }), providerTokens()]
    const { world, provider } = await signedIn({ config: { plugins } })
    world.advance(601)
    const answer = await post(world, 'disconnect', { provider: 'acme' })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      403,
      'reauthentication_required',
    ])
    expect(provider.revoked).toEqual([])
    await signInWith(world)
    expect(await (await post(world, 'disconnect', { provider: 'acme' })).json()).toEqual({
      revoked: true,
    })
  })
})

describe('PT-22: tokens are revoked', () => {
  const revoked = ['refresh-1', 'access-1']

  test('when their account is unlinked through the wrapped adapter', async () => {
    const { world, provider, adapter } = await signedIn()
    const wrapped = world.core.plan(world.config).plugins?.accounts.tellingDeletions(adapter)
    await wrapped?.unlinkAccount?.({ provider: 'acme', providerAccountId: 'ada' })
    expect(provider.revoked).toEqual(revoked)
    expect(await recordsOf(adapter, 'provider-tokens')).toEqual([])
  })

  test('when their user is deleted', async () => {
    const { world, provider, adapter } = await signedIn()
    const wrapped = world.core.plan(world.config).plugins?.accounts.tellingDeletions(adapter)
    await wrapped?.deleteUser?.((await accountsOf(adapter))[0]?.userId ?? '')
    expect(provider.revoked).toEqual(revoked)
  })

  test('OUT-9: when the last session of the user ends, if the option is set', async () => {
    const plugins = [sessions({ device: false }), providerTokens({ revoke: 'sign-out' })]
    const { world, provider, adapter } = await signedIn({ config: { plugins } })
    const other = world.otherBrowser()
    await signInWith(other)
    await signInWith(other)
    await world.post('/auth/signout')
    expect(provider.revoked).toEqual([])
    await other.post('/auth/signout')
    expect(provider.revoked).toEqual(['refresh-3', 'access-3'])
    expect(await recordsOf(adapter, 'provider-tokens')).toEqual([])
  })

  test('at sign-out only with the plugin sessions', () => {
    const { world } = tokenSite({ options: { revoke: 'sign-out' } })
    expect(world.core.plan(world.config).fault?.message).toContain('needs the plugin sessions')
  })

  test('not if an option forbids it or the provider cannot, but the record is deleted', async () => {
    for (const setting of [
      { options: { revoke: 'never' } as const },
      { rules: { revoke: 'never' } as const },
      { rules: { revocation: false } as const },
    ]) {
      const { world, provider, adapter, api } = await signedIn(setting)
      expect(await api.revoke(requestFrom(world), 'acme')).toBe(false)
      expect(provider.revoked).toEqual([])
      expect(await recordsOf(adapter, 'provider-tokens')).toEqual([])
    }
  })

  test('with a function of the provider, if it has one', async () => {
    const told: unknown[] = []
    const { world, api } = await signedIn({
      rules: { revocation: ({ token, hint }) => void told.push([token, hint]) },
    })
    expect(await api.revoke(requestFrom(world), 'acme')).toBe(true)
    expect(told).toEqual([
      ['refresh-1', 'refresh_token'],
      ['access-1', 'access_token'],
    ])
  })

  test('later, after 1, 5, 30 and 60 minutes, if the provider does not respond, for at most a day', async () => {
    const { world, provider, adapter, api } = await signedIn()
    const times: number[] = []
    const begun = world.now()
    provider.answer = (_form, path) => {
      if (path !== '/revoke') return undefined
      times.push((world.now() - begun) / 60_000)
      return new Response(null, { status: 503 })
    }
    expect(await api.revoke(requestFrom(world), 'acme')).toBe(false)
    const [waiting] = await recordsOf(adapter, 'token-revocation')
    expect(waiting?.expires).toEqual(new Date(world.now() + 24 * HOUR * 1000))
    expect(JSON.stringify(waiting)).not.toMatch(/refresh-1|access-1/)
    const { plugins } = world.core.plan(world.config)
    for (let minute = 0; minute < 160; minute++) {
      world.advance(60)
      await plugins?.maintain(10_000)
    }
    expect(times).toEqual([0, 1, 6, 36, 96, 156])
    provider.answer = undefined
    world.advance(HOUR)
    await plugins?.maintain(10_000)
    expect(provider.revoked).toEqual(revoked)
    expect(await recordsOf(adapter, 'token-revocation')).toEqual([])
  })

  test.each<[string, Damage]>([
    ['is not an object', () => 'half'],
    ['names no provider', (data) => ({ ...data, provider: undefined })],
    ['has no tokens', (data) => ({ ...data, sealed: undefined })],
  ])('not from a record that %s, which is logged once', async (_, damage) => {
    const { world, provider, adapter, api } = await signedIn()
    provider.answer = (_form, path) =>
      path === '/revoke' ? new Response(null, { status: 503 }) : undefined
    await api.revoke(requestFrom(world), 'acme')
    const [waiting] = await recordsOf(adapter, 'token-revocation')
    const key = waiting?.key ?? ''
    await damageRecord(adapter, { kind: 'token-revocation', key }, damage)
    provider.answer = undefined
    for (let times = 0; times < 2; times++) {
      world.advance(HOUR)
      await world.core.plan(world.config).plugins?.maintain(10_000)
    }
    expect(await recordsOf(adapter, 'token-revocation')).toEqual([])
    expect(world.log.map(({ message }) => message).filter((text) => text.includes(key))).toEqual([
      `the record of kind "token-revocation" with the key "${key}" is damaged; its tokens were not revoked at the provider`,
    ])
  })
})

test('a malformed path with a variable segment is refused at the start', () => {
  const { world } = tokenSite({
    config: { plugins: [{ ...providerTokens(), routes: { 'a/*/b': {} } }] as never },
  })
  expect(world.core.plan(world.config).fault?.message).toContain('a/*/b')
})

test('only providers of the list are kept and connected', async () => {
  const provider = strictProvider()
  const { world, adapter } = await signedIn({
    provider,
    adapter: memoryAdapter(),
    options: { providers: ['other'] },
    config: { providers: [acmeProvider(), acmeProvider({}, { id: 'other' })] },
  })
  expect(await accountsOf(adapter)).toMatchObject([{ access_token: 'access-1' }])
  expect((await post(world, 'connect/acme')).status).toBe(404)
  expect((await post(world, 'connect/other')).status).toBe(200)
})

test('the client of a page calls these paths', async () => {
  const { world } = await signedIn()
  const left: string[] = []
  const client = providerTokensClient(
    {
      async ask(path, fields) {
        const init = { method: 'POST', headers: JSON_OF_OURS, body: JSON.stringify(fields) }
        return (await world.request(`/auth/${path}`, fields && init)).json()
      },
    },
    { location: { href: `${world.origin}/inbox`, assign: (url) => void left.push(String(url)) } },
  )
  expect(await client.status()).toMatchObject({ acme: { connected: true } })
  expect(await client.refresh('acme')).toEqual({ expires_at: world.now() / 1000 + HOUR })
  await client.connect('acme', { scopes: ['write'] })
  expect(new URL(left[0] ?? '').searchParams.get('scope')).toBe('read write')
  const end = await comeBack(world, new Response(null, { headers: { location: left[0] ?? '' } }))
  expect(end.headers.get('location')).toBe(`${world.origin}/inbox`)
  expect(await client.disconnect('acme')).toEqual({ revoked: true })
})

test.each([
  ['records', memoryAdapter],
  ['a cookie', undefined],
])(
  'a provider that posts back connects, with the session of the next request (%s)',
  async (_where, make) => {
    const authorization = {
      url: 'https://acme.example/authorize',
      params: { scope: 'read', response_mode: 'form_post' },
    }
    const config = {
      adapter: make?.(),
      session: { strategy: 'jwt' as const },
      secret: `the secret of this site, ${Math.random()}`,
      providers: [acmeProvider({}, { authorization })],
    }
    const { world, provider, api } = await signedIn({ config })
    const begun = await post(world, 'connect/acme')
    const state = (await targetOf(begun)).searchParams.get('state') ?? ''
    const strict = new Map(world.jar)
    for (const name of strict.keys()) if (!name.includes('sign-in')) world.jar.delete(name)
    const posted = await world.request('/auth/callback/acme', {
      method: 'POST',
      headers: { origin: 'https://acme.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ code: 'c', state }),
    })
    expect(provider.grants).toHaveLength(1)
    for (const [name, value] of strict) world.jar.set(name, value)
    const end = await world.get(posted.headers.get('location') ?? '')
    expect(end.headers.get('location')).not.toContain('error')
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-2' })
  },
)
