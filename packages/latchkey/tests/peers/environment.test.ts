import type { AuthConfig } from 'latchkey'
import { beforeAll, describe, expect, test } from 'vitest'
import { inProduction } from '../../src/options/markers.ts'
import { decidedDepartures } from './differential/decided.ts'
import { plain } from './differential/normalize.ts'
import { ours, type Side, theirs } from './differential/side.ts'

let peer: Side
let decided: string[]
beforeAll(async () => {
  decided = await decidedDepartures()
  peer = await theirs('environment')
})

type Env = Readonly<Record<string, string>>

/** What a function gave or threw, and its warnings. */
interface Told {
  readonly result: unknown
  readonly warnings: readonly string[]
}

function listen(run: (logger: NonNullable<AuthConfig['logger']>) => unknown): Told {
  const warnings: string[] = []
  try {
    return { result: plain(run({ warn: (code) => warnings.push(code) })), warnings }
  } catch {
    return { result: 'throws', warnings }
  }
}

/**
 * A departure is named by its id, and by what each says: the library, then the peer. Without one
 * both say the same.
 */
type Departure = readonly [id: string, ours: unknown, theirs: unknown]

function judge(ask: (side: Side) => Told, departure: Departure | undefined): void {
  const [mine, other] = [ask(ours), ask(peer)]
  if (!departure) {
    expect(mine).toEqual(other)
    return
  }
  expect(mine.result).toEqual(departure[1])
  expect(other.result).toEqual(departure[2])
}

describe('createActionURL agrees with Auth.js:', () => {
  const rows: readonly (readonly [
    protocol: string,
    headers: Env,
    env: Env,
    basePath: string | undefined,
    departure?: Departure,
  ])[] = [
    ['http', { host: 'h:1' }, {}, '/auth'],
    ['https', { host: 'h' }, {}, '/auth'],
    ['https:', { host: 'h' }, {}, '/auth'],
    ['https', { host: 'h' }, {}, undefined],
    ['https', { host: 'h' }, {}, 'auth'],
    ['https', { host: 'h' }, {}, '/a/b/'],
    ['https', { host: 'h', 'x-forwarded-host': 'f' }, {}, '/auth'],
    ['https', { host: 'h', 'x-forwarded-host': 'f', 'x-forwarded-proto': 'http' }, {}, '/auth'],
    ['https', { host: 'h', 'x-forwarded-proto': 'http' }, {}, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example' }, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example/' }, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example/auth' }, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example/auth/' }, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example/p' }, '/auth'],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example/p' }, undefined],
    [
      'http',
      { host: 'h' },
      { AUTH_URL: 'https://e.example/p' },
      '/',
      ['D-06', 'https://e.example/p/session', 'https://e.example/p//session'],
    ],
    ['http', { host: 'h' }, { AUTH_URL: 'https://e.example' }, undefined],
    ['http', { host: 'h' }, { NEXTAUTH_URL: 'https://n.example/p' }, '/auth'],
    [
      'http',
      { host: 'h' },
      { AUTH_URL: 'https://e.example', NEXTAUTH_URL: 'https://n.example' },
      '/auth',
    ],
    ['http', {}, { AUTH_URL: 'no url' }, '/auth'],
    [
      'https',
      { 'x-forwarded-host': 'a.example, b.example' },
      {},
      '/auth',
      ['D-06', 'https://a.example/auth/session', 'throws'],
    ],
    [
      'https',
      { host: 'h', 'x-forwarded-proto': 'http, https' },
      {},
      '/auth',
      ['D-06', 'http://h/auth/session', 'throws'],
    ],
    ['', { host: 'h' }, {}, '/auth', ['D-06', 'https://h/auth/session', 'throws']],
    ['https', {}, {}, '/auth', ['D-06', 'throws', 'https://null/auth/session']],
    ['https', { host: 'h' }, {}, '/', ['D-06', 'https://h/session', 'https://h//session']],
    [
      'http',
      {},
      { AUTH_URL: 'https://e.example/p?q=1#f' },
      undefined,
      ['D-06', 'https://e.example/p/session', 'https://e.example/p?q=1#f/session'],
    ],
  ]

  test.for(rows)('%s %j %j %s', ([protocol, headers, env, basePath, departure]) => {
    expect([undefined, ...decided]).toContain(departure?.[0])
    judge(
      ({ createActionURL }) =>
        listen(
          (logger) =>
            createActionURL('session', protocol, new Headers(headers), env, {
              logger,
              ...(basePath === undefined ? {} : { basePath }),
            }).href,
        ),
      departure,
    )
  })
})

describe('isAuthAction agrees with Auth.js:', () => {
  test.for(['signin', 'session', 'webauthn-options', 'Session', 'error', 'nothing', ''])(
    '%s',
    (action) => {
      expect(ours.isAuthAction(action)).toBe(peer.isAuthAction(action))
    },
  )
})

describe('setEnvDefaults agrees with Auth.js:', () => {
  const secrets = {
    AUTH_SECRET: 's',
    AUTH_SECRET_1: 's1',
    AUTH_SECRET_2: 's2',
    AUTH_SECRET_3: 's3',
  }
  const provider = { id: 'my-acme', name: 'Acme', type: 'oidc', issuer: 'https://a.example' }
  const acme = {
    AUTH_MY_ACME_ID: 'id',
    AUTH_MY_ACME_SECRET: 'secret',
    AUTH_MY_ACME_ISSUER: 'https://b.example',
    AUTH_MY_ACME_KEY: 'key',
  }
  const rows: readonly (readonly [
    env: Env,
    config: object,
    departure?: readonly [id: string, member: string, ours: unknown, theirs: unknown],
  ])[] = [
    [{}, {}],
    [{ NODE_ENV: 'production' }, {}],
    [{ AUTH_URL: 'https://e.example' }, {}],
    [{ AUTH_URL: 'https://e.example/auth' }, {}],
    [{ AUTH_URL: 'https://e.example/p' }, { basePath: '/auth' }],
    [{ AUTH_URL: 'no url' }, {}],
    [secrets, {}],
    [{ ...secrets, AUTH_SECRET_4: 's4' }, { secret: '' }],
    [secrets, { secret: [] }],
    [secrets, { secret: 'own' }],
    [{ AUTH_SECRET_2: 's2', AUTH_SECRET: 's' }, {}],
    [{ AUTH_REDIRECT_PROXY_URL: 'https://p.example/auth' }, {}],
    [
      { AUTH_REDIRECT_PROXY_URL: 'https://p.example/auth' },
      { redirectProxyUrl: 'https://o.example' },
    ],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' }, {}],
    [{ NODE_ENV: 'production', VERCEL: '1' }, {}],
    [{ NODE_ENV: 'production', CF_PAGES: '1' }, {}],
    [{ NODE_ENV: 'production', AUTH_URL: 'https://e.example' }, {}],
    [{ AUTH_TRUST_HOST: 'true' }, { trustHost: false }],
    [acme, { providers: [{ ...provider }] }],
    [acme, { providers: [{ ...provider, clientId: 'own' }] }],
    [acme, { providers: [{ ...provider, issuer: undefined }] }],
    [acme, { providers: [{ ...provider, options: { clientId: 'option' } }] }],
    [acme, { providers: [(options: object): object => ({ ...provider, options })] }],
    [acme, { providers: [(): object => ({ ...provider })] }],
    [acme, { providers: [(): object => ({ ...provider, issuer: undefined, clientId: 'own' })] }],
    [acme, { providers: [(): object => ({ id: 'my-acme', name: 'Mail', type: 'email' })] }],
    [
      { AUTH_MY_ACME_ID: 'id' },
      { providers: [(options: object): object => ({ ...provider, options })] },
    ],
    [acme, { providers: [{ id: 'my-acme', name: 'Mail', type: 'email' }] }],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: 'false' }, {}, ['D-05', 'trustHost', false, true]],
    [{ NODE_ENV: 'production', AUTH_TRUST_HOST: '0' }, {}, ['D-05', 'trustHost', false, true]],
  ]

  test.for(rows)('%j %j', ([env, given, departure]) => {
    const ask = ({ setEnvDefaults }: Side): Told =>
      listen((logger) => {
        const { providers = [], ...rest } = given as { providers?: object[] }
        const copies = providers.map((each) => (typeof each === 'function' ? each : { ...each }))
        const config = { ...rest, providers: copies, logger } as unknown as AuthConfig
        setEnvDefaults(env, config)
        const {
          logger: _,
          [inProduction]: __,
          ...filled
        } = config as typeof config & {
          [inProduction]?: true
        }
        return filled
      })
    const [mine, other] = [ask(ours), ask(peer)]
    if (!departure) {
      expect(mine).toEqual(other)
      return
    }
    expect(decided).toContain(departure[0])
    const [, member, wanted, before] = departure
    expect(mine.result).toEqual({ ...(other.result as object), [member]: wanted })
    expect(other.result).toMatchObject({ [member]: before })
  })
})
