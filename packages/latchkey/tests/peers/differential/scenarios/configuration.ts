import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { acme, mail, password, plain } from '../providers.ts'
import { get, post, type Scenario, type Setting } from '../scenario.ts'

type Config = (setting: Setting) => Partial<AuthConfig>

function fault(name: string, config: Config, more: Partial<Scenario> = {}): Scenario {
  return { name, config, steps: [get('/auth/session')], ...more }
}

const one: Config = (setting) => ({ providers: [password(setting)] })

/** Each rule, and then how a fault is answered. */
export const configuration: readonly Scenario[] = [
  fault('an untrusted host', (s) => ({ ...one(s), trustHost: false })),
  fault('no secret', (s) => ({ ...one(s), secret: undefined })),
  fault('an empty secret', (s) => ({ ...one(s), secret: '' })),
  fault('an empty list of secrets', (s) => ({ ...one(s), secret: [] })),
  fault('an untrusted host before a missing secret', (s) => ({
    ...one(s),
    trustHost: false,
    secret: '',
  })),
  ...(['authorization', 'token', 'userinfo'] as const).map((name) =>
    fault(`an OAuth provider without ${name}`, (s) => ({
      providers: [plain(s, { [name]: undefined })],
    })),
  ),
  fault('an OAuth provider with an issuer instead', (s) => ({
    providers: [
      plain(s, {
        authorization: undefined,
        token: undefined,
        userinfo: undefined,
        issuer: 'https://idp.example',
      }),
    ],
  })),
  fault('an OAuth provider with an issuer in its options', (s) => ({
    providers: [plain(s, { authorization: undefined, options: { issuer: 'https://idp.example' } })],
  })),
  fault('credentials without `authorize`', (s) => ({
    providers: [password(s, null, { authorize: undefined })],
  })),
  fault(
    'credentials alone with stored sessions',
    (s) => ({ ...one(s), session: { strategy: 'database' } }),
    { store: {} },
  ),
  fault('mail without an adapter', (s) => ({ providers: [mail(s)] })),
  fault('stored sessions without an adapter', (s) => ({
    providers: [acme(s)],
    session: { strategy: 'database' },
  })),
  fault('an adapter without a method for sessions', (s) => ({ providers: [acme(s)] }), {
    store: { without: ['createSession'] },
  }),
  fault('an adapter without a method for mail', (s) => ({ providers: [mail(s)] }), {
    store: { without: ['useVerificationToken'] },
  }),
  fault('an adapter with the methods for mail alone', (s) => ({ providers: [mail(s)] }), {
    store: { without: ['createSession', 'getSessionAndUser'] },
  }),
  fault(
    'an adapter without methods, and sealed sessions',
    (s) => ({ providers: [acme(s)], session: { strategy: 'jwt' } }),
    { store: { without: ['createSession', 'createUser'] } },
  ),
  fault('a provider as a function', (s) => ({ providers: [(): never => acme(s) as never] }), {
    steps: [get('/auth/providers')],
  }),
  fault(
    'a provider that throws',
    () => ({
      providers: [
        (): never => {
          throw new Error('no client id')
        },
      ],
    }),
    { freshPeer: true },
  ),
  fault(
    'a provider of an unknown type',
    (s) => ({ providers: [{ ...acme(s), type: 'unknown' } as never] }),
    { steps: [get('/auth/csrf')] },
  ),
  fault('no providers', () => ({ providers: [] }), {
    steps: [get('/auth/providers'), get('/auth/signin')],
  }),
  fault(
    'two providers with one id',
    (s) => ({ providers: [acme(s, { name: 'First' }), acme(s, { name: 'Second' })] }),
    { steps: [get('/auth/providers')] },
  ),
  fault('`debug`', (s) => ({ ...one(s), debug: true }), { freshPeer: true }),
  ...(
    [
      get('/auth/csrf'),
      get('/auth/providers'),
      get('/auth/signin'),
      get('/auth/signout'),
      get('/auth/error'),
      get('/auth/verify-request'),
      get('/auth/callback/password'),
      post('/auth/signin'),
      post('/auth/signout'),
      post('/auth/callback/password'),
      post('/auth/session'),
      get('/auth/nothing'),
    ] as const
  ).map(
    (step): Scenario => ({
      ...fault(
        `answered: ${step.kind === 'post' ? 'POST' : 'GET'} ${'path' in step ? step.path : ''}`,
        (s) => ({ ...one(s), secret: '' }),
      ),
      steps: [step],
    }),
  ),
  fault(
    'answered on the own error page',
    (s) => ({ ...one(s), secret: '', pages: { error: '/oops' } }),
    {
      steps: [
        get('/auth/signin'),
        get('/auth/error'),
        get('/auth/csrf'),
        get('/auth/signin?callbackUrl=/oops'),
        get('/auth/signin?callbackUrl=/oops/more'),
      ],
    },
  ),
]
