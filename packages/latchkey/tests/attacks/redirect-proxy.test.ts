import { describe, expect, test } from 'vitest'
import { systemPorts } from '../../src/base/ports.ts'
import type { World } from '../../src/entries/testing.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { createSealer } from '../../src/protocols/sealing/sealer.ts'
import {
  acme,
  approve,
  createSite,
  errorOf,
  locationOf,
  SECRET,
  SESSION_COOKIE,
} from './support/site.ts'

const PROXY = 'https://proxy.example'
const PREVIEW = 'https://preview-7.app.example'

/** One of several deployments with one secret. */
async function deployment(origin: string, more: Partial<AuthConfig> = {}): Promise<World> {
  const usual = await createSite()
  const { providers = [] } = usual.config
  const { world } = await createSite({
    origin,
    strategy: 'jwt',
    config: { redirectProxyUrl: `${PROXY}/auth`, providers, ...more },
  })
  return world
}

/** The path and query of an address, where a deployment is that has it. */
function pathAt(world: World, address: string): string {
  const url = new URL(address)
  expect(url.origin).toBe(world.origin)
  return url.pathname + url.search
}

describe('a redirect proxy', () => {
  test('is one callback URL at the provider for all deployments', async () => {
    const preview = await deployment(PREVIEW)
    const proxy = await deployment(PROXY)
    const begun = await preview.post('/auth/signin/acme', { callbackUrl: '/inbox' })
    const asked = new URL(locationOf(begun)).searchParams
    expect(asked.get('redirect_uri')).toBe(`${PROXY}/auth/callback/acme`)

    const handedOver = await proxy.get(approve(begun, 'carol'))
    expect(handedOver.status).toBe(302)
    expect(proxy.jar.has(SESSION_COOKIE)).toBe(false)
    const end = await preview.get(pathAt(preview, locationOf(handedOver)))
    expect(locationOf(end)).toBe(`${PREVIEW}/inbox`)
    expect(await preview.session()).not.toBeNull()
    expect(await proxy.session()).toBeNull()
  })

  test('is the callback URL when a code is redeemed', async () => {
    const usual = await createSite()
    const { world: preview, sent } = await createSite({
      origin: PREVIEW,
      strategy: 'jwt',
      config: { redirectProxyUrl: `${PROXY}/auth`, providers: usual.config.providers ?? [] },
    })
    const proxy = await deployment(PROXY)
    const handedOver = await proxy.get(approve(await preview.post('/auth/signin/acme'), 'carol'))
    await preview.get(pathAt(preview, locationOf(handedOver)))
    const token = sent.find(({ url }) => url.pathname === '/token')
    const body = await new Response(token?.init.body).text()
    expect(new URLSearchParams(body).get('redirect_uri')).toBe(`${PROXY}/auth/callback/acme`)
  })

  test('completes its own sign-ins by itself', async () => {
    const proxy = await deployment(PROXY)
    const end = await proxy.get(approve(await proxy.post('/auth/signin/acme'), 'carol'))
    expect(errorOf(end)).toBeNull()
    expect(await proxy.session()).not.toBeNull()
  })

  test('receives a state, also without any checks of the provider', async () => {
    const preview = await deployment(PREVIEW, { providers: [acme({ checks: ['none'] })] })
    const { searchParams } = new URL(locationOf(await preview.post('/auth/signin/acme')))
    expect(searchParams.get('state')).toMatch(/^ey/)
    expect(searchParams.has('code_challenge')).toBe(false)
  })

  test('is the one of the provider, if the provider has one', async () => {
    const preview = await deployment(PREVIEW, {
      providers: [acme({ redirectProxyUrl: 'https://other.example/base/auth/' })],
    })
    const { searchParams } = new URL(locationOf(await preview.post('/auth/signin/acme')))
    expect(searchParams.get('redirect_uri')).toBe('https://other.example/base/auth/callback/acme')
  })

  test('is not used if the provider posts the visitor back', async () => {
    const preview = await deployment(PREVIEW, {
      providers: [
        acme({
          authorization: {
            url: 'https://acme.example/authorize',
            params: { response_mode: 'form_post' },
          },
        }),
      ],
    })
    const { searchParams } = new URL(locationOf(await preview.post('/auth/signin/acme')))
    expect(searchParams.get('redirect_uri')).toBe(`${PREVIEW}/auth/callback/acme`)
    expect(searchParams.get('state')).toMatch(/^ey/)
  })

  test('passes an error of the provider on', async () => {
    const preview = await deployment(PREVIEW)
    const proxy = await deployment(PROXY)
    const state = new URL(locationOf(await preview.post('/auth/signin/acme'))).searchParams.get(
      'state',
    )
    const handedOver = await proxy.get(`/auth/callback/acme?error=access_denied&state=${state}`)
    const end = await preview.get(pathAt(preview, locationOf(handedOver)))
    expect(errorOf(end)).toBe('OAuthCallbackError')
  })
})

describe('T-REDIR-3: a response at a redirect proxy', () => {
  const state = async (origin: unknown, secret = SECRET, purpose = 'encodedState') =>
    createSealer([secret], purpose).seal({ random: 'x', origin }, 900, {
      now: () => Date.UTC(2030, 0, 1),
      random: systemPorts.random,
    })

  test('is passed on to a callback of the provider, for any sealed state', async () => {
    const proxy = await deployment(PROXY)
    const target = `${PREVIEW}/auth/callback/acme`
    const answer = await proxy.get(`/auth/callback/acme?code=c&state=${await state(target)}`)
    expect(locationOf(answer)).toMatch(`${target}?code=c&state=ey`)
  })

  test('is passed on to a deployment on the own machine', async () => {
    const proxy = await deployment(PROXY)
    const target = 'http://localhost:3000/auth/callback/acme'
    const answer = await proxy.get(`/auth/callback/acme?code=c&state=${await state(target)}`)
    expect(locationOf(answer)).toMatch(`${target}?code=c&state=ey`)
  })

  test('is not passed on from the proxy to itself', async () => {
    const proxy = await deployment(PROXY)
    const own = await state(`${PROXY}/auth/callback/acme`)
    const answer = await proxy.get(`/auth/callback/acme?code=c&state=${own}`)
    expect(errorOf(answer)).toBe('Configuration')
  })

  test('is refused with two states', async () => {
    const proxy = await deployment(PROXY)
    const [one, other] = [await state(`${PREVIEW}/auth/callback/acme`), await state('x')]
    const answer = await proxy.get(`/auth/callback/acme?code=c&state=${one}&state=${other}`)
    expect(errorOf(answer)).toBe('Configuration')
    expect(new URL(locationOf(answer)).origin).toBe(PROXY)
  })

  test.each([
    ['another provider of ours', `${PREVIEW}/auth/callback/corp`],
    ['no callback', `${PREVIEW}/inbox`],
    ['a callback as a query', `${PREVIEW}/x?/callback/acme`],
    ['a callback as a fragment', `${PREVIEW}/x#/callback/acme`],
    ['a name and a password', 'https://name:word@preview-7.app.example/auth/callback/acme'],
    ['another scheme', 'ftp://preview-7.app.example/auth/callback/acme'],
    ['a scheme that ends like ours', 'xhttps://preview-7.app.example/auth/callback/acme'],
    ['a script', 'javascript:alert(1)//callback/acme'],
    ['text that is no address', 'preview'],
  ])('is not passed on to %s', async (_what, target) => {
    const proxy = await deployment(PROXY)
    const answer = await proxy.get(`/auth/callback/acme?code=c&state=${await state(target)}`)
    expect(errorOf(answer)).toBe('Configuration')
    expect(new URL(locationOf(answer)).origin).toBe(PROXY)
  })

  test.each([
    [
      'with another secret',
      async () => state(`${PREVIEW}/auth/callback/acme`, 'another secret, 0123456789 0123456789'),
    ],
    [
      'sealed for another purpose',
      async () => state(`${PREVIEW}/auth/callback/acme`, SECRET, SESSION_COOKIE),
    ],
    ['not sealed', async () => `${PREVIEW}/auth/callback/acme`],
    ['that is empty', async () => ''],
  ])('is refused with a state %s', async (_what, forged) => {
    const proxy = await deployment(PROXY)
    const query = new URLSearchParams({ code: 'c', state: await forged() })
    const answer = await proxy.get(`/auth/callback/acme?${query}`)
    expect(errorOf(answer)).toBe('Configuration')
    expect(new URL(locationOf(answer)).origin).toBe(PROXY)
  })

  test('is passed on once', async () => {
    const preview = await deployment(PREVIEW)
    const proxy = await deployment(PROXY)
    const path = approve(await preview.post('/auth/signin/acme'), 'carol')
    expect(new URL(locationOf(await proxy.get(path))).origin).toBe(PREVIEW)
    expect(errorOf(await proxy.get(path))).toBe('Configuration')
  })

  test('is refused after a quarter of an hour', async () => {
    const preview = await deployment(PREVIEW)
    const proxy = await deployment(PROXY)
    const path = approve(await preview.post('/auth/signin/acme'), 'carol')
    proxy.advance(901 + 15)
    expect(errorOf(await proxy.get(path))).toBe('Configuration')
  })

  test.each([
    [['https://preview-7.app.example'], true],
    [['https://*.app.example'], true],
    [['https://app.example'], false],
    [['https://*.example'], false],
    [['https://*.preview-7.app.example'], false],
    [['http://preview-7.app.example'], false],
    [['https://preview-7.app.example:8443'], false],
    [[], false],
  ])(
    'is passed on to the deployment only if the list matches it: %j',
    async (redirectProxyOrigins, served) => {
      const preview = await deployment(PREVIEW)
      const proxy = await deployment(PROXY, { redirectProxyOrigins })
      const answer = await proxy.get(approve(await preview.post('/auth/signin/acme'), 'carol'))
      expect(new URL(locationOf(answer)).origin).toBe(served ? PREVIEW : PROXY)
      expect(errorOf(answer)).toBe(served ? null : 'Configuration')
    },
  )
})
