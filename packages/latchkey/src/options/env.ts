import { systemPorts } from '../ports.ts'
import type { AuthConfig } from './auth-config.ts'
import { inProduction } from './markers.ts'
import type { Provider, ProviderConfig } from './provider-options.ts'
import { createLogger } from './redacting-logger.ts'
import { secretsOf } from './secrets.ts'
import { missingMembers } from './templates.ts'

/** The environment of a process. */
export type Env = Readonly<Record<string, string | undefined>>

/** The environment of this process, where the runtime has one. */
export function processEnv(): Env {
  const { process } = globalThis as { process?: { env?: Env } }
  return process?.env ?? {}
}

/** Where the actions are, unless a configuration says otherwise. */
export const DEFAULT_BASE_PATH: string = '/auth'

/** What the environment says about a configuration, where the configuration says nothing. */
type FromEnv = Pick<
  AuthConfig,
  'basePath' | 'secret' | 'trustHost' | 'redirectProxyUrl' | 'providers'
> & { [inProduction]?: true }

/** A configuration with what it leaves open filled in from the environment; the given one is not touched. */
export function withEnv(env: Env, config: AuthConfig): AuthConfig {
  const filled = { ...config, ...readEnv(env, config, copyOf) }
  // A site's bare address says nothing about a path below it.
  const saysNothing = config.basePath === undefined && filled.basePath === '/'
  return saysNothing ? { ...filled, basePath: DEFAULT_BASE_PATH } : filled
}

/**
 * May a proxy's headers say which host the browser asked for? Only if somebody said so: that the
 * process is not in production, or knows its own address, is not enough.
 *
 * @returns a list when these hosts may be named, and no other.
 */
export function trustsForwarded(env: Env): boolean | readonly string[] {
  const said = env['AUTH_TRUST_HOST']
  if (said) return answerOrHosts(said)
  const platform = env['VERCEL'] || env['CF_PAGES'] || 'no'
  return !NO.test(platform)
}

/**
 * Fills in, on the configuration itself, what it leaves open.
 *
 * @param suppressBasePathWarning when the base path comes from an integration, not from the application.
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
  return {
    basePath: config.basePath ?? (pathOf(env['AUTH_URL']) || DEFAULT_BASE_PATH),
    secret: secretsOf(config.secret).length > 0 ? config.secret : secretsIn(env),
    trustHost: config.trustHost ?? trustsHost(env),
    ...(redirectProxyUrl === undefined ? {} : { redirectProxyUrl }),
    ...(isProduction(env) ? { [inProduction]: true } : {}),
    providers: (config.providers ?? []).map((provider) => fillIn(env, provider, take)),
  }
}

function pathOf(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).pathname : undefined
}

/** The newest first: the numbered ones in front of the plain one, the highest number in front of all. */
export function secretsIn(env: Env): string[] {
  return ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1', 'AUTH_SECRET']
    .map((name) => env[name])
    .filter((secret): secret is string => Boolean(secret))
}

const NO = /^(?:false|0|no|off)$/i

const YES = /^(?:true|1|yes|on)$/i

/** Yes, no, or hosts with commas between them. */
function answerOrHosts(said: string): boolean | readonly string[] {
  if (NO.test(said)) return false
  if (YES.test(said)) return true
  return said
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')
}

/**
 * The first variable that is set decides; without any, the host is trusted outside production. A
 * list of hosts counts in any case.
 */
function trustsHost(env: Env): boolean | readonly string[] {
  const answer = answerOrHosts(env['AUTH_TRUST_HOST'] || 'no')
  if (typeof answer !== 'boolean') return answer
  const said = ['AUTH_URL', 'AUTH_TRUST_HOST', 'VERCEL', 'CF_PAGES']
    .map((name) => env[name])
    .find(Boolean)
  return said === undefined ? !isProduction(env) : !NO.test(said)
}

function isProduction(env: Env): boolean {
  return env['NODE_ENV'] === 'production'
}

/** A provider as an object, with its own variables for what it leaves open. */
function fillIn(
  env: Env,
  provider: Provider,
  take: (provider: ProviderConfig) => ProviderConfig,
): Provider {
  if (typeof provider !== 'function') return Object.assign(take(provider), valuesFor(env, provider))
  try {
    // Those of an application need not look at what they are called with.
    const made = copyOf(provider(variablesOf(env, provider({}))))
    return Object.assign(made, valuesFor(env, made))
  } catch {
    // What it misses is said when the configuration is compiled.
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

/** Only what the provider's type has, or its addresses and headers, and only what it does not say itself. */
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
