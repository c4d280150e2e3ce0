import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { password } from '../providers.ts'
import {
  type Contents,
  get,
  post,
  type Scenario,
  type Setting,
  send,
  setCookie,
  wait,
} from '../scenario.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const ada = { sub: 'u1', name: 'Ada', email: 'ada@example.test', picture: 'https://i.example/a' }

/** Both write the cookie at each read, so that what they write can be compared. */
function written(setting: Setting): Partial<AuthConfig> {
  return { providers: [password(setting)], session: { updateAge: 0 } }
}

const user = { id: 'u1', name: 'Ada', email: 'ada@example.test', image: 'https://i.example/a' }

function stored(endsIn: number, more: Contents = {}): Contents {
  const token = 'a-session-token-of-ada-0123456789'
  return { users: [user], sessions: [{ token, userId: 'u1', endsIn }], ...more }
}

function update(data: unknown): ReturnType<typeof post> {
  return post('/auth/session', { data: JSON.stringify(data) })
}

const sealed: readonly Scenario[] = [
  { name: 'reading', config: written, signedIn: ada, steps: [get('/auth/session')] },
  {
    name: 'reading, not yet due',
    config: (setting) => ({ providers: [password(setting)] }),
    signedIn: ada,
    steps: [
      get('/auth/session'),
      wait(HOUR),
      get('/auth/session'),
      wait(2 * DAY),
      get('/auth/session'),
    ],
  },
  {
    name: 'what the callbacks are told',
    config: written,
    listens: ['jwt', 'session'],
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a short life',
    config: (setting) => ({ ...written(setting), session: { maxAge: HOUR, updateAge: 0 } }),
    steps: [
      post('/auth/callback/password'),
      wait(HOUR / 2),
      get('/auth/session'),
      wait(HOUR + 60),
      get('/auth/session'),
    ],
  },
  {
    name: 'a token with a life of its own',
    config: (setting) => ({ ...written(setting), jwt: { maxAge: HOUR } }),
    steps: [
      post('/auth/callback/password'),
      get('/auth/session'),
      wait(HOUR + 60),
      get('/auth/session'),
    ],
  },
  {
    name: 'a `jwt` callback that adds',
    config: (setting) => ({
      ...written(setting),
      callbacks: { jwt: ({ token }) => ({ ...token, role: 'admin' }) },
    }),
    signedIn: ada,
    listens: ['session'],
    steps: [get('/auth/session'), post('/auth/callback/password'), get('/auth/session')],
  },
  {
    name: 'a `jwt` callback that ends the session',
    config: (setting) => ({ ...written(setting), callbacks: { jwt: () => null } }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a `jwt` callback that lets nobody begin one',
    config: (setting) => ({ ...written(setting), callbacks: { jwt: () => null } }),
    signedIn: ada,
    steps: [post('/auth/callback/password')],
  },
  {
    name: 'a `session` callback',
    config: (setting) => ({
      ...written(setting),
      callbacks: { session: ({ session, token }) => ({ ...session, id: token?.['sub'] }) },
    }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a `jwt` callback that throws',
    config: (setting) => ({
      ...written(setting),
      callbacks: {
        jwt: () => {
          throw new Error('no')
        },
      },
    }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a `session` callback that throws',
    config: (setting) => ({
      ...written(setting),
      callbacks: {
        session: () => {
          throw new Error('no')
        },
      },
    }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a handler of the `session` event that throws',
    config: (setting) => ({
      ...written(setting),
      events: {
        session: () => {
          throw new Error('no')
        },
      },
    }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'update',
    config: written,
    listens: ['jwt', 'session'],
    signedIn: ada,
    steps: [update({ name: 'Augusta' })],
  },
  {
    name: 'update as JSON',
    config: written,
    listens: ['jwt', 'session'],
    signedIn: ada,
    steps: [
      send('/auth/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          csrfToken: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
          data: { name: 'Augusta', list: [1] },
        }),
      }),
    ],
  },
  {
    name: 'update that the `jwt` callback takes',
    config: (setting) => ({
      ...written(setting),
      callbacks: {
        jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, name: 'Augusta' } : token),
      },
    }),
    signedIn: ada,
    steps: [update({}), get('/auth/session')],
  },
  { name: 'update without a session', config: written, steps: [update({ name: 'Augusta' })] },
  {
    name: 'update without the CSRF token',
    config: written,
    signedIn: ada,
    steps: [post('/auth/session', { csrfToken: '', data: '1' })],
  },
  {
    name: 'own encoding',
    config: (setting) => ({
      ...written(setting),
      jwt: {
        encode: ({ token, secret, salt, maxAge }) =>
          Buffer.from(JSON.stringify({ ...token, secret, salt, maxAge })).toString('base64'),
        decode: ({ token, secret, salt }) => ({
          ...(JSON.parse(Buffer.from(token ?? '', 'base64').toString()) as object),
          name: JSON.stringify([secret, salt]),
        }),
      },
    }),
    steps: [post('/auth/callback/password'), get('/auth/session'), post('/auth/signout')],
  },
  {
    name: 'own decoding that finds nothing',
    config: (setting) => ({ ...written(setting), jwt: { decode: () => null } }),
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'a secret of its own',
    config: (setting) => ({
      ...written(setting),
      jwt: { secret: 'another secret, 0123456789abcdefghij' },
    }),
    signedIn: ada,
    steps: [get('/auth/session'), post('/auth/callback/password'), get('/auth/session')],
  },
  {
    name: 'sign-out',
    config: written,
    signedIn: ada,
    steps: [post('/auth/signout', { callbackUrl: '/bye' })],
  },
  {
    name: 'sign-out with a token that nobody made',
    config: written,
    steps: [setCookie('__Secure-authjs.session-token', 'nothing'), post('/auth/signout')],
  },
  {
    name: 'sign-out with a handler of the event that throws',
    config: (setting) => ({
      ...written(setting),
      events: {
        signOut: () => {
          throw new Error('no')
        },
      },
    }),
    signedIn: ada,
    steps: [post('/auth/signout')],
  },
  {
    name: 'raw: sign-in, session and sign-out',
    config: (setting) => ({ ...written(setting), raw: setting.side.raw }),
    signedIn: ada,
    steps: [get('/auth/session'), post('/auth/callback/password'), post('/auth/signout')],
  },
  {
    name: 'raw: failures',
    config: (setting) => ({
      providers: [password(setting, null)],
      raw: setting.side.raw,
    }),
    steps: [
      post('/auth/callback/password'),
      post('/auth/callback/password', {}, { 'x-auth-return-redirect': '1' }),
      post('/auth/signout', { csrfToken: '' }),
      post('/auth/csrf'),
      get('/auth/nothing'),
      get('/auth/providers'),
    ],
  },
  {
    name: 'raw: a configuration that cannot be used',
    config: (setting) => ({ ...written(setting), secret: [], raw: setting.side.raw }),
    steps: [get('/auth/session')],
  },
]

const rows: readonly Scenario[] = [
  {
    name: 'stored: reading, not yet due',
    config: () => ({}),
    store: stored(30 * DAY),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored: reading when it is due',
    config: () => ({}),
    store: stored(28 * DAY),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored: reading, always due',
    config: () => ({ session: { updateAge: 0 } }),
    store: stored(29 * DAY),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored: as the peer stores it',
    config: () => ({ session: { updateAge: 0 } }),
    store: stored(29 * DAY, { asThePeerStores: true }),
    steps: [get('/auth/session'), get('/auth/session'), post('/auth/signout')],
  },
  { name: 'stored: expired', config: () => ({}), store: stored(-1), steps: [get('/auth/session')] },
  {
    name: 'stored: unknown',
    config: () => ({}),
    store: { sessions: [] },
    steps: [
      setCookie('__Secure-authjs.session-token', 'unknown-token-of-nobody-0123456789'),
      get('/auth/session'),
    ],
  },
  {
    name: 'stored: nobody',
    config: () => ({}),
    store: stored(DAY, { sessions: [] }),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored: what the callbacks are told',
    config: () => ({ session: { updateAge: 0 } }),
    store: stored(29 * DAY),
    listens: ['session'],
    steps: [get('/auth/session'), update({ name: 'Augusta' })],
  },
  {
    name: 'stored: update',
    config: () => ({ session: { updateAge: 0 } }),
    store: stored(29 * DAY),
    steps: [update({ name: 'Augusta' })],
  },
  {
    name: 'stored: update without a session',
    config: () => ({}),
    store: stored(DAY, { sessions: [] }),
    steps: [update({})],
  },
  {
    name: 'stored: sign-out',
    config: () => ({}),
    store: stored(29 * DAY),
    steps: [post('/auth/signout')],
  },
  {
    name: 'stored: sign-out without a session',
    config: () => ({}),
    store: stored(29 * DAY, { sessions: [] }),
    steps: [post('/auth/signout')],
  },
  {
    name: 'stored: the store fails while reading',
    config: () => ({}),
    store: stored(29 * DAY, { failing: ['getSessionAndUser'] }),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored: the store fails at sign-out',
    config: () => ({}),
    store: stored(29 * DAY, { failing: ['deleteSession'] }),
    steps: [post('/auth/signout')],
  },
  {
    name: 'stored: a sealed session of before',
    config: () => ({}),
    store: { users: [user] },
    signedIn: ada,
    steps: [get('/auth/session')],
  },
  {
    name: 'sealed: a stored session of before',
    config: (setting) => ({ ...written(setting), session: { strategy: 'jwt' } }),
    store: stored(29 * DAY),
    steps: [get('/auth/session')],
  },
  {
    name: 'stored, but sessions are sealed',
    config: (setting) => ({ ...written(setting), session: { strategy: 'jwt', updateAge: 0 } }),
    store: { users: [user] },
    signedIn: ada,
    steps: [get('/auth/session'), post('/auth/callback/password'), post('/auth/signout')],
  },
]

export const sessions: readonly Scenario[] = [...sealed, ...rows]
