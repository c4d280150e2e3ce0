import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { CredentialsSignin } from '../../src/errors.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
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
      test(`has no secret of anybody, ${own ? 'through a logger that writes all it is given' : 'on the console'} (${strategy})`, async () => {
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
    test(`has nothing of a provider's malformed answers ${own ? 'in the errors' : 'on the console'}`, async () => {
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

test('T-AUD-1: a password sent as JSON that is none is not quoted', async () => {
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
  expect(text()).toMatch(/not JSON/)
  expect(text()).not.toMatch(/hunter2/)
})

describe('T-AUD-3: forging lines of the log', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const FORGED =
    'x\r\n[latchkey][error] forged\n    at forged (file:1:1)\u001b[2J\u009b31m\u2028\u0085\0'

  test('with what a visitor or a provider sends, which ends up in an error', async () => {
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
