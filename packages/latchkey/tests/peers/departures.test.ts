import peerStrava from '@auth/core/providers/strava'
import peerWeChat from '@auth/core/providers/wechat'
import type { AuthConfig } from 'latchkey'
import strava from 'latchkey/providers/strava'
import weChat from 'latchkey/providers/wechat'
import { beforeAll, expect, test } from 'vitest'
import type { JWT } from '../../src/jwt.ts'
import { type Answer, Visit } from './auth-core-visit.ts'
import { createIdentityProvider, ISSUER } from './differential/identity-provider.ts'
import { acme, password, plain } from './differential/providers.ts'
import type { Setting } from './differential/scenario.ts'
import { ours, type Side, theirs } from './differential/side.ts'

let peer: Side
beforeAll(async () => {
  peer = await theirs('departures')
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
    const answer: Answer = async (request) => (await side.auth(request, config)) as Response
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
] as const)('D-151: a plain OAuth provider that says it is %s', async ([iss, mine, other]) => {
  const ends: unknown[] = []
  for (const played of both((setting) => ({ providers: [plain(setting, { issuer: ISSUER })] })))
    ends.push((await signInAt(played, 'plain', { iss })) === HOME)
  expect(ends).toEqual([mine, other])
})

test.for([
  [null, {}, { email: undefined }],
  ['', { email: null }, { email: '' }],
] as const)('D-225: a profile with the address %j', async ([email, mine, other]) => {
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
})

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
