import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { password } from '../providers.ts'
import { get, post, type Scenario, type Setting, setCookie } from '../scenario.ts'

function one(setting: Setting): Partial<AuthConfig> {
  return { providers: [password(setting)] }
}

const COOKIE = '__Secure-authjs.callback-url'

/** Where a form sends its visitor: from body, query and cookie. */
export const callbackUrls: readonly Scenario[] = [
  ...[
    '/inbox',
    '/inbox?a=1&b=2#c',
    '/',
    '//evil.example/x',
    'https://app.example/inbox',
    'https://app.example',
    'https://evil.example/inbox',
    'http://app.example/inbox',
    'https://app.example.evil.example/',
    'https://app.example:444/',
    'inbox',
    'javascript:alert(1)',
    '',
  ].flatMap((callbackUrl): Scenario[] => [
    {
      name: `in the body: '${callbackUrl}'`,
      config: one,
      steps: [post('/auth/callback/password', { callbackUrl })],
    },
    {
      name: `in the query: '${callbackUrl}'`,
      config: one,
      steps: [get(`/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)],
    },
    {
      name: `in the cookie: '${callbackUrl}'`,
      config: one,
      steps: [setCookie(COOKIE, encodeURIComponent(callbackUrl)), post('/auth/callback/password')],
    },
  ]),
  {
    name: 'the body before the query',
    config: one,
    steps: [post('/auth/callback/password?callbackUrl=/query', { callbackUrl: '/body' })],
  },
  {
    name: 'the last of two in the query',
    config: one,
    steps: [get('/auth/signin?callbackUrl=/one&callbackUrl=/two')],
  },
  {
    name: 'remembered from the page to the form',
    config: one,
    steps: [get('/auth/signin?callbackUrl=/inbox'), post('/auth/callback/password')],
  },
  {
    name: 'a `redirect` callback that allows another site',
    config: (setting) => ({ ...one(setting), callbacks: { redirect: ({ url }) => url } }),
    steps: [
      post('/auth/callback/password', { callbackUrl: 'https://other.example/x' }),
      post('/auth/signout'),
    ],
  },
  {
    name: 'a `redirect` callback that answers with a path',
    config: (setting) => ({ ...one(setting), callbacks: { redirect: () => '/home' } }),
    steps: [post('/auth/callback/password')],
  },
  {
    name: 'a `redirect` callback that throws',
    config: (setting) => ({
      ...one(setting),
      callbacks: {
        redirect: () => {
          throw new Error('no')
        },
      },
    }),
    steps: [
      post('/auth/callback/password', { callbackUrl: '/inbox' }),
      get('/auth/session'),
      get('/auth/csrf'),
    ],
  },
  {
    name: 'what the `redirect` callback is asked',
    config: one,
    listens: ['redirect'],
    returning: false,
    steps: [
      get('/auth/csrf'),
      get('/auth/signin?callbackUrl=/inbox'),
      get('/auth/session'),
      get('/auth/providers'),
    ],
  },
]
