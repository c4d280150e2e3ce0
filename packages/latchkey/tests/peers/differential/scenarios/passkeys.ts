import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { dropCookie, get, passkey, post, type Scenario, type Setting } from '../scenario.ts'

function one({ side }: Setting): Partial<AuthConfig> {
  return {
    providers: [side.Passkey()],
    experimental: { enableWebAuthn: true },
    session: { updateAge: 0 },
  }
}

function sealed(setting: Setting): Partial<AuthConfig> {
  return { ...one(setting), session: { strategy: 'jwt', updateAge: 0 } }
}

const OPTIONS = '/auth/webauthn-options/passkey'
const known = { users: [{ id: 'u1', email: 'ada@example.test', name: 'Ada' }] }
const make = [get(`${OPTIONS}?action=register&email=ada%40example.test`), passkey('register')]
const use = [get(`${OPTIONS}?action=authenticate`), passkey('authenticate')]

/** Options, by what is asked and what is known. */
const options: readonly Scenario[] = [
  '',
  '?action=authenticate',
  '?action=register',
  '?action=',
  '?action=other',
].flatMap((query): Scenario[] =>
  [
    ['', 'of nobody'],
    ['new%40example.test', 'of somebody new'],
    ['ada%40example.test', 'of somebody known'],
  ].flatMap(([email = '', whose = '']): Scenario[] => {
    const path = `${OPTIONS}${query}${email ? `${query ? '&' : '?'}email=${email}` : ''}`
    return [
      { name: `options ${whose}: ${query}`, config: sealed, store: known, steps: [get(path)] },
      {
        name: `options ${whose}, signed in: ${query}`,
        config: sealed,
        store: known,
        signedIn: { sub: 'u1', name: 'Ada', email: 'ada@example.test' },
        steps: [get(path)],
      },
    ]
  }),
)

export const passkeys: readonly Scenario[] = [
  ...options,
  {
    name: 'options without a provider',
    config: sealed,
    store: {},
    steps: [get('/auth/webauthn-options')],
  },
  {
    name: 'options of an unknown provider',
    config: sealed,
    store: {},
    steps: [get('/auth/webauthn-options/nobody')],
  },
  {
    name: 'options of somebody without an address, signed in',
    config: sealed,
    store: { users: [{ id: 'u2', email: null as never }] },
    signedIn: { sub: 'u2' },
    steps: [get(`${OPTIONS}?action=register`)],
  },
  { name: 'POST options', config: sealed, store: {}, steps: [post(OPTIONS)] },
  { name: 'GET callback', config: sealed, store: {}, steps: [get('/auth/callback/passkey')] },
  { name: 'POST signin', config: sealed, store: {}, steps: [post('/auth/signin/passkey')] },
  {
    name: 'a new passkey, sealed session',
    config: sealed,
    store: {},
    steps: [...make, get('/auth/session')],
  },
  {
    name: 'a new passkey, stored session',
    config: one,
    store: {},
    steps: [...make, get('/auth/session')],
  },
  {
    name: 'what the callbacks are told',
    config: sealed,
    store: {},
    listens: ['signIn', 'jwt'],
    steps: [...make, ...use],
  },
  {
    name: 'a passkey used again, sealed session',
    config: sealed,
    store: {},
    steps: [...make, post('/auth/signout'), ...use, get('/auth/session')],
  },
  {
    name: 'a passkey used again, stored session',
    config: one,
    store: {},
    steps: [...make, post('/auth/signout'), ...use],
  },
  {
    name: 'another passkey while signed in',
    config: sealed,
    store: {},
    steps: [...make, get(`${OPTIONS}?action=register`), passkey('register')],
  },
  {
    name: 'without the cookie of the challenge',
    config: sealed,
    store: {},
    steps: [
      make[0] as Scenario['steps'][number],
      dropCookie('__Secure-authjs.challenge'),
      passkey('register'),
    ],
  },
  {
    name: 'an unknown action',
    config: sealed,
    store: {},
    steps: [post('/auth/callback/passkey', { action: 'x' })],
  },
  {
    name: 'no data',
    config: sealed,
    store: {},
    steps: [post('/auth/callback/passkey', { action: 'authenticate' })],
  },
  {
    name: 'data that is no JSON',
    config: sealed,
    store: {},
    steps: [post('/auth/callback/passkey', { action: 'authenticate', data: '{' })],
  },
  {
    name: 'a passkey that nobody knows',
    config: sealed,
    store: {},
    steps: [
      get(OPTIONS),
      post('/auth/callback/passkey', { action: 'authenticate', data: '{"id":"AAAA"}' }),
    ],
  },
  {
    name: 'signIn refuses',
    config: (setting) => ({ ...sealed(setting), callbacks: { signIn: () => false } }),
    store: {},
    steps: make,
  },
  {
    name: 'signIn says a path',
    config: (setting) => ({ ...sealed(setting), callbacks: { signIn: () => '/detour' } }),
    store: {},
    steps: make,
  },
  {
    name: 'not enabled',
    config: (setting) => ({ ...sealed(setting), experimental: {} }),
    store: {},
    steps: [get(OPTIONS)],
  },
  { name: 'without an adapter', config: sealed, steps: [get(OPTIONS)] },
  {
    name: 'an adapter that lacks a method',
    config: sealed,
    store: { without: ['getAuthenticator', 'getAccount'] },
    steps: [get(OPTIONS)],
  },
  { name: 'the sign-in page', config: sealed, store: {}, steps: [get('/auth/signin')] },
]
