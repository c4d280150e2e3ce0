import { isJsonObject } from '../base/encoding/json.ts'
import {
  type AuthError,
  InvalidEndpoints,
  InvalidProvider,
  MissingAuthorize,
} from '../base/errors.ts'
import type { AuthConfig } from '../options/auth-config.ts'
import { checkWith, compileWith } from '../options/markers.ts'
import type {
  EmailConfig,
  EndpointHandler,
  OAuth2Config,
  OAuthCheck,
  ProviderConfig,
} from '../options/provider-options.ts'
import { fillTemplates, missingMembers } from '../options/templates.ts'
import { checkClient } from './check-client.ts'
import { checkUnsupported } from './check-unsupported.ts'
import { checkAge, isWebAddress, judge } from './judge.ts'
import { checkSecurityProfile } from './security-profile.ts'

/** Returns the first fault of a provider. */
export function checkProviders(
  _: AuthConfig,
  providers: readonly ProviderConfig[],
): AuthError | undefined {
  for (const provider of providers) {
    const fault = checkProvider(provider, providers)
    if (fault) return fault
  }
  return undefined
}

/** Characters that need no escape in a URL path, since the path is not decoded. */
const IN_PATH = /^[\w.~!$&'()*+,;=:@%-]+$/

function checkProvider(
  provider: ProviderConfig,
  all: readonly ProviderConfig[],
): AuthError | undefined {
  const { id, type } = provider
  if (typeof id !== 'string' || !IN_PATH.test(id)) {
    return new InvalidProvider(
      `the \`id\` of a provider must consist of characters that a URL path may contain, got ${JSON.stringify(id)}`,
    )
  }
  switch (type) {
    case 'oauth':
    case 'oidc':
      return (
        checkChecks(provider) ??
        checkAcr(provider) ??
        checkEndpoints(provider) ??
        checkClient(provider) ??
        checkDpop(provider) ??
        checkUnsupported(provider) ??
        checkSecurityProfile(provider)
      )
    case 'credentials':
      return typeof provider.authorize === 'function'
        ? undefined
        : new MissingAuthorize(
            `provider ${id}: \`authorize\` is missing; add a function that checks the fields of the form`,
          )
    case 'email':
      if (typeof provider.sendVerificationRequest !== 'function') {
        return new InvalidProvider(
          `provider ${id}: \`sendVerificationRequest\` is missing; add a function that sends the mail`,
        )
      }
      return checkRequired(provider) ?? checkAge(`provider ${id}: \`maxAge\``, provider.maxAge)
    case 'webauthn':
      return provider[compileWith] && provider[checkWith]
        ? provider[checkWith](provider, all)
        : new InvalidProvider(`provider ${id}: create it with Passkey() or WebAuthn()`)
    default:
      return new InvalidProvider(
        `provider ${String(id)}: unknown type ${JSON.stringify(type)}; expected oauth, oidc, credentials, email or webauthn`,
      )
  }
}

/** Finds a missing member at the start, instead of with the first mail. */
function checkRequired(provider: EmailConfig): AuthError | undefined {
  const { id, requires = [] } = provider
  const missing = requires.find((name) => !(provider as unknown as Record<string, unknown>)[name])
  if (missing === undefined) return undefined
  return new InvalidProvider(`provider ${id}: \`${missing}\` is missing; ${remedy(id, missing)}`)
}

const CHECKS: readonly OAuthCheck[] = ['pkce', 'state', 'nonce', 'none']

/** Finds a misspelled check, which would otherwise be skipped. */
function checkChecks({ id, checks = [] }: OAuth2Config<unknown>): AuthError | undefined {
  return judge(
    checks,
    (check) => CHECKS.includes(check as OAuthCheck),
    `provider ${id}: \`checks\` must be a list of ${CHECKS.join(', ')}`,
    InvalidProvider,
  )
}

const DPOP_ALGORITHMS: readonly unknown[] = ['ES256', 'EdDSA']

/** The application's own requests do not send the DPoP proof. */
function checkDpop({ id, dpop, token, tokens }: OAuth2Config<unknown>): AuthError | undefined {
  if (!dpop) return undefined
  const own =
    typeof token === 'object' && token.request
      ? 'token.request'
      : tokens?.refresh && 'tokens.refresh'
  if (own) {
    return new InvalidProvider(
      `provider ${id}: \`${own}\` sends no DPoP proofs, which \`dpop\` requires; remove one of the two`,
    )
  }
  return judge(
    [dpop],
    (value) =>
      value === true || (isJsonObject(value) && DPOP_ALGORITHMS.includes(value['alg'] ?? 'ES256')),
    `provider ${id}: \`dpop\` must be true, false or { alg: 'ES256' | 'EdDSA' }`,
    InvalidProvider,
  )
}

/** Only a verified ID token has the authentication context. */
function checkAcr({ id, type, requiredAcr }: OAuth2Config<unknown>): AuthError | undefined {
  if (requiredAcr === undefined) return undefined
  const name = `provider ${id}: \`requiredAcr\``
  if (type === 'oauth') {
    return new InvalidProvider(`${name} needs an ID token; use a provider of type 'oidc'`)
  }
  return judge(
    Array.isArray(requiredAcr) && requiredAcr.length === 0 ? undefined : requiredAcr,
    (context) => typeof context === 'string' && /^\S+$/.test(context),
    `${name} must be a list of one or more strings without spaces`,
    InvalidProvider,
  )
}

function checkEndpoints(provider: OAuth2Config<unknown>): AuthError | undefined {
  const { id, issuer, redirectProxyUrl } = provider
  if (redirectProxyUrl !== undefined && !isWebAddress(redirectProxyUrl)) {
    return new InvalidProvider(
      `provider ${id}: \`redirectProxyUrl\` must be an http or https URL without a query`,
    )
  }
  const [missing] = missingMembers(provider)
  if (missing !== undefined) {
    return new InvalidEndpoints(
      `provider ${id}: \`${missing}\` is missing, but the URLs of the provider contain it; ${remedy(id, missing)}`,
      { provider: id },
    )
  }
  if (issuer !== undefined) {
    return URL.canParse(fillTemplates(provider).issuer ?? '')
      ? undefined
      : new InvalidEndpoints(
          `provider ${id}: \`issuer\` must be a URL, got ${JSON.stringify(issuer)}`,
          { provider: id },
        )
  }
  for (const name of ['authorization', 'token', 'userinfo'] as const) {
    if (!hasUrl(provider[name])) {
      return new InvalidEndpoints(
        `provider ${id}: neither \`issuer\` nor \`${name}\` is set; set the issuer (AUTH_${inEnv(id)}_ISSUER), or authorization, token and userinfo`,
        { provider: id },
      )
    }
  }
  return undefined
}

/** The ends of variable names, by member of a provider. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['clientId', 'ID'],
  ['clientSecret', 'SECRET'],
  ['issuer', 'ISSUER'],
  ['apiKey', 'KEY'],
])

/** Says how to set a missing member. */
function remedy(id: string, member: string): string {
  const variable = VARIABLES.get(member)
  if (variable === undefined) return 'set it'
  return ['set it, or AUTH', inEnv(id), variable].join('_')
}

/** The id of a provider as it is part of environment variables. */
function inEnv(id: string): string {
  return id.toUpperCase().replaceAll('-', '_')
}

function hasUrl(endpoint: string | EndpointHandler | undefined): boolean {
  if (typeof endpoint === 'string') return endpoint !== ''
  return endpoint !== undefined && (Boolean(endpoint.url) || 'request' in endpoint)
}
