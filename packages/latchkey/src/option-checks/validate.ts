import {
  AuthError,
  SessionTokenError,
  toError,
  UnsupportedStrategy,
  UntrustedHost,
} from '../base/errors.ts'
import { isHostEntry } from '../http/origin/host-list.ts'
import { isOriginEntry } from '../http/origin/origin-list.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import type { WarningCode } from '../options/logger.ts'
import { checkWith, uncheckedAtEdge } from '../options/markers.ts'
import type { ProviderConfig } from '../options/provider-options.ts'
import { secretsOf } from '../options/secrets.ts'
import { strategyOf } from '../options/strategy.ts'
import { checkAdapter, missingMethods, SESSION_METHODS } from './check-adapter.ts'
import { checkCookies, cookiesRefused } from './check-cookies.ts'
import { checkProviders } from './check-providers.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkAge, isWebAddress, judge } from './judge.ts'
import { misspelled } from './misspelled.ts'

/** The result of the check of a configuration. */
export interface Verdict {
  /** The first fault in the order of the rules; `undefined` if the configuration is valid. */
  readonly fault: AuthError | undefined
  readonly warnings: readonly Warning[]
}

type Warning = readonly [code: WarningCode, detail?: string]

/** Minimum number of characters of a session token: 120 bits, if all of them are random. */
const TOKEN_LENGTH = 20

/** Recommended minimum number of characters of a secret. */
const SECRET_LENGTH = 32

/** Names of callbacks and event handlers. Applications may have other members beside them. */
const CALLED = /^(?:jwt|session|redirect|signIn|signOut|createUser|updateUser|linkAccount)$/

type Rule = (config: AuthConfig, providers: readonly ProviderConfig[]) => AuthError | undefined

/** The rules in order; the first fault is reported. */
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
      "`session.strategy` must be 'jwt' or 'database'",
      UnsupportedStrategy,
    ),
  ({ session }) =>
    judge(
      [session?.signOutWithoutStore ?? 'refuse'],
      (name) => name === 'refuse' || name === 'clear',
      "`session.signOutWithoutStore` must be 'refuse' or 'clear'",
    ),
  ({ acceptSessionsFrom = [] }) =>
    judge(
      acceptSessionsFrom,
      (name) => name === 'next-auth@4',
      "`acceptSessionsFrom` must be a list of 'next-auth@4'",
    ),
  checkAges,
  checkAdapter,
  checkGenerator,
  checkCookies,
  checkPlugins,
]

/** Plugins have their own check, which `definePlugin` sets. */
function checkPlugins(
  config: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  // Plugins of one copy of the library share their check, which looks at all of them.
  const done = new Set<unknown>()
  for (const { name, [checkWith]: check } of config.plugins ?? []) {
    if (done.has(check)) continue
    done.add(check)
    const fault = check
      ? (check as Rule)(config, providers)
      : new AuthError(
          `the plugin ${name} was not created with \`definePlugin\`; use \`definePlugin\` of latchkey/plugin`,
        )
    if (fault) return fault
  }
  return undefined
}

/** Checks a configuration with its resolved providers. */
export function validate(config: AuthConfig, providers: readonly ProviderConfig[]): Verdict {
  for (const rule of rules) {
    let fault: AuthError | undefined
    try {
      fault = rule(config, providers)
    } catch (error) {
      // An option has a wrong type, which is possible in JavaScript.
      fault = new AuthError(toError(error))
    }
    if (fault) return { fault, warnings: [] }
  }
  return { fault: undefined, warnings: [...warningsOf(config, providers)] }
}

/** Checks types, since JavaScript code has no compiler, and every request would throw. */
function checkTypes({ basePath = '', callbacks, events }: AuthConfig): AuthError | undefined {
  const given = [callbacks, events].flatMap((functions) => Object.entries(functions ?? {}))
  return [
    judge(
      [basePath],
      (path) => typeof path === 'string',
      '`basePath` must be a path such as /auth',
    ),
    ...given.map(([name, value]) =>
      judge(
        [value],
        () => !CALLED.test(name) || value == null || typeof value === 'function',
        `\`${name}\` must be a function`,
      ),
    ),
  ].find((fault) => fault !== undefined)
}

function checkTrustHost({ trustHost }: AuthConfig): AuthError | undefined {
  if (!trustHost) {
    return new UntrustedHost(
      'set AUTH_URL to the URL of the site, such as https://app.example; if a proxy sets the Host header of all requests, `trustHost: true` (or AUTH_TRUST_HOST=true) is enough',
    )
  }
  if (trustHost === true) return undefined
  return judge(
    trustHost.length === 0 ? [trustHost] : trustHost,
    isHostEntry,
    '`trustHost` (or AUTH_TRUST_HOST) must be true, or a list of hosts such as app.example, app.example:8443 and *.app.example',
    UntrustedHost,
  )
}

function checkRedirectProxy({
  redirectProxyUrl: url,
  redirectProxyOrigins: origins = [],
}: AuthConfig): AuthError | undefined {
  return (
    judge(
      url === undefined ? [] : [url],
      isWebAddress,
      '`redirectProxyUrl` (or AUTH_REDIRECT_PROXY_URL) must be an http or https URL without a query',
    ) ??
    judge(
      origins,
      isOriginEntry,
      '`redirectProxyOrigins` must be a list of origins such as https://app.example and https://*.app.example',
    )
  )
}

/** Checks durations in seconds, since a string such as '30d' would fail only at the first request. */
function checkAges({ session, jwt }: AuthConfig): AuthError | undefined {
  return (
    checkAge('`session.maxAge`', session?.maxAge) ??
    checkAge('`jwt.maxAge`', jwt?.maxAge) ??
    checkAge('`session.updateAge`', session?.updateAge, 0)
  )
}

/** Finds a generator that is broken. Two tokens cannot show whether they are random. */
function checkGenerator(config: AuthConfig): AuthError | undefined {
  const generate = config.session?.generateSessionToken
  if (!generate || strategyOf(config) !== 'database') return undefined
  try {
    const [one, other]: unknown[] = [generate(), generate()]
    if (typeof one === 'string' && one.length >= TOKEN_LENGTH && one !== other) return undefined
    return new SessionTokenError(
      `\`session.generateSessionToken\` returns short or repeated tokens; return at least ${TOKEN_LENGTH} random characters, or remove the option`,
    )
  } catch (error) {
    return new SessionTokenError('`session.generateSessionToken` throws', toError(error))
  }
}

function* warningsOf(config: AuthConfig, providers: readonly ProviderConfig[]): Generator<Warning> {
  if (config.debug) yield ['debug-enabled']
  for (const detail of misspelled(config)) yield ['unknown-option', detail]
  for (const { [uncheckedAtEdge]: unchecked } of config.plugins ?? []) {
    if (unchecked !== undefined) yield ['sessions-unchecked', unchecked]
  }
  if (secretsOf(config.secret).some((secret) => secret.length < SECRET_LENGTH)) {
    yield [
      'short-secret',
      `a secret has fewer than ${SECRET_LENGTH} characters; create one with: openssl rand -base64 33`,
    ]
  }
  yield* warningsOfProviders(providers)
  const usesProxy = [config, ...providers].some(
    (from) => 'redirectProxyUrl' in from && from.redirectProxyUrl,
  )
  if (usesProxy && !config.redirectProxyOrigins && config.trustHost === true) {
    yield [
      'redirect-proxy-open',
      'responses of providers may be forwarded to any host; list the deployments in `redirectProxyOrigins`',
    ]
  }
  for (const detail of cookiesRefused(config)) yield ['cookie-refused', detail]
  const ids = providers.map(({ id }) => id)
  for (const id of ids.filter((each, at) => ids.indexOf(each) !== at))
    yield [
      'duplicate-provider-id',
      `several providers have the id ${id}, and only the first is used; give each its own id`,
    ]
  if (config.adapter && strategyOf(config) === 'database') {
    const missing = missingMethods(config.adapter, SESSION_METHODS)
    if (missing.length > 0)
      yield [
        'adapter-methods-missing',
        `the adapter lacks ${missing.join(', ')}, which database sessions call`,
      ]
  }
}

function* warningsOfProviders(providers: readonly ProviderConfig[]): Generator<Warning> {
  for (const provider of providers) {
    if ('deprecated' in provider && provider.deprecated !== undefined) {
      yield ['provider-deprecated', `provider ${provider.id}: ${provider.deprecated}`]
    }
  }
  for (const provider of providers) {
    const { id, type } = provider
    if ((type === 'oauth' || type === 'oidc') && !provider.clientId) {
      const name = id.toUpperCase().replaceAll('-', '_')
      // One template only: the minifier of Next.js 14 makes one of two, and loses the backslashes.
      yield ['client-id-missing', `provider ${id}: set \`clientId\`, or AUTH_${name}_ID`]
    }
  }
}
