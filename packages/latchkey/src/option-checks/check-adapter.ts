import {
  type AuthError,
  ExperimentalFeatureNotEnabled,
  MissingAdapter,
  MissingAdapterMethods,
} from '../base/errors.ts'
import { type Adapter, type AdapterMethod, atomic } from '../model/adapter.ts'
import type { RecordAbilities } from '../model/record.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import { strategyOf } from '../options/strategy.ts'

const MAIL_METHODS: readonly AdapterMethod[] = [
  'createVerificationToken',
  'useVerificationToken',
  'getUserByEmail',
]

export const SESSION_METHODS: readonly AdapterMethod[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
]

const PASSKEY_METHODS: readonly AdapterMethod[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'linkAccount',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
]

const RECORD_ABILITIES: readonly (keyof RecordAbilities)[] = [
  'createRecord',
  'getRecord',
  'replaceRecord',
  'takeRecord',
  'listRecords',
]

/** Finds features of a configuration that the adapter does not support. */
export function checkAdapter(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const { adapter, records } = config
  const absent = records ? RECORD_ABILITIES.filter((name) => !records[atomic]?.[name]) : []
  if (absent.length > 0) {
    const advice = 'use `sqlRecords(…)` or another store of Latchkey'
    return new MissingAdapterMethods(`\`records\` lacks ${absent.join(', ')}; ${advice}`, {
      missing: absent,
    })
  }
  const odd = adapter && oddAdapter(adapter)
  if (odd) return new MissingAdapter(`\`adapter\` ${odd}`)
  const sendsMail = providers.some(({ type }) => type === 'email')
  const stores = strategyOf(config) === 'database'
  const usesPasskeys = providers.some(({ type }) => type === 'webauthn')
  if (!adapter && sendsMail) return new MissingAdapter('sign-in by e-mail needs an `adapter`')
  if (!adapter && stores) return new MissingAdapter('database sessions need an `adapter`')
  if (usesPasskeys && config.experimental?.enableWebAuthn === false) {
    return new ExperimentalFeatureNotEnabled(
      '`experimental.enableWebAuthn` is false, and a passkey provider is configured; remove one of them',
    )
  }
  if (!adapter) {
    return usesPasskeys ? new MissingAdapter('passkeys need an `adapter`') : undefined
  }
  return faultOfMethods(adapter, providers, { sendsMail, stores, usesPasskeys })
}

/** Finds methods that the providers and the sessions need, and that the adapter does not have. */
function faultOfMethods(
  adapter: Adapter,
  providers: readonly ProviderConfig[],
  {
    sendsMail,
    stores,
    usesPasskeys,
  }: Readonly<Record<'sendsMail' | 'stores' | 'usesPasskeys', boolean>>,
): AuthError | undefined {
  const lacks = [
    sendsMail
      ? lacking(adapter, MAIL_METHODS, 'sign-in by e-mail')
      : stores && lacking(adapter, SESSION_METHODS, 'database sessions'),
    usesPasskeys && lacking(adapter, PASSKEY_METHODS, 'passkeys'),
  ].filter((lack) => !!lack)
  if (lacks.length > 0) {
    const missing = [...new Set(lacks.flatMap(({ missing }) => missing))]
    const message = lacks.map(({ text }) => text).join('; ')
    return new MissingAdapterMethods(
      `the adapter lacks ${message}; add the methods, or use another adapter`,
      { missing },
    )
  }
  const mailsCodes = providers.some((provider) => provider.type === 'email' && provider.code)
  return mailsCodes && typeof adapter[atomic]?.countAttempt !== 'function'
    ? new MissingAdapterMethods(
        '`code: true` needs an adapter that counts attempts (`[atomic].countAttempt`); use an adapter of Latchkey',
        { missing: ['countAttempt'] },
      )
    : undefined
}

/** Returns what is wrong with a value that is probably not yet the adapter. */
function oddAdapter(adapter: object): string | undefined {
  if (typeof adapter === 'function') return 'is a function; call it, and use the result'
  if ('then' in adapter) return 'is a promise; await it'
  return '$connect' in adapter && '$transaction' in adapter
    ? 'is a Prisma client; use prismaAdapter(client) of latchkey/adapters/prisma'
    : undefined
}

/** Returns the methods of a feature that the adapter lacks. */
function lacking(
  adapter: Adapter,
  methods: readonly AdapterMethod[],
  feature: string,
): { missing: string[]; text: string } | undefined {
  const missing = missingMethods(adapter, methods)
  return missing.length > 0 ? { missing, text: `${missing.join(', ')} for ${feature}` } : undefined
}

export function missingMethods(
  adapter: Adapter,
  needed: readonly AdapterMethod[],
): AdapterMethod[] {
  return needed.filter((name) => typeof adapter[name] !== 'function')
}
