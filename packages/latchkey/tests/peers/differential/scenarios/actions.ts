import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { acme, mail, password } from '../providers.ts'
import { get, post, type Scenario, type Setting, send } from '../scenario.ts'

function one(setting: Setting): Partial<AuthConfig> {
  return { providers: [acme(setting), mail(setting), password(setting)] }
}

const common = { config: one, store: {} }

/** The table of actions and methods, row by row. */
export const actions: readonly Scenario[] = [
  { ...common, name: 'GET csrf', steps: [get('/auth/csrf')] },
  { ...common, name: 'GET csrf for the first time', returning: false, steps: [get('/auth/csrf')] },
  { ...common, name: 'POST csrf', steps: [post('/auth/csrf')] },
  {
    ...common,
    name: 'GET csrf without protection',
    config: (setting) => ({ ...one(setting), skipCSRFCheck: setting.side.skipCSRFCheck }),
    steps: [get('/auth/csrf')],
  },
  { ...common, name: 'GET providers', steps: [get('/auth/providers')] },
  {
    ...common,
    name: 'GET providers for the first time',
    returning: false,
    steps: [get('/auth/providers')],
  },
  {
    ...common,
    name: 'GET providers, one of them renamed',
    config: (setting) => ({
      providers: [acme(setting, { options: { id: 'other', name: 'Other' } }), password(setting)],
    }),
    steps: [get('/auth/providers'), post('/auth/signin/acme'), get('/auth/signin')],
  },
  { ...common, name: 'POST providers', steps: [post('/auth/providers')] },
  { ...common, name: 'GET session', steps: [get('/auth/session')] },
  {
    ...common,
    name: 'GET session for the first time',
    returning: false,
    steps: [get('/auth/session')],
  },
  { ...common, name: 'POST session', steps: [post('/auth/session')] },
  {
    ...common,
    name: 'POST session without the CSRF token',
    steps: [post('/auth/session', { csrfToken: '' })],
  },
  { ...common, name: 'GET signin', steps: [get('/auth/signin')] },
  {
    ...common,
    name: 'GET signin for the first time',
    returning: false,
    steps: [get('/auth/signin')],
  },
  { ...common, name: 'GET signin with a provider', steps: [get('/auth/signin/acme')] },
  { ...common, name: 'POST signin without a provider', steps: [post('/auth/signin')] },
  {
    ...common,
    name: 'POST signin without a provider, with a page of the application',
    config: (setting) => ({ ...one(setting), pages: { signIn: '/login' } }),
    steps: [post('/auth/signin')],
  },
  { ...common, name: 'POST signin with an unknown provider', steps: [post('/auth/signin/nobody')] },
  {
    ...common,
    name: 'POST signin of an e-mail provider',
    steps: [post('/auth/signin/mail', { email: 'ada@example.test' })],
  },
  { ...common, name: 'POST signin of credentials', steps: [post('/auth/signin/password')] },
  {
    ...common,
    name: 'POST signin without the CSRF token',
    steps: [post('/auth/signin/acme', { csrfToken: '' })],
  },
  {
    ...common,
    name: 'POST signin with another CSRF token',
    steps: [post('/auth/signin/acme', { csrfToken: 'f'.repeat(64) })],
  },
  {
    ...common,
    name: 'POST signin with the CSRF token in capitals',
    steps: [post('/auth/signin/mail', { csrfToken: '00112233445566778899AABBCCDDEEFF'.repeat(2) })],
  },
  {
    ...common,
    name: 'POST signin without any cookie',
    returning: false,
    steps: [post('/auth/signin/acme')],
  },
  { ...common, name: 'GET signout', steps: [get('/auth/signout')] },
  {
    ...common,
    name: 'GET signout for the first time',
    returning: false,
    steps: [get('/auth/signout')],
  },
  { ...common, name: 'POST signout', steps: [post('/auth/signout')] },
  {
    ...common,
    name: 'POST signout without the CSRF token',
    steps: [post('/auth/signout', { csrfToken: '' })],
  },
  { ...common, name: 'GET callback without a provider', steps: [get('/auth/callback')] },
  { ...common, name: 'POST callback without a provider', steps: [post('/auth/callback')] },
  {
    ...common,
    name: 'GET callback of an unknown provider',
    steps: [get('/auth/callback/nobody?code=1')],
  },
  { ...common, name: 'GET callback of credentials', steps: [get('/auth/callback/password')] },
  { ...common, name: 'POST callback of credentials', steps: [post('/auth/callback/password')] },
  {
    ...common,
    name: 'POST callback of credentials without the CSRF token',
    steps: [post('/auth/callback/password', { csrfToken: '' })],
  },
  {
    ...common,
    name: 'GET callback of an e-mail provider without a token',
    steps: [get('/auth/callback/mail')],
  },
  {
    ...common,
    name: 'GET callback of OpenID Connect without cookies',
    steps: [get('/auth/callback/acme?code=1')],
  },
  { ...common, name: 'GET error', steps: [get('/auth/error')] },
  {
    ...common,
    name: 'GET error for the first time',
    returning: false,
    steps: [get('/auth/error')],
  },
  { ...common, name: 'POST error', steps: [post('/auth/error')] },
  {
    ...common,
    name: 'GET verify-request',
    steps: [get('/auth/verify-request?provider=mail&type=email')],
  },
  {
    ...common,
    name: 'GET verify-request for the first time',
    returning: false,
    steps: [get('/auth/verify-request')],
  },
  { ...common, name: 'POST verify-request', steps: [post('/auth/verify-request')] },
  { ...common, name: 'POST webauthn-options', steps: [post('/auth/webauthn-options/acme')] },
  ...['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Scenario => ({
      ...common,
      name: `${method} session`,
      steps: [send('/auth/session', { method })],
    }),
  ),
]
