import {
  AuthError,
  ExperimentalFeatureNotEnabled,
  InvalidEndpoints,
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  SessionTokenError,
  toError,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors.ts'
import { isHostEntry } from '../http/host-list.ts'
import { isOriginEntry } from '../http/origin-list.ts'
import { type Adapter, type AdapterMethod, atomic } from '../model/adapter.ts'
import type { AuthConfig } from './auth-config.ts'
import { checkCookies, cookiesRefused } from './check-cookies.ts'
import type { WarningCode } from './logger.ts'
import { checkWith, compileWith } from './markers.ts'
import type {
  EmailConfig,
  EndpointHandler,
  OAuth2Config,
  OAuthCheck,
  ProviderConfig,
} from './provider-options.ts'
import { fillTemplates, missingMembers } from './templates.ts'

/** What is wrong with a configuration, and what is merely odd about it. */
export interface Verdict {
  /** The first fault, in the order of the rules; `undefined` when it can be used. */
  readonly fault: AuthError | undefined
  readonly warnings: readonly (readonly [WarningCode, string])[]
}

/** Characters that a session token has at least: 120 bits, if all of them are random. */
const TOKEN_LENGTH = 20

/** Characters that a secret should have at least. */
const SECRET_LENGTH = 32

/** Callbacks and handlers of events; what else is beside them may be what they need themselves. */
const CALLED = /^(?:jwt|session|redirect|signIn|signOut|createUser|updateUser|linkAccount)$/

const MAIL_METHODS: readonly AdapterMethod[] = [
  'createVerificationToken',
  'useVerificationToken',
  'getUserByEmail',
]

const SESSION_METHODS: readonly AdapterMethod[] = [
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

type Rule = (config: AuthConfig, providers: readonly ProviderConfig[]) => AuthError | undefined

/** The rules in their order; the first that fails decides. */
const rules: readonly Rule[] = [
  checkTrustHost,
  ({ secret, jwt }) =>
    secretsOf(secret).length > 0 &&
    [secret, jwt?.secret].flat().every((text) => typeof (text ?? '') === 'string')
      ? undefined
      : new MissingSecret('set `secret` (or AUTH_SECRET) to 32 random characters or more, as text'),
  checkTypes,
  checkRedirectProxy,
  checkProviders,
  ({ session }) =>
    judge(
      [session?.strategy ?? 'jwt'],
      (name) => name === 'jwt' || name === 'database',
      "`session.strategy` is 'jwt' or 'database'",
      UnsupportedStrategy,
    ),
  ({ acceptSessionsFrom = [] }) =>
    judge(
      acceptSessionsFrom,
      (name) => name === 'next-auth@4',
      "`acceptSessionsFrom` is a list of 'next-auth@4'",
    ),
  checkAges,
  checkAdapter,
  checkGenerator,
  checkCookies,
]

/** Judges a configuration whose providers are resolved already. */
export function validate(config: AuthConfig, providers: readonly ProviderConfig[]): Verdict {
  for (const rule of rules) {
    let fault: AuthError | undefined
    try {
      fault = rule(config, providers)
    } catch (error) {
      // An option of another type, which JavaScript lets pass.
      fault = new AuthError(toError(error))
    }
    if (fault) return { fault, warnings: [] }
  }
  return { fault: undefined, warnings: [...warningsOf(config, providers)] }
}

/** A secret or a list of secrets, as a list without what is absent: of a variable that is not set, say. */
export function secretsOf(secret: string | readonly string[] | undefined): readonly string[] {
  return [secret].flat().filter((text): text is string => typeof text === 'string' && text !== '')
}

/** The strategy, when a configuration does not name one. */
export function strategyOf({ session, adapter }: AuthConfig): 'jwt' | 'database' {
  return session?.strategy ?? (adapter ? 'database' : 'jwt')
}

/** A fault that names the first value that is not what it has to be, or what is no list. */
function judge(
  values: unknown,
  fits: (value: unknown) => boolean,
  what: string,
  Fault = AuthError,
): AuthError | undefined {
  const odd = Array.isArray(values) ? values.filter((value) => !fits(value)) : [values]
  return odd.length > 0 ? new Fault(`${what}, not ${JSON.stringify(odd[0])}`) : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** What JavaScript lets pass, and every request would throw at. */
function checkTypes({ basePath = '', callbacks, events }: AuthConfig): AuthError | undefined {
  const given = [callbacks, events].flatMap((functions) => Object.entries(functions ?? {}))
  return [
    judge([basePath], isText, '`basePath` is a path such as /auth'),
    ...given.map(([name, value]) =>
      judge(
        [value],
        () => !CALLED.test(name) || value == null || typeof value === 'function',
        `\`${name}\` is a function`,
      ),
    ),
  ].find((fault) => fault !== undefined)
}

function checkTrustHost({ trustHost }: AuthConfig): AuthError | undefined {
  if (!trustHost) {
    return new UntrustedHost(
      'set `trustHost: true` (or AUTH_TRUST_HOST=true) once the host header of requests is known to be right, or name the hosts, or set AUTH_URL',
    )
  }
  if (trustHost === true) return undefined
  return judge(
    `${trustHost}` === '' ? [trustHost] : trustHost,
    isHostEntry,
    '`trustHost` (or AUTH_TRUST_HOST) is true, or a list of hosts such as app.example, app.example:8443 and *.app.example',
    UntrustedHost,
  )
}

function checkProviders(
  _: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  for (const provider of providers) {
    const fault = checkProvider(provider, providers)
    if (fault) return fault
  }
  return undefined
}

/** What stands in a path as it is: nothing in it is decoded. */
const IN_PATH = /^[\w.~!$&'()*+,;=:@%-]+$/

function checkProvider(
  provider: ProviderConfig,
  all: readonly ProviderConfig[],
): AuthError | undefined {
  const { id, type } = provider
  if (typeof id !== 'string' || !IN_PATH.test(id)) {
    return new InvalidProvider(`a provider has no \`id\` for addresses: ${JSON.stringify(id)}`)
  }
  switch (type) {
    case 'oauth':
    case 'oidc':
      return checkChecks(provider) ?? checkEndpoints(provider)
    case 'credentials':
      return typeof provider.authorize === 'function'
        ? undefined
        : new MissingAuthorize(`provider ${id}: \`authorize\` is missing`)
    case 'email':
      if (typeof provider.sendVerificationRequest !== 'function') {
        return new InvalidProvider(`provider ${id}: \`sendVerificationRequest\` is missing`)
      }
      return checkRequired(provider) ?? checkAge(`provider ${id}: \`maxAge\``, provider.maxAge)
    case 'webauthn':
      return provider[compileWith] && provider[checkWith]
        ? provider[checkWith](provider, all)
        : new InvalidProvider(`provider ${id}: make it with Passkey() or WebAuthn()`)
    default:
      return new InvalidProvider(`provider ${String(id)}: unknown type ${JSON.stringify(type)}`)
  }
}

/** A service that would refuse the first mail is found at the start. */
function checkRequired(provider: EmailConfig): AuthError | undefined {
  const { id, requires = [] } = provider
  const missing = requires.find((name) => !(provider as unknown as Record<string, unknown>)[name])
  if (missing === undefined) return undefined
  const also = missing === 'apiKey' ? `; give it, or set AUTH_${envName(id)}_KEY` : ''
  return new InvalidProvider(`provider ${id}: \`${missing}\` is missing${also}`)
}

const CHECKS: readonly OAuthCheck[] = ['pkce', 'state', 'nonce', 'none']

/** A check that is misspelt would be left out, and nobody would notice. */
function checkChecks({ id, checks = [] }: OAuth2Config<unknown>): AuthError | undefined {
  return judge(
    checks,
    (check) => CHECKS.includes(check as OAuthCheck),
    `provider ${id}: \`checks\` is a list of ${CHECKS.join(', ')}`,
    InvalidProvider,
  )
}

function checkEndpoints(provider: OAuth2Config<unknown>): AuthError | undefined {
  const { id, issuer, redirectProxyUrl } = provider
  if (redirectProxyUrl !== undefined && !isWebAddress(redirectProxyUrl)) {
    return new InvalidProvider(
      `provider ${id}: \`redirectProxyUrl\` is an http(s) address as text, without a query`,
    )
  }
  const [missing] = missingMembers(provider)
  if (missing !== undefined) {
    const also = missing === 'issuer' ? ` or set AUTH_${envName(id)}_ISSUER` : ''
    return new InvalidEndpoints(
      `provider ${id}: \`${missing}\` is missing, and its addresses contain it; give it${also}`,
      { provider: id },
    )
  }
  if (issuer !== undefined) {
    return URL.canParse(fillTemplates(provider).issuer ?? '')
      ? undefined
      : new InvalidEndpoints(`provider ${id}: \`issuer\` is not a URL`, { provider: id })
  }
  for (const name of ['authorization', 'token', 'userinfo'] as const) {
    if (!hasUrl(provider[name])) {
      return new InvalidEndpoints(
        `provider ${id}: \`issuer\` or \`${name}\` is missing; without an issuer it needs authorization, token and userinfo`,
        { provider: id },
      )
    }
  }
  return undefined
}

function envName(id: string): string {
  return id.toUpperCase().replaceAll('-', '_')
}

function checkRedirectProxy({
  redirectProxyUrl: url,
  redirectProxyOrigins: origins = [],
}: AuthConfig): AuthError | undefined {
  if (url !== undefined && !isWebAddress(url)) {
    return new AuthError(
      '`redirectProxyUrl` (or AUTH_REDIRECT_PROXY_URL) is an http(s) address as text, without a query',
    )
  }
  return judge(
    origins,
    isOriginEntry,
    '`redirectProxyOrigins` is a list of origins such as https://app.example and https://*.app.example',
  )
}

/** Text of which nothing ends the path, since that of a callback is put behind it. */
function isWebAddress(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:\/\/[^?#\s]+$/i.test(url)
}

function hasUrl(endpoint: string | EndpointHandler | undefined): boolean {
  if (typeof endpoint === 'string') return endpoint !== ''
  return endpoint !== undefined && (Boolean(endpoint.url) || 'request' in endpoint)
}

function checkAdapter(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  const { adapter } = config
  const sendsMail = providers.some(({ type }) => type === 'email')
  const stores = strategyOf(config) === 'database'
  const usesPasskeys = providers.some(({ type }) => type === 'webauthn')
  if (!adapter && sendsMail) return new MissingAdapter('sign-in by e-mail needs an `adapter`')
  if (!adapter && stores) return new MissingAdapter('database sessions need an `adapter`')
  if (usesPasskeys && config.experimental?.enableWebAuthn !== true) {
    return new ExperimentalFeatureNotEnabled(
      'passkeys are experimental; set `experimental: { enableWebAuthn: true }` to use them',
    )
  }
  if (!adapter) {
    return usesPasskeys ? new MissingAdapter('passkeys need an `adapter`') : undefined
  }
  const lacks = [
    sendsMail
      ? lacking(adapter, MAIL_METHODS, 'sign-in by e-mail')
      : stores && lacking(adapter, SESSION_METHODS, 'database sessions'),
    usesPasskeys && lacking(adapter, PASSKEY_METHODS, 'passkeys'),
  ].filter((lack) => !!lack)
  if (lacks.length > 0) {
    const missing = [...new Set(lacks.flatMap(({ missing }) => missing))]
    const message = lacks.map(({ text }) => text).join('; ')
    return new MissingAdapterMethods(`the adapter lacks ${message}`, { missing })
  }
  const mailsCodes = providers.some((provider) => provider.type === 'email' && provider.code)
  return mailsCodes && typeof adapter[atomic]?.countAttempt !== 'function'
    ? new MissingAdapterMethods(
        '`code: true` needs an adapter that counts attempts (`[atomic].countAttempt`)',
        { missing: ['countAttempt'] },
      )
    : undefined
}

/** What the adapter lacks of what a feature calls. */
function lacking(
  adapter: Adapter,
  methods: readonly AdapterMethod[],
  feature: string,
): { missing: string[]; text: string } | undefined {
  const missing = missingMethods(adapter, methods)
  return missing.length > 0 ? { missing, text: `${missing.join(', ')} for ${feature}` } : undefined
}

/** Lifetimes in seconds; a text like '30d' would only be noticed by the first visitor. */
function checkAges({ session, jwt }: AuthConfig): AuthError | undefined {
  return (
    checkAge('`session.maxAge`', session?.maxAge) ??
    checkAge('`jwt.maxAge`', jwt?.maxAge) ??
    checkAge('`session.updateAge`', session?.updateAge, 0)
  )
}

/** Seconds, 6000 years and more: a cookie cannot name a day after the year 9999. */
const AGE_LIMIT = 2e11

function checkAge(name: string, age = 1, least = Number.MIN_VALUE): AuthError | undefined {
  const fits = Number.isFinite(age) && age >= least && (least === 0 || age < AGE_LIMIT)
  return judge([age], () => fits, `${name} is a number of seconds`)
}

/** Two tokens show whether a generator is none at all, not whether it is a good one. */
function checkGenerator(config: AuthConfig): AuthError | undefined {
  const generate = config.session?.generateSessionToken
  if (!generate || strategyOf(config) !== 'database') return undefined
  try {
    const [one, other]: unknown[] = [generate(), generate()]
    if (typeof one === 'string' && one.length >= TOKEN_LENGTH && one !== other) return undefined
    return new SessionTokenError(
      `\`session.generateSessionToken\` gives short or repeated tokens; ${TOKEN_LENGTH} random characters are needed, or leave it out`,
    )
  } catch (error) {
    return new SessionTokenError('`session.generateSessionToken` throws', toError(error))
  }
}

function missingMethods(adapter: Adapter, needed: readonly AdapterMethod[]): AdapterMethod[] {
  return needed.filter((name) => typeof adapter[name] !== 'function')
}

function* warningsOf(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): Generator<readonly [WarningCode, string]> {
  if (config.debug) yield ['debug-enabled', 'do not use it in production']
  if (secretsOf(config.secret).some((secret) => secret.length < SECRET_LENGTH)) {
    yield ['short-secret', `a secret has fewer than ${SECRET_LENGTH} characters`]
  }
  if (providers.some(({ type }) => type === 'webauthn')) {
    yield ['experimental-webauthn', 'passkeys may still change from one version to the next']
  }
  for (const provider of providers) {
    if ('deprecated' in provider && provider.deprecated !== undefined) {
      yield ['provider-deprecated', `provider ${provider.id}: ${provider.deprecated}`]
    }
  }
  const usesProxy = [config, ...providers].some(
    (from) => 'redirectProxyUrl' in from && from.redirectProxyUrl,
  )
  if (usesProxy && !config.redirectProxyOrigins && config.trustHost === true) {
    yield [
      'redirect-proxy-open',
      'answers of providers may go to any host: list the deployments in `redirectProxyOrigins`',
    ]
  }
  for (const detail of cookiesRefused(config)) yield ['cookie-refused', detail]
  const ids = new Set<string>()
  for (const { id } of providers) {
    if (ids.has(id)) yield ['duplicate-provider-id', `only the first provider ${id} is used`]
    ids.add(id)
  }
  if (config.adapter && strategyOf(config) === 'database') {
    const missing = missingMethods(config.adapter, SESSION_METHODS)
    if (missing.length > 0) yield ['adapter-methods-missing', missing.join(', ')]
  }
}
