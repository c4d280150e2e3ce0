import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { acme, plain } from '../providers.ts'
import { comeBack, get, post, type Scenario, type Setting } from '../scenario.ts'

const ada = { id: 'u1', name: 'Ada', email: 'ada@example.test' }
const eve = { id: 'u2', name: 'Eve', email: 'eve@example.test' }

function accountOf(
  userId: string,
): NonNullable<NonNullable<Scenario['store']>['accounts']>[number] {
  return { userId, provider: 'acme', providerAccountId: 'idp-7', type: 'oidc' }
}

/** Who is signed in, whose account it is, whose address it is, and whether addresses may link. */
const rows: readonly (readonly [
  name: string,
  store: NonNullable<Scenario['store']>,
  signedIn: string | undefined,
  allow: boolean,
])[] = [
  ['nobody knows them', {}, undefined, false],
  ['the account is known', { users: [ada], accounts: [accountOf('u1')] }, undefined, false],
  [
    'the account is known under another address',
    { users: [eve], accounts: [accountOf('u2')] },
    undefined,
    false,
  ],
  ['the address is known', { users: [ada] }, undefined, false],
  ['the address is known and may link', { users: [ada] }, undefined, true],
  [
    'signed in, the account is their own',
    { users: [ada], accounts: [accountOf('u1')] },
    'u1',
    false,
  ],
  [
    "signed in, the account is another user's",
    { users: [ada, eve], accounts: [accountOf('u2')] },
    'u1',
    false,
  ],
  ['signed in, the account is new', { users: [ada] }, 'u1', false],
  [
    "signed in, the account is new and the address another user's",
    { users: [ada, eve] },
    'u2',
    false,
  ],
]

const token = 'a-session-token-0123456789-0123456789'

export const linking: readonly Scenario[] = [
  ...rows.flatMap(([name, store, signedIn, allow]): Scenario[] => {
    const providers = (setting: Setting): Partial<AuthConfig> => ({
      providers: [acme(setting, { allowDangerousEmailAccountLinking: allow })],
      session: { updateAge: 0 },
    })
    const steps = [post('/auth/signin/acme'), comeBack(), get('/auth/session')]
    return [
      {
        name: `stored sessions: ${name}`,
        config: providers,
        store: signedIn
          ? { ...store, sessions: [{ token, userId: signedIn, endsIn: 29 * 86_400 }] }
          : store,
        steps,
      },
      {
        name: `sealed sessions: ${name}`,
        config: (setting) => ({
          ...providers(setting),
          session: { strategy: 'jwt', updateAge: 0 },
        }),
        store,
        ...(signedIn ? { signedIn: { sub: signedIn, name: 'Somebody' } } : {}),
        steps,
      },
    ]
  }),
  {
    name: 'an expired session counts as nobody',
    config: (setting) => ({ providers: [acme(setting)] }),
    store: { users: [eve], sessions: [{ token, userId: 'u2', endsIn: -10 }] },
    steps: [post('/auth/signin/acme'), comeBack()],
  },
  {
    name: 'a session of a user who is gone',
    config: (setting) => ({ providers: [acme(setting)], session: { strategy: 'jwt' } }),
    store: {},
    signedIn: { sub: 'gone' },
    steps: [post('/auth/signin/acme'), comeBack()],
  },
  {
    name: 'what the callbacks are told of a new person',
    config: (setting) => ({ providers: [acme(setting)], session: { strategy: 'jwt' } }),
    store: {},
    listens: ['signIn', 'jwt'],
    steps: [post('/auth/signin/acme'), comeBack()],
  },
  {
    name: 'what the callbacks are told of a known person',
    config: (setting) => ({ providers: [plain(setting)], session: { strategy: 'jwt' } }),
    store: {
      users: [ada],
      accounts: [{ userId: 'u1', provider: 'plain', providerAccountId: 'idp-7', type: 'oauth' }],
    },
    listens: ['signIn', 'jwt'],
    steps: [post('/auth/signin/plain'), comeBack()],
  },
  ...['/welcome', '/welcome?lang=de'].map(
    (newUser): Scenario => ({
      name: `the page for new users ${newUser}`,
      config: (setting) => ({ providers: [acme(setting)], pages: { newUser } }),
      store: {},
      steps: [post('/auth/signin/acme', { callbackUrl: '/inbox' }), comeBack()],
    }),
  ),
  {
    name: 'own session tokens',
    config: (setting) => {
      let times = 0
      return {
        providers: [acme(setting)],
        session: { generateSessionToken: () => `own-session-token-number-${++times}` },
      }
    },
    store: {},
    steps: [post('/auth/signin/acme'), comeBack()],
  },
  ...['getUserByAccount', 'createUser', 'linkAccount', 'createSession'].map(
    (name): Scenario => ({
      name: `the store fails at ${name}`,
      config: (setting) => ({ providers: [acme(setting)] }),
      store: { failing: [name] },
      steps: [post('/auth/signin/acme'), comeBack()],
    }),
  ),
  {
    name: 'a handler of an event that throws',
    config: (setting) => ({
      providers: [acme(setting)],
      events: {
        createUser: () => {
          throw new Error('no')
        },
      },
    }),
    store: {},
    steps: [post('/auth/signin/acme'), comeBack()],
  },
]
