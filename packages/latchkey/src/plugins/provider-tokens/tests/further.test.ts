import { describe, expect, test } from 'vitest'
import {
  comeBack,
  HOUR,
  recordsOf,
  requestFrom,
  signInWith,
  strictProvider,
  type TokenSetting,
  tokenSite,
} from '../../../../tests/support/token-site.ts'

const CALENDAR = 'https://calendar.example'
const MAIL = 'https://mail.example/api'

async function signedIn(setting: TokenSetting = {}) {
  const site = tokenSite({ rules: { resources: [CALENDAR, MAIL] }, ...setting })
  const forms: URLSearchParams[] = []
  site.provider.answer = (form, path) => {
    if (path === '/token') forms.push(form)
    return undefined
  }
  await signInWith(site.world)
  const get = (options?: Parameters<typeof site.api.get>[2]) =>
    site.api.get(requestFrom(site.world), 'acme', options)
  return { ...site, forms, get }
}

describe('PT-20: a token for a resource', () => {
  test('comes from the one refresh token, and is stored beside the others', async () => {
    const { get, forms, world, provider, adapter } = await signedIn()
    expect(await get({ resource: CALENDAR })).toMatchObject({ ok: true, access_token: 'access-2' })
    expect(await get({ resource: MAIL })).toMatchObject({ ok: true, access_token: 'access-3' })
    expect(forms.slice(1).map((form) => form.get('resource'))).toEqual([CALENDAR, MAIL])
    expect(await get({ resource: CALENDAR })).toMatchObject({ access_token: 'access-2' })
    expect(await get()).toMatchObject({
      access_token: 'access-1',
      expires_at: world.now() / 1000 + HOUR,
    })
    world.advance(HOUR - 30)
    expect(await get({ resource: MAIL })).toMatchObject({ access_token: 'access-4' })
    expect(provider.endedFamilies).toBe(0)
    expect((await recordsOf(adapter, 'provider-tokens'))[0]?.data['gen']).toBe(3)
  })

  test('is requested once for many calls, also during a renewal of the usual one', async () => {
    const { get, world, provider } = await signedIn()
    world.advance(HOUR)
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) => get(index % 2 ? { resource: CALENDAR } : {})),
    )
    expect(all.every(({ ok }) => ok)).toBe(true)
    expect(new Set(all.map((each) => each.ok && each.access_token)).size).toBe(2)
    expect(provider.grants.filter((grant) => grant.startsWith('refresh'))).toHaveLength(2)
    expect(provider.endedFamilies).toBe(0)
  })

  test('is unavailable if the provider does not know the resource, and the usual one stays', async () => {
    const { get, provider, world } = await signedIn()
    provider.answer = (form) =>
      form.has('resource') ? Response.json({ error: 'invalid_target' }, { status: 400 }) : undefined
    expect(await get({ resource: CALENDAR })).toMatchObject({ error: 'ProviderUnavailable' })
    expect(await get()).toMatchObject({ access_token: 'access-1' })
    world.advance(HOUR)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
    expect(world.log.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('is an error for a resource that no list has', async () => {
    const { get, world } = await signedIn()
    await expect(get({ resource: 'https://other.example' })).rejects.toThrow('tokens.resources')
    const begun = await world.post('/auth/provider-tokens/connect/acme', {
      resource: 'https://other.example',
    })
    expect(begun.status).toBe(400)
  })

  test('is requested when an account is connected', async () => {
    const { world, get } = await signedIn()
    const begun = await world.post('/auth/provider-tokens/connect/acme', { resource: MAIL })
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('resource')).toBe(MAIL)
    await comeBack(world, begun)
    expect(await get()).toMatchObject({ access_token: 'access-2' })
  })

  test('is one of at most ten', async () => {
    const resources = Array.from({ length: 12 }, (_, index) => `https://api-${index}.example`)
    const { get, provider } = await signedIn({ rules: { resources } })
    for (const resource of resources) await get({ resource })
    const asked = provider.grants.length
    await get({ resource: resources[2] ?? '' })
    expect(provider.grants).toHaveLength(asked)
    await get({ resource: resources[1] ?? '' })
    expect(provider.grants).toHaveLength(asked + 1)
  })
})

describe('PT-21: an exchanged token', () => {
  const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

  async function exchanging(answer: object = {}) {
    const site = await signedIn()
    const asked: URLSearchParams[] = []
    site.provider.answer = (form) => {
      if (form.get('grant_type') !== EXCHANGE) return undefined
      asked.push(form)
      return Response.json({
        access_token: `exchanged-${asked.length}`,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'bearer',
        expires_in: 600,
        ...answer,
      })
    }
    const exchange = (params: Parameters<typeof site.api.exchange>[2]) =>
      site.api.exchange(requestFrom(site.world), 'acme', params)
    return { ...site, asked, exchange }
  }

  test('is requested as in RFC 8693, and stored by all parameters of the request', async () => {
    const { exchange, asked, world } = await exchanging()
    const params = { audience: 'api', scopes: ['a', 'b'], extra: { tenant: 'x' } }
    expect(await exchange(params)).toMatchObject({ ok: true, access_token: 'exchanged-1' })
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      grant_type: EXCHANGE,
      subject_token: 'access-1',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'api',
      scope: 'a b',
      tenant: 'x',
    })
    expect(await exchange(params)).toMatchObject({ access_token: 'exchanged-1' })
    for (const other of [{ audience: 'other' }, { ...params, extra: {} }, { resource: MAIL }])
      await exchange(other)
    expect(asked).toHaveLength(4)
    world.advance(569)
    expect(await exchange(params)).toMatchObject({ access_token: 'exchanged-1' })
    world.advance(1)
    expect(await exchange(params)).toMatchObject({ access_token: 'exchanged-5' })
  })

  test('is not stored without a lifetime, and has no type if it is no access token', async () => {
    const { exchange, asked } = await exchanging({ expires_in: undefined, token_type: 'N_A' })
    expect(await exchange({ audience: 'api' })).toMatchObject({ token_type: 'n_a' })
    await exchange({ audience: 'api' })
    expect(asked).toHaveLength(2)
  })

  test('leaves everything unchanged if it is refused', async () => {
    const { exchange, provider, api, world } = await exchanging()
    provider.answer = () => Response.json({ error: 'invalid_target' }, { status: 400 })
    expect(await exchange({ audience: 'api' })).toMatchObject({ error: 'ProviderUnavailable' })
    expect(await api.get(requestFrom(world), 'acme')).toMatchObject({ access_token: 'access-1' })
  })

  test.each([
    [{ extra: { client_id: 'other' } }, '"client_id"'],
    [{ extra: { subject_token: 'x' } }, '"subject_token"'],
    [{ resource: 'calendar' }, '`resource`'],
    [{ resource: 'https://calendar.example#x' }, '`resource`'],
  ])('is an error for parameters that cannot be sent: %j', async (params, name) => {
    const { exchange, asked } = await exchanging()
    await expect(exchange(params)).rejects.toThrow(name)
    expect(asked).toEqual([])
  })

  test('needs a session, and an ID token if that is exchanged', async () => {
    const { exchange, world, api } = await exchanging()
    expect(await exchange({ subjectToken: 'id' })).toMatchObject({ error: 'NoToken' })
    world.jar.clear()
    expect(await api.exchange(requestFrom(world), 'acme', {})).toMatchObject({
      error: 'NotSignedIn',
    })
  })
})

test('tokens for resources and exchanged tokens are not available with tokens in a cookie', async () => {
  const { api, world } = await signedIn({
    provider: strictProvider(),
    options: { store: 'cookie' },
    config: { session: { strategy: 'jwt' } },
  })
  const request = requestFrom(world)
  await expect(api.get(request, 'acme', { resource: CALENDAR })).rejects.toThrow('records')
  await expect(api.exchange(request, 'acme', {})).rejects.toThrow('records')
})
