import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { CSRF_TOKEN } from '../known.ts'
import { mail } from '../providers.ts'
import {
  dropCookie,
  get,
  openLink,
  post,
  type Scenario,
  type Setting,
  send,
  wait,
} from '../scenario.ts'

const ask = post('/auth/signin/mail', { email: 'Ada@Example.test', callbackUrl: '/inbox' })

function one(setting: Setting): Partial<AuthConfig> {
  return { providers: [mail(setting)], session: { updateAge: 0 } }
}

function sealed(setting: Setting): Partial<AuthConfig> {
  return { ...one(setting), session: { strategy: 'jwt', updateAge: 0 } }
}

const known = { users: [{ id: 'u1', email: 'ada@example.test', name: 'Ada' }] }
const proven = {
  users: [{ id: 'u1', email: 'ada@example.test', emailVerified: new Date(Date.UTC(2025, 0, 1)) }],
}

function throwing(error: () => Error): () => never {
  return () => {
    throw error()
  }
}

export const email: readonly Scenario[] = [
  {
    name: 'a new person, stored session',
    config: one,
    store: {},
    steps: [ask, openLink(), get('/auth/session')],
  },
  {
    name: 'a new person, sealed session',
    config: sealed,
    store: {},
    steps: [ask, openLink(), get('/auth/session')],
  },
  { name: 'a known person, stored session', config: one, store: known, steps: [ask, openLink()] },
  {
    name: 'a known person, sealed session',
    config: sealed,
    store: known,
    steps: [ask, openLink()],
  },
  {
    name: 'a person whose address is proven',
    config: one,
    store: proven,
    steps: [ask, openLink()],
  },
  {
    name: 'what the callbacks are told',
    config: sealed,
    store: known,
    listens: ['signIn', 'jwt', 'redirect'],
    steps: [ask, openLink()],
  },
  {
    name: 'what the callbacks are told of a new person',
    config: sealed,
    store: {},
    listens: ['signIn', 'jwt'],
    steps: [ask, openLink()],
  },
  {
    name: 'somebody else is signed in, stored session',
    config: one,
    store: {
      users: [...known.users, { id: 'u2', email: 'eve@example.test' }],
      sessions: [{ token: 'a-session-token-of-eve-0123456789', userId: 'u2', endsIn: 3600 }],
    },
    steps: [ask, openLink()],
  },
  {
    name: 'the same person is signed in, stored session',
    config: one,
    store: {
      ...known,
      sessions: [{ token: 'a-session-token-of-ada-0123456789', userId: 'u1', endsIn: 3600 }],
    },
    steps: [ask, openLink()],
  },
  {
    name: 'a page for new users',
    config: (setting) => ({ ...sealed(setting), pages: { newUser: '/welcome' } }),
    store: {},
    steps: [ask, openLink()],
  },
  {
    name: 'the link a second time',
    config: sealed,
    store: known,
    steps: [ask, openLink(), openLink()],
  },
  {
    name: 'the link when it is too old',
    config: sealed,
    store: known,
    steps: [ask, wait(601), openLink()],
  },
  {
    name: 'the link with another token',
    config: sealed,
    store: known,
    steps: [ask, openLink((url) => url.searchParams.set('token', 'f'.repeat(64))), openLink()],
  },
  {
    name: 'the link with another address',
    config: sealed,
    store: known,
    steps: [ask, openLink((url) => url.searchParams.set('email', 'eve@example.test'))],
  },
  {
    name: 'the link without its address',
    config: sealed,
    store: known,
    steps: [ask, openLink((url) => url.searchParams.delete('email'))],
  },
  {
    name: 'the link without its token',
    config: sealed,
    store: known,
    steps: [ask, openLink((url) => url.searchParams.delete('token'))],
  },
  {
    name: 'the link with another callback URL',
    config: sealed,
    store: known,
    steps: [ask, openLink((url) => url.searchParams.set('callbackUrl', 'https://evil.example/'))],
  },
  {
    name: 'the link in another browser',
    config: sealed,
    store: known,
    steps: [ask, dropCookie('__Host-latchkey.email-request'), openLink()],
  },
  {
    name: 'the link in another browser, without confirmation',
    config: (setting) => ({
      ...sealed(setting),
      providers: [mail(setting, { confirmation: 'never' })],
    }),
    store: known,
    steps: [ask, dropCookie('__Host-latchkey.email-request'), openLink()],
  },
  ...[
    '',
    'nobody',
    'a@b@c',
    'a@',
    '@b',
    '"a,b"@c.test',
    'a@b.test,c.test',
    ' ADA@B.TEST ',
    'ＡＤＡ@b.test',
  ].map(
    (address): Scenario => ({
      name: `the address '${address}'`,
      config: sealed,
      store: {},
      steps: [post('/auth/signin/mail', { email: address })],
    }),
  ),
  {
    name: 'own normalization',
    config: (setting) => ({
      ...sealed(setting),
      providers: [mail(setting, { normalizeIdentifier: (text: string) => `${text}.example` })],
    }),
    store: {},
    steps: [ask],
  },
  {
    name: 'own token',
    config: (setting) => ({
      ...sealed(setting),
      providers: [
        mail(setting, {
          generateVerificationToken: () => 'own-verification-token-0123456789abcdef',
        }),
      ],
    }),
    store: {},
    steps: [ask, openLink()],
  },
  {
    name: 'own secret',
    config: (setting) => ({
      ...sealed(setting),
      providers: [mail(setting, { secret: 'a secret of the mail provider, 0123456789' })],
    }),
    store: {},
    steps: [ask, openLink()],
  },
  {
    name: 'a mail server that is down',
    config: (setting) => ({
      ...sealed(setting),
      providers: [
        mail(setting, {
          // The peer gives this promise a handler only later, and until then
          // an unhandled failure ends the process.
          sendVerificationRequest: () => {
            const failure = Promise.reject(new Error('no mail today'))
            failure.catch(() => {})
            return failure
          },
        }),
      ],
    }),
    store: {},
    steps: [ask],
  },
  {
    name: 'a store that fails',
    config: sealed,
    store: { failing: ['createVerificationToken'] },
    steps: [ask],
  },
  {
    name: 'signIn refuses at the request',
    config: (setting) => ({ ...sealed(setting), callbacks: { signIn: () => false } }),
    store: {},
    steps: [ask],
  },
  {
    name: 'signIn says a path at the request',
    config: (setting) => ({ ...sealed(setting), callbacks: { signIn: () => '/detour' } }),
    store: {},
    steps: [ask],
  },
  {
    name: 'signIn throws at the request',
    config: (setting) => ({
      ...sealed(setting),
      callbacks: { signIn: throwing(() => new Error('no')) },
    }),
    store: {},
    steps: [ask],
  },
  {
    name: 'signIn throws an error of the service at the request',
    config: (setting) => ({
      ...sealed(setting),
      callbacks: { signIn: throwing(() => new setting.side.errors.OAuthAccountNotLinked('no')) },
    }),
    store: {},
    steps: [ask],
  },
  {
    name: 'the link as a form of nobody',
    config: sealed,
    store: known,
    steps: [ask, openLink(() => {}, 'POST')],
  },
  {
    name: 'asked for as JSON',
    config: sealed,
    store: {},
    steps: [
      send('/auth/signin/mail', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken: CSRF_TOKEN, email: 'ada@example.test' }),
      }),
      openLink(),
    ],
  },
  {
    name: 'an address that is no text',
    config: sealed,
    store: {},
    steps: [
      send('/auth/signin/mail', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ csrfToken: CSRF_TOKEN, email: { a: 1 } }),
      }),
    ],
  },
  ...(
    [
      ['refuses', () => false],
      ['says a path', () => '/detour'],
    ] as const
  ).map(
    ([name, answer]): Scenario => ({
      name: `signIn ${name} at the link`,
      config: (setting) => ({
        ...sealed(setting),
        callbacks: { signIn: ({ email: asked }) => (asked ? true : answer()) },
      }),
      store: known,
      steps: [ask, openLink()],
    }),
  ),
  {
    name: 'with the address of the page to return asked for',
    config: sealed,
    store: {},
    steps: [
      post('/auth/signin/mail', { email: 'ada@example.test' }, { 'x-auth-return-redirect': '1' }),
    ],
  },
]
