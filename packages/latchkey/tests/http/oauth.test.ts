import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import type { User } from '../../src/model/user.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { customFetch } from '../../src/options/markers.ts'
import type { OAuth2Config } from '../../src/options/provider-options.ts'
import { authJsRollback } from '../../src/plugins/auth-js-rollback/index.ts'
import { oauth, oidc } from '../../src/providers/define.ts'
import GitHub, { type GitHubOptions } from '../../src/providers/github.ts'
import { ADA, type Asked, createGitHub, type GitHubAnswers, TOKENS } from '../support/github.ts'
import { failingAdapter, recordingAdapter, recordingEvents } from '../support/recording.ts'

const ORIGIN = 'https://app.example'
const CONFIGURATION = `${ORIGIN}/auth/error?error=Configuration`
const EXPIRED = `${CONFIGURATION}&code=expired`

function location(response: Response): string {
  return response.headers.get('location') ?? ''
}

/** Where the provider sends the visitor, who agreed. */
function back(begin: Response, id = 'github'): string {
  const state = new URL(location(begin)).searchParams.get('state') ?? ''
  return `/auth/callback/${id}?code=c&state=${state}`
}

interface SetUp {
  readonly it: World
  readonly asked: Asked[]
  /** Goes to GitHub and comes back. */
  signIn(world?: World, fields?: Record<string, string>): Promise<Response>
}

function setUp(
  answers: GitHubAnswers = {},
  options: GitHubOptions = {},
  more: Partial<AuthConfig> = {},
): SetUp {
  const { fetch, asked } = createGitHub(answers)
  const github = GitHub({ clientId: 'id', clientSecret: 'secret', ...options })
  const it = createWorld({ providers: [github], ...more }, { fetch })
  return {
    it,
    asked,
    async signIn(world = it, fields = {}) {
      return world.get(back(await world.post('/auth/signin/github', fields)))
    },
  }
}

describe('the start of a sign-in with GitHub', () => {
  test('leads to the authorization endpoint, with PKCE', async () => {
    const { it } = setUp()
    const begin = await it.post('/auth/signin/github', { callbackUrl: '/inbox' })
    const url = new URL(location(begin))
    expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      scope: 'read:user user:email',
      response_type: 'code',
      client_id: 'id',
      redirect_uri: `${ORIGIN}/auth/callback/github`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(begin.headers.getSetCookie().find((c) => c.includes('sign-in'))).toMatch(
      /^__Host-latchkey\.sign-in\.[\w-]{16}=ey[^;]+; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  test('uses each configured check, and always a state', async () => {
    for (const [checks, params] of [
      [['state'], ['state']],
      [
        ['pkce', 'state'],
        ['code_challenge', 'code_challenge_method', 'state'],
      ],
      [['nonce'], ['nonce', 'state']],
      [['none'], ['state']],
      [[], ['state']],
    ] as const) {
      const { it } = setUp({}, { checks })
      const begin = await it.post('/auth/signin/github')
      const url = new URL(location(begin))
      const kept = begin.headers
        .getSetCookie()
        .map((cookie) => cookie.slice(0, cookie.indexOf('=')))
      const attempt = expect.stringMatching(/^__Host-latchkey\.sign-in\.[\w-]{16}$/)
      expect(kept.filter((name) => !/csrf|callback-url/.test(name)).sort()).toEqual([attempt])
      const usual = new Set(['scope', 'response_type', 'client_id', 'redirect_uri'])
      expect([...url.searchParams.keys()].filter((name) => !usual.has(name)).sort()).toEqual(params)
    }
  })

  test('T-OIDC-9: passes parameters of the query on, except those that bind the request', async () => {
    const { it } = setUp({}, { checks: ['none'] })
    const query = new URLSearchParams({
      prompt: 'login',
      login_hint: 'ada',
      scope: 'repo',
      client_id: 'evil',
      client_secret: 'x',
      client_assertion: 'x',
      client_assertion_type: 'x',
      redirect_uri: 'https://evil.example',
      response_type: 'token',
      state: 'x',
      nonce: 'x',
      response_mode: 'form_post',
      code: 'x',
      code_challenge: 'x',
      code_challenge_method: 'plain',
      dpop_jkt: 'x',
      request: 'x',
      request_uri: 'https://evil.example',
      csrfToken: 'x',
      callbackUrl: '/x',
    })
    const url = new URL(location(await it.post(`/auth/signin/github?${query.toString()}`)))
    expect(Object.fromEntries(url.searchParams)).toEqual({
      prompt: 'login',
      login_hint: 'ada',
      scope: 'repo',
      response_type: 'code',
      client_id: 'id',
      redirect_uri: `${ORIGIN}/auth/callback/github`,
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('T-OIDC-9: passes no parameter of the body on', async () => {
    const { it } = setUp()
    const url = new URL(location(await it.post('/auth/signin/github', { prompt: 'none' })))
    expect(url.searchParams.has('prompt')).toBe(false)
  })

  test('T-WEB-2: needs the CSRF token', async () => {
    const { it } = setUp()
    const begin = await it.postWithoutCsrf('/auth/signin/github')
    expect(location(begin)).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
  })

  for (const [what, changes, scope] of [
    ['a configured endpoint without a scope', {}, 'openid profile email'],
    [
      'an endpoint with parameters only',
      { authorization: { url: 'https://a.example/a', params: { x: 1 } } },
      'openid profile email',
    ],
    [
      'an empty scope',
      { authorization: { url: 'https://a.example/a', params: { scope: '' } } },
      '',
    ],
    ['a scope in the address', { authorization: 'https://a.example/a?scope=mine' }, 'mine'],
  ] as [string, Partial<OAuth2Config<object>>, string][]) {
    test(`requests the scope ${JSON.stringify(scope)} with ${what}`, async () => {
      const plain = oauth({
        id: 'plain',
        name: 'Plain',
        clientId: 'id',
        authorization: 'https://a.example/a',
        token: 'https://a.example/t',
        userinfo: 'https://a.example/u',
        ...changes,
      })
      const it = createWorld({ providers: [plain] })
      const url = new URL(location(await it.post('/auth/signin/plain')))
      expect(url.searchParams.get('scope')).toBe(scope)
    })
  }

  for (const [type, scope] of [
    ['oidc', 'openid profile email'],
    ['oauth', null],
  ] as const) {
    test(`requests the scope ${scope ?? 'nothing'} if an ${type} provider has only an issuer`, async () => {
      const issuer = 'https://i.example'
      const description = { id: 'plain', name: 'Plain', clientId: 'id', issuer }
      const provider = type === 'oidc' ? oidc(description) : oauth(description)
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/a`,
        token_endpoint: `${issuer}/t`,
        userinfo_endpoint: `${issuer}/u`,
        jwks_uri: `${issuer}/j`,
      }
      const it = createWorld(
        { providers: [provider] },
        { fetch: async () => Response.json(metadata) },
      )
      const url = new URL(location(await it.post('/auth/signin/plain')))
      expect(url.origin + url.pathname).toBe('https://i.example/a')
      expect(url.searchParams.get('scope')).toBe(scope)
    })
  }

  test('sends the parameter claims as JSON', async () => {
    const claims = { id_token: { auth_time: { essential: true } } }
    const { it } = setUp({}, { authorization: { params: { claims, max_age: 60 } } })
    const url = new URL(location(await it.post('/auth/signin/github')))
    expect(JSON.parse(url.searchParams.get('claims') ?? '')).toEqual(claims)
    expect(url.searchParams.get('max_age')).toBe('60')
  })
})

for (const strategy of ['jwt', 'database'] as const) {
  describe(`a sign-in with GitHub and ${strategy} sessions`, () => {
    function stored(
      answers: GitHubAnswers = {},
      options: GitHubOptions = {},
      more: Partial<AuthConfig> = {},
    ) {
      const { adapter, calls, writes } = recordingAdapter()
      const { events, told, names } = recordingEvents()
      const world = setUp(answers, options, { adapter, events, session: { strategy }, ...more })
      return { ...world, adapter, calls, writes, told, names }
    }

    /** The writes that are expected, with the session's where sessions are stored. */
    const withSession = (...names: string[]): string[] =>
      strategy === 'database' ? [...names, 'createSession'] : names

    test('ends at the page where it began, signed in, and leaves nothing of the flow behind', async () => {
      const { it, signIn } = stored()
      expect(location(await signIn(it, { callbackUrl: '/inbox' }))).toBe(`${ORIGIN}/inbox`)
      expect((await it.session())?.user).toEqual({
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        image: 'https://avatars.example/7',
      })
      expect([...it.jar.keys()].filter((name) => /sign-in|pkce|state|nonce/.test(name))).toEqual([])
      expect(it.log.filter(({ level }) => level !== 'debug')).toEqual([])
    })

    test('clears its own cookies, and no others', async () => {
      const { signIn } = stored()
      const gone = (await signIn()).headers.getSetCookie().filter((text) => /Max-Age=0/.test(text))
      expect(gone.map((text) => text.slice(0, text.indexOf('='))).sort()).toEqual([
        expect.stringMatching(/^__Host-latchkey\.sign-in\.[\w-]{16}$/),
      ])
    })

    test('requests a token with the code, the verifier and the client', async () => {
      const { asked, signIn } = stored()
      await signIn()
      const [token, user] = asked
      expect(token?.url).toBe('https://github.com/login/oauth/access_token')
      expect(token?.method).toBe('POST')
      expect(Object.fromEntries(token?.form ?? [])).toEqual({
        grant_type: 'authorization_code',
        code: 'c',
        redirect_uri: `${ORIGIN}/auth/callback/github`,
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect(token?.headers.get('authorization')).toBe(`Basic ${btoa('id:secret')}`)
      expect(token?.headers.get('user-agent')).toBe('latchkey')
      expect(user?.url).toBe('https://api.github.com/user')
      expect(user?.headers.get('authorization')).toBe('Bearer gho_ada')
      expect(asked).toHaveLength(2)
    })

    test('of a new user creates and links them', async () => {
      const { signIn, writes, names, told, calls } = stored()
      await signIn()
      expect(names().slice(0, 3)).toEqual(['createUser', 'linkAccount', 'signIn'])
      const linked = calls.find(([name]) => name === 'linkAccount')?.[1]
      expect(writes()).toEqual(withSession('createUser', 'linkAccount'))
      expect(linked).toEqual({
        access_token: 'gho_ada',
        refresh_token: 'ghr_ada',
        scope: 'read:user,user:email',
        token_type: 'bearer',
        expires_at: Date.UTC(2030, 0, 1) / 1000 + 28_800,
        provider: 'github',
        providerAccountId: '7',
        type: 'oauth',
        userId: told.createUser?.[0]?.user.id,
      })
      expect(told.linkAccount?.[0]?.account).not.toHaveProperty('userId')
      expect(told.linkAccount?.[0]?.profile).toMatchObject({ name: 'Ada Lovelace' })
      expect(told.signIn?.[0]).toMatchObject({
        isNewUser: true,
        profile: { login: 'ada' },
        account: { expires_in: 28_800, refresh_token_expires_in: 15_811_200 },
      })
    })

    test('of a known user signs them in, also with a changed address', async () => {
      const { it, signIn, writes, names } = stored()
      await signIn()
      writes()
      names()
      await signIn(it.otherBrowser())
      expect(names()).toEqual(['signIn'])
      expect(writes()).toEqual(withSession())
    })

    test('T-LINK-2: of a stranger with a known address is refused, and nothing is written', async () => {
      const { it, signIn, adapter, writes, names } = stored()
      await adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
      writes()
      expect(location(await signIn())).toBe(`${ORIGIN}/auth/signin?error=OAuthAccountNotLinked`)
      expect(await it.session()).toBeNull()
      expect(writes()).toEqual([])
      expect(names()).toEqual([])
      const logged = it.log.findLast(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({ cause: { provider: 'github' } })
    })

    test('of a stranger with a known address links the account if that is allowed, and creates nobody', async () => {
      const { signIn, adapter, writes, names, told } = stored(
        {},
        { allowDangerousEmailAccountLinking: true },
      )
      await adapter.createUser({ id: 'u1', email: 'ada@example.com', emailVerified: null })
      writes()
      await signIn()
      expect(names()).toEqual(['linkAccount', 'signIn'])
      expect(told.signIn?.[0]).toMatchObject({ user: { id: 'u1' }, isNewUser: false })
      expect(writes()).toEqual(withSession('linkAccount'))
    })

    test('of a signed-in user with their own account goes on, and links nothing', async () => {
      const { it, signIn, writes, names } = stored()
      await signIn()
      writes()
      names()
      expect(location(await signIn())).toBe(ORIGIN)
      expect(names()).toEqual(['signIn'])
      expect(writes()).toEqual(strategy === 'database' ? ['createSession', 'deleteSession'] : [])
      expect(await it.session()).not.toBeNull()
    })

    test('T-LINK-4: of a signed-in user with the account of another one is refused', async () => {
      const answers: GitHubAnswers = {}
      const { it, signIn, calls, writes, names } = stored(answers)
      await signIn(it.otherBrowser())
      answers.user = { ...ADA, id: 8, email: 'bob@example.com', name: 'Bob' }
      await signIn()
      writes()
      names()
      delete answers.user
      expect(location(await signIn())).toBe(`${ORIGIN}/auth/signin?error=OAuthAccountNotLinked`)
      // Once before the application is asked and once after that; a refusal is not tried again.
      expect(calls.filter(([name]) => name === 'getUserByAccount')).toHaveLength(2)
      expect(writes()).toEqual([])
      expect(names()).toEqual([])
      expect((await it.session())?.user?.['name']).toBe('Bob')
    })

    test('with a new account, of a signed-in user, links it to them, for any address of the account', async () => {
      const answers: GitHubAnswers = { user: { ...ADA, id: 8, email: 'bob@example.com' } }
      const { it, signIn, adapter, writes, names, told } = stored(answers)
      await signIn()
      await adapter.createUser({ id: 'u9', email: 'ada@example.com', emailVerified: null })
      const bob = (await adapter.getUserByEmail('bob@example.com'))?.id
      delete answers.user
      writes()
      names()
      expect(location(await signIn())).toBe(ORIGIN)
      expect(names()).toEqual(['linkAccount', 'signIn'])
      expect(told.linkAccount?.at(-1)?.user.id).toBe(bob)
      expect(told.signIn?.at(-1)).toMatchObject({ user: { id: bob }, isNewUser: false })
      expect(writes()).toEqual(
        strategy === 'database'
          ? ['linkAccount', 'createSession', 'deleteSession']
          : ['linkAccount'],
      )
      expect((await it.session())?.user?.['email']).toBe('bob@example.com')
    })

    test('T-SESS-7: with an expired session links nothing', async () => {
      const answers: GitHubAnswers = { user: { ...ADA, id: 8, email: 'bob@example.com' } }
      const { it, signIn, adapter } = stored(answers, {}, { session: { strategy, maxAge: 60 } })
      await signIn()
      const cookie = it.jar.get('__Secure-authjs.session-token') ?? ''
      it.advance(100)
      it.jar.set('__Secure-authjs.session-token', cookie)
      delete answers.user
      await signIn()
      const bob = await adapter.getUserByEmail('bob@example.com')
      const owner = await adapter.getUserByAccount({ provider: 'github', providerAccountId: '7' })
      expect(owner?.id).toBeDefined()
      expect(owner?.id).not.toBe(bob?.id)
    })

    test('calls the methods of the adapter in order', async () => {
      const { signIn, calls } = stored()
      await signIn()
      expect(calls.map(([name]) => name)).toEqual(
        withSession(
          'getUserByAccount',
          'getUserByAccount',
          'getUserByEmail',
          'createUser',
          'linkAccount',
        ),
      )
    })

    test('calls the signIn callback before anything is written, with the stored user if there is one', async () => {
      const seen: { user?: unknown; written: string[] }[] = []
      const { it, signIn, writes, told } = stored(
        {},
        {},
        {
          callbacks: {
            signIn({ user, account, profile }) {
              expect(account?.providerAccountId).toBe('7')
              expect(profile?.['login']).toBe('ada')
              seen.push({ user: user.id, written: writes() })
              return true
            },
          },
        },
      )
      await signIn()
      await signIn(it.otherBrowser())
      expect(seen[0]?.written).toEqual([])
      expect(seen[1]?.user).toBe(told.createUser?.[0]?.user.id)
    })

    test('T-FLOW-2: may be refused or redirected by the signIn callback, and then stores nothing', async () => {
      for (const [answer, target] of [
        [false, `${ORIGIN}/auth/error?error=AccessDenied`],
        ['/pending', `${ORIGIN}/pending`],
      ] as const) {
        const { it, signIn, writes } = stored({}, {}, { callbacks: { signIn: () => answer } })
        expect(location(await signIn())).toBe(target)
        expect(writes()).toEqual([])
        expect(await it.session()).toBeNull()
        expect([...it.jar.keys()].filter((name) => /sign-in|pkce/.test(name))).toEqual([])
      }
    })

    test('calls the jwt callback with the response of the provider', async () => {
      const seen: unknown[] = []
      const callbacks: AuthConfig['callbacks'] = {
        jwt({ token, trigger, profile }) {
          if (trigger) seen.push([trigger, profile?.['login']])
          return token
        },
      }
      const { it, signIn } = stored({}, {}, { callbacks })
      await signIn()
      await signIn(it.otherBrowser())
      expect(seen).toEqual(
        strategy === 'jwt'
          ? [
              ['signUp', 'ada'],
              ['signIn', 'ada'],
            ]
          : [],
      )
    })

    test('leads new users to their page', async () => {
      const { it, signIn } = stored({}, {}, { pages: { newUser: '/welcome' } })
      expect(location(await signIn(it, { callbackUrl: '/inbox' }))).toBe(
        '/welcome?callbackUrl=https%3A%2F%2Fapp.example%2Finbox',
      )
      expect(location(await signIn(it.otherBrowser(), { callbackUrl: '/inbox' }))).toBe(
        `${ORIGIN}/inbox`,
      )
    })

    test('stores only what the account callback lets through', async () => {
      const { signIn, calls } = stored({}, { account: ({ scope }) => ({ scope: scope ?? '' }) })
      await signIn()
      expect(calls.find(([name]) => name === 'linkAccount')?.[1]).toEqual({
        scope: 'read:user,user:email',
        provider: 'github',
        providerAccountId: '7',
        type: 'oauth',
        userId: expect.any(String),
      })
      const nothing = stored({}, { account: () => {} })
      await nothing.signIn()
      const linked = nothing.calls.find(([name]) => name === 'linkAccount')?.[1] as object
      expect(Object.keys(linked).sort()).toEqual([
        'provider',
        'providerAccountId',
        'type',
        'userId',
      ])
    })

    test('accepts a number as an id, and stores it as a text', async () => {
      const adapter = memoryAdapter()
      const profile = () => ({ id: 7 as unknown as string, name: 'Ada' })
      const { signIn } = setUp({}, { profile }, { adapter, session: { strategy } })
      await signIn()
      expect(
        await adapter.getUserByAccount?.({ provider: 'github', providerAccountId: '7' }),
      ).toMatchObject({ name: 'Ada' })
    })

    for (const email of ['', ' ']) {
      test(`with the unusable address ${JSON.stringify(email)} stores a user without one`, async () => {
        const ids = ['7', '8']
        const profile = () => ({ id: ids.pop() ?? '', email })
        const { it, signIn, adapter } = stored({}, { profile })
        for (const providerAccountId of ['8', '7']) {
          expect(location(await signIn(it.otherBrowser()))).toBe(ORIGIN)
          const account = { provider: 'github', providerAccountId }
          expect(await adapter.getUserByAccount?.(account)).toMatchObject({ email: null })
        }
      })
    }

    for (const id of [undefined, null, '', {}, ['7'], Number.NaN, 2 ** 60]) {
      test(`T-LINK-5: with the id ${JSON.stringify(id) ?? 'undefined'} in the profile is refused`, async () => {
        const { it, signIn, writes } = stored(
          {},
          { profile: () => ({ id: id as string, name: 'Ada' }) },
        )
        expect(location(await signIn())).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`)
        expect(writes()).toEqual([])
        const logged = it.log.findLast(({ level }) => level === 'error')
        expect(logged?.detail).toMatchObject({ cause: { provider: 'github' } })
      })
    }

    test('T-FLOW-3: fails if the adapter throws', async () => {
      for (const method of ['getUserByAccount', 'createUser', 'linkAccount'] as const) {
        const adapter = failingAdapter(method)
        const { it, signIn } = setUp({}, {}, { adapter, session: { strategy } })
        expect(location(await signIn())).toBe(CONFIGURATION)
        expect(await it.session()).toBeNull()
        const types = it.log.map(({ detail }) => (detail as { type?: string } | undefined)?.type)
        expect(types).toContain('AdapterError')
      }
    })
  })
}

test('without an adapter no sign-in is known as a first one, and an account has no owner', async () => {
  const { events, told, names } = recordingEvents()
  const { it, signIn } = setUp({}, {}, { events, pages: { newUser: '/welcome' } })
  expect(location(await signIn(it, { callbackUrl: '/inbox' }))).toBe(`${ORIGIN}/inbox`)
  expect(names()).toEqual(['signIn'])
  expect(told.signIn?.[0]).not.toHaveProperty('isNewUser')
  expect(told.signIn?.[0]?.account).toMatchObject({ provider: 'github', providerAccountId: '7' })
  expect(told.signIn?.[0]?.account).not.toHaveProperty('userId')
})

describe("the profile from GitHub's responses", () => {
  async function profileOf(answers: GitHubAnswers): Promise<Record<string, unknown> | undefined> {
    const { it, signIn } = setUp(answers)
    await signIn()
    return (await it.session())?.user
  }

  test('has the primary, verified address if none is public', async () => {
    expect(await profileOf({ user: { ...ADA, email: null } })).toMatchObject({
      email: 'primary@example.com',
    })
  })

  for (const [what, answers] of [
    [
      'it is not verified',
      { emails: [{ email: 'x@example.com', primary: true, verified: false }] },
    ],
    [
      'there is no primary one',
      { emails: [{ email: 'x@example.com', primary: false, verified: true }] },
    ],
    ['the list cannot be read', { emailsStatus: 403 }],
  ] as [string, GitHubAnswers][]) {
    test(`T-LINK-2: has no address if ${what}`, async () => {
      const user = await profileOf({ user: { ...ADA, email: null }, ...answers })
      expect(user?.['name']).toBe('Ada Lovelace')
      expect(user?.['email'] ?? null).toBeNull()
    })
  }

  test('has the login as its name if there is no name', async () => {
    expect(await profileOf({ user: { ...ADA, name: null } })).toMatchObject({ name: 'ada' })
  })

  test('is requested from an Enterprise Server if one is configured', async () => {
    const { it, asked, signIn } = setUp(
      { user: { ...ADA, email: null } },
      { enterprise: { baseUrl: 'https://git.corp.example/' } },
    )
    const begin = new URL(location(await it.post('/auth/signin/github')))
    expect(begin.origin + begin.pathname).toBe('https://git.corp.example/login/oauth/authorize')
    await signIn()
    expect(asked.map(({ url }) => url)).toEqual([
      'https://git.corp.example/login/oauth/access_token',
      'https://git.corp.example/api/v3/user',
      'https://git.corp.example/api/v3/user/emails',
    ])
  })
})

describe('an unusable response of a provider', () => {
  for (const [what, answers] of [
    ['401 from the userinfo endpoint', { userStatus: 401, user: { message: 'Bad credentials' } }],
    ['a list from the userinfo endpoint', { user: [] }],
    ['an error from the token endpoint', { tokenStatus: 400, token: { error: 'invalid_grant' } }],
    ['an error with status 200', { token: { error: 'bad_verification_code' } }],
    ['500 from the token endpoint', { tokenStatus: 500 }],
    ['no access token', { token: { token_type: 'bearer' } }],
    ['no token type', { token: { access_token: 'x' } }],
    ['another token type', { token: { ...TOKENS, token_type: 'mac' } }],
    ['a number for a token', { token: { ...TOKENS, access_token: 7 } }],
    ['a number for an ID token', { token: { ...TOKENS, id_token: 7 } }],
    ['tokens and status 400', { tokenStatus: 400, token: { ...TOKENS, id_token: 'a.b.c' } }],
    ['a negative lifetime', { token: { ...TOKENS, expires_in: -1 } }],
    ['a list for a token response', { token: [TOKENS] }],
  ] as [string, GitHubAnswers][]) {
    test(`T-OIDC-11: with ${what} signs nobody in`, async () => {
      const { it, signIn } = setUp(answers)
      expect(location(await signIn())).toBe(CONFIGURATION)
      expect(await it.session()).toBeNull()
      expect([...it.jar.keys()].filter((name) => /sign-in|pkce/.test(name))).toEqual([])
    })
  }

  test('is not one whose lifetime is a text', async () => {
    const { adapter, calls } = recordingAdapter()
    const { signIn } = setUp({ token: { ...TOKENS, expires_in: '60' } }, {}, { adapter })
    await signIn()
    expect(calls.find(([name]) => name === 'linkAccount')?.[1]).toMatchObject({
      expires_at: Date.UTC(2030, 0, 1) / 1000 + 60,
    })
  })

  test('is not one whose lifetime has a fraction: the token ends in a whole second, which every store can keep', async () => {
    const { adapter, calls } = recordingAdapter()
    const { signIn } = setUp({ token: { ...TOKENS, expires_in: 59.9 } }, {}, { adapter })
    await signIn()
    expect(calls.find(([name]) => name === 'linkAccount')?.[1]).toMatchObject({
      expires_at: Date.UTC(2030, 0, 1) / 1000 + 59,
    })
  })

  test('is not one whose lifetime is zero or missing: the token has no end', async () => {
    for (const token of [
      { ...TOKENS, expires_in: 0 },
      { access_token: 'x', token_type: 'Bearer' },
    ]) {
      const { adapter, calls } = recordingAdapter()
      const { signIn } = setUp({ token }, {}, { adapter })
      await signIn()
      const linked = calls.find(([name]) => name === 'linkAccount')?.[1]
      expect(linked).toMatchObject({ token_type: 'bearer' })
      expect(linked).not.toHaveProperty('expires_at')
    }
  })

  test('is one for which the profile callback throws: the visitor gets to the sign-in page, without the code', async () => {
    const { it, signIn } = setUp(
      {},
      {
        profile: () => {
          throw new Error('no such member')
        },
      },
    )
    expect(location(await signIn())).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`)
    const [logged] = it.log.filter(({ level }) => level === 'error')
    expect(logged?.detail).toMatchObject({
      type: 'OAuthProfileParseError',
      message: 'no such member',
      cause: { provider: 'github' },
    })
  })

  for (const [what, made] of [
    ['null', null],
    ['nothing', undefined],
    ['text', 'ada'],
    ['a list', []],
    ['a number for an address', { id: '7', email: 7 }],
    ['a list of addresses', { id: '7', email: ['a@b'] }],
    ['false for an address', { id: '7', email: false }],
  ] as const) {
    test(`is one for which the profile callback returns ${what}: the visitor gets to the sign-in page`, async () => {
      const { it, signIn } = setUp({}, { profile: () => made as unknown as User })
      expect(location(await signIn())).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`)
      const [logged] = it.log.filter(({ level }) => level === 'error')
      expect(logged?.detail).toMatchObject({
        type: 'OAuthProfileParseError',
        cause: { provider: 'github' },
      })
      expect(await it.session()).toBeNull()
    })
  }

  test('is not one without an id if there is no adapter, which is logged', async () => {
    const { it, signIn } = setUp({}, { profile: ({ name }) => ({ name }) })
    await signIn()
    expect((await it.session())?.user?.['name']).toBe('Ada Lovelace')
    expect(it.log.map(({ message }) => message)).toContain('account-id-missing')
  })

  test('T-OIDC-14: appears neither in the browser nor in the log, and nor do tokens of GitHub', async () => {
    const { it, signIn } = setUp({}, {}, { debug: true, adapter: recordingAdapter().adapter })
    const end = await signIn()
    const all = JSON.stringify([
      ...it.log,
      ...it.jar,
      ...end.headers.getSetCookie(),
      await it.session(),
    ])
    for (const secret of ['gho_ada', 'ghr_ada', 'secret"']) expect(all).not.toContain(secret)
  })
})

describe('a callback from GitHub', () => {
  async function begun(
    options: GitHubOptions = {},
    more: Partial<AuthConfig> = {},
  ): Promise<SetUp & { state: string }> {
    const world = setUp({}, { checks: ['pkce', 'state'], ...options }, more)
    const begin = await world.it.post('/auth/signin/github')
    return { ...world, state: new URL(location(begin)).searchParams.get('state') ?? '' }
  }

  test('T-OIDC-10: with an error leads to the sign-in page, by code only', async () => {
    const { it, state } = await begun()
    const end = await it.get(
      `/auth/callback/github?error=access_denied&error_description=%3Cscript%3E&state=${state}`,
    )
    expect(location(end)).toBe(
      `${ORIGIN}/auth/signin?error=OAuthCallbackError&code=access_denied&provider=github`,
    )
    const [logged] = it.log.filter(({ level }) => level === 'error')
    expect(logged?.detail).toMatchObject({ cause: { error: 'access_denied', provider: 'github' } })
    expect(inspect(logged?.detail, { depth: 9 })).not.toContain(state)
  })

  for (const [what, query] of [
    ['another state', 'code=c&state=other'],
    ['no state', 'code=c'],
    ['no code', 'state=$'],
    ['an empty code', 'code=&state=$'],
    ['two codes', 'code=c&code=d&state=$'],
    ['two states', 'code=c&state=$&state=other'],
    ['two errors', 'error=a&error=b&state=$'],
    ['an ID token', 'code=c&id_token=x&state=$'],
    ['a token', 'code=c&token=x&state=$'],
    ['a JWT response', 'response=x&state=$'],
    ['another issuer', 'code=c&iss=https%3A%2F%2Fevil.example&state=$'],
  ] as const) {
    test(`T-OIDC-1: with ${what} is refused, and no token is requested`, async () => {
      for (const plugins of [[], [authJsRollback()]]) {
        const { it, asked, state } = await begun({}, { plugins })
        const end = await it.get(`/auth/callback/github?${query.replace('$', state)}`)
        expect([CONFIGURATION, EXPIRED]).toContain(location(end))
        expect(asked).toEqual([])
        expect([...it.jar.keys()].filter((name) => /pkce|state/.test(name))).toEqual([])
      }
    })
  }

  test('T-OIDC-1: in another browser is refused', async () => {
    const { it, asked, state } = await begun()
    const end = await it.otherBrowser().get(`/auth/callback/github?code=c&state=${state}`)
    expect(location(end)).toBe(EXPIRED)
    expect(asked).toEqual([])
  })

  test('T-OIDC-1: a quarter of an hour later is refused', async () => {
    const { it, state } = await begun()
    const kept = new Map(it.jar)
    it.advance(15 * 60 + 16)
    for (const [name, value] of kept) it.jar.set(name, value)
    expect(location(await it.get(`/auth/callback/github?code=c&state=${state}`))).toBe(EXPIRED)
  })

  test('T-OIDC-1: at another provider than the sign-in began with is refused', async () => {
    const { fetch, asked } = createGitHub()
    const it = createWorld(
      { providers: [GitHub({ clientId: 'id' }), GitHub({ id: 'evil', clientId: 'id' })] },
      { fetch },
    )
    const begin = await it.post('/auth/signin/github')
    expect(location(await it.get(back(begin, 'evil')))).toBe(CONFIGURATION)
    expect(asked).toEqual([])
    expect(await it.session()).toBeNull()
  })

  test('T-SESS-8: refuses a sealed value of another purpose', async () => {
    const { it } = await begun({}, { plugins: [authJsRollback()] })
    const state = it.jar.get('__Secure-authjs.state')
    if (state === undefined) throw new Error('no check cookie of Auth.js was written')
    it.jar.set('__Secure-authjs.pkce.code_verifier', state)
    it.jar.set('__Secure-authjs.session-token', state)
    expect(location(await it.get('/auth/callback/github?code=c'))).toBe(EXPIRED)
    expect(await it.session()).toBeNull()
  })

  test('may be a POST, but the parameters are read from the query', async () => {
    const { it, state } = await begun()
    const end = await it.postWithoutCsrf(`/auth/callback/github?code=c&state=${state}`, {
      code: 'x',
    })
    expect(location(end)).toBe(ORIGIN)
  })
})

test('a refusal of the provider is reported as one, also if the cookie of the sign-in is gone', async () => {
  const { it } = setUp()
  await it.post('/auth/signin/github')
  for (const name of it.jar.keys()) if (/sign-in|pkce/.test(name)) it.jar.delete(name)
  const end = await it.get('/auth/callback/github?error=access_denied')
  expect(location(end)).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`)
})

describe('a provider that posts the visitor back from its own site', () => {
  const options: GitHubOptions = {
    checks: ['pkce', 'state', 'nonce'].slice(0, 2) as ['pkce', 'state'],
    authorization: { params: { response_mode: 'form_post' } },
  }

  test('has its checks in cookies that survive the form', async () => {
    const { it } = setUp({}, options)
    const begin = await it.post('/auth/signin/github', { callbackUrl: '/inbox' })
    const cookies = begin.headers.getSetCookie()
    const cookie = cookies.find((text) => text.includes('latchkey.sign-in'))
    expect(cookie).toMatch(/; Secure; SameSite=None$/)
    expect(cookies.find((text) => text.includes('callback-url'))).toMatch(/SameSite=Lax$/)
  })

  test('leads to the target, although the other cookies are not sent along', async () => {
    const { it } = setUp({}, options)
    const begin = await it.post('/auth/signin/github', { callbackUrl: '/inbox' })
    const state = new URL(location(begin)).searchParams.get('state') ?? ''
    for (const name of it.jar.keys()) if (!/sign-in|state|pkce/.test(name)) it.jar.delete(name)
    const end = await it.request('/auth/callback/github', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://github.com',
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams({ code: 'c', state }).toString(),
    })
    expect(location(end)).toBe(`${ORIGIN}/inbox`)
    expect(await it.session()).not.toBeNull()
    for (const cookie of end.headers.getSetCookie()) {
      if (/sign-in|state=|verifier=/.test(cookie))
        expect(cookie).toMatch(/Max-Age=0.*SameSite=None$/)
    }
  })

  for (const name of ['code', 'state']) {
    test(`is refused if it posts ${name} twice`, async () => {
      const { it } = setUp({}, options)
      const begin = await it.post('/auth/signin/github')
      const state = new URL(location(begin)).searchParams.get('state') ?? ''
      const body = new URLSearchParams({ code: 'c', state })
      body.append(name, body.get(name) ?? '')
      const end = await it.request('/auth/callback/github', { method: 'POST', body })
      expect([CONFIGURATION, EXPIRED]).toContain(location(end))
      expect(await it.session()).toBeNull()
    })
  }

  test('T-REDIR-1: cannot choose the target', async () => {
    const { it } = setUp({}, options)
    const begin = await it.post('/auth/signin/github', { callbackUrl: 'https://evil.example/' })
    const state = new URL(location(begin)).searchParams.get('state') ?? ''
    it.jar.delete('__Secure-authjs.callback-url')
    const end = await it.postWithoutCsrf('/auth/callback/github', { code: 'c', state })
    expect(location(end)).toBe(ORIGIN)
  })
})

describe('a fetch of the application', () => {
  test('is used for its provider, and not for others', async () => {
    const mine = createGitHub()
    const world = createGitHub({ user: { ...ADA, name: 'World' } })
    const own = GitHub({ id: 'own', clientId: 'id', [customFetch]: mine.fetch })
    const it = createWorld({ providers: [own, GitHub({ clientId: 'id' })] }, { fetch: world.fetch })
    await it.get(back(await it.post('/auth/signin/own'), 'own'))
    expect(mine.asked).toHaveLength(2)
    expect(world.asked).toHaveLength(0)
    await it.get(back(await it.post('/auth/signin/github')))
    expect(mine.asked).toHaveLength(2)
    expect(world.asked).toHaveLength(2)
  })

  test('T-NET-1: may send requests over plain http, which the built-in one refuses', async () => {
    const description = {
      id: 'plain',
      name: 'Plain',
      clientId: 'id',
      authorization: 'https://a.example/a',
      token: 'http://a.example/access_token',
      userinfo: 'http://a.example/user',
    }
    for (const [own, target] of [
      [false, CONFIGURATION],
      [true, ORIGIN],
    ] as const) {
      const { fetch } = createGitHub()
      const provider = oauth({ ...description, ...(own ? { [customFetch]: fetch } : {}) })
      const it = createWorld({ providers: [provider] }, { fetch })
      const begin = await it.post('/auth/signin/plain')
      expect(location(await it.get(back(begin, 'plain')))).toBe(target)
    }
  })
})

describe('a client of a provider', () => {
  for (const [what, options, check] of [
    [
      'without a secret says its id only',
      { clientSecret: undefined },
      (a: Asked) => [
        a.form.get('client_id'),
        a.headers.has('authorization'),
        a.form.has('client_secret'),
      ],
    ],
    [
      'may send its secret in the form',
      { clientSecret: 's', client: { token_endpoint_auth_method: 'client_secret_post' } },
      (a: Asked) => [
        a.form.get('client_id'),
        a.headers.has('authorization'),
        a.form.get('client_secret') === 's' ? false : 'wrong',
      ],
    ],
  ] as [string, GitHubOptions, (asked: Asked) => unknown][]) {
    // oxlint-disable-next-line vitest/valid-title
    test(what, async () => {
      const { fetch, asked } = createGitHub()
      const it = createWorld({ providers: [GitHub({ clientId: 'id', ...options })] }, { fetch })
      const begin = await it.post('/auth/signin/github')
      expect(location(await it.get(back(begin)))).toBe(ORIGIN)
      expect(check(asked[0] as Asked)).toEqual(['id', false, false])
    })
  }

  test('may authenticate itself with a signed assertion', async () => {
    const { it, asked, signIn } = setUp(
      {},
      {
        client: { token_endpoint_auth_method: 'client_secret_jwt' },
      },
    )
    await signIn()
    const [header = '', payload = ''] = asked[0]?.form.get('client_assertion')?.split('.') ?? []
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'HS256' })
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(claims).toMatchObject({ iss: 'id', sub: 'id' })
    expect(asked[0]?.form.get('client_id')).toBe('id')
    expect(await it.session()).not.toBeNull()
  })

  for (const method of ['private_key_jwt', 'tls_client_auth', 'tls'] as const) {
    test(`that cannot use ${method} is an error of the configuration, before a visitor is redirected`, async () => {
      const { fetch, asked } = createGitHub()
      const client = { token_endpoint_auth_method: method as 'none' }
      const it = createWorld({ providers: [GitHub({ clientId: 'id', client })] }, { fetch })
      expect((await it.get('/auth/signin')).status).toBe(500)
      expect((await it.get('/auth/session')).status).toBe(500)
      expect(asked).toEqual([])
      const [logged] = it.log.filter(({ level }) => level === 'error')
      expect(logged?.message).toContain('provider github')
    })
  }

  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    test(`that cannot use ${method} is an error that names the provider`, async () => {
      const { fetch, asked } = createGitHub()
      const client = { token_endpoint_auth_method: method }
      const it = createWorld({ providers: [GitHub({ clientId: 'id', client })] }, { fetch })
      const begin = await it.post('/auth/signin/github')
      expect(location(await it.get(back(begin)))).toBe(CONFIGURATION)
      expect(asked).toEqual([])
      const [logged] = it.log.filter(({ level }) => level === 'error')
      expect(logged?.message).toContain('provider github')
    })
  }
})

test('a token response may be repaired before it is read', async () => {
  const { it, signIn } = setUp(
    { token: { token: 'gho_ada' } },
    {
      token: {
        conform: async (response) => {
          const { token } = (await response.json()) as { token: string }
          return Response.json({ access_token: token, token_type: 'bearer' })
        },
      },
    },
  )
  expect(location(await signIn())).toBe(ORIGIN)
  expect(await it.session()).not.toBeNull()
})
