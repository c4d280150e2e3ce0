import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { acme, mail, password } from '../providers.ts'
import { get, post, type Scenario, type Setting } from '../scenario.ts'

function one(setting: Setting): Partial<AuthConfig> {
  return { providers: [acme(setting), mail(setting), password(setting)] }
}

const own = { signIn: '/login', signOut: '/logout', error: '/oops', verifyRequest: '/check' }

function withPages(pages: NonNullable<AuthConfig['pages']>): Pick<Scenario, 'config' | 'store'> {
  return { store: {}, config: (setting) => ({ ...one(setting), pages }) }
}

/** Built-in pages, and those of the application instead. */
export const pages: readonly Scenario[] = [
  ...[
    'Signin',
    'OAuthSignin',
    'OAuthCallbackError',
    'OAuthCreateAccount',
    'EmailCreateAccount',
    'Callback',
    'OAuthAccountNotLinked',
    'EmailSignin',
    'CredentialsSignin',
    'SessionRequired',
    'MissingCSRF',
    'something',
    'constructor',
    '',
  ].map(
    (error): Scenario => ({
      name: `the sign-in page with the error '${error}'`,
      store: {},
      config: one,
      steps: [get(`/auth/signin?error=${error}`)],
    }),
  ),
  {
    name: 'the sign-in page with an address',
    store: {},
    config: one,
    steps: [get('/auth/signin?email=ada%40example.test')],
  },
  {
    name: 'the sign-in page with fields in the query',
    store: {},
    config: one,
    steps: [get('/auth/signin?csrfToken=x')],
  },
  {
    name: 'the sign-in page with a form without fields',
    config: (setting) => ({ providers: [password(setting, null, { credentials: undefined })] }),
    steps: [get('/auth/signin')],
  },
  {
    name: 'the sign-in page with a form that is a button alone',
    config: (setting) => ({ providers: [password(setting, undefined, { credentials: {} })] }),
    steps: [get('/auth/signin'), post('/auth/callback/password')],
  },
  {
    name: 'the sign-in page without CSRF protection',
    config: (setting) => ({
      providers: [password(setting)],
      skipCSRFCheck: setting.side.skipCSRFCheck,
    }),
    steps: [get('/auth/signin'), post('/auth/callback/password', { csrfToken: '' })],
  },
  ...['Configuration', 'AccessDenied', 'Verification', 'Default', 'something'].map(
    (error): Scenario => ({
      name: `the error page for ${error}`,
      store: {},
      config: one,
      steps: [get(`/auth/error?error=${error}`)],
    }),
  ),
  { ...withPages(own), name: 'own sign-in page', steps: [get('/auth/signin?code=1')] },
  {
    ...withPages(own),
    name: 'own sign-in page with an error and a callback URL',
    steps: [get('/auth/signin?error=OAuthSignin&callbackUrl=/inbox')],
  },
  {
    ...withPages({ signIn: '/login?lang=de' }),
    name: 'own sign-in page with a query',
    steps: [get('/auth/signin'), post('/auth/signout', { csrfToken: '' })],
  },
  {
    ...withPages({ signIn: 'https://login.example/in' }),
    name: 'own sign-in page elsewhere',
    steps: [get('/auth/signin'), post('/auth/signout', { csrfToken: '' })],
  },
  { ...withPages(own), name: 'own sign-out page', steps: [get('/auth/signout?x=1')] },
  { ...withPages(own), name: 'own error page', steps: [get('/auth/error?error=AccessDenied')] },
  { ...withPages(own), name: 'own error page without an error', steps: [get('/auth/error')] },
  {
    ...withPages(own),
    name: 'own error page with an error to encode',
    steps: [get('/auth/error?error=a%26b%3Dc')],
  },
  {
    ...withPages({ error: '/oops?lang=de' }),
    name: 'own error page with a query',
    steps: [get('/auth/error?error=AccessDenied'), post('/auth/csrf')],
  },
  { ...withPages(own), name: 'own error page for a failure', steps: [post('/auth/csrf')] },
  {
    ...withPages(own),
    name: 'own page to check the mail',
    steps: [
      get('/auth/verify-request?provider=mail&type=email'),
      get('/auth/verify-request'),
      get('/auth/verify-request?lang=de&lang=en'),
    ],
  },
  {
    ...withPages({ error: '/auth/error', signIn: '/auth/signin' }),
    name: 'own pages where the built-in ones are',
    steps: [get('/auth/error?error=AccessDenied'), get('/auth/signin')],
  },
]
