import { existsSync, readdirSync } from 'node:fs'
import peerStrava from '@auth/core/providers/strava'
import peerWeChat from '@auth/core/providers/wechat'
import type { AuthConfig } from 'latchkey'
import strava from 'latchkey/providers/strava'
import weChat from 'latchkey/providers/wechat'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { JWT } from '../../src/verifier/jwt.ts'
import { type Answer, Visit } from './auth-core-visit.ts'
import { createIdentityProvider, ISSUER } from './differential/identity-provider.ts'
import { acme, mail, password, plain } from './differential/providers.ts'
import type { Setting } from './differential/scenario.ts'
import { ours, type Side, theirs } from './differential/side.ts'

let peer: Side
/** One of its own: Auth.js that has seen a mail provider refuses configurations without an adapter. */
let mailPeer: Side
beforeAll(async () => {
  ;[peer, mailPeer] = await Promise.all([theirs('departures'), theirs('departures with mail')])
})

/** What is configured, and what it saw. */
type Build<Seen> = (setting: Setting, seen: Seen[]) => Partial<AuthConfig>

interface Visitor {
  readonly answer: Answer
  readonly visit: Visit
}

interface Played<Seen> extends Visitor {
  readonly seen: Seen[]
}

/** The same application at both. */
function both<Seen = unknown>(build: Build<Seen>, answers: object = {}): Played<Seen>[] {
  return [ours, peer].map((side) => {
    const idp = createIdentityProvider(answers)
    const seen: Seen[] = []
    const config: AuthConfig = {
      providers: [],
      secret: 'latchkey-test-secret-0123456789abcdef',
      trustHost: true,
      basePath: '/auth',
      logger: { error() {}, warn() {}, debug() {} },
      ...build({ side, idp, heard: () => {}, mail: () => {} }, seen),
    }
    const mails = config.providers.some((given) => 'type' in given && given.type === 'email')
    const { auth } = side === peer && mails ? mailPeer : side
    const answer: Answer = async (request) => (await auth(request, config)) as Response
    return { answer, visit: new Visit(), seen }
  })
}

async function csrfToken({ visit, answer }: Visitor): Promise<string> {
  const body = (await (await visit.get(answer, '/auth/csrf')).json()) as { csrfToken: string }
  return body.csrfToken
}

/** Signs in at the provider `id`, whose authorization response may have more parameters. */
async function signInAt(
  played: Visitor,
  id: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const { visit, answer } = played
  const begun = await visit.post(answer, `/auth/signin/${id}`, {
    csrfToken: await csrfToken(played),
  })
  const { searchParams } = new URL(begun.headers.get('location') ?? '')
  const params = new URLSearchParams({ code: 'c', ...more })
  if (searchParams.has('state')) params.set('state', searchParams.get('state') ?? '')
  const end = await visit.get(answer, `/auth/callback/${id}?${params}`)
  return end.headers.get('location')
}

const HOME = 'https://app.example'

test('D-221: buttons of providers come first on the sign-in page', async () => {
  const orders: string[][] = []
  for (const { answer, visit } of both((setting) => ({
    providers: [password(setting), plain(setting)],
  }))) {
    const page = await (await visit.get(answer, '/auth/signin')).text()
    const targets = [...page.matchAll(/<form action="[^"]*\/auth\/(\w+)\/\w+"/g)]
    orders.push(targets.map(([, action = '']) => action))
  }
  expect(orders).toEqual([
    ['signin', 'callback'],
    ['callback', 'signin'],
  ])
})

test('D-226: an update of the session calls no `redirect` callback, and sets no callback-URL cookie', async () => {
  const told: unknown[] = []
  for (const played of both((setting, seen) => ({
    providers: [password(setting)],
    callbacks: {
      redirect({ url }) {
        seen.push(url)
        return url
      },
    },
  }))) {
    const { visit, answer, seen } = played
    await visit.signIn(answer)
    const token = await csrfToken(played)
    visit.cookies.delete('__Secure-authjs.callback-url')
    seen.length = 0
    const callbackUrl = '/inbox'
    const updated = await visit.post(answer, '/auth/session', { csrfToken: token, callbackUrl })
    const names = updated.headers.getSetCookie().map((line) => line.split('=')[0])
    told.push([seen.length > 0, names.includes('__Secure-authjs.callback-url')])
  }
  expect(told).toEqual([
    [false, false],
    [true, true],
  ])
})

test('D-231: functions that seal tokens get no `encode` and no `decode`', async () => {
  const told: string[][] = []
  for (const { answer, visit, seen } of both<string>((setting, seen) => {
    const note = (name: string, given: object): void => {
      seen.push(...Object.keys(given).map((member) => `${name} ${member}`))
    }
    return {
      providers: [password(setting, undefined, { id: 'credentials' })],
      session: { updateAge: 0 },
      jwt: {
        encode(given) {
          note('encode', given)
          return JSON.stringify(given.token)
        },
        decode(given) {
          note('decode', given)
          return JSON.parse(given.token ?? '') as JWT
        },
      },
    }
  })) {
    await visit.signIn(answer)
    await visit.session(answer)
    told.push([...new Set(seen)].sort())
  }
  const [mine = [], other = []] = told
  expect(mine).toEqual(
    ['decode', 'encode'].flatMap((name) =>
      ['maxAge', 'salt', 'secret', 'token'].map((member) => `${name} ${member}`),
    ),
  )
  expect(other.filter((member) => !mine.includes(member))).toEqual([
    'decode decode',
    'decode encode',
    'encode decode',
    'encode encode',
  ])
})

test('D-143: a missing part of a name is no word', async () => {
  const lacking = { id: 7, firstname: 'Ada' } as never
  expect(await strava().profile?.(lacking, {})).toMatchObject({ name: 'Ada' })
  expect(peerStrava({}).profile?.(lacking, {})).toMatchObject({ name: 'Ada undefined' })
})

test('D-148: WeChat without `unionid` has the identifier of the app', async () => {
  const lacking = { openid: 'of the app', nickname: 'Ada' } as never
  expect(await weChat().profile?.(lacking, {})).toMatchObject({ id: 'of the app' })
  const options = { clientId: 'id', clientSecret: 's', platformType: 'WebsiteApp' } as const
  expect(peerWeChat(options).profile?.(lacking, {})).toMatchObject({ id: undefined })
})

test.for([
  [`${ISSUER}/`, true, false],
  [`${ISSUER}//`, false, false],
  ['https://evil.example', false, false],
] as const)(
  'D-151: a plain OAuth provider that declares itself as %s',
  async ([iss, mine, other]) => {
    const ends: unknown[] = []
    for (const played of both((setting) => ({ providers: [plain(setting, { issuer: ISSUER })] })))
      ends.push((await signInAt(played, 'plain', { iss })) === HOME)
    expect(ends).toEqual([mine, other])
  },
)

test.for([
  [null, {}, { email: undefined }],
  ['', { email: null }, { email: '' }],
] as const)(
  'D-225: the address %j of a profile is handled as declared',
  async ([email, mine, other]) => {
    const users: unknown[] = []
    for (const played of both(
      (setting, seen) => ({
        providers: [acme(setting)],
        callbacks: {
          signIn({ user }) {
            seen.push('email' in user ? { email: user.email } : {})
            return true
          },
        },
      }),
      { claims: { email } },
    )) {
      await signInAt(played, 'acme')
      users.push(...played.seen)
    }
    expect(users).toStrictEqual([mine, other])
  },
)

test.for([
  ['bungie', ['object', 'string', 'object', []], ['string', 'string', 'string', []]],
  ['threads', ['object', 'object', 'object', []], ['string', 'string', 'string', []]],
  [
    'wechat',
    ['object', 'object', 'object', []],
    ['object', 'object', 'object', ['token', 'userinfo']],
  ],
] as const)('D-223: endpoints of %s are data, in objects', async ([module, mine, other]) => {
  const factories = await Promise.all([
    import(`../../src/providers/${module}.ts`),
    import(`@auth/core/providers/${module}`),
  ])
  const options = { clientId: 'id', clientSecret: 's' }
  expect(factories.map(({ default: factory }) => shapeOf(factory(options)))).toEqual([mine, other])
})

/** The types of the endpoints, and those that have functions. */
function shapeOf(provider: Record<string, unknown>): unknown[] {
  const names = ['authorization', 'token', 'userinfo']
  const endpoints = names.map((name) => provider[name])
  const functions = names.filter((_, i) =>
    Object.values((endpoints[i] as object | undefined) ?? {}).some(
      (value) => typeof value === 'function',
    ),
  )
  return [...endpoints.map((endpoint) => typeof endpoint), functions]
}

describe('the providers of the catalogue have no undeclared departures', () => {
  const options = {
    clientId: 'id',
    clientSecret: 's',
    issuer: 'https://issuer.example',
    server: 'smtp://mail.example',
    baseUrl: 'https://base.example',
  }

  /** Members that one has and the other lacks, in providers of a type that the pattern matches. */
  async function differing(type: RegExp): Promise<{ more: string[]; fewer: string[] }> {
    const more = new Set<string>()
    const fewer = new Set<string>()
    for (const file of readdirSync(new URL('../../src/providers/', import.meta.url))) {
      const [module = '', ...ending] = file.split('.')
      if (ending.join('.') !== 'ts' || !existsSync(new URL(`${module}.js`, peerProviders))) continue
      if (/^(credentials|passkey|webauthn)$/.test(module)) continue
      const [mine, other] = (await Promise.all([
        import(`../../src/providers/${module}.ts`),
        import(`@auth/core/providers/${module}`),
      ])) as [Module, Module]
      const [ours, theirs] = [mine.default(options), other.default(options)]
      if (!type.test(String(ours['type']))) continue
      for (const name of Object.keys(ours)) if (!(name in theirs)) more.add(name)
      for (const name of Object.keys(theirs)) if (!(name in ours)) fewer.add(name)
    }
    return { more: [...more].sort(), fewer: [...fewer].sort() }
  }

  const peerProviders = new URL('../../../../node_modules/@auth/core/providers/', import.meta.url)

  test('D-270: for OAuth and OpenID Connect', async () => {
    expect(await differing(/^(oauth|oidc)$/)).toEqual({
      more: [
        'defaultIssuer',
        'deprecated',
        'emailProofClaim',
        'endSession',
        'issuer',
        'jwks_endpoint',
        'prompts',
        'responseParams',
        'style',
        'supplement',
        'tenantIssuer',
        'tokens',
      ],
      fewer: ['client', 'clientId', 'clientSecret', 'headers', 'issuer', 'userinfo', 'wellKnown'],
    })
  })

  test('D-277: for mail', async () => {
    expect(await differing(/^email$/)).toEqual({
      more: ['requires', 'sendMail'],
      fewer: ['apiKey', 'from', 'server', 'transactionalId'],
    })
  })
})

interface Module {
  readonly default: (options: object) => Record<string, unknown>
}

test('D-272: fields tell browsers what to fill in, and the keyboard to show', async () => {
  const hints: string[][] = []
  for (const { answer, visit } of both((setting) => ({
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [
      password(setting, undefined, {
        credentials: { username: {}, password: { type: 'password' }, mail: { type: 'email' } },
      }),
      mail(setting),
    ],
  }))) {
    const page = await (await visit.get(answer, '/auth/signin')).text()
    const found = page.matchAll(/\b(autocomplete|autocapitalize|spellcheck)="([^"]*)"/g)
    hints.push([...new Set([...found].map(([, name, value]) => `${name} ${value}`))])
  }
  expect(hints).toEqual([
    [
      'autocomplete username',
      'autocapitalize none',
      'spellcheck false',
      'autocomplete current-password',
      'autocomplete email',
    ],
    [],
  ])
})

test('D-273: an error with another one as its cause has its text', () => {
  const inner = new Error('the disk is full')
  expect(new ours.errors.AdapterError(inner).message).toBe(inner.message)
  expect(new peer.errors.AdapterError(inner).message).not.toContain(inner.message)
})

test('D-274: an account is searched for once more before a sign-in by a known address is refused', async () => {
  const reads: unknown[] = []
  for (const played of both<string>((setting, seen) => {
    const adapter = memoryAdapter()
    void adapter.createUser?.({ id: 'u1', email: 'ada@example.test', emailVerified: null })
    const getUserByAccount: Adapter['getUserByAccount'] = (account) => {
      seen.push('getUserByAccount')
      return adapter.getUserByAccount?.(account) ?? null
    }
    return {
      adapter: { ...adapter, [atomic]: {}, getUserByAccount },
      providers: [acme(setting)],
    }
  })) {
    const end = await signInAt(played, 'acme')
    expect(end).toBe(`${HOME}/auth/signin?error=OAuthAccountNotLinked`)
    reads.push(played.seen.length)
  }
  expect(reads).toEqual([3, 2])
})

test.for([
  '.ada@example.test',
  'ada.@example.test',
  'a..da@example.test',
  'a da@example.test',
  'ada@[127.0.0.1]',
  'ada@-example.test',
  'ada@example..test',
  'ada@example.test.',
  'ada@my_host.test',
  'a\\da@example.test',
  'a:da@example.test',
  '<ada@example.test>',
  `${'a'.repeat(310)}@example.test`,
])('D-275: no mail is sent to %s', async (email) => {
  const sent: unknown[] = []
  for (const played of both<string>((setting, seen) => ({
    adapter: memoryAdapter(),
    providers: [mail({ ...setting, mail: (link) => void seen.push(link) })],
  }))) {
    const form = { csrfToken: await csrfToken(played), email }
    await played.visit.post(played.answer, '/auth/signin/mail', form)
    sent.push(played.seen.length)
  }
  expect(sent).toEqual([0, 1])
})

test('D-276: classes of errors have no static `kind`, and the base has a type', () => {
  const [mine, other] = [ours.errors, peer.errors]
  expect(['kind' in mine.SignInError, 'kind' in other.SignInError]).toEqual([false, true])
  expect([mine.AuthError.type, other.AuthError.type]).toEqual(['AuthError', undefined])
  const kinds = [mine, other].map((errors) => new errors.OAuthProfileParseError('x').kind)
  expect(kinds).toEqual(['signIn', 'error'])
})

test.for(['token', 'authorization', 'userinfo'])(
  'D-278: an endpoint with an invalid URL fails when it is used: %s',
  async (name) => {
    const ends: unknown[] = []
    for (const played of both((setting) => ({ providers: [plain(setting, { [name]: 'no URL' })] })))
      ends.push((await played.visit.get(played.answer, '/auth/providers')).status)
    expect(ends).toEqual([200, 302])
    const [mine] = both((setting) => ({ providers: [plain(setting, { [name]: 'no URL' })] }))
    expect(mine && (await signInAt(mine, 'plain'))).not.toBe(HOME)
  },
)

test('D-278: an issuer with an invalid URL fails at the start', async () => {
  const ends: unknown[] = []
  for (const { visit, answer } of both((setting) => ({
    providers: [plain(setting, { issuer: 'no URL' })],
  })))
    ends.push((await visit.get(answer, '/auth/providers')).status)
  expect(ends).toEqual([500, 200])
})

test.for([
  [undefined, 500, 200, false],
  ['', 200, 200, true],
] as const)(
  'D-279: `jwt.encode` that returns %j is refused',
  async ([token, mine, other, isWritten]) => {
    const told: unknown[] = []
    for (const { visit, answer } of both((setting) => {
      let calls = 0
      return {
        providers: [password(setting, undefined, { id: 'credentials' })],
        session: { updateAge: 0 },
        jwt: {
          // Sealed at one moment of the past, so that each read is due.
          encode: (given) =>
            calls++ === 0 ? JSON.stringify({ ...given.token, iat: 1 }) : (token as string),
          decode: ({ token: sealed = '' }) => JSON.parse(sealed) as JWT,
        },
      }
    })) {
      await visit.signIn(answer)
      const read = await visit.get(answer, '/auth/session')
      const [cookie = ''] = read.headers.getSetCookie().filter((line) => line.includes('session'))
      told.push([read.status, /session-token=;.*Expires=/.test(cookie)])
    }
    expect(told).toEqual([
      [mine, isWritten],
      [other, false],
    ])
  },
)

test('D-280: a callback URL with a user name is replaced by the origin', async () => {
  const ends: unknown[] = []
  for (const played of both((setting) => ({
    providers: [password(setting, undefined, { id: 'credentials' })],
  }))) {
    const callbackUrl = 'https://ada:secret@app.example/inbox'
    const form = { csrfToken: await csrfToken(played), callbackUrl }
    const end = await played.visit.post(played.answer, '/auth/callback/credentials', form)
    ends.push(end.headers.get('location'))
  }
  expect(ends).toEqual([HOME, 'https://ada:secret@app.example/inbox'])
})

test('D-282: raw responses have a `status`', async () => {
  const told: unknown[] = []
  for (const { answer } of both(({ side }) => ({ raw: side.raw }))) {
    const answers = ['signin', 'signout'].map((action) =>
      answer(new Request(`${HOME}/auth/${action}`)),
    )
    const [signIn, signOut] = (await Promise.all(answers)) as unknown as { status?: number }[]
    told.push(['status' in (signIn ?? {}), signIn?.status, signOut?.status])
  }
  expect(told).toEqual([
    [false, undefined, 200],
    [true, undefined, undefined],
  ])
})

test('D-283: `maxAge: 0` of a mail provider is a configuration error', async () => {
  const statuses: unknown[] = []
  for (const { visit, answer } of both((setting) => ({
    adapter: memoryAdapter(),
    providers: [mail(setting, { maxAge: 0 })],
  })))
    statuses.push((await visit.get(answer, '/auth/providers')).status)
  expect(statuses).toEqual([500, 200])
})

test('D-284: a provider without `clientId` causes a warning, and begins no sign-in', async () => {
  const told: unknown[] = []
  for (const played of both<string>((setting, seen) => ({
    providers: [plain(setting, { clientId: undefined })],
    logger: { error() {}, warn: (code) => void seen.push(code), debug() {} },
  }))) {
    const form = { csrfToken: await csrfToken(played) }
    const begun = await played.visit.post(played.answer, '/auth/signin/plain', form)
    const { searchParams } = new URL(begun.headers.get('location') ?? '')
    told.push([played.seen.includes('client-id-missing'), searchParams.get('client_id')])
  }
  expect(told).toEqual([
    [true, null],
    [false, 'undefined'],
  ])
})

test.for([
  ['onelogin', 'https://acme.onelogin.com', '/oidc/2'],
  ['asgardeo', 'https://api.asgardeo.io/t/acme', '/oauth2/token'],
] as const)('D-285: the issuer of %s is used as it is', async ([module, issuer, path]) => {
  const [mine, other] = (await Promise.all([
    import(`../../src/providers/${module}.ts`),
    import(`@auth/core/providers/${module}`),
  ])) as [Module, Module]
  const asked: string[] = []
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    asked.push(new Request(input).url)
    return new Response(null, { status: 404 })
  }
  const options = { clientId: 'id', clientSecret: 's', issuer, [ours.customFetch]: fetch }
  const [played] = both(() => ({ providers: [mine.default(options) as never] }))
  if (!played) throw new Error('nothing was played')
  const form = { csrfToken: await csrfToken(played) }
  await played.visit.post(played.answer, `/auth/signin/${module}`, form)
  const document = '/.well-known/openid-configuration'
  expect(asked[0]).toBe(`${issuer}${document}`)
  // The address that next-auth 4 asks, which Auth.js keeps as a member.
  expect(other.default(options)['wellKnown']).toBe(`${issuer}${path}${document}`)
})
