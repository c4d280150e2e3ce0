import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { CredentialsSignin } from '../../src/base/errors.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { CALLBACK, optionsOf, passkeySite } from '../support/passkeys.ts'
import { wrapped } from '../support/recording.ts'
import {
  approve,
  askForLink,
  createSite,
  idToken,
  jsonPost,
  locationOf,
  PASSWORD,
  passwordSignIn,
  providerSignIn,
  SECRET,
  SESSION_COOKIE,
  type Site,
  strategies,
} from './support/site.ts'

/** Stands in everything that a visitor or a provider can put somewhere. */
const CANARY = 'cAnArY-7Zq2Xv9Lm4Tn8'

/** What the console is told, and what an application's own logger can find in what it is given. */
function listen(): { text: () => string; logger: NonNullable<AuthConfig['logger']> } {
  const lines: string[] = []
  const note = (...args: unknown[]): void => {
    for (const arg of args) {
      lines.push(typeof arg === 'string' ? arg : inspect(arg, { depth: 12, breakLength: Infinity }))
    }
  }
  for (const level of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation(note)
  }
  return { text: () => lines.join('\n'), logger: { error: note, warn: note, debug: note } }
}

/** Goes every way, and every way wrong, with a canary in each thing that is secret. @returns the secrets */
async function walk(site: Site, failing: { now: boolean }): Promise<Set<string>> {
  const secrets = new Set([CANARY, SECRET, PASSWORD, 'client secret', 'access-carol', 'refresh-'])
  const remember = (values: Iterable<string | null>): void => {
    for (const value of values) {
      if (value === null || value.length < 12 || /^https?:/.test(value)) continue
      secrets.add(value)
      secrets.add(decodeURIComponent(value))
      for (const part of decodeURIComponent(value).split('|')) secrets.add(part)
    }
  }
  const { origin } = site.world
  const visit = (): Site['world'] => site.world.otherBrowser()
  const keep = (world: Site['world']): void => {
    for (const [name, value] of world.jar) if (!name.includes('callback-url')) remember([value])
  }
  const query = `?${new URLSearchParams({ code: CANARY, state: CANARY, token: CANARY, x: CANARY })}`

  for (const provider of ['acme', 'corp']) {
    const world = visit()
    const begun = await world.post(`/auth/signin/${provider}${query}`)
    const asked = new URL(locationOf(begun)).searchParams
    remember(['state', 'nonce', 'code_challenge'].map((name) => asked.get(name)))
    keep(world)
    await world.get(approve(begun, 'carol'))
    keep(world)
    await world.session()
    await world.get(`/auth/callback/${provider}${query}`)
    await world.get(approve(begun, 'carol'))
    for (const change of ['state', 'code', 'iss', 'error_description', 'response']) {
      const again = visit()
      const path = new URL(approve(await again.post(`/auth/signin/${provider}`), 'carol'), origin)
      keep(again)
      path.searchParams.set(change, CANARY)
      await again.get(path.href)
    }
    const other = visit()
    const [code] = approve(await visit().post(`/auth/signin/${provider}`), 'carol').split('&')
    const own = new URL(approve(await other.post(`/auth/signin/${provider}`), 'carol'), origin)
    keep(other)
    await other.get(`${code}&state=${encodeURIComponent(own.searchParams.get('state') ?? '')}`)
  }
  for (const strategy of [passwordSignIn(site.world), passwordSignIn(site.world, 'nobody')]) {
    await strategy
    keep(site.world)
  }
  await passwordSignIn(visit(), 'ada', { password: CANARY, otp: CANARY, username: 'ada' })
  await site.world.get('/auth/session')
  await jsonPost(site.world, '/auth/session', { data: { password: CANARY } })
  const mailed = visit()
  const link = await askForLink({ ...site, world: mailed }, 'new@example.com')
  remember(new URL(link, origin).searchParams.values())
  secrets.delete('new@example.com')
  keep(mailed)
  await mailed.get(link)
  await mailed.get(link)
  await mailed.post(`/auth/callback/email${query}&email=ada@example.com`)
  await mailed.post('/auth/signout')

  for (const path of [
    'session',
    'csrf',
    'signin',
    'signout',
    'error',
    'unknown',
    'callback/acme',
  ]) {
    const headers = {
      cookie: `${SESSION_COOKIE}=${CANARY}; __Secure-authjs.state=${CANARY}; x=${CANARY}`,
      authorization: `Bearer ${CANARY}`,
    }
    await visit().request(`/auth/${path}${query}`, { headers })
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      for (const body of [
        `{"password":"${CANARY}`,
        `{"csrfToken":"${CANARY}"}`,
        `csrfToken=${CANARY}`,
      ]) {
        await visit().request(`/auth/${path}${query}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': type },
          body,
        })
      }
    }
  }
  failing.now = true
  const reader = visit()
  for (const [name, value] of site.world.jar) reader.jar.set(name, value)
  await reader.get('/auth/session')
  await passwordSignIn(visit())
  await providerSignIn(visit(), 'acme', 'carol')
  await visit().post('/auth/signin/email', { email: 'ada@example.com' })
  await reader.post('/auth/signout')
  return secrets
}

describe('T-AUD-1: the log at debug level', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  for (const strategy of strategies) {
    for (const own of [false, true]) {
      test(`has no secret, ${own ? 'through a logger that writes all arguments' : 'on the console'} (${strategy})`, async () => {
        const { text, logger } = listen()
        const failing = { now: false }
        const inner = memoryAdapter()
        const adapter = Object.fromEntries(
          Object.entries(inner).map(([name, run]) => [
            name,
            (...args: never[]) => {
              if (failing.now) throw new Error('the store is gone')
              return (run as (...args: never[]) => unknown)(...args)
            },
          ]),
        )
        const site = await createSite({
          strategy,
          adapter,
          config: { debug: true, logger: own ? logger : undefined },
          answer: (url) =>
            url.href === 'https://acme.example/token'
              ? Response.json({
                  access_token: 'access-carol',
                  refresh_token: 'refresh-token-of-carol',
                  id_token: `id.${CANARY}.token`,
                  session_state: `state-${CANARY}`,
                  token_type: 'bearer',
                })
              : undefined,
        })
        const secrets = await walk(site, failing)
        expect(text().length).toBeGreaterThan(10_000)
        expect(secrets.size).toBeGreaterThan(40)
        const found = [...secrets].filter((secret) => text().includes(secret))
        const lines = text()
          .split('\n')
          .filter((line) => found.some((secret) => line.includes(secret)))
        expect(lines.map((line) => line.slice(0, 600))).toEqual([])
      })
    }
  }

  for (const own of [false, true]) {
    test(`has no text of malformed responses ${own ? 'in the errors' : 'on the console'}`, async () => {
      const { text, logger } = listen()
      const token = await idToken('carol', { nonce: CANARY, aud: CANARY })
      const bodies: readonly BodyInit[] = [
        `access_token=${CANARY}&token_type=bearer`,
        CANARY,
        `{"access_token":"${CANARY}"`,
        JSON.stringify({ access_token: CANARY }),
        JSON.stringify({ access_token: { inner: CANARY }, token_type: 'bearer' }),
        JSON.stringify({ access_token: 'x', token_type: 'bearer', refresh_token: [CANARY] }),
        JSON.stringify({ access_token: 'x', token_type: 'bearer', scope: [CANARY] }),
        JSON.stringify({ access_token: 'x', token_type: CANARY }),
        JSON.stringify({ access_token: 'x', token_type: 'bearer', id_token: CANARY }),
        JSON.stringify({ access_token: 'x', token_type: 'bearer', id_token: token }),
        JSON.stringify({ access_token: CANARY, token_type: 'bearer', id_token: token }),
        JSON.stringify([CANARY]),
      ]
      for (const body of bodies) {
        for (const status of [200, 400, 401, 500]) {
          const site = await createSite({
            config: { debug: true, logger: own ? logger : undefined },
            answer: (url) =>
              url.pathname === '/token'
                ? new Response(body, {
                    status,
                    headers: {
                      'content-type': 'application/json',
                      'www-authenticate': `Bearer realm="${CANARY}"`,
                    },
                  })
                : undefined,
          })
          for (const provider of ['acme', 'corp']) {
            await providerSignIn(site.world, provider)
          }
        }
      }
      const lines = text()
        .split('\n')
        .filter((line) => line.includes(CANARY) || line.includes(token.slice(-40)))
      expect(lines.map((line) => line.slice(0, 600))).toEqual([])
    })
  }
})

// ── each member of each thing, one at a time ───────────────────────────────────────────────────

/** Everything that the application's logger is told, and everything that the visitor is shown. */
async function hear(
  walk: (logger: NonNullable<AuthConfig['logger']>) => Promise<readonly Response[]>,
): Promise<{ log: string; shown: string }> {
  const { text, logger } = listen()
  try {
    const answers = await walk(logger)
    const shown = await Promise.all(
      answers.map(async (answer) => `${locationOf(answer)} ${await answer.text()}`),
    )
    return { log: text(), shown: shown.join('\n') }
  } finally {
    vi.restoreAllMocks()
  }
}

describe('T-AUD-1: a canary in one member', () => {
  const issuer = 'https://corp.example'
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/user`,
    jwks_uri: `${issuer}/keys`,
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const tokens = { access_token: 'x', token_type: 'bearer', expires_in: 60 }
  const userinfo = { sub: 'carol', name: 'Carol', email: 'carol@example.com' }
  const claims = { iss: issuer, aud: 'client', sub: 'carol', exp: 0, iat: 0, nonce: '', azp: '' }

  /** A site whose provider puts a canary into one member of one of its answers. */
  async function signInWith(
    where: string,
    member: string,
    logger: NonNullable<AuthConfig['logger']>,
  ): Promise<Response[]> {
    const put = (name: string, body: object): object =>
      name === where ? { ...body, [member]: CANARY } : body
    const site = await createSite({
      config: {
        debug: true,
        logger,
        providers: [
          {
            id: 'corp',
            name: 'Corp',
            type: 'oidc',
            issuer,
            clientId: 'client',
            clientSecret: 'client secret',
            checks: ['pkce', 'state', 'nonce'],
            idToken: false,
          },
        ],
      },
      answer: async ({ pathname }, init) => {
        if (pathname.startsWith('/.well-known')) return Response.json(put('metadata', metadata))
        if (pathname === '/user') return Response.json(put('userinfo', userinfo))
        if (pathname === '/keys' && where === 'keys') {
          return Response.json({ keys: [{ kty: 'RSA', kid: 'one', [member]: CANARY }] })
        }
        if (pathname !== '/token') return undefined as never
        if (where === 'error') {
          return Response.json({ error: 'invalid_grant', [member]: CANARY }, { status: 400 })
        }
        const code = new URLSearchParams(await new Response(init.body).text()).get('code') ?? ''
        const nonce = code.split('.')[1]
        const idTokenOf = where === 'claims' ? { nonce, [member]: CANARY } : { nonce }
        const whole = { ...tokens, id_token: await idToken('carol', idTokenOf) }
        return Response.json(put('tokens', whole))
      },
    })
    const begun = await site.world.post('/auth/signin/corp')
    if (!locationOf(begun).startsWith(`${issuer}/authorize?`)) return [begun]
    return [await site.world.get(approve(begun, 'carol')), await site.world.get('/auth/session')]
  }

  const members: readonly (readonly [where: string, member: string])[] = [
    // Another issuer than the configured one is named, so that an operator can tell them apart.
    ...Object.keys(metadata)
      .filter((name) => name !== 'issuer')
      .map((name) => ['metadata', name] as const),
    ...[...Object.keys(tokens), 'id_token', 'refresh_token', 'x'].map(
      (name) => ['tokens', name] as const,
    ),
    ...['sub', 'x', 'phone_number'].map((name) => ['userinfo', name] as const),
    ...[...Object.keys(claims), 'at_hash', 'c_hash', 'acr', 'x'].map(
      (name) => ['claims', name] as const,
    ),
    ...['n', 'e', 'kty', 'x5c', 'd', 'x'].map((name) => ['keys', name] as const),
    ...['x', 'access_token', 'code', 'refresh_token'].map((name) => ['error', name] as const),
  ]

  test.for(members)(
    "of a provider's %s, `%s`, is neither logged nor shown",
    async ([where, member]) => {
      const { log, shown } = await hear((logger) => signInWith(where, member, logger))
      expect(log).not.toBe('')
      expect([log.includes(CANARY), shown.includes(CANARY)]).toEqual([false, false])
    },
  )

  const answer = { id: CANARY, rawId: CANARY, type: 'public-key', response: {} }
  const base64url = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  const passkeyAnswers: Readonly<Record<string, unknown>> = {
    'no response': { ...answer, response: undefined },
    'an empty response': answer,
    ...Object.fromEntries(
      ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'attestationObject'].map(
        (name) => [name, { ...answer, response: { [name]: CANARY } }],
      ),
    ),
    'client data': { ...answer, response: { clientDataJSON: base64url({ x: CANARY }) } },
    'a challenge': {
      ...answer,
      response: {
        clientDataJSON: base64url({ type: 'webauthn.get', challenge: CANARY, origin: CANARY }),
      },
    },
    'no object': CANARY,
    'no JSON': undefined,
  }

  test.for(Object.entries(passkeyAnswers))(
    'of a response of an authenticator, %s, is neither logged nor shown',
    async ([, data]) => {
      const { log, shown } = await hear(async (logger) => {
        const { world } = passkeySite({ debug: true, logger })
        const answers: Response[] = []
        for (const action of ['authenticate', 'register', CANARY]) {
          const asked = { action: 'register', email: 'eve@example.com' }
          const { options } = await optionsOf(world, asked)
          expect(options.challenge).toBeDefined()
          const text = data === undefined ? `{${CANARY}` : JSON.stringify(data)
          answers.push(await world.postWithoutCsrf(CALLBACK, { action, data: text, x: CANARY }))
        }
        return answers
      })
      expect(log).not.toBe('')
      expect([log.includes(CANARY), shown.includes(CANARY)]).toEqual([false, false])
    },
  )

  test.for(strategies)(
    'of stored rows is neither logged nor shown, with %s sessions',
    async (strategy) => {
      const { log, shown } = await hear(async (logger) => {
        const adapter = wrapped(memoryAdapter(), (_, run) => async (...args) => {
          const found = await run(...args)
          return typeof found === 'object' && found !== null
            ? { ...found, passwordHash: CANARY, access_token: CANARY, note: CANARY }
            : found
        })
        const site = await createSite({ strategy, adapter, config: { debug: true, logger } })
        const { world } = site
        return [
          await providerSignIn(world, 'acme'),
          await world.get('/auth/session'),
          await world.post('/auth/session', { data: '{}' }),
          await providerSignIn(world.otherBrowser(), 'acme'),
          await passwordSignIn(world.otherBrowser()),
          await world.get(await askForLink(site)),
          await world.get('/auth/signin'),
          await world.get('/auth/signout'),
          await world.post('/auth/signout'),
        ]
      })
      expect(log).not.toBe('')
      expect([log.includes(CANARY), shown.includes(CANARY)]).toEqual([false, false])
    },
  )

  const fields = ['email', 'password', 'code', 'token', 'csrfToken', 'callbackUrl', 'data', 'x']
  test.for(fields)('of forms and queries, `%s`, is neither logged nor shown', async (field) => {
    const { log, shown } = await hear(async (logger) => {
      const { world } = await createSite({ config: { debug: true, logger } })
      const answers: Response[] = []
      const paths = [
        'signin/email',
        'signin/acme',
        'callback/email',
        'callback/credentials',
        'signout',
      ]
      for (const path of [...paths, 'session']) {
        answers.push(await world.otherBrowser().post(`/auth/${path}`, { [field]: CANARY }))
        answers.push(await world.otherBrowser().post(`/auth/${path}?${field}=${CANARY}`))
      }
      for (const path of [
        'callback/acme',
        'callback/email',
        'session',
        'csrf',
        'error',
        'signout',
      ]) {
        answers.push(await world.otherBrowser().get(`/auth/${path}?${field}=${CANARY}`))
      }
      return answers
    })
    // Parameters of a sign-in that are not ours are for the provider, and a target is gone to.
    const isMeantFor = /https:\/\/(?:acme|corp)\.example\/authorize\S*|https:\/\/app\.example\/\S*/g
    expect(log.includes(CANARY)).toBe(false)
    expect(shown.replaceAll(isMeantFor, '')).not.toContain(CANARY)
  })
})

test('T-AUD-1: a password in a malformed JSON body is not quoted', async () => {
  const { text, logger } = listen()
  const { world } = await createSite({ config: { logger } })
  for (const body of [
    'hunter2',
    'pass=hunter2',
    '{"password":hunter2}',
    '"hunter2',
    '{hunter2:1}',
  ]) {
    const answer = await world.request('/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(400)
  }
  vi.restoreAllMocks()
  expect(text()).toMatch(/not valid JSON/)
  expect(text()).not.toMatch(/hunter2/)
})

describe('T-AUD-3: no line of the log can be forged', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const FORGED =
    'x\r\n[latchkey][error] forged\n    at forged (file:1:1)\u001b[2J\u009b31m\u2028\u0085\0'

  test('with text of a visitor or a provider, which ends up in an error', async () => {
    const { text } = listen()
    let how = 'message'
    const fail = (): never => {
      if (how === 'message') throw new Error(`no such user: ${FORGED}`)
      if (how === 'text') throw FORGED
      if (how === 'name') throw Object.assign(new Error('x'), { name: FORGED })
      if (how === 'ours') throw new CredentialsSignin(FORGED)
      if (how === 'cause') throw new CredentialsSignin('x', { cause: { note: FORGED } })
      throw new Error('x', { cause: new Error(FORGED) })
    }
    for (how of ['message', 'text', 'name', 'ours', 'cause', 'inner']) {
      const site = await createSite({
        config: {
          debug: true,
          logger: undefined,
          providers: [
            {
              id: 'credentials',
              name: 'Password',
              type: 'credentials',
              credentials: {},
              authorize: fail,
            },
            {
              id: 'email',
              name: 'Email',
              type: 'email',
              sendVerificationRequest: fail,
            },
          ],
          events: { session: fail, signOut: fail },
          callbacks: { redirect: ({ url }) => (url.endsWith('/fail') ? fail() : url) },
        },
      })
      await passwordSignIn(site.world)
      await askForLink(site).catch(() => '')
      await site.world.post('/auth/signout', { callbackUrl: '/fail' })
      await site.world.post('/auth/signout')
    }
    const answers = await createSite({
      config: { debug: true, logger: undefined },
      answer: (url) => {
        if (url.pathname === '/token')
          return Response.json({ error: FORGED, error_description: FORGED }, { status: 400 })
        return new Response(FORGED)
      },
    })
    await providerSignIn(answers.world, 'acme')
    for (const name of ['error', 'error_description', 'error_uri', 'iss', 'state', 'code']) {
      const path = new URL(
        approve(await answers.world.post('/auth/signin/acme'), 'carol'),
        answers.world.origin,
      )
      path.searchParams.set(name, FORGED)
      await answers.world.get(path.href)
    }
    await answers.world.get(`/auth/${encodeURIComponent(FORGED)}`)
    await answers.world.get(`/auth/callback/${encodeURIComponent(FORGED)}`)
    await answers.world.post('/auth/signin/email', { email: `${FORGED}@example.com` })

    expect(text()).toMatch(/forged/)
    const lines = text().split('\n')
    expect(lines.filter((line) => line.startsWith('[latchkey][error] forged'))).toEqual([])
    expect(lines.filter((line) => /^\s*at forged/.test(line))).toEqual([])
    // biome-ignore lint: the control characters are the point
    const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/
    expect(lines.filter((line) => controls.test(line))).toEqual([])
  })
})

describe('T-AUD-1: a long request', () => {
  const long = 'zy'.repeat(1000)

  for (const own of [false, true]) {
    test(`fills no more than 200 characters of the log, ${own ? 'through a logger of the application' : 'on the console'}`, async () => {
      const { text, logger } = listen()
      const site = await createSite({ config: { debug: true, logger: own ? logger : undefined } })
      const { world } = site
      const names = ['error', 'error_description', 'code', 'state', 'iss', 'token', 'email', long]
      const actions = ['session', 'csrf', 'providers', 'signin', 'signout', 'error', 'callback']
      const targets = [...actions, 'verify-request', 'webauthn-options', 'x'].flatMap((action) => [
        `/auth/${action}`,
        `/auth/${action}/acme`,
        `/auth/${action}/corp`,
        `/auth/${action}/email`,
        `/auth/${action}/${long}`,
        `/auth/${action}/acme/${long}`,
      ])
      for (const target of [
        ...targets,
        `/${long}`,
        `/auth/${long}`,
        `/auth/${'zy/'.repeat(700)}`,
      ]) {
        await world.request(target, { method: `ZY${long}` })
        await world.get(target)
        for (const name of names)
          await world.get(`${target}?${new URLSearchParams({ [name]: long })}`)
        await world.post(target, { callbackUrl: long, email: long, username: long, [long]: long })
        await jsonPost(world, target, { callbackUrl: long, data: { name: long } })
        await world.request(target, {
          headers: { origin: `https://${long}`, 'sec-fetch-site': 'same-origin' },
        })
      }
      for (const provider of ['acme', 'corp']) {
        for (const name of ['error', 'error_description', 'iss', 'response', 'state', 'id_token']) {
          const other = world.otherBrowser()
          const url = new URL(
            approve(await other.post(`/auth/signin/${provider}`), 'carol'),
            world.origin,
          )
          if (name === 'error_description') url.searchParams.set('error', 'access_denied')
          url.searchParams.set(name, long)
          await other.get(url.href)
        }
      }
      expect(text().length).toBeGreaterThan(10_000)
      const lines = text().split('\n')
      expect(
        lines.filter((line) => /(?:zy\/?){101}/i.test(line)).map((line) => line.slice(0, 300)),
      ).toEqual([])
    })
  }
})
