import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { CSRF_TOKEN } from '../known.ts'
import { password } from '../providers.ts'
import { get, post, type Scenario, type Setting, send, setCookie } from '../scenario.ts'

function one(setting: Setting): Partial<AuthConfig> {
  return { providers: [password(setting)], session: { updateAge: 0 } }
}

function path(text: string, more: Partial<Scenario> = {}): Scenario {
  return { name: `the path ${text}`, config: one, steps: [get(text)], ...more }
}

/** The grammar of paths, below the usual base path and below others. */
const paths: readonly Scenario[] = [
  path('/auth/session/'),
  path('/auth//session'),
  path('/auth/signin///'),
  path('/auth'),
  path('/auth/'),
  path('/auth/Session'),
  path('/auth/sessio%6E'),
  path('/auth/nothing'),
  path('/auth/session/acme'),
  path('/auth/providers/acme'),
  path('/auth/signin/acme/more'),
  path('/auth/callback/undefined'),
  path('/auth/signin/undefined'),
  path('/auth/callback/passwor%64'),
  path('/auth/callback/Password'),
  path('/other/session'),
  path('/'),
  path('/authsession'),
  path('/xauth/session'),
  path('/auth/session?x=/auth/csrf'),
  ...(
    [
      ['/api/auth', '/api/auth/providers'],
      ['/api/auth', '/auth/providers'],
      ['/', '/providers'],
      ['', '/providers'],
      ['/a/', '/a/providers'],
      ['/a.b', '/a.b/providers'],
      ['/a.b', '/aXb/providers'],
      ['/a+b', '/a+b/providers'],
      ['auth', '/auth/providers'],
    ] as const
  ).map(
    ([basePath, text]): Scenario => ({
      ...path(text, { config: (setting) => ({ ...one(setting), basePath }) }),
      name: `the path ${text} where the base path is '${basePath}'`,
    }),
  ),
]

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

function body(name: string, type: string | undefined, text: string): Scenario {
  return {
    name: `a body: ${name}`,
    config: one,
    steps: [
      send('/auth/callback/password', {
        method: 'POST',
        // Bytes, so that the platform adds no content type.
        body: new TextEncoder().encode(text),
        headers: type === undefined ? {} : { 'content-type': type },
      }),
    ],
  }
}

const bodies: readonly Scenario[] = [
  body('JSON', json, JSON.stringify({ csrfToken: CSRF_TOKEN, username: 'ada', n: 1 })),
  body('JSON with parameters', `${json}; charset=utf-8`, JSON.stringify({ csrfToken: CSRF_TOKEN })),
  body('JSON that is none', json, '{"csrfToken":'),
  body('JSON, empty', json, ''),
  body('JSON, a text', json, '"text"'),
  body('JSON, null', json, 'null'),
  body('JSON, a list', json, '[1]'),
  body('a form', form, `csrfToken=${CSRF_TOKEN}&username=a+b%21`),
  body('a form with a repeated field', form, `csrfToken=${CSRF_TOKEN}&username=a&username=b`),
  body('a form with a name alone', form, `csrfToken=${CSRF_TOKEN}&username`),
  body('a form, empty', form, ''),
  body('a form as text/plain', 'text/plain', `csrfToken=${CSRF_TOKEN}`),
  body('of no type', undefined, `csrfToken=${CSRF_TOKEN}`),
  body(
    'of another JSON type',
    'application/problem+json',
    JSON.stringify({ csrfToken: CSRF_TOKEN }),
  ),
  body('multipart', 'multipart/form-data; boundary=x', `--x\r\n\r\n${CSRF_TOKEN}\r\n--x--`),
  body('larger than a mebibyte', form, `csrfToken=${CSRF_TOKEN}&username=${'a'.repeat(1_100_000)}`),
  {
    name: 'a CSRF token in the query',
    config: one,
    steps: [post(`/auth/callback/password?csrfToken=${CSRF_TOKEN}`, { csrfToken: '' })],
  },
  {
    name: 'a CSRF token in a header',
    config: one,
    steps: [post('/auth/callback/password', { csrfToken: '' }, { 'x-csrf-token': CSRF_TOKEN })],
  },
  {
    name: 'a form that another site sent',
    config: one,
    steps: [post('/auth/callback/password', {}, { 'sec-fetch-site': 'cross-site' })],
  },
]

const SESSION = '__Secure-authjs.session-token'
const ada = { sub: 'u1', name: 'Ada', email: 'ada@example.test' }

const cookies: readonly Scenario[] = [
  {
    name: 'over plain http, names have no prefix',
    origin: 'http://app.example',
    returning: false,
    config: one,
    steps: [get('/auth/csrf'), get('/auth/signin')],
  },
  {
    name: 'over plain http, sign-in',
    origin: 'http://app.example',
    config: one,
    steps: [post('/auth/callback/password'), get('/auth/session')],
  },
  {
    name: '`useSecureCookies` over plain http',
    origin: 'http://app.example',
    returning: false,
    config: (setting) => ({ ...one(setting), useSecureCookies: true }),
    steps: [get('/auth/csrf')],
  },
  {
    name: '`useSecureCookies: false` over https',
    returning: false,
    config: (setting) => ({ ...one(setting), useSecureCookies: false }),
    steps: [get('/auth/csrf')],
  },
  {
    name: 'a renamed session cookie',
    config: (setting) => ({ ...one(setting), cookies: { sessionToken: { name: 'my-session' } } }),
    signedIn: ada,
    steps: [get('/auth/session'), post('/auth/callback/password'), post('/auth/signout')],
  },
  {
    name: 'cookies with other attributes',
    returning: false,
    config: (setting) => ({
      ...one(setting),
      cookies: {
        csrfToken: { options: { sameSite: 'strict', path: '/auth' } },
        callbackUrl: { options: { domain: 'app.example', maxAge: 60 } },
        sessionToken: { options: { secure: false, maxAge: 100 } },
      },
    }),
    steps: [get('/auth/csrf'), get('/auth/signin')],
  },
  {
    name: 'a session cookie with other attributes',
    config: (setting) => ({
      ...one(setting),
      cookies: { sessionToken: { options: { sameSite: 'none', maxAge: 100, domain: 'example' } } },
    }),
    steps: [post('/auth/callback/password'), post('/auth/signout')],
  },
  {
    name: 'a CSRF cookie that nobody made',
    config: one,
    steps: [
      setCookie('__Host-authjs.csrf-token', `${CSRF_TOKEN}%7C${'0'.repeat(64)}`),
      get('/auth/csrf'),
    ],
  },
  {
    name: 'a CSRF cookie that is nothing',
    config: one,
    steps: [setCookie('__Host-authjs.csrf-token', 'nothing'), get('/auth/csrf')],
  },
  {
    name: 'a session cookie that nobody made',
    config: one,
    steps: [setCookie(SESSION, 'nothing'), get('/auth/session')],
  },
  {
    name: 'an empty session cookie',
    config: one,
    steps: [setCookie(SESSION, ''), get('/auth/session')],
  },
  {
    name: 'a foreign cookie whose name begins like the session cookie',
    config: one,
    signedIn: ada,
    steps: [setCookie(`${SESSION}-x`, 'foreign'), get('/auth/session')],
  },
  {
    name: 'a left-over piece beside the session cookie',
    config: one,
    signedIn: ada,
    steps: [setCookie(`${SESSION}.9`, 'old'), get('/auth/session'), post('/auth/signout')],
  },
  {
    name: 'a session that needs several cookies',
    config: (setting) => ({
      providers: [
        password(setting, { id: 'u1', name: 'Ada', email: `${'a'.repeat(6000)}@example.test` }),
      ],
      session: { updateAge: 0 },
    }),
    steps: [post('/auth/callback/password'), get('/auth/session'), post('/auth/signout')],
  },
  {
    name: 'a session that no longer needs several cookies',
    config: (setting) => {
      const long = { id: 'u1', name: 'Ada', email: `${'a'.repeat(6000)}@example.test` }
      let times = 0
      return {
        providers: [password(setting, () => (times++ === 0 ? long : { id: 'u1', name: 'Ada' }))],
        session: { updateAge: 0 },
      }
    },
    steps: [post('/auth/callback/password'), post('/auth/callback/password'), get('/auth/session')],
  },
]

/** `X-Auth-Return-Redirect`: the browser client wants to know where, not to go there. */
const returned = { 'x-auth-return-redirect': '1' }
const redirects: readonly Scenario[] = [
  {
    name: 'asked for the address: sign-in',
    config: one,
    steps: [post('/auth/callback/password', {}, returned)],
  },
  {
    name: 'asked for the address with an empty header',
    config: one,
    steps: [post('/auth/callback/password', {}, { 'x-auth-return-redirect': '' })],
  },
  {
    name: 'asked for the address: sign-out',
    config: one,
    signedIn: ada,
    steps: [post('/auth/signout', {}, returned)],
  },
  { name: 'asked for the address: JSON', config: one, steps: [get('/auth/csrf', returned)] },
  { name: 'asked for the address: a page', config: one, steps: [get('/auth/signin', returned)] },
  {
    name: 'asked for the address: a page of the application',
    config: (s) => ({ ...one(s), pages: { signIn: '/login' } }),
    steps: [get('/auth/signin', returned)],
  },
  {
    name: 'asked for the address: a failure',
    config: (s) => ({ providers: [password(s, null)] }),
    steps: [post('/auth/callback/password', {}, returned)],
  },
  {
    name: 'asked for the address: no CSRF token',
    config: one,
    steps: [post('/auth/signout', { csrfToken: '' }, returned)],
  },
  {
    name: 'asked for the address: an unknown action',
    config: one,
    steps: [post('/auth/csrf', {}, returned)],
  },
  {
    name: 'asked for the address: session without CSRF token',
    config: one,
    steps: [post('/auth/session', { csrfToken: '' }, returned)],
  },
  {
    name: 'asked for the address: bad request',
    config: one,
    steps: [get('/auth/nothing', returned)],
  },
  {
    name: 'asked for the address: a configuration that cannot be used',
    config: (s) => ({ ...one(s), secret: [] }),
    steps: [get('/auth/csrf', returned), get('/auth/signin', returned)],
  },
]

export const requests: readonly Scenario[] = [...paths, ...bodies, ...cookies, ...redirects]
