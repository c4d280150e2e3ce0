import type { AuthConfig } from '../../../../src/options/auth-config.ts'
import { ADA, password } from '../providers.ts'
import { get, post, type Scenario, type Setting } from '../scenario.ts'

const enter = post('/auth/callback/password', { username: 'ada', password: 'secret' })

function answers(name: string, authorize: (setting: Setting) => unknown): Scenario {
  return {
    name: `authorize ${name}`,
    config: (setting) => ({ providers: [password(setting, () => authorize(setting))] }),
    steps: [enter],
  }
}

function asks(name: string, signIn: (setting: Setting) => unknown): Scenario {
  return {
    name: `signIn ${name}`,
    config: (setting): Partial<AuthConfig> => ({
      providers: [password(setting)],
      callbacks: { signIn: () => signIn(setting) as boolean },
    }),
    steps: [enter],
  }
}

export const credentials: readonly Scenario[] = [
  {
    name: 'a form is accepted',
    config: (setting) => ({ providers: [password(setting)], session: { updateAge: 0 } }),
    listens: ['signIn', 'jwt', 'redirect'],
    steps: [enter, get('/auth/session')],
  },
  answers('gives null', () => null),
  answers('gives undefined', () => undefined),
  answers('gives false', () => false),
  answers('gives a user without an id', () => ({ name: 'Ada' })),
  answers('gives a user whose id is a number', () => ({ id: 7, name: 'Ada' })),
  answers('gives nothing about the user', () => ({})),
  answers('gives a promise', async () => ADA),
  answers('throws CredentialsSignin', ({ side }) => {
    throw new side.errors.CredentialsSignin('wrong')
  }),
  answers('throws CredentialsSignin with a code', ({ side }) => {
    throw new (class extends side.errors.CredentialsSignin {
      override code = 'locked out & away'
    })()
  }),
  answers('throws another error of the service', ({ side }) => {
    throw new side.errors.AccessDenied('no')
  }),
  answers('throws an error of the service that nobody may see', ({ side }) => {
    throw new side.errors.InvalidCheck('no')
  }),
  answers('throws an error of no type', ({ side }) => {
    throw new side.errors.AuthError('no')
  }),
  answers('throws an error of the sign-in page', ({ side }) => {
    throw new side.errors.SignInError('no')
  }),
  answers('throws an error of a type of its own', ({ side }) => {
    throw new (class extends side.errors.AuthError {
      static override type = 'AccountLocked' as never
    })('no')
  }),
  answers('throws an error of a type of its own for the sign-in page', ({ side }) => {
    throw new (class extends side.errors.SignInError {
      static override type = 'AccountLocked' as never
    })('no')
  }),
  answers('throws', () => {
    throw new Error('the store is gone')
  }),
  asks('says true', () => true),
  asks('says false', () => false),
  asks('says nothing', () => undefined),
  asks('says a path', () => '/detour'),
  asks('says an address elsewhere', () => 'https://evil.example/'),
  asks('throws', () => {
    throw new Error('no')
  }),
  asks('throws an error of the service', ({ side }) => {
    throw new side.errors.OAuthAccountNotLinked('no')
  }),
  {
    name: 'a handler of the `signIn` event that throws',
    config: (setting) => ({
      providers: [password(setting)],
      events: {
        signIn: () => {
          throw new Error('no')
        },
      },
    }),
    steps: [enter],
  },
  {
    name: 'signing in as somebody else',
    config: (setting) => ({ providers: [password(setting)], session: { updateAge: 0 } }),
    signedIn: { sub: 'u9', name: 'Other' },
    steps: [enter, get('/auth/session')],
  },
  {
    name: 'a page for new users',
    config: (setting) => ({ providers: [password(setting)], pages: { newUser: '/welcome' } }),
    steps: [enter],
  },
  {
    name: 'fields as they are described',
    config: (setting) => ({
      providers: [
        password(setting, ADA, {
          credentials: {
            name: { label: 'Name', type: 'text', placeholder: 'Ada', value: 'given' },
            pin: { type: 'number', min: 1 },
            agree: { type: 'checkbox', value: 'yes' },
            plain: {},
          },
        }),
      ],
    }),
    steps: [get('/auth/signin')],
  },
  {
    name: 'stored sessions',
    config: (setting) => ({ providers: [password(setting)], session: { strategy: 'database' } }),
    store: { users: [ADA] },
    steps: [enter, get('/auth/session')],
  },
]
