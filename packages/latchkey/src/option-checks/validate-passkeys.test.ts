import { describe, expect, test } from 'vitest'
import { memoryAdapter } from '../adapters/memory/index.ts'
import type { Adapter } from '../model/adapter.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { checkWith, compileWith } from '../options/markers.ts'
import type { ProviderConfig, WebAuthnConfig } from '../options/provider-options.ts'
import type { SimpleWebAuthn } from '../protocols/webauthn/simple-webauthn.ts'
import { checkPasskeys } from './check-passkeys.ts'
import { validate } from './validate.ts'

const nothing = async (): Promise<never> => {
  throw new Error('not called')
}
const simpleWebAuthn: SimpleWebAuthn = {
  generateAuthenticationOptions: nothing,
  generateRegistrationOptions: nothing,
  verifyAuthenticationResponse: nothing,
  verifyRegistrationResponse: nothing,
}
const passkey: WebAuthnConfig = {
  id: 'passkey',
  name: 'Passkey',
  type: 'webauthn',
  enableConditionalUI: true,
  formFields: { email: { autocomplete: 'username webauthn' } },
  simpleWebAuthn,
  [compileWith]: () => undefined,
  [checkWith]: checkPasskeys,
}
const quiet: WebAuthnConfig = { ...passkey, id: 'quiet', enableConditionalUI: false }
const credentials: ProviderConfig = {
  id: 'c',
  name: 'C',
  type: 'credentials',
  credentials: {},
  authorize: () => null,
}

const good: AuthConfig = {
  providers: [],
  trustHost: true,
  secret: 'x'.repeat(32),
  adapter: memoryAdapter(),
}

function without(...names: (keyof Adapter & string)[]): Adapter {
  const adapter = memoryAdapter()
  for (const name of names) delete adapter[name]
  return adapter
}

const faultOf = (
  change: Partial<AuthConfig>,
  ...providers: ProviderConfig[]
): string | undefined => {
  const { fault, warnings } = validate({ ...good, ...change }, providers)
  expect(warnings).toEqual([])
  return fault?.type
}

describe('passkeys are refused', () => {
  for (const version of ['14', 'v', 'v1.2.3.4', 'v1.x', 'latest', ' v1']) {
    test(`rule 6: with the version ${version} of a script`, () => {
      const odd = { ...passkey, simpleWebAuthnBrowserVersion: version as 'v1' }
      expect(faultOf({}, odd)).toBe('AuthError')
    })
  }

  test('MF-16: beside a provider with the id of accounts of security keys', () => {
    const other = { ...passkey, id: 'passkey-second-factor' }
    expect(faultOf({}, passkey, other)).toBe('InvalidProvider')
  })

  test('rule 7: with two providers that offer autofill', () => {
    expect(faultOf({}, passkey, { ...passkey, id: 'other' })).toBe('DuplicateConditionalUI')
  })

  for (const [what, formFields] of [
    ['no fields', undefined],
    ['no field', {}],
    ['no such field', { email: { autocomplete: 'username' }, name: {} }],
  ] as const) {
    test(`rule 8: with autofill and ${what}`, () => {
      expect(faultOf({}, { ...passkey, formFields })).toBe('MissingWebAuthnAutocomplete')
    })
  }

  test('without `simpleWebAuthn` functions', () => {
    const own = { ...passkey, simpleWebAuthn: undefined as unknown as SimpleWebAuthn }
    expect(faultOf({}, own)).toBe('InvalidProvider')
  })

  test('rule 13: if the experimental option is off', () => {
    const experimental = { enableWebAuthn: false }
    expect(faultOf({ experimental }, passkey)).toBe('ExperimentalFeatureNotEnabled')
  })

  test('rule 14: without an adapter', () => {
    expect(faultOf({ adapter: undefined }, passkey)).toBe('MissingAdapter')
  })

  test('rule 15: without a required method of the adapter, in either strategy', () => {
    for (const strategy of ['jwt', 'database'] as const) {
      for (const name of [
        'createUser',
        'getUser',
        'getUserByEmail',
        'linkAccount',
        'getAccount',
        'getAuthenticator',
        'createAuthenticator',
        'listAuthenticatorsByUserId',
        'updateAuthenticatorCounter',
      ] as const) {
        expect(faultOf({ session: { strategy }, adapter: without(name) }, passkey)).toBe(
          'MissingAdapterMethods',
        )
      }
    }
  })

  test('rule 15: naming each missing method once', () => {
    const adapter = without('createUser', 'getAuthenticator')
    expect(validate({ ...good, adapter }, [passkey]).fault).toMatchObject({
      cause: { missing: ['createUser', 'getAuthenticator'] },
    })
  })

  test('for the first reason of several, in the order of the rules', () => {
    const twice = [passkey, { ...passkey, id: 'other' }]
    const odd = { ...passkey, simpleWebAuthnBrowserVersion: 'x' as 'v1', formFields: {} }
    const off = { experimental: { enableWebAuthn: false }, adapter: undefined }
    expect(faultOf(off, odd)).toBe('AuthError')
    expect(faultOf(off, ...twice)).toBe('DuplicateConditionalUI')
    expect(faultOf(off, { ...passkey, formFields: {} })).toBe('MissingWebAuthnAutocomplete')
    const { authorize: _, ...without9 } = credentials as { authorize?: unknown }
    expect(faultOf(off, passkey, without9 as ProviderConfig)).toBe('MissingAuthorize')
    expect(faultOf({ ...off, session: { strategy: 'database' } }, passkey)).toBe('MissingAdapter')
    expect(faultOf(off, passkey)).toBe('ExperimentalFeatureNotEnabled')
  })
})

describe('passkeys are accepted', () => {
  for (const version of ['v14', 'v14.0', 'v14.0.0', false, undefined] as const) {
    test(`with the version ${String(version)} of a script`, () => {
      expect(faultOf({}, { ...passkey, simpleWebAuthnBrowserVersion: version })).toBeUndefined()
    })
  }

  test('with one of several providers that offers autofill', () => {
    expect(faultOf({}, quiet, passkey, { ...quiet, id: 'third' })).toBeUndefined()
  })

  test.each([undefined, {}, { enableWebAuthn: true }])(
    'NEW-9: without a warning, enabled or not: %o',
    (experimental) => {
      const { fault, warnings } = validate({ ...good, experimental }, [passkey, quiet])
      expect(fault).toBeUndefined()
      expect(warnings).toEqual([])
    },
  )
})
