import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  locationOf,
  passwordSignIn,
  SECRET,
  SESSION_COOKIE,
  type SiteOptions,
  type Strategy,
  strategies,
} from '../../../../tests/attacks/support/site.ts'
import { abilitiesOf, apiOf, recordOf } from '../../../../tests/support/sessions-site.ts'
import { sharedStores } from '../../../../tests/support/shared-stores.ts'
import { DAY, tokensSite } from '../../../../tests/support/tokens-site.ts'
import { createSealer } from '../../../protocols/sealing/sealer.ts'
import type { World } from '../../../testing/world.ts'
import { type SessionsOptions, sessions } from '../../sessions/index.ts'
import { type NativeOptions, tokens } from '../index.ts'
import { challengeOf } from '../native/codes.ts'

const HTML = { accept: 'text/html' }
const CALLBACK = 'com.example.app:/callback'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CLIENTS = [
  {
    id: 'phone',
    name: 'Example for iOS',
    redirectUris: ['https://app.example/app/callback', CALLBACK, 'http://127.0.0.1/callback'],
  },
  { id: 'desk', name: 'Example for Windows', redirectUris: ['https://desk.example/callback'] },
]

interface Setting extends Pick<SiteOptions, 'adapter' | 'seed'> {
  readonly strategy?: Strategy
  readonly options?: Partial<NativeOptions>
  readonly config?: object
  /** Of the plugin `sessions`. */
  readonly kept?: SessionsOptions
}

async function nativeSite({ options, config, kept, ...rest }: Setting = {}) {
  const plugins = [sessions(kept), tokens({ native: { clients: CLIENTS, ...options } })]
  return tokensSite({ ...rest, config: { plugins, ...config } })
}

async function startOf(more: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'phone',
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: await challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    state: 'the state',
    ...more,
  })
  return `/auth/native/start?${query}`
}

const get = (world: World, path: string) => world.get(path, { headers: HTML })

const FLOW = '__Host-latchkey.flow.'

/** The newest sign-in of an app that began in a browser. */
const flowOf = ({ jar }: World) =>
  [...jar.keys()].findLast((name) => name.startsWith(FLOW))?.slice(FLOW.length) ?? 'x'.repeat(16)

const pageOf = (world: World) => `/auth/native/approve?flow=${flowOf(world)}`

const decide = (world: World, decision = 'allow', flow = flowOf(world)) =>
  world.post('/auth/native/approve', { decision, flow }, { headers: HTML })

const paramsOf = (answer: Response) => {
  const location = locationOf(answer)
  return Object.fromEntries(new URLSearchParams(location.slice(location.indexOf('?'))))
}

/** Somebody who is signed in agrees. @returns the code that the app gets */
async function codeOf(world: World, more: Record<string, string> = {}): Promise<string> {
  await get(world, await startOf(more))
  await get(world, pageOf(world))
  return paramsOf(await decide(world))['code'] ?? ''
}

interface Answered {
  readonly access_token?: string
  readonly expires_in?: number
  readonly session?: string
  readonly error?: string
}

/** The app, which has no cookies. */
async function redeem(
  world: World,
  code: string,
  more: Record<string, string> = {},
): Promise<Answered> {
  const answer = await world.otherBrowser().postWithoutCsrf('/auth/native/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    client_id: 'phone',
    redirect_uri: CALLBACK,
    ...more,
  })
  return answer.json() as Promise<Answered>
}

const signIn = async (world: World) => (await redeem(world, await codeOf(world))).access_token ?? ''

const asApp = (world: World, token: string, path: string, method = 'GET') =>
  world.otherBrowser().request(`/auth/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  })

const nameOf = async (world: World, token: string) =>
  ((await (await asApp(world, token, 'session')).json()) as { user?: { name: string } } | null)
    ?.user?.name ?? null

const renew = async (world: World, token: string): Promise<Answered & { status: number }> => {
  const answer = await asApp(world, token, 'native/renew', 'POST')
  return { ...((await answer.json()) as Answered), status: answer.status }
}

describe.each(strategies)('an app that signs in, with %s sessions', (strategy) => {
  test('TOK-13, TOK-15: gets a session of its own for a code, after a click', async () => {
    const { world } = await nativeSite({ strategy })
    const began = await get(world, await startOf())
    expect([began.status, locationOf(began)]).toEqual([
      303,
      `/auth/signin?callbackUrl=${encodeURIComponent(pageOf(world))}`,
    ])
    await passwordSignIn(world)
    const page = await get(world, pageOf(world))
    const text = await page.text()
    expect(text).toContain('Sign in to Example for iOS?')
    expect(text).toContain('<bdi dir="ltr">ada@example.com</bdi>')
    expect(text).toContain('You return to com.example.app.')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const agreed = await decide(world)
    expect(agreed.status).toBe(303)
    expect(locationOf(agreed).startsWith(`${CALLBACK}?`)).toBe(true)
    const { code = '', ...more } = paramsOf(agreed)
    expect(more).toEqual({ state: 'the state', iss: 'https://app.example/auth' })
    expect(code).toMatch(/^[\w-]{43}$/)
    world.advance(30)
    const token = await redeem(world, code)
    expect(token).toEqual({
      access_token: expect.stringMatching(/^lkb_[\w-]{65}$/),
      token_type: 'Bearer',
      // Not longer than the session that approved it.
      expires_in: 90 * DAY - 30,
      session: token.access_token?.slice(4, 26),
    })
    expect(await nameOf(world, token.access_token ?? '')).toBe('ada')
    const listed = await apiOf(world).list({ userId: 'ada' })
    expect(listed).toHaveLength(2)
    expect(listed.find(({ via }) => via === 'native')).toMatchObject({
      id: token.session,
      name: 'Example for iOS',
      methods: ['pwd'],
      authTime: new Date(world.now() - 30_000).toISOString(),
    })
  })

  test('TOK-15: loses its session after 90 days without use, and after a year', async () => {
    const { world } = await nativeSite({ strategy, kept: { absoluteMaxAge: 366 * DAY } })
    await passwordSignIn(world)
    const idle = await signIn(world)
    const used = await signIn(world)
    for (let passed = 0; passed < 360; passed += 60) {
      expect(await nameOf(world, used), `after ${passed} days`).toBe('ada')
      world.advance(60 * DAY)
      if (passed === 0) expect(await nameOf(world, idle)).toBe('ada')
    }
    expect(await nameOf(world, idle)).toBeNull()
    expect(await nameOf(world, used)).toBe('ada')
    const [session] = await apiOf(world).list({ userId: 'ada' })
    expect(session).toMatchObject({ via: 'native' })
    expect(Date.parse(session?.expires ?? '')).toBe(world.now() + 5 * DAY * 1000)
    world.advance(5 * DAY)
    expect(await nameOf(world, used)).toBeNull()
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('T-ST-24, TOK-13: loses its session if its code comes twice', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const code = await codeOf(world)
    const { access_token = '', session = '' } = await redeem(world, code)
    expect(await nameOf(world, access_token)).toBe('ada')
    expect(await redeem(world, code)).toEqual({ error: 'invalid_grant' })
    expect(await nameOf(world, access_token)).toBeNull()
    expect((await recordOf(world, session))?.data).toMatchObject({
      ended: { reason: 'token-reuse' },
    })
  })

  test('T-ST-24: gets no session after all sessions of the user ended', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const code = await codeOf(world)
    world.advance(1)
    await apiOf(world).endAll({ userId: 'ada' })
    world.advance(1)
    expect(await redeem(world, code)).toEqual({ error: 'invalid_grant' })
    expect(await apiOf(world).list({ userId: 'ada' })).toEqual([])
  })

  test('TOK-16: gets another token after a day, and both are valid for a minute', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const first = await signIn(world)
    expect((await renew(world, first)).access_token).toBe(first)
    world.advance(DAY)
    const { access_token: next = '', status } = await renew(world, first)
    expect(status).toBe(200)
    expect(next).not.toBe(first)
    expect(next.slice(0, 26)).toBe(first.slice(0, 26))
    expect(await nameOf(world, first)).toBe('ada')
    expect((await renew(world, first)).access_token).toBe(next)
    world.advance(59)
    expect(await nameOf(world, first)).toBe('ada')
    expect(await nameOf(world, next)).toBe('ada')
  })

  test('TOK-16: loses its session if a replaced token comes back', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const first = await signIn(world)
    world.advance(DAY)
    const { access_token: next = '' } = await renew(world, first)
    world.advance(60)
    expect(await nameOf(world, next)).toBe('ada')
    expect(await nameOf(world, first)).toBeNull()
    expect(await nameOf(world, next)).toBeNull()
    const record = await recordOf(world, first.slice(4, 26))
    expect(record?.data).toMatchObject({ ended: { reason: 'token-reuse' } })
  })

  test('TOK-16: gets the same token for fifty simultaneous renewals', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const first = await signIn(world)
    world.advance(DAY)
    const all = await Promise.all(Array.from({ length: 50 }, () => renew(world, first)))
    expect(new Set(all.map(({ access_token }) => access_token)).size).toBe(1)
    expect(all[0]?.access_token).not.toBe(first)
  })

  test('can sign out', async () => {
    const { world } = await nativeSite({ strategy })
    await passwordSignIn(world)
    const token = await signIn(world)
    const ended = await asApp(world, token, 'native/end', 'POST')
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([204, []])
    expect(await nameOf(world, token)).toBeNull()
    expect((await asApp(world, token, 'native/end', 'POST')).status).toBe(401)
    expect((await world.session())?.user?.['name']).toBe('ada')
  })
})

test('an app whose request has an empty stream as its body can renew and sign out', async () => {
  const { world } = await nativeSite()
  await passwordSignIn(world)
  const token = await signIn(world)
  const send = async (path: string, bytes: string) =>
    world.core.auth(
      new Request(`https://app.example/auth/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        // Servers on Node.js hand over a body like this one.
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      } as RequestInit),
      world.config,
    )
  expect((await send('native/renew', 'x')).status).toBe(415)
  expect((await send('native/renew', '')).status).toBe(200)
  expect((await send('native/end', '')).status).toBe(204)
})

describe('a code of an app', () => {
  test.each<[string, Record<string, string>]>([
    ['T-ST-24: another verifier', { code_verifier: VERIFIER.replace('d', 'e') }],
    [
      'T-ST-24: the challenge in place of the verifier',
      { code_verifier: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
    ],
    ['T-ST-24: another client', { client_id: 'desk' }],
    ['T-ST-24: another address', { redirect_uri: 'https://app.example/app/callback' }],
  ])('is used up without a token for %s', async (_, more) => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const code = await codeOf(world)
    expect(await redeem(world, code, more)).toEqual({ error: 'invalid_grant' })
    expect(await redeem(world, code)).toEqual({ error: 'invalid_grant' })
    expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(1)
  })

  test('is over after a minute, and used once, by the first request', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const late = await codeOf(world)
    world.advance(60)
    expect(await redeem(world, late)).toEqual({ error: 'invalid_grant' })
    const code = await codeOf(world)
    const all = await Promise.all(Array.from({ length: 20 }, () => redeem(world, code)))
    // Somebody else has the code as well: at most one got a token, and it is worth nothing.
    const tokensOf = all.flatMap(({ access_token }) => access_token ?? [])
    expect(tokensOf.length).toBeLessThanOrEqual(1)
    for (const token of tokensOf) expect(await nameOf(world, token)).toBeNull()
    expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(1)
  })

  test('is not stored, and neither is the challenge of the app', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const code = await codeOf(world)
    const left = await abilitiesOf(world).listRecords?.({ kind: 'native-code', limit: 10 })
    expect(left?.records).toHaveLength(1)
    expect(JSON.stringify(left)).not.toContain(code)
    expect(JSON.stringify(left)).not.toContain(VERIFIER)
  })

  test.each<[string, Record<string, string>, string]>([
    ['grant_type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['code', { code: '' }, 'invalid_request'],
    ['code_verifier', { code_verifier: '' }, 'invalid_request'],
    ['redirect_uri', { redirect_uri: '' }, 'invalid_request'],
  ])('with a mistake in %s is refused with its error', async (_, more, error) => {
    const { world } = await nativeSite()
    expect(await redeem(world, 'x', more)).toEqual({ error })
  })
})

describe('the start of a sign-in of an app', () => {
  test.each<[string, Record<string, string>]>([
    ['an unknown client', { client_id: 'other' }],
    ['T-ST-24: an address of nobody', { redirect_uri: 'https://evil.example/callback' }],
    ['T-ST-24: an address of another client', { redirect_uri: 'https://desk.example/callback' }],
    ['T-ST-24: another path of the machine', { redirect_uri: 'http://127.0.0.1:8080/other' }],
  ])('is not redirected for %s', async (_, more) => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const answer = await get(world, await startOf(more))
    expect([answer.status, locationOf(answer)]).toEqual([400, ''])
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  test.each<[string, Record<string, string>, string]>([
    ['response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['code_challenge_method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['code_challenge', { code_challenge: 'short' }, 'invalid_request'],
  ])('reports a mistake in %s to the app', async (_, more, error) => {
    const { world } = await nativeSite()
    const answer = await get(world, await startOf(more))
    expect(locationOf(answer).startsWith(CALLBACK)).toBe(true)
    expect(paramsOf(answer)).toEqual({ error, state: 'the state', iss: 'https://app.example/auth' })
  })

  test('accepts any port of the machine itself', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const redirect_uri = 'http://127.0.0.1:51234/callback'
    const code = await codeOf(world, { redirect_uri })
    expect(await redeem(world, code)).toEqual({ error: 'invalid_grant' })
    const next = await codeOf(world, { redirect_uri })
    expect(await redeem(world, next, { redirect_uri })).toMatchObject({ token_type: 'Bearer' })
  })

  test('requires a more recent proof with `prompt=login`', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    world.advance(5)
    const began = await get(world, await startOf({ prompt: 'login' }))
    expect(locationOf(began)).toContain('/auth/signin')
    expect(locationOf(await get(world, pageOf(world)))).toContain('/auth/signin')
    expect(locationOf(await decide(world))).toContain('/auth/signin')
    await passwordSignIn(world)
    expect((await get(world, pageOf(world))).status).toBe(200)
    expect(paramsOf(await decide(world))['code']).toBeDefined()
    const chosen = await get(world, await startOf({ prompt: 'select_account' }))
    expect(locationOf(chosen)).toContain('/auth/signin')
  })
})

describe('SEC-25: the page of an app', () => {
  const other = { client_id: 'desk', redirect_uri: 'https://desk.example/callback' }

  test('SEC-25: decides on the app that it names, even if another window began another one', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    await get(world, await startOf())
    const page = await (await get(world, pageOf(world))).text()
    const shown = /name="flow" value="([\w-]{16})"/.exec(page)?.[1] ?? ''
    expect(page).toContain('Example for iOS')
    const hostile = { headers: { ...HTML, 'sec-fetch-site': 'cross-site' } }
    await world.get(await startOf(other), hostile)
    expect(locationOf(await decide(world, 'allow', shown)).startsWith(`${CALLBACK}?code=`)).toBe(
      true,
    )
    // The other one goes on beside it.
    expect(locationOf(await decide(world)).startsWith('https://desk.example/callback?code=')).toBe(
      true,
    )
  })

  test('SEC-25: names its sign-in, and refuses a decision without one', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    await get(world, await startOf())
    const told = await world.get(pageOf(world))
    expect(await told.json()).toEqual({ client: 'Example for iOS', flow: flowOf(world) })
    const nothing = await world.post('/auth/native/approve', { decision: 'allow' })
    expect(nothing.status).toBe(400)
    expect((await get(world, '/auth/native/approve')).status).toBe(400)
    for (const flow of ['x', 'x'.repeat(16), `${flowOf(world)}x`])
      expect((await decide(world, 'allow', flow)).status).toBe(400)
  })

  test('SEC-25: accepts a sign-in that began before sign-ins had names', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const key = '__Host-latchkey.flow'
    const begun = {
      client: 'phone',
      redirectUri: CALLBACK,
      challenge: await challengeOf(VERIFIER),
      state: 'the state',
      at: world.now() / 1000,
      mustSignIn: false,
    }
    const sealer = createSealer([SECRET], 'latchkey.record.native-flow')
    const ports = { now: world.now, random: (length: number) => new Uint8Array(length) }
    world.jar.set(key, await sealer.seal({ data: begun, aud: key }, 600, ports))
    expect(await (await get(world, '/auth/native/approve')).text()).toContain('Example for iOS')
    const agreed = await world.post('/auth/native/approve', { decision: 'allow' })
    expect(locationOf(agreed).startsWith(`${CALLBACK}?code=`)).toBe(true)
    expect(world.jar.has(key)).toBe(false)
  })

  test('SEC-25: keeps a sign-in of the visitor, however many another site begins', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    await get(world, await startOf())
    const shown = flowOf(world)
    const hostile = { headers: { ...HTML, 'sec-fetch-site': 'cross-site' } }
    for (let i = 0; i < 10; i++) await world.get(await startOf(other), hostile)
    const answer = await decide(world, 'allow', shown)
    expect(locationOf(answer).startsWith(`${CALLBACK}?code=`)).toBe(true)
  })

  test('SEC-25: drops the oldest of more than five sign-ins', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    await get(world, await startOf())
    const first = flowOf(world)
    for (let more = 0; more < 5; more++) {
      world.advance(1)
      await get(world, await startOf())
    }
    expect([...world.jar.keys()].filter((name) => name.startsWith(FLOW))).toHaveLength(5)
    expect((await decide(world, 'allow', first)).status).toBe(400)
    expect(locationOf(await decide(world))).toContain('code=')
  })
})

describe("SEC-26: with `consent: 'first'`", () => {
  const first = { options: { consent: 'first' } } as const

  test.each([
    ['any port of the machine', 'http://127.0.0.1:51234/callback'],
    ['a scheme', CALLBACK],
  ])('SEC-26: %s gets no code without a click', async (_, redirect_uri) => {
    const { world } = await nativeSite(first)
    await passwordSignIn(world)
    const given = { redirect_uri }
    expect(await redeem(world, await codeOf(world, given), given)).toHaveProperty('access_token')
    await get(world, await startOf(given))
    const again = await get(world, pageOf(world))
    expect([again.status, locationOf(again)]).toEqual([200, ''])
  })

  test('SEC-26: a consent is valid for one redirect URI', async () => {
    const clients = [
      {
        id: 'phone',
        name: 'Phone',
        redirectUris: ['https://app.example/app/callback', 'https://other.example/callback'],
      },
    ]
    const { world } = await nativeSite({ options: { ...first.options, clients } })
    await passwordSignIn(world)
    await codeOf(world, { redirect_uri: 'https://app.example/app/callback' })
    await get(world, await startOf({ redirect_uri: 'https://other.example/callback' }))
    expect((await get(world, pageOf(world))).status).toBe(200)
    await get(world, await startOf({ redirect_uri: 'https://app.example/app/callback' }))
    expect((await get(world, pageOf(world))).status).toBe(303)
  })

  test('SEC-19: a consent does not replace a fresh proof', async () => {
    const { world } = await nativeSite(first)
    await passwordSignIn(world)
    const given = { redirect_uri: 'https://app.example/app/callback' }
    await codeOf(world, given)
    world.advance(601)
    await get(world, await startOf(given))
    expect(locationOf(await get(world, pageOf(world)))).toContain('/auth/signin')
    await passwordSignIn(world)
    expect(locationOf(await get(world, pageOf(world)))).toContain('code=')
  })
})

describe('the consent for an app', () => {
  test('T-ST-25, TOK-14: needs a click in the browser where the sign-in began', async () => {
    const { world } = await nativeSite()
    const other = world.otherBrowser()
    await passwordSignIn(world)
    await passwordSignIn(other, 'bob')
    await get(world, await startOf())
    expect((await get(other, pageOf(world))).status).toBe(400)
    expect((await decide(other, 'allow', flowOf(world))).status).toBe(400)
    const forged = await world.postWithoutCsrf('/auth/native/approve', { decision: 'allow' })
    expect([forged.status, locationOf(forged)]).toEqual([403, ''])
    world.advance(601)
    expect((await decide(world)).status).toBe(400)
  })

  test('T-ST-25: needs a cookie of the same sign-in', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const flow = 'x'.repeat(16)
    world.jar.set(`${FLOW}${flow}`, world.jar.get(SESSION_COOKIE) ?? '')
    expect((await decide(world, 'allow', flow)).status).toBe(400)
  })

  test('can be answered with no', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    await get(world, await startOf())
    const answer = await decide(world, 'deny')
    expect(paramsOf(answer)).toEqual({
      error: 'access_denied',
      state: 'the state',
      iss: 'https://app.example/auth',
    })
    expect((await decide(world)).status).toBe(400)
  })

  test('TOK-14: is requested each time, or once with `first`', async () => {
    const always = await nativeSite()
    await passwordSignIn(always.world)
    await codeOf(always.world)
    await get(always.world, await startOf())
    expect((await get(always.world, pageOf(always.world))).status).toBe(200)

    const { world } = await nativeSite({ options: { consent: 'first' } })
    await passwordSignIn(world)
    const app = { redirect_uri: 'https://app.example/app/callback' }
    expect(await redeem(world, await codeOf(world, app), app)).toMatchObject({
      token_type: 'Bearer',
    })
    await get(world, await startOf(app))
    const again = await get(world, pageOf(world))
    expect([again.status, typeof paramsOf(again)['code']]).toEqual([303, 'string'])
    await get(
      world,
      await startOf({ client_id: 'desk', redirect_uri: 'https://desk.example/callback' }),
    )
    expect((await get(world, pageOf(world))).status).toBe(200)
    const other = world.otherBrowser()
    await passwordSignIn(other, 'bob')
    await get(other, await startOf(app))
    expect((await get(other, pageOf(other))).status).toBe(200)
  })

  test.each([
    ['HEAD', {}],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }],
    ['GET', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-site' }],
    ['GET', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-site' }],
  ])('T-ST-25: with `first`, lets nobody in for %s with %o', async (method, headers) => {
    const { world } = await nativeSite({ options: { consent: 'first' } })
    await passwordSignIn(world)
    const app = { redirect_uri: 'https://app.example/app/callback' }
    await codeOf(world, app)
    await get(world, await startOf(app))
    const answer = await world.request(pageOf(world), {
      method,
      headers: { ...HTML, ...headers },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    const opened = { ...HTML, 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }
    const page = await world.get(pageOf(world), { headers: opened })
    expect([page.status, typeof paramsOf(page)['code']]).toEqual([303, 'string'])
  })

  test('T-ST-28: leads to a request of the app that sets no cookie, and needs its token', async () => {
    const { world } = await nativeSite()
    await passwordSignIn(world)
    const token = await signIn(world)
    const listed = await asApp(world, token, 'sessions/list')
    expect([listed.status, listed.headers.getSetCookie()]).toEqual([200, []])
    // The cookie of a browser renews and ends nothing here.
    for (const path of ['native/renew', 'native/end']) {
      const answer = await world.request(`/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: '{}',
      })
      expect(answer.status).toBe(401)
    }
    expect((await world.session())?.user?.['name']).toBe('ada')
  })
})

test.each<[string, object, string]>([
  ['no address', { clients: [{ id: 'a', name: 'A', redirectUris: [] }] }, '`redirectUris`'],
  [
    'an address that does not fit',
    { clients: [{ id: 'a', name: 'A', redirectUris: ['http://localhost/x'] }] },
    'use 127.0.0.1',
  ],
  ['an age', { clients: CLIENTS, codeMaxAge: 1 }, '`native.codeMaxAge`'],
  ['a consent', { clients: CLIENTS, consent: 'never' }, '`native.consent`'],
  [
    'an end before that without use',
    { clients: CLIENTS, maxAge: 100, absoluteMaxAge: 99 },
    '`absoluteMaxAge` must be at least `maxAge`, which is 100, got 99',
  ],
])('a mistake in the options of apps stops the start: %s', (_, native, message) => {
  expect(() => tokens({ native: native as NativeOptions })).toThrow(message)
})

describe('processes that share a real store', () => {
  const stores = sharedStores('apps')
  beforeAll(stores.open)
  afterAll(stores.close)

  test.each(['PostgreSQL', 'Redis'] as const)(
    'TOK-16: issue one renewed token on %s',
    async (name) => {
      const created = {
        id: crypto.randomUUID(),
        name: 'Eve',
        email: `${name}@example.com`,
        emailVerified: null,
      }
      const user = await stores.adapter(name).createUser?.(created)
      const authorize = async () => user ?? null
      const credentials = {
        id: 'credentials',
        name: 'P',
        type: 'credentials' as const,
        credentials: {},
      }
      const sites = await Promise.all(
        [1, 2, 3, 4].map((seed) =>
          nativeSite({
            seed,
            config: { adapter: stores.adapter(name), providers: [{ ...credentials, authorize }] },
          }),
        ),
      )
      const worlds = sites.map(({ world }) => world)
      const [world] = worlds as [World]
      await passwordSignIn(world)
      const first = await signIn(world)
      for (const each of worlds) each.advance(DAY)
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, i) => renew(worlds[i % 4] as World, first)),
      )
      expect(new Set(all.map(({ access_token }) => access_token)).size).toBe(1)
      expect(await nameOf(world, all[0]?.access_token ?? '')).toBe('Eve')
    },
  )
})

test('TOK-17: the page about apps names the browser of the system, its keychain and reserved addresses', async () => {
  const page = await readFile('docs/how-to/sign-in-from-an-app.md', 'utf8')
  for (const advice of [
    'ASWebAuthenticationSession',
    'CustomTabsIntent',
    'Store the token in the keychain of the system',
    'Prefer an https address that the system reserves for your app',
    'Never use a web view',
  ])
    expect(page).toContain(advice)
})
