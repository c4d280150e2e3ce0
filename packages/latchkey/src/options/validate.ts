import {
  AuthError,
  SessionTokenError,
  toError,
  UnsupportedStrategy,
  UntrustedHost,
} from '../errors.ts'
import { isHostEntry } from '../http/host-list.ts'
import { isOriginEntry } from '../http/origin-list.ts'
import type { AuthConfig } from './auth-config.ts'
import { checkAdapter, missingMethods, SESSION_METHODS } from './check-adapter.ts'
import { checkCookies, cookiesRefused } from './check-cookies.ts'
import { checkProviders } from './check-providers.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkAge, isWebAddress, judge } from './judge.ts'
import type { WarningCode } from './logger.ts'
import { checkWith, uncheckedAtEdge } from './markers.ts'
import type { ProviderConfig } from './provider-options.ts'
import { secretsOf } from './secrets.ts'
import { strategyOf } from './strategy.ts'

/** What is wrong with a configuration, and what is merely odd about it. */
export interface Verdict {
  /** The first fault, in the order of the rules; `undefined` when it can be used. */
  readonly fault: AuthError | undefined
  readonly warnings: readonly Warning[]
}

type Warning = readonly [code: WarningCode, detail?: string]

/** Characters that a session token has at least: 120 bits, if all of them are random. */
const TOKEN_LENGTH = 20

/** Characters that a secret should have at least. */
const SECRET_LENGTH = 32

/** Callbacks and handlers of events; what else is beside them may be what they need themselves. */
const CALLED = /^(?:jwt|session|redirect|signIn|signOut|createUser|updateUser|linkAccount)$/

type Rule = (config: AuthConfig, providers: readonly ProviderConfig[]) => AuthError | undefined

/** The rules in their order; the first that fails decides. */
const rules: readonly Rule[] = [
  checkTrustHost,
  checkSecrets,
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
  ({ session }) =>
    judge(
      [session?.signOutWithoutStore ?? 'refuse'],
      (name) => name === 'refuse' || name === 'clear',
      "`session.signOutWithoutStore` is 'refuse' or 'clear'",
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
  checkPlugins,
]

/** What judges plugins comes with them. */
function checkPlugins(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  for (const { name, [checkWith]: check } of config.plugins ?? []) {
    const fault = check
      ? (check as Rule)(config, providers)
      : new AuthError(`the plugin ${name} was not made with \`definePlugin\` of latchkey/plugin`)
    if (fault) return fault
  }
  return undefined
}

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

/** What JavaScript lets pass, and every request would throw at. */
function checkTypes({ basePath = '', callbacks, events }: AuthConfig): AuthError | undefined {
  const given = [callbacks, events].flatMap((functions) => Object.entries(functions ?? {}))
  return [
    judge([basePath], (path) => typeof path === 'string', '`basePath` is a path such as /auth'),
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
      'set AUTH_URL to the address of the site, such as https://app.example; if a proxy sets the host header of all requests, `trustHost: true` (or AUTH_TRUST_HOST=true) is enough',
    )
  }
  if (trustHost === true) return undefined
  return judge(
    trustHost.length === 0 ? [trustHost] : trustHost,
    isHostEntry,
    '`trustHost` (or AUTH_TRUST_HOST) is true, or a list of hosts such as app.example, app.example:8443 and *.app.example',
    UntrustedHost,
  )
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

/** Lifetimes in seconds; a text like '30d' would only be noticed by the first visitor. */
function checkAges({ session, jwt }: AuthConfig): AuthError | undefined {
  return (
    checkAge('`session.maxAge`', session?.maxAge) ??
    checkAge('`jwt.maxAge`', jwt?.maxAge) ??
    checkAge('`session.updateAge`', session?.updateAge, 0)
  )
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

function* warningsOf(config: AuthConfig, providers: readonly ProviderConfig[]): Generator<Warning> {
  if (config.debug) yield ['debug-enabled']
  for (const { [uncheckedAtEdge]: unchecked } of config.plugins ?? []) {
    if (unchecked !== undefined) yield ['sessions-unchecked', unchecked]
  }
  if (secretsOf(config.secret).some((secret) => secret.length < SECRET_LENGTH)) {
    yield ['short-secret', `a secret has fewer than ${SECRET_LENGTH} characters`]
  }
  if (providers.some(({ type }) => type === 'webauthn')) {
    yield ['experimental-webauthn']
  }
  for (const provider of providers) {
    if ('deprecated' in provider && provider.deprecated !== undefined) {
      yield ['provider-deprecated', `provider ${provider.id}: ${provider.deprecated}`]
    }
  }
  for (const { id, type, ...more } of providers) {
    if ((type === 'oauth' || type === 'oidc') && !('clientId' in more && more.clientId)) {
      const name = id.toUpperCase().replaceAll('-', '_')
      // One template only: the minifier of Next.js 14 makes one of two, and loses the backslashes.
      yield ['client-id-missing', `provider ${id}: set \`clientId\`, or AUTH_${name}_ID`]
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
