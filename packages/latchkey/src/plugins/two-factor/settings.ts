import {
  type AdapterUser,
  type Awaitable,
  checkOptions,
  listOf,
  oneOf,
  optionError,
  type ProvidedProof,
  seconds,
  someFunction,
  wholeNumber,
} from '../../entries/plugin.ts'
import {
  type HashOptions,
  type HashSettings,
  hashSettingsOf,
} from '../../entries/plugin-hashing.ts'

/** How somebody proves a second factor. */
export type FactorMethod = 'totp' | 'passkey' | 'recovery' | 'email'

/** Where it is decided whether a user must have a second factor. */
export interface RequireContext {
  /** The request of a sign-in or of a page. Functions of `latchkey.api` and steps that need another proof have none. */
  readonly request: Request | undefined
}

/** Options of the plugin. */
export interface TwoFactorOptions {
  /**
   * The name of the site in authenticator apps.
   *
   * @default the name of the theme, or the host
   */
  readonly issuer?: string | undefined
  /**
   * What can be set up: `totp`, `passkey`, `recovery`, and `email` for codes by mail, which are the weakest. A factor that
   * a user set up earlier also works without its method here.
   *
   * @default ['totp', 'passkey', 'recovery']
   */
  readonly methods?: readonly FactorMethod[] | undefined
  /**
   * Who must have a second factor: `offered` is nobody, `all` everybody, and a function decides for each user.
   *
   * @default 'offered'
   */
  readonly require?:
    | 'offered'
    | 'all'
    | ((user: AdapterUser, context: RequireContext) => Awaitable<boolean>)
    | undefined
  /**
   * Seconds from the first sign-in under the rule, after which a user without a second factor must set one up to sign
   * in.
   *
   * @default 604800
   */
  readonly grace?: number | undefined
  /**
   * Seconds for which a browser is not asked again, if the user ticks the box. `false` removes the box.
   *
   * @default 2592000
   */
  readonly trustDevice?: number | false | undefined
  /**
   * OpenID Connect providers whose sign-ins count as two factors, if their ID token says that there were two.
   *
   * Two factors are an `amr` with `mfa` or with methods of two different kinds, or an `acr` that stands for two factors. A list of `microsoft-entra-id`, `okta`, `keycloak`, `auth0`
   * and `fusionauth`; for others, a function that returns the methods (RFC 8176) which the claims prove.
   *
   * @default []
   */
  readonly trustProviders?:
    | readonly string[]
    | ((proof: ProvidedProof, claims: ProvidedProof['claims']) => Awaitable<readonly string[]>)
    | undefined
  /**
   * Codes of authenticator apps. `most` is how many apps a user can have. `digits` (6), `period` (30 seconds), `algorithm` (`SHA1`)
   * and `window` (1 step before and after the current one) have one value each: every app knows it, and many ignore others.
   *
   * @default { most: 5 }
   */
  readonly totp?:
    | {
        readonly digits?: 6 | undefined
        readonly period?: 30 | undefined
        readonly algorithm?: 'SHA1' | undefined
        readonly window?: 1 | undefined
        readonly most?: number | undefined
      }
    | undefined
  /** `count`: recovery codes of a set. `hash`: the costs of their hashes, as in `passwords()`. @default { count: 10 } */
  readonly recovery?:
    | { readonly count?: number | undefined; readonly hash?: HashOptions | undefined }
    | undefined
  /** `false` turns the built-in limits of its actions off, with a warning. @default true */
  readonly limits?: boolean | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly issuer: string | undefined
  readonly methods: readonly FactorMethod[]
  readonly require: Exclude<TwoFactorOptions['require'], undefined>
  readonly grace: number
  readonly trustDevice: number | false
  readonly trustProviders: Exclude<TwoFactorOptions['trustProviders'], undefined>
  readonly totp: { readonly most: number }
  readonly recovery: { readonly count: number }
  /** The costs of the hashes of recovery codes. */
  readonly hashes: HashSettings
  readonly limits: boolean
}

/** Values of `acr` that say that there were two factors, by the id of the provider. */
export const KNOWN_PROVIDERS: Readonly<Record<string, readonly string[]>> = {
  'microsoft-entra-id': [],
  okta: ['urn:okta:loa:2fa:any'],
  keycloak: [],
  auth0: ['http://schemas.openid.net/pape/policies/2007/06/multi-factor'],
  fusionauth: [],
}

/** Returns the values of `acr` that a trusted provider is asked for, where two factors are required of anybody. */
export function askedContexts(
  provider: string,
  { require, trustProviders }: Pick<Settings, 'require' | 'trustProviders'>,
): readonly string[] {
  const isTrusted = typeof trustProviders !== 'function' && trustProviders.includes(provider)
  return require !== 'offered' && isTrusted ? (KNOWN_PROVIDERS[provider] ?? []) : []
}

const METHODS: readonly FactorMethod[] = ['totp', 'passkey', 'recovery', 'email']
const DAY: number = 24 * 60 * 60

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: TwoFactorOptions): Settings {
  checkOptions('twoFactor', options, {
    issuer: {
      expected: 'the name of the site',
      fits: (value) => typeof value === 'string' && value.replaceAll(':', '').trim() !== '',
    },
    methods: listOf(METHODS.join(', '), (method) => METHODS.includes(method as FactorMethod)),
    require: oneOf('offered', 'all', someFunction),
    grace: seconds(0, 365 * DAY),
    trustDevice: oneOf(false, seconds(60, 400 * DAY)),
    trustProviders: oneOf(listOf(Object.keys(KNOWN_PROVIDERS).join(', '), isKnown), someFunction),
    totp: {
      digits: oneOf(6),
      period: oneOf(30),
      algorithm: oneOf('SHA1'),
      window: oneOf(1),
      most: wholeNumber(1, 20),
    },
    recovery: { count: wholeNumber(5, 50), hash: true },
    limits: 'boolean',
  })
  const {
    issuer,
    methods = ['totp', 'passkey', 'recovery'],
    require = 'offered',
    grace = 7 * DAY,
    trustDevice = 30 * DAY,
    trustProviders = [],
    totp = {},
    recovery = {},
    limits = true,
  } = options
  const { most = 5 } = totp
  const { count = 10, hash } = recovery
  if (!methods.includes('totp') && !methods.includes('passkey'))
    throw optionError(
      `twoFactor(): \`methods\` must have totp or passkey, since the others only stand in for them, got ${methods.join(', ')}`,
      'twoFactor',
    )
  const trust = { trustDevice, trustProviders }
  const factors = {
    totp: { most },
    recovery: { count },
    hashes: hashSettingsOf({ hash }, { of: 'twoFactor', member: 'recovery' }),
  }
  return { issuer, methods, require, grace, ...trust, ...factors, limits }
}

function isKnown(provider: unknown): boolean {
  return typeof provider === 'string' && Object.hasOwn(KNOWN_PROVIDERS, provider)
}
