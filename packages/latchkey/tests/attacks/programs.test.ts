import { describe, expect, test } from 'vitest'
import { routes } from '../../src/core/routes.ts'
import type { Plugin } from '../../src/plugin/plugin.ts'
import { authJsRollback } from '../../src/plugins/auth-js-rollback/index.ts'
import { federatedLogout } from '../../src/plugins/federated-logout/index.ts'
import { providerTokens } from '../../src/plugins/provider-tokens/index.ts'
import { type SessionsOptions, sessions } from '../../src/plugins/sessions/index.ts'
import { type MadeKey, tokens } from '../../src/plugins/tokens/index.ts'
import { challengeOf } from '../../src/plugins/tokens/native/codes.ts'
import Passkey from '../../src/providers/passkey.ts'
import type { World } from '../../src/testing/world.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { CALLBACK, OPTIONS, type OptionsBody } from '../support/passkeys.ts'
import { abilitiesOf, apiOf, requestOf } from '../support/sessions-site.ts'
import { API, tokensApi } from '../support/tokens-site.ts'
import {
  approve,
  createSite,
  locationOf,
  ORIGIN,
  PASSWORD,
  passwordSignIn,
  strategies,
} from './support/site.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const REDIRECT = 'https://app.example/app/callback'
const DAY = 86_400
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

interface Setting {
  readonly strategy?: (typeof strategies)[number]
  readonly kept?: SessionsOptions
}

/** All plugins, and every way in. Ada is signed in with her password. */
async function siteWithAll({ strategy = 'database', kept }: Setting = {}) {
  const base = await createSite()
  const plugins = [
    sessions(kept),
    tokens({
      jwt: { audiences: { [API]: { scopes: ['read'] } } },
      native: { clients: [{ id: 'phone', name: 'Phone', redirectUris: [REDIRECT] }] },
      device: { clients: [{ id: 'cli', name: 'CLI' }] },
      apiKeys: { scopes: ['read'], actsAsSession: true },
    }),
    providerTokens(),
    federatedLogout(),
    authJsRollback(),
  ]
  const site = await createSite({
    strategy,
    adapter: base.adapter,
    config: {
      plugins,
      providers: [...(base.config.providers ?? []), Passkey()],
    },
  })
  await passwordSignIn(site.world)
  const token = await deviceToken(site.world)
  return { ...site, mails: base.mails, plugins: plugins as unknown as Plugin[], token }
}

const jsonOf = async <Body>(answer: Response): Promise<Body> => (await answer.json()) as Body

/** Ada lets a program in. @returns its token */
async function deviceToken(world: World): Promise<string> {
  const codes = await codesOf(world)
  await world.post('/auth/device/enter', { user_code: codes.user_code })
  await world.post('/auth/device/decide', { decision: 'allow' })
  return tokenFor(world, codes.device_code)
}

const codesOf = async (world: World) =>
  jsonOf<{ device_code: string; user_code: string }>(
    await world.otherBrowser().postWithoutCsrf('/auth/device/code', { client_id: 'cli' }),
  )

async function tokenFor(world: World, device_code: string): Promise<string> {
  const fields = { grant_type: GRANT, client_id: 'cli', device_code }
  const answer = await world.otherBrowser().postWithoutCsrf('/auth/device/token', fields)
  return (await jsonOf<{ access_token?: string }>(answer)).access_token ?? ''
}

async function keyOf(world: World): Promise<string> {
  const made = await world.request('/auth/api-keys/create', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ name: 'CI', scopes: ['read'] }),
  })
  return (await jsonOf<MadeKey>(made)).token
}

/** A program with a token and no cookies, or with those of a browser. */
function programOf(world: World, token: string, cookies?: string) {
  const authorization = `Bearer ${token}`
  return (path: string, fields?: Record<string, string>, type = 'application/json') =>
    world.otherBrowser().request(path, {
      headers: {
        authorization,
        ...(cookies !== undefined && { cookie: cookies }),
        ...(fields && { 'content-type': type }),
      },
      ...(fields && {
        method: 'POST',
        body:
          type === 'application/json'
            ? JSON.stringify(fields)
            : new URLSearchParams(fields).toString(),
      }),
    })
}

const cookiesOf = ({ jar }: World) => [...jar].map((pair) => pair.join('=')).join('; ')

/** Changes of the store that add somebody, or a way in. */
const ADDS = ['createUser', 'linkAccount', 'createAuthenticator', 'createSession', 'updateUser']

/** Kinds of records from which a session comes, or which let somebody in. */
const LETS_IN = ['session', 'bearer', 'native-code', 'api-key', 'pending-sign-in', 'app-consent']

async function letIn(world: World): Promise<number> {
  const { listRecords } = abilitiesOf(world)
  const pages = LETS_IN.map(async (kind) => listRecords?.({ kind, limit: 500 }))
  return (await Promise.all(pages)).reduce((sum, page) => sum + (page?.records.length ?? 0), 0)
}

/** Cookies that begin a session, or a sign-in. */
const BEGINS = /session-token|signin|sign-in|challenge|latchkey\.pending/i

/** Checks that an answer begins nothing, and that nothing was added. */
async function expectNothing(
  { world, writes }: Awaited<ReturnType<typeof siteWithAll>>,
  what: string,
  ask: () => Promise<Response>,
): Promise<Response> {
  const before = await letIn(world)
  writes.length = 0
  const answer = await ask()
  const set = answer.headers.getSetCookie().filter((each) => !/max-age=0/i.test(each))
  expect(
    set.filter((cookie) => BEGINS.test(cookie)),
    what,
  ).toEqual([])
  expect(
    writes.map(({ method }) => method).filter((each) => ADDS.includes(each)),
    what,
  ).toEqual([])
  expect(await letIn(world), what).toBeLessThanOrEqual(before)
  return answer
}

describe.each(strategies)('SEC-18: a token in a header, with %s sessions', (strategy) => {
  test.each(['token', 'key', 'wrong token'])(
    'SEC-18: begins and adds nothing in a core action (%s)',
    async (kind) => {
      const site = await siteWithAll({ strategy })
      const { world } = site
      const token = { token: site.token, key: await keyOf(world) }[kind] ?? `lkb_${'x'.repeat(65)}`
      const csrfToken = await world.csrfToken()
      const begun = await world.post('/auth/signin/acme')
      const asked = await world.get(`${OPTIONS}?action=register`)
      const { options } = await jsonOf<OptionsBody>(asked)
      await world.post('/auth/signin/email', { email: 'new@example.com' })
      const link = site.mails.at(-1)?.url ?? ''
      const data = JSON.stringify(createAuthenticator(ORIGIN).create(options))
      // Also with the cookies of a browser that has begun it all, and was signed in lately.
      for (const cookies of [cookiesOf(world), `${CSRF}=${world.jar.get(CSRF) ?? ''}`]) {
        const program = programOf(world, token, cookies)
        const actions: Readonly<Record<string, () => Promise<Response>>> = {
          'signin/acme': () => program('/auth/signin/acme', { csrfToken }, FORM),
          'signin/email': () =>
            program('/auth/signin/email', { csrfToken, email: 'ada@example.com' }, FORM),
          'callback/acme': () => program(approve(begun, 'carol')),
          'callback/email': () => program(link.slice(ORIGIN.length)),
          'callback/credentials': () =>
            program(
              '/auth/callback/credentials',
              { csrfToken, username: 'ada', password: PASSWORD },
              FORM,
            ),
          'webauthn-options for a new one': () => program(`${OPTIONS}?action=register`),
          'webauthn-options of a new user': () =>
            program(`${OPTIONS}?action=register&email=new@example.com`),
          'webauthn-options': () => program(`${OPTIONS}?action=authenticate`),
          'callback/passkey': () => program(CALLBACK, { action: 'register', data }, FORM),
        }
        for (const [name, act] of Object.entries(actions)) {
          const answer = await expectNothing(site, name, act)
          expect([name, answer.status, await answer.json()]).toMatchObject([
            name,
            403,
            { code: 'forbidden', error: 'AccessDenied' },
          ])
        }
        expect(await ownerOf(site, 'carol')).toBeNull()
      }
    },
  )

  test('SEC-18: creates no API key with the functions of the application', async () => {
    const { world, token } = await siteWithAll({ strategy })
    const request = new Request(`${ORIGIN}/`, { headers: { authorization: `Bearer ${token}` } })
    const { createKey, listKeys, replaceKey } = tokensApi(world)
    const { key } = await createKey(requestOf(world), { name: 'CI', scopes: ['read'] })
    const refusal = { code: 'forbidden' }
    await expect(createKey(request, { name: 'Mine' })).rejects.toMatchObject(refusal)
    await expect(replaceKey(request, key.id)).rejects.toMatchObject(refusal)
    expect(await listKeys(request)).toHaveLength(1)
    expect((await replaceKey(requestOf(world), key.id)).key.name).toBe('CI')
  })

  test('SEC-18: is refused by `signIn` of the application', async () => {
    const { world, token } = await siteWithAll({ strategy })
    const { createLatchkey } = await import('../../src/entries/index.ts')
    const latchkey = createLatchkey(world.config)
    const request = new Request(`${ORIGIN}/`, { headers: { authorization: `Bearer ${token}` } })
    const given = { username: 'ada', password: PASSWORD }
    await expect(latchkey.signIn(request, 'credentials', given)).rejects.toMatchObject({
      type: 'AccessDenied',
    })
    await expect(latchkey.signIn(request, 'acme')).rejects.toMatchObject({ type: 'AccessDenied' })
  })

  test('SEC-18: ends its own session, and sets no session cookie', async () => {
    const site = await siteWithAll({ strategy })
    const { world, token } = site
    const csrfToken = await world.csrfToken()
    const program = programOf(world, token, cookiesOf(world))
    const answer = await program('/auth/signout', { csrfToken }, FORM)
    expect(answer.headers.getSetCookie().join()).not.toContain('session-token')
    expect(await jsonOf(await program('/auth/session'))).toBeNull()
    expect((await world.session())?.user?.['name']).toBe('ada')
  })

  test('SEC-18: begins and adds nothing at any route of a plugin', async () => {
    const site = await siteWithAll({ strategy })
    const { world, plugins, token } = site
    const key = await keyOf(world)
    await world.get(await startOf())
    const { user_code } = await codesOf(world)
    const fields: Readonly<Record<string, Record<string, string>>> = {
      'device/enter': { user_code },
      'device/decide': { decision: 'allow' },
      'native/approve': { decision: 'allow' },
      'api-keys/create': { name: 'Mine' },
      'sessions/rename': { id: await sidOf(world), name: 'Mine' },
      'sessions/end': { id: await sidOf(world) },
    }
    const asked: string[] = []
    for (const { routes = {} } of plugins) {
      for (const [route, methods] of Object.entries(routes)) {
        for (const [method, { callers }] of Object.entries(methods)) {
          // Their requests have the authorization in themselves, and no session counts.
          if (callers === 'servers' || callers === 'protocol') continue
          const path = `/auth/${route.replace('*', 'acme')}`
          const query = route === 'native/start' ? (await startOf()).replace(/^[^?]*/, '') : ''
          asked.push(`${method} ${route}`)
          for (const [held, cookies] of [
            [token, cookiesOf(world)],
            [token, undefined],
            [key, cookiesOf(world)],
          ] as const) {
            const program = programOf(world, held, cookies)
            const body = method === 'POST' ? (fields[route] ?? {}) : undefined
            // A program that shows no page, and one that reads no JSON.
            await expectNothing(site, `${method} ${route}`, () => program(path + query, body))
            if (body) await expectNothing(site, `form ${route}`, () => program(path, body, FORM))
          }
        }
      }
    }
    expect(asked).toContain('POST provider-tokens/connect/*')
    expect(asked.length).toBeGreaterThan(20)
    // The person's own session is as it was, and no program ended it.
    expect((await world.session())?.user?.['name']).toBe('ada')
  })
})

const FORM = 'application/x-www-form-urlencoded'
const CSRF = '__Host-authjs.csrf-token'

const ownerOf = async (
  { adapter }: Pick<Awaited<ReturnType<typeof siteWithAll>>, 'adapter'>,
  providerAccountId: string,
) => (await adapter.getUserByAccount?.({ provider: 'acme', providerAccountId })) ?? null

const sidOf = async (world: World) => (await apiOf(world).current(requestOf(world)))?.id ?? ''

async function startOf(more: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    client_id: 'phone',
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: await challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    state: 'the state',
    ...more,
  })
  return `/auth/native/start?${query}`
}

describe.each(strategies)('SEC-19: the rights of a program, with %s sessions', (strategy) => {
  test('SEC-19: do not include the freshness of the user who let it in', async () => {
    const { world, token } = await siteWithAll({ strategy })
    const request = new Request(`${ORIGIN}/`, { headers: { authorization: `Bearer ${token}` } })
    expect(await apiOf(world).isFresh(requestOf(world))).toBe(true)
    expect(await apiOf(world).isFresh(request)).toBe(false)
    expect(await apiOf(world).isFresh(request, 365 * DAY)).toBe(false)
  })

  test.each<[path: string, fields: Record<string, string>]>([
    ['api-keys/create', { name: 'Mine' }],
    ['device/enter', { user_code: 'the code' }],
    ['sessions/end-others', {}],
    ['sessions/end-all', {}],
    ['provider-tokens/disconnect', { provider: 'acme' }],
  ])('SEC-19: do not include %s', async (path, fields) => {
    const { world, token } = await siteWithAll({ strategy })
    const { user_code } = await codesOf(world)
    const sent = 'user_code' in fields ? { user_code } : fields
    const answer = await programOf(world, token)(`/auth/${path}`, sent)
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required' },
    ])
    expect((await world.session())?.user?.['name']).toBe('ada')
    expect(await apiOf(world).list({ userId: 'ada' })).toHaveLength(2)
  })

  test('SEC-19: include ending its own session, and no other one', async () => {
    const { world, token } = await siteWithAll({ strategy })
    const program = programOf(world, token)
    const other = await program('/auth/sessions/end', { id: await sidOf(world) })
    expect([other.status, await other.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required' },
    ])
    expect((await program('/auth/sessions/end', { id: token.slice(4, 26) })).status).toBe(200)
    expect(await jsonOf(await program('/auth/session'))).toBeNull()
  })

  test('SEC-19: do not include letting in an app', async () => {
    const { world, token } = await siteWithAll({ strategy })
    const browser = world.otherBrowser()
    const began = await browser.get(await startOf())
    const flow = new URL(locationOf(began), ORIGIN).searchParams
    const page = new URL(flow.get('callbackUrl') ?? '', ORIGIN)
    const program = programOf(world, token, cookiesOf(browser))
    const asked = await program(page.pathname + page.search)
    expect([asked.status, await asked.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required' },
    ])
    const fields = { decision: 'allow', flow: page.searchParams.get('flow') ?? '' }
    const answer = await program('/auth/native/approve', fields)
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'reauthentication_required' },
    ])
  })

  test('SEC-19: end with the session that approved it at the latest', async () => {
    const kept = { absoluteMaxAge: 40 * DAY }
    const { world, token } = await siteWithAll({ strategy, kept })
    const end = world.now() + 40 * DAY * 1000
    const program = programOf(world, token)
    world.advance(20 * DAY)
    expect(await jsonOf(await program('/auth/session'))).not.toBeNull()
    world.advance(19 * DAY)
    expect(await jsonOf(await program('/auth/session'))).not.toBeNull()
    expect(world.now()).toBeLessThan(end)
    world.advance(DAY)
    expect(await jsonOf(await program('/auth/session'))).toBeNull()
  })

  test('SEC-19: end with a session that is about to end when it lets in a device', async () => {
    const kept = { absoluteMaxAge: 300 }
    const { world } = await siteWithAll({ strategy, kept })
    world.advance(290)
    const token = await deviceToken(world)
    const program = programOf(world, token)
    expect(await jsonOf(await program('/auth/session'))).not.toBeNull()
    world.advance(11)
    expect(await jsonOf(await program('/auth/session'))).toBeNull()
  })

  test('SEC-19: do not begin if the approval is older than the session that gave it', async () => {
    const { world } = await siteWithAll({ strategy, kept: { absoluteMaxAge: 300 } })
    world.advance(290)
    const { user_code, device_code } = await codesOf(world)
    await world.post('/auth/device/enter', { user_code })
    await world.post('/auth/device/decide', { decision: 'allow' })
    world.advance(10)
    expect(await tokenFor(world, device_code)).toBe('')
  })

  test('SEC-19: need a fresh proof for an app, as for the code of a device', async () => {
    const { world } = await siteWithAll({ strategy })
    world.advance(601)
    const began = await world.get(await startOf(), { headers: { accept: 'text/html' } })
    const page = locationOf(began)
    const asked = await world.get(page, { headers: { accept: 'text/html' } })
    const back = new URL(locationOf(asked), ORIGIN)
    expect([asked.status, back.pathname]).toEqual([303, '/auth/signin'])
    expect(back.searchParams.get('callbackUrl')).toBe(page)
    const flow = new URL(page, ORIGIN).searchParams.get('flow') ?? ''
    const decided = await world.post('/auth/native/approve', { decision: 'allow', flow })
    expect(locationOf(decided)).toBe(locationOf(asked))
    await passwordSignIn(world)
    const agreed = await world.post('/auth/native/approve', { decision: 'allow', flow })
    expect(locationOf(agreed)).toContain(`${REDIRECT}?code=`)
  })
})

test('SEC-25: a page that another site opens does not replace a pending sign-in of the browser', async () => {
  const { world, plugins } = await siteWithAll()
  await world.post('/auth/signin/acme')
  await world.get(`${OPTIONS}?action=register`)
  await world.get(await startOf())
  await world.post('/auth/signin/email', { email: 'new@example.com' })
  const waiting = new Map(world.jar)
  // The target of the newest sign-in is also kept with each sign-in.
  waiting.delete('__Secure-authjs.callback-url')
  const ofPlugins = plugins.flatMap(({ routes = {} }) =>
    Object.entries(routes).flatMap(([route, { GET }]) => (GET ? [route.replace('*', 'acme')] : [])),
  )
  const ofCore = Object.entries(routes).flatMap(([action, { GET }]) => (GET ? [action] : []))
  const start = (await startOf()).replace('/auth/', '')
  const paths = [
    ...ofCore,
    ...ofPlugins,
    start,
    'callback/acme',
    'webauthn-options/passkey?action=register',
  ]
  for (const path of paths) {
    await world.get(`/auth/${path}`, {
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
      },
    })
    // A failed callback clears what Auth.js would have to check: it then refuses, and takes nothing else for it.
    for (const [name, value] of waiting)
      expect([value, undefined], `${path} ${name}`).toContain(world.jar.get(name))
  }
  expect(paths).toContain('native/start')
})
