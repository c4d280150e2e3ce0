import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import * as errors from '../../src/base/errors.ts'
import type { World } from '../../src/entries/testing.ts'
import { atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { raw } from '../../src/options/markers.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import Passkey from '../../src/providers/passkey.ts'
import {
  acme,
  approve,
  createSite,
  errorOf,
  locationOf,
  passwordSignIn,
  providerSignIn,
  SESSION_COOKIE,
  type Site,
  type SiteOptions,
} from '../attacks/support/site.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { optionsOf, register } from '../support/passkeys.ts'

const { isAuthError, isClientError, publicErrorCode } = errors

type Thrown = InstanceType<typeof errors.AuthError>

const out = (): never => {
  throw new Error('out of order')
}

const inRaw = (config: AuthConfig): AuthConfig => ({ ...config, raw })

/** A request that a browser would send, with its cookies. */
function ask(world: World, path: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers)
  headers.set('cookie', [...world.jar].map(([name, value]) => `${name}=${value}`).join('; '))
  return new Request(new URL(path, world.origin), { ...init, headers })
}

async function form(
  world: World,
  path: string,
  fields: Record<string, string> = {},
): Promise<Request> {
  const body = new URLSearchParams({ csrfToken: await world.csrfToken(), ...fields })
  return ask(world, path, { method: 'POST', body })
}

async function returning(world: World, provider: string, subject = 'carol'): Promise<Request> {
  return ask(world, approve(await world.post(`/auth/signin/${provider}`), subject))
}

interface Way {
  readonly site?: SiteOptions
  /** What leads to the request that fails. */
  readonly provoke: (site: Site) => Promise<Request>
  /** Where the browser ends up. */
  readonly at: string
}

const passkeys: SiteOptions = {
  config: { providers: [Passkey(), acme()] },
}

/** An answer of a new passkey, signed for what the browser was told, and changed. */
async function newPasskey(world: World, mutation: object = {}): Promise<Request> {
  const asked = { action: 'register', email: 'eve@example.com' }
  const { options } = await optionsOf(world, asked)
  const data = createAuthenticator(world.origin).create(options, mutation)
  return form(world, '/auth/callback/passkey', { action: 'register', data: JSON.stringify(data) })
}

/** Errors that end a request: each with a way to meet it. */
const ending: Readonly<Record<string, Way>> = {
  AccessDenied: {
    site: { config: { callbacks: { signIn: () => false } } },
    provoke: ({ world }) => form(world, '/auth/callback/credentials', credentials),
    at: '/auth/error?error=AccessDenied',
  },
  AccountNotLinked: {
    site: passkeys,
    async provoke({ world }) {
      const request = await newPasskey(world)
      await register(world.otherBrowser(), createAuthenticator(world.origin), 'eve@example.com')
      return request
    },
    at: '/auth/signin?error=AccountNotLinked',
  },
  SessionLimit: {
    site: {
      config: { plugins: [sessions({ limit: 1, atLimit: 'refuse', device: false })] },
    },
    async provoke({ world }) {
      await passwordSignIn(world.otherBrowser())
      return form(world, '/auth/callback/credentials', credentials)
    },
    at: '/auth/signin?error=SessionLimit',
  },
  ReauthenticationRequired: {
    site: { config: { plugins: [sessions({ device: false })] } },
    async provoke({ world }) {
      await passwordSignIn(world)
      world.advance(601)
      return form(world, '/auth/signin/acme', {})
    },
    at: '/auth/signin?error=ReauthenticationRequired',
  },
  AdapterError: {
    // Without its abilities: the sites of one test draw the same values, which count once in a store.
    site: { adapter: { ...memoryAdapter(), [atomic]: {}, getUserByAccount: out } },
    provoke: ({ world }) => returning(world, 'acme'),
    at: '/auth/error?error=Configuration',
  },
  AuthError: {
    site: passkeys,
    provoke: ({ world }) =>
      form(world, '/auth/callback/passkey', { action: 'neither', data: '{}' }),
    at: '/auth/error?error=Configuration',
  },
  CallbackRouteError: {
    site: { answer: ({ pathname }) => (pathname === '/token' ? new Response('{}') : undefined) },
    provoke: ({ world }) => returning(world, 'acme'),
    at: '/auth/error?error=Configuration',
  },
  CredentialsSignin: {
    provoke: ({ world }) => form(world, '/auth/callback/credentials', { username: 'nobody' }),
    at: '/auth/signin?error=CredentialsSignin&code=credentials',
  },
  EmailSignInError: {
    provoke: ({ world }) => form(world, '/auth/signin/email', { email: 'no address' }),
    at: '/auth/signin?error=EmailSignin',
  },
  InvalidCheck: {
    provoke: async ({ world }) => ask(world, '/auth/callback/acme?code=x&state=x'),
    at: '/auth/error?error=Configuration&code=expired',
  },
  InvalidProvider: {
    provoke: async ({ world }) => ask(world, '/auth/callback/credentials'),
    at: '/auth/error?error=Configuration',
  },
  MissingCSRF: {
    provoke: async ({ world }) =>
      ask(world, '/auth/signin/acme', { method: 'POST', body: new URLSearchParams() }),
    at: '/auth/signin?error=MissingCSRF',
  },
  OAuthAccountNotLinked: {
    async provoke({ world }) {
      await providerSignIn(world, 'acme')
      const other = world.otherBrowser()
      await passwordSignIn(other)
      return returning(other, 'acme')
    },
    at: '/auth/signin?error=OAuthAccountNotLinked',
  },
  OAuthCallbackError: {
    async provoke({ world }) {
      const { url } = await returning(world, 'acme')
      return ask(world, url.replace(/code=[^&]*/, 'error=access_denied'))
    },
    at: '/auth/signin?error=OAuthCallbackError&code=access_denied&provider=acme',
  },
  OAuthProfileParseError: {
    site: { config: { providers: [acme({ profile: out })] } },
    provoke: ({ world }) => returning(world, 'acme'),
    at: '/auth/signin?error=OAuthCallbackError',
  },
  OAuthSignInError: {
    site: {
      config: {
        providers: [
          { id: 'op', name: 'Op', type: 'oidc', issuer: 'https://op.example', clientId: 'client' },
        ],
      },
      answer: () => new Response('gone', { status: 503 }),
    },
    provoke: ({ world }) => form(world, '/auth/signin/op'),
    at: '/auth/signin?error=OAuthSignin',
  },
  UnknownAction: {
    provoke: ({ world }) => form(world, '/auth/csrf'),
    at: '/auth/error?error=Configuration',
  },
  Verification: {
    provoke: ({ world }) => form(world, '/auth/callback/email?token=old&email=ada%40example.com'),
    at: '/auth/error?error=Verification',
  },
  WebAuthnVerificationError: {
    site: passkeys,
    provoke: ({ world }) => newPasskey(world, { origin: 'https://evil.example' }),
    at: '/auth/error?error=WebAuthnVerificationError',
  },
}

const credentials = { username: 'ada', password: 'open sesame' }

/** Errors that are logged, and the visitor goes on. */
const logged: Readonly<
  Record<string, { site: SiteOptions; meet: (site: Site) => Promise<unknown> }>
> = {
  EventError: {
    site: { config: { events: { signIn: out } } },
    meet: ({ world }) => passwordSignIn(world),
  },
  JWTSessionError: {
    site: { strategy: 'jwt' },
    meet: async ({ world }) => {
      world.jar.set(SESSION_COOKIE, 'eyJhbGciOiJkaXIifQ..a.b.c')
      return world.get('/auth/session')
    },
  },
  SessionTokenError: {
    site: { adapter: { ...memoryAdapter(), getSessionAndUser: out } },
    meet: async ({ world }) => {
      world.jar.set(SESSION_COOKIE, 'x')
      return world.get('/auth/session')
    },
  },
  SignOutError: {
    site: { adapter: { ...memoryAdapter(), getSessionAndUser: out } },
    meet: async ({ world }) => {
      world.jar.set(SESSION_COOKIE, 'x')
      return world.post('/auth/signout')
    },
  },
}

const passkeyTwice = (first: object, second: object): Partial<AuthConfig> => ({
  providers: [Passkey({ id: 'one', ...first }), Passkey({ id: 'two', ...second })],
})

/** Mistakes in the configuration. */
const configured: Readonly<Record<string, Partial<AuthConfig>>> = {
  AuthError: { session: { maxAge: -1 } },
  DuplicateConditionalUI: passkeyTwice({}, {}),
  ExperimentalFeatureNotEnabled: {
    providers: [Passkey()],
    experimental: { enableWebAuthn: false },
  },
  InvalidEndpoints: {
    providers: [{ id: 'op', name: 'Op', type: 'oauth', clientId: 'client', token: 'https://op/' }],
  },
  InvalidProvider: { providers: [out] },
  MissingAdapter: {
    adapter: undefined,
    session: { strategy: 'jwt' },
    providers: [{ id: 'mail', name: 'Mail', type: 'email', sendVerificationRequest: out }],
  },
  MissingAdapterMethods: { adapter: {} },
  MissingAuthorize: {
    providers: [{ id: 'c', name: 'C', type: 'credentials', credentials: {} } as never],
  },
  MissingSecret: { secret: undefined },
  MissingWebAuthnAutocomplete: {
    providers: [Passkey({ formFields: { email: { label: 'Address' } } })],
  },
  SessionTokenError: { session: { strategy: 'database', generateSessionToken: () => 'same' } },
  UnsupportedStrategy: { session: { strategy: 'cookies' as never } },
  UntrustedHost: { trustHost: false },
}

function lastLogged({ world }: Site): Thrown {
  return world.log.filter(({ level }) => level === 'error').at(-1)?.detail as Thrown
}

/** Says to a person what is wrong. */
function isReadable({ message }: Error): boolean {
  return message.split(' ').length >= 3 && !/undefined|\[object|NaN/.test(message)
}

describe.each(Object.entries(ending))(
  'the error %s',
  (type, { site: options = {}, provoke, at }) => {
    test(`sends the browser to ${at}, and is in the log`, async () => {
      const site = await createSite(options)
      const answer = await site.world.core.auth(await provoke(site), site.world.config)
      expect([answer.status, locationOf(answer)]).toEqual([302, `https://app.example${at}`])
      const error = lastLogged(site)
      expect([error.type, error.name, isAuthError(error)]).toEqual([type, type, true])
      expect(errorOf(answer)).toBe(publicErrorCode(error))
      expect(at.startsWith('/auth/signin?')).toBe(error.kind === 'signIn')
      expect(isClientError(error)).toBe(errorOf(answer) === type)
      expect(isReadable(error)).toBe(true)
      const page = await site.world.get(locationOf(answer))
      expect(await page.text()).not.toContain(error.message)
    })

    test('becomes an address in JSON for the browser client', async () => {
      const site = await createSite(options)
      const request = await provoke(site)
      request.headers.set('x-auth-return-redirect', '1')
      for (const config of [site.world.config, inRaw(site.world.config)]) {
        const answer = await site.world.core.auth(request.clone(), config)
        expect(answer.status).toBe(200)
        const { url } = (await answer.json()) as { url: string }
        // The second answer to the same request may be refused because it was given before.
        if (config === site.world.config) expect(url).toBe(`https://app.example${at}`)
        else expect(new URL(url).searchParams.has('error')).toBe(true)
      }
    })

    test('is thrown in raw mode', async () => {
      const site = await createSite(options)
      const request = await provoke(site)
      const config = inRaw(site.world.config)
      await expect(site.world.core.auth(request, config)).rejects.toMatchObject({
        type,
        name: type,
      })
    })
  },
)

describe('an unknown provider', () => {
  const warnings = ({ world }: Site): unknown[] =>
    world.log.filter(({ message }) => message === 'unknown-provider').map(({ detail }) => detail)

  test('is one line of the log of limited length, without a trace', async () => {
    const site = await createSite({ config: { providers: [acme()] } })
    for (const path of [
      '/auth/callback/nobody',
      `/auth/callback/${'n'.repeat(500)}`,
      '/auth/callback',
    ]) {
      await site.world.get(path)
    }
    await site.world.post('/auth/signin/Acme')
    expect(warnings(site)).toEqual([
      'there is no provider "nobody"',
      `there is no provider "${'n'.repeat(199)}…"`,
      'there is no provider ""',
      'there is no provider "Acme"',
    ])
    expect(site.world.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('is 404: a page for people, a message for programs', async () => {
    const { world } = await createSite({ config: { providers: [acme()] } })
    const page = await world.get('/auth/callback/nobody')
    expect(page.status).toBe(404)
    expect(page.headers.get('location')).toBeNull()
    expect(await page.text()).toContain('This sign-in method does not exist')
    expect((await world.post('/auth/signin/nobody')).status).toBe(404)
    const headers = { 'x-auth-return-redirect': '1' }
    const answer = await world.post('/auth/signin/nobody', {}, { headers })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      url: `${world.origin}/auth/error?error=Configuration`,
    })
  })
})

test('a provider with an invalid endpoint causes a redirect to the error page, also in a callback', async () => {
  const authorization = { url: 'https://acme.example/authorize', params: null as never }
  const site = await createSite({ config: { providers: [acme({ authorization })] } })
  const answer = await site.world.get('/auth/callback/acme?code=x&state=x')
  expect([answer.status, locationOf(answer)]).toEqual([
    302,
    'https://app.example/auth/error?error=Configuration',
  ])
})

describe.each(Object.entries(logged))('the error %s', (type, { site: options, meet }) => {
  test('is logged, and the visitor is not sent to an error page', async () => {
    const site = await createSite(options)
    const answer = (await meet(site)) as Response
    expect(errorOf(answer)).toBeNull()
    const types = site.world.log.map(({ detail }) => (detail as Thrown | undefined)?.type)
    expect(types).toContain(type)
  })
})

describe.each(Object.entries(configured))('the error %s of the configuration', (type, config) => {
  test('gets a general response, and details in the log', async () => {
    const { world } = await createSite({ config })
    for (const mode of [world.config, inRaw(world.config)]) {
      const log = world.log.length
      const page = await world.core.auth(ask(world, '/auth/signin'), mode)
      expect([page.status, page.headers.get('content-type')]).toEqual([
        500,
        'text/html; charset=utf-8',
      ])
      const post = ask(world, '/auth/signout', { method: 'POST', body: new URLSearchParams() })
      const answers = [await world.core.auth(post, mode)]
      for (const path of ['session', 'csrf', 'providers', 'callback/acme', 'webauthn-options']) {
        answers.push(await world.core.auth(ask(world, `/auth/${path}`), mode))
      }
      for (const answer of answers) {
        expect(answer.status).toBe(500)
        expect(await answer.json()).toEqual({ message: expect.stringContaining('log') })
        expect(answer.headers.getSetCookie()).toEqual([])
      }
      const said = world.log.slice(log).filter(({ level }) => level === 'error')
      const [error] = said.map(({ detail }) => detail as Thrown)
      expect([error?.type, error && isReadable(error)]).toEqual([type, true])
      expect(await page.text()).not.toContain(error?.message)
    }
  })

  test('is shown on the page of the application, but not in a read of the session', async () => {
    const { world } = await createSite({ config: { ...config, pages: { error: '/oops' } } })
    const answer = await world.core.auth(ask(world, '/auth/signin'), world.config)
    expect(locationOf(answer)).toBe('https://app.example/oops?error=Configuration')
    const loop = ask(world, '/auth/signin?callbackUrl=%2Foops')
    expect((await world.core.auth(loop, world.config)).status).toBe(500)
    const types = world.log.map(({ detail }) => (detail as Thrown | undefined)?.type)
    expect(types.slice(-2)).toEqual([type, 'ErrorPageLoop'])
  })
})

describe('unexpected errors', () => {
  const failing: SiteOptions = { config: { callbacks: { redirect: out } } }

  test('are answered with a general page, also in raw mode', async () => {
    const { world } = await createSite(failing)
    for (const config of [world.config, inRaw(world.config)]) {
      const request = ask(world, '/auth/signin?callbackUrl=/x')
      const answer = await world.core.auth(request, config)
      expect(locationOf(answer)).toBe('https://app.example/auth/error?error=Configuration')
    }
  })

  test('are answered also if an object without a text was thrown', async () => {
    const redirect = (): never => {
      throw Object.create(null)
    }
    const site = await createSite({ config: { callbacks: { redirect } } })
    const answer = await site.world.get('/auth/signin?callbackUrl=/x')
    expect(locationOf(answer)).toBe('https://app.example/auth/error?error=Configuration')
    expect(lastLogged(site).message).toBe('an object without a message')
  })

  test('are answered with null for an update of the session', async () => {
    const { world } = await createSite()
    const answer = await world.postWithoutCsrf('/auth/session', { data: '{}' })
    expect([answer.status, await answer.json()]).toEqual([400, null])
  })

  test('become a bad request if the request cannot be read', async () => {
    const { world } = await createSite()
    const answer = await world.get('/auth/nothing/of/ours')
    expect([answer.status, await answer.json()]).toEqual([400, 'Bad request.'])
    const types = world.log.map(({ detail }) => (detail as Thrown | undefined)?.type)
    expect(types).toContain('UnknownAction')
  })
})

test('every type of error occurs here, except base classes and one that is kept for its name', () => {
  const met = [ending, logged, configured].flatMap((ways) => Object.keys(ways))
  const classes = Object.entries(errors)
    .filter(([, value]) => (value as { prototype?: unknown }).prototype instanceof errors.AuthError)
    .map(([name]) => name)
  // ErrorPageLoop is met in the configuration, TooManyAttempts with the plugin `limits`, StepUpRequired by applications; an
  // unusable callback URL counts as absent.
  const elsewhere = [
    'ErrorPageLoop',
    'InvalidCallbackUrl',
    'SignInError',
    'StepUpRequired',
    'TooManyAttempts',
    'UnknownProvider',
  ]
  expect(classes.filter((name) => !met.includes(name)).sort()).toEqual(elsewhere)
})

test('every type of error has its section in the reference, where `docs` says', async () => {
  const page = await readFile('docs/reference/errors.md', 'utf8')
  const anchors = Array.from(page.matchAll(/^###? (\w+)$/gm), ([, name = '']) => name.toLowerCase())
  const classes = Object.values(errors).filter(
    (value) => (value as { prototype?: unknown }).prototype instanceof errors.AuthError,
  ) as (typeof errors.AuthError)[]
  const missing = classes
    .map((Class) => new Class('x').docs)
    .filter((docs) => !anchors.includes(docs.replace('latchkey/docs/reference/errors.md#', '')))
  expect(missing).toEqual([])
  expect(classes.length).toBeGreaterThan(30)
})

test('every warning has its row in the reference', async () => {
  const page = await readFile('docs/reference/errors.md', 'utf8')
  const warnings = page.slice(page.indexOf('## Warnings'))
  const rows = Array.from(warnings.matchAll(/^\| `([a-z-]+)` \|/gm), ([, code]) => code)
  const source = await readFile('packages/latchkey/src/options/logger.ts', 'utf8')
  const codes = Array.from(source.matchAll(/^ {2}\| '([a-z-]+)'$/gm), ([, code]) => code)
  expect(rows).toEqual(codes.toSorted((one = '', other = '') => (one < other ? -1 : 1)))
})
