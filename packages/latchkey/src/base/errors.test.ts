import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import {
  AccessDenied,
  AuthError,
  CallbackRouteError,
  CredentialsSignin,
  errorPageOf,
  isAuthError,
  isClientError,
  lineOf,
  publicErrorCode,
  SignInError,
  toError,
} from './errors.ts'

describe('an error', () => {
  test('has a message', () => {
    const error = new AuthError('what was wrong')
    expect(error).toMatchObject({
      message: 'what was wrong',
      type: 'AuthError',
      name: 'AuthError',
      kind: 'error',
    })
    expect(error.cause).toBeUndefined()
    expect(error).toBeInstanceOf(Error)
  })

  test('has a link to its type in the docs, unless the type is one of the application', () => {
    expect(new CallbackRouteError('x').docs).toBe(
      'latchkey/docs/reference/errors.md#callbackrouteerror',
    )
    class OutOfHours extends AuthError {
      static override type = 'OutOfHours' as never
    }
    expect(new OutOfHours('x').docs).toBe('latchkey/docs/reference/errors.md')
  })

  test('has one section of the docs in its log line, that of its message if it has one', () => {
    expect(lineOf(new CallbackRouteError('x'))).toBe(
      'CallbackRouteError: x (latchkey/docs/reference/errors.md#callbackrouteerror)',
    )
    const explained = 'x (latchkey/docs/reference/errors.md#migrating-the-tables)'
    expect(lineOf(new CallbackRouteError(explained))).toBe(`CallbackRouteError: ${explained}`)
  })

  test('of another error keeps it, its message and its cause', () => {
    const inner = new TypeError('inner', { cause: { status: 500 } })
    const error = new CallbackRouteError(inner, { provider: 'acme' })
    expect(error.message).toBe('inner')
    expect(error.cause).toEqual({ err: inner, status: 500, provider: 'acme' })
    expect(error.cause?.err).toBe(inner)
  })

  test('of an error that another error caused keeps both', () => {
    const first = new Error('first')
    const second = new Error('second', { cause: first })
    expect(new AuthError(second).cause).toEqual({ cause: first, err: second })
  })

  test('of text and details keeps the details', () => {
    expect(new AuthError('text', { provider: 'acme' }).cause).toEqual({ provider: 'acme' })
    const inner = new Error('inner')
    const error = new AuthError('text', inner)
    expect(error.message).toBe('text')
    expect(error.cause).toEqual({ err: inner })
    expect(new AuthError('text', { cause: inner, a: 1 }).cause).toEqual({ a: 1, err: inner })
  })

  test('of details alone keeps them', () => {
    const error = new AuthError({ provider: 'acme' })
    expect(error.message).toBe('')
    expect(error.cause).toEqual({ provider: 'acme' })
    expect(new AuthError().cause).toBeUndefined()
  })

  test('that refuses has the message of its cause', () => {
    const inner = new Error('only members may')
    expect(new AccessDenied(inner)).toMatchObject({
      message: 'only members may',
      cause: { err: inner },
    })
  })
})

describe('every class of errors', () => {
  const classes = Object.entries(errors).filter(
    (entry): entry is [string, typeof AuthError] =>
      typeof entry[1] === 'function' && entry[1].prototype instanceof AuthError,
  )
  const CLIENT = [
    'AccessDenied',
    'AccountNotLinked',
    'CredentialsSignin',
    'MissingCSRF',
    'OAuthAccountNotLinked',
    'OAuthCallbackError',
    'ReauthenticationRequired',
    'SessionLimit',
    'SignOutError',
    'TooManyAttempts',
    'Verification',
    'WebAuthnVerificationError',
  ]
  const ON_SIGN_IN_PAGE = [
    'AccountNotLinked',
    'CredentialsSignin',
    'EmailSignInError',
    'MissingCSRF',
    'OAuthAccountNotLinked',
    'OAuthCallbackError',
    'OAuthProfileParseError',
    'OAuthSignInError',
    'ReauthenticationRequired',
    'SessionLimit',
    'SignInError',
  ]

  test('exists and is exported', () => {
    const names = `AccessDenied AccountNotLinked AdapterError CallbackRouteError
      CredentialsSignin DuplicateConditionalUI EmailSignInError ErrorPageLoop
      EventError ExperimentalFeatureNotEnabled InvalidCallbackUrl InvalidCheck
      InvalidEndpoints InvalidProvider JWTSessionError MissingAdapter
      MissingAdapterMethods MissingAuthorize MissingCSRF MissingSecret
      MissingWebAuthnAutocomplete OAuthAccountNotLinked OAuthCallbackError OAuthProfileParseError
      OAuthSignInError ReauthenticationRequired SessionLimit SessionTokenError SignInError
      SignOutError StepUpRequired TooManyAttempts UnknownAction UnknownProvider UnsupportedStrategy UntrustedHost Verification
      WebAuthnVerificationError`
    expect(classes.map(([name]) => name).sort()).toEqual(names.split(/\s+/))
  })

  for (const [name, Class] of classes) {
    test(`has its name ${name}, and is ${CLIENT.includes(name) ? '' : 'not '}shown to the browser`, () => {
      const error = new Class('x')
      expect(error.name).toBe(name)
      // Two are kinds of another type.
      const types: Record<string, string> = {
        SignInError: 'AuthError',
        UnknownProvider: 'InvalidProvider',
      }
      expect(error.type).toBe(types[name] ?? name)
      expect(error.kind).toBe(ON_SIGN_IN_PAGE.includes(name) ? 'signIn' : 'error')
      expect(isClientError(error)).toBe(CLIENT.includes(name))
      expect(error.message).toBe('x')
    })
  }
})

describe('a subclass of CredentialsSignin', () => {
  class LockedOut extends CredentialsSignin {
    override code = 'locked'
  }

  test('keeps its type and has a code of its own', () => {
    expect(new CredentialsSignin().code).toBe('credentials')
    const error = new LockedOut()
    expect(error).toMatchObject({ code: 'locked', type: 'CredentialsSignin', name: 'LockedOut' })
    expect(error).toBeInstanceOf(SignInError)
    expect(isClientError(error)).toBe(true)
  })
})

describe('an error of another copy of the package', () => {
  test('is recognized by its type', () => {
    const foreign = Object.assign(new Error('x'), { type: 'CredentialsSignin', code: 'c' })
    expect(isAuthError(foreign)).toBe(true)
    expect(publicErrorCode(foreign)).toBe('CredentialsSignin')
    expect(errorPageOf(foreign)).toBe('signIn')
  })

  for (const value of [
    new Error('x'),
    Object.assign(new Error('x'), { type: 'system' }),
    Object.assign(new Error('x'), { type: 'constructor' }),
    Object.assign(new Error('x'), { type: 1 }),
    { type: 'AccessDenied', message: 'x' },
    'AccessDenied',
    null,
    undefined,
  ]) {
    test(`is not recognized in ${JSON.stringify(value) ?? 'nothing'}`, () => {
      expect(isAuthError(value)).toBe(false)
      expect(publicErrorCode(value)).toBe('Configuration')
      expect(errorPageOf(value)).toBe('error')
    })
  }
})

describe('an error of the application', () => {
  class AccountLocked extends SignInError {
    static override type = 'AccountLocked' as never
  }

  test('is reported on the page of its base class', () => {
    expect(errorPageOf(new SignInError('x'))).toBe('signIn')
    expect(errorPageOf(new AccountLocked('x'))).toBe('signIn')
    expect(errorPageOf(new (class extends AuthError {})('x'))).toBe('error')
  })

  test('with a type of its own is recognized, and the browser does not see the type', () => {
    expect(isAuthError(new AccountLocked('x'))).toBe(true)
    expect(isClientError(new AccountLocked('x'))).toBe(false)
    expect(publicErrorCode(new AccountLocked('x'))).toBe('Configuration')
  })
})

test('the browser receives a public name for two hidden errors', () => {
  expect(publicErrorCode(new errors.EmailSignInError())).toBe('EmailSignin')
  expect(publicErrorCode(new errors.OAuthSignInError())).toBe('OAuthSignin')
  expect(publicErrorCode(new errors.OAuthProfileParseError())).toBe('OAuthCallbackError')
  expect(publicErrorCode(new errors.InvalidCheck())).toBe('Configuration')
})

test.each([
  [new TypeError('no'), 'no'],
  [{ code: '23505', message: 'duplicate key' }, 'duplicate key'],
  ['just a text', 'just a text'],
  [undefined, 'undefined'],
  [null, 'null'],
  [{ message: Symbol('odd') }, 'Symbol(odd)'],
  [Object.create(null), 'an object without a message'],
  [{ message: { toString: () => never() } }, 'an object without a message'],
  [new Response(), '[object Response]'],
  [{ toString: () => 'a text of its own' }, 'a text of its own'],
])('a thrown value, %o, becomes an error with a message', (thrown, message) => {
  expect(toError(thrown)).toMatchObject({ message })
})

function never(): never {
  throw new Error('no text')
}
