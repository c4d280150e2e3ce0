import { systemPorts } from '../base/ports.ts'
import type { AuthConfig } from './auth-config.ts'
import { configuredOrigin, inProduction } from './markers.ts'
import type { Provider, ProviderConfig } from './provider-options.ts'
import { createLogger } from './redacting-logger.ts'
import { secretsOf } from './secrets.ts'
import { missingMembers } from './templates.ts'

/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>

/** Returns the environment of this process, or an empty one if the runtime has none. */
export function processEnv(): Env {
  const { process } = globalThis as { process?: { env?: Env } }
  return process?.env ?? {}
}

/** The default base path. */
export const DEFAULT_BASE_PATH: string = '/auth'

/** The options that the environment may provide. */
type FromEnv = Pick<
  AuthConfig,
  'basePath' | 'secret' | 'trustHost' | 'redirectProxyUrl' | 'providers'
> & { [inProduction]?: true; [configuredOrigin]?: string }

/** Returns a copy of a configuration, with missing options from the environment. */
export function withEnv(env: Env, config: AuthConfig): AuthConfig {
  const filled = { ...config, ...readEnv(env, config, copyOf) }
  // An AUTH_URL without a path does not set the base path.
  const isBare = config.basePath === undefined && filled.basePath === '/'
  return isBare ? { ...filled, basePath: DEFAULT_BASE_PATH } : filled
}

/**
 * Returns whether the headers of a proxy determine the host: only if a variable allows it. Development mode and a
 * configured address are not enough.
 *
 * @returns a list if only these hosts are allowed.
 */
export function trustsForwarded(env: Env): boolean | readonly string[] {
  const value = env['AUTH_TRUST_HOST']
  if (value) return parseTrust(value)
  const platform = env['VERCEL'] || env['CF_PAGES'] || 'no'
  return !NO.test(platform)
}

/**
 * Sets missing options on the configuration itself.
 *
 * @param suppressBasePathWarning `true` if the base path comes from an integration, not from the application.
 */
export function setEnvDefaults(
  env: Env,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  if (env['AUTH_URL'] && config.basePath && !suppressBasePathWarning) {
    const { logger, debug = false } = config
    createLogger(logger, debug, systemPorts.console).warn('env-url-basepath-redundant')
  }
  Object.assign(
    config,
    readEnv(env, config, (provider) => provider),
  )
}

function readEnv(
  env: Env,
  config: AuthConfig,
  take: (provider: ProviderConfig) => ProviderConfig,
): FromEnv {
  const redirectProxyUrl = config.redirectProxyUrl ?? (env['AUTH_REDIRECT_PROXY_URL'] || undefined)
  const url = env['AUTH_URL']
  return {
    basePath: config.basePath ?? (pathOf(url) || DEFAULT_BASE_PATH),
    secret: secretsOf(config.secret).length > 0 ? config.secret : secretsIn(env),
    trustHost: config.trustHost ?? trustsHost(env),
    ...(redirectProxyUrl === undefined ? {} : { redirectProxyUrl }),
    ...(isProduction(env) ? { [inProduction]: true } : {}),
    ...(url && URL.canParse(url) ? { [configuredOrigin]: new URL(url).origin } : {}),
    providers: filledIn(env, config.providers, take),
  }
}

/** The compilation of the configuration reports what is not a list of providers. */
function filledIn(
  env: Env,
  providers: readonly Provider[] = [],
  take: (provider: ProviderConfig) => ProviderConfig,
): readonly Provider[] {
  return Array.isArray(providers)
    ? providers.map((provider) => (provider ? fillIn(env, provider, take) : provider))
    : providers
}

/** Returns the path of a URL, or `undefined` if it is not one. */
export function pathOf(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).pathname : undefined
}

/** Returns the secrets of the environment, the newest first: `AUTH_SECRET_3` to `AUTH_SECRET_1`, then `AUTH_SECRET`. */
export function secretsIn(env: Env): string[] {
  return ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']
    .map((name) => env[name])
    .filter((secret): secret is string => Boolean(secret))
}

const NO = /^(?:false|0|no|off)$/i

const YES = /^(?:true|1|yes|on)$/i

/** Parses yes, no, or hosts separated by commas. */
function parseTrust(value: string): boolean | readonly string[] {
  if (NO.test(value)) return false
  if (YES.test(value)) return true
  return value
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
}

/**
 * Returns whether the host of a request is trusted. A list of hosts has precedence. Otherwise the first variable that is
 * set decides; without any, the host is trusted outside of production.
 */
function trustsHost(env: Env): boolean | readonly string[] {
  const answer = parseTrust(env['AUTH_TRUST_HOST'] || 'no')
  if (typeof answer !== 'boolean') return answer
  const value = ['AUTH_URL', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']
    .map((name) => env[name])
    .find(Boolean)
  return value === undefined ? !isProduction(env) : !NO.test(value)
}

/** With what people also write, since otherwise the weaker rules of development would apply. */
const PRODUCTION = /^\s*prod(?:uction)?\s*$/i

function isProduction(env: Env): boolean {
  return PRODUCTION.test(env['NODE_ENV'] ?? '')
}

/** Returns a provider as an object, with missing members from its variables. */
function fillIn(
  env: Env,
  provider: Provider,
  take: (provider: ProviderConfig) => ProviderConfig,
): Provider {
  if (typeof provider !== 'function') return Object.assign(take(provider), valuesFor(env, provider))
  try {
    // A function of the application may ignore its argument.
    const made = copyOf(provider(variablesOf(env, provider({}))))
    return Object.assign(made, valuesFor(env, made))
  } catch {
    // The compilation of the configuration reports the missing member.
    return provider
  }
}

function copyOf(provider: ProviderConfig): ProviderConfig {
  return { ...provider }
}

interface ProviderValues {
  clientId?: string | undefined
  clientSecret?: string | undefined
  issuer?: string | undefined
  apiKey?: string | undefined
}

/** `AUTH_<ID>_…`, the provider's id in upper case with underscores for hyphens. */
function variablesOf(env: Env, { id, options }: ProviderConfig): ProviderValues {
  const name = `AUTH_${String(options?.id ?? id)
    .toUpperCase()
    .replaceAll('-', '_')}`
  const values = {
    clientId: env[`${name}_ID`],
    clientSecret: env[`${name}_SECRET`],
    issuer: env[`${name}_ISSUER`],
    apiKey: env[`${name}_KEY`],
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}

/** Returns the values that the provider's type, URLs or headers need, and that the provider does not set itself. */
function valuesFor(env: Env, provider: ProviderConfig): ProviderValues {
  const { clientId, clientSecret, issuer, apiKey } = variablesOf(env, provider)
  const values: ProviderValues =
    provider.type === 'oauth' || provider.type === 'oidc'
      ? {
          clientId,
          clientSecret,
          issuer,
          ...(missingMembers(provider).includes('apiKey') ? { apiKey } : {}),
        }
      : provider.type === 'email'
        ? { apiKey }
        : {}
  const own = provider as unknown as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value && own[name] === undefined),
  )
}
