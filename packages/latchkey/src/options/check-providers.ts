import { isJsonObject } from '../encoding/json.ts'
import { type AuthError, InvalidEndpoints, InvalidProvider, MissingAuthorize } from '../errors.ts'
import type { AuthConfig } from './auth-config.ts'
import { checkClient } from './check-client.ts'
import { checkUnsupported } from './check-unsupported.ts'
import { checkAge, isWebAddress, judge } from './judge.ts'
import { checkWith, compileWith } from './markers.ts'
import type {
  EmailConfig,
  EndpointHandler,
  OAuth2Config,
  OAuthCheck,
  ProviderConfig,
} from './provider-options.ts'
import { checkSecurityProfile } from './security-profile.ts'
import { fillTemplates, missingMembers } from './templates.ts'

/** The first fault of a provider. */
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
            `provider ${id}: \`authorize\` is missing; give a function that checks the fields of the form`,
          )
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
  return new InvalidProvider(`provider ${id}: \`${missing}\` is missing; ${remedy(id, missing)}`)
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

const DPOP_ALGORITHMS: readonly unknown[] = ['ES256', 'EdDSA']

/** A request of the application's own has no proof of the key. */
function checkDpop({ id, dpop, token, tokens }: OAuth2Config<unknown>): AuthError | undefined {
  if (!dpop) return undefined
  const own =
    typeof token === 'object' && token.request
      ? 'token.request'
      : tokens?.refresh && 'tokens.refresh'
  if (own) {
    return new InvalidProvider(
      `provider ${id}: \`${own}\` sends no proofs, and \`dpop\` needs them; remove one of the two`,
    )
  }
  return judge(
    [dpop],
    (value) =>
      value === true || (isJsonObject(value) && DPOP_ALGORITHMS.includes(value['alg'] ?? 'ES256')),
    `provider ${id}: \`dpop\` is true, false or { alg: 'ES256' | 'EdDSA' }`,
    InvalidProvider,
  )
}

/** Only an ID token that is verified says how somebody was authenticated. */
function checkAcr({ id, type, requiredAcr }: OAuth2Config<unknown>): AuthError | undefined {
  if (requiredAcr === undefined) return undefined
  const name = `provider ${id}: \`requiredAcr\``
  if (type === 'oauth') {
    return new InvalidProvider(`${name} needs an ID token; make it an OpenID Connect provider`)
  }
  return judge(
    Array.isArray(requiredAcr) && requiredAcr.length === 0 ? undefined : requiredAcr,
    (context) => typeof context === 'string' && /^\S+$/.test(context),
    `${name} is a list of one or more texts without blanks`,
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
    return new InvalidEndpoints(
      `provider ${id}: \`${missing}\` is missing, and its addresses contain it; ${remedy(id, missing)}`,
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
        `provider ${id}: \`issuer\` or \`${name}\` is missing; ${remedy(id, 'issuer')}, or give authorization, token and userinfo`,
        { provider: id },
      )
    }
  }
  return undefined
}

/** Members of a provider that the environment may give, by the end of the variable. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['clientId', 'ID'],
  ['clientSecret', 'SECRET'],
  ['issuer', 'ISSUER'],
  ['apiKey', 'KEY'],
])

/** What to do about a member that is missing. */
function remedy(id: string, member: string): string {
  const variable = VARIABLES.get(member)
  if (variable === undefined) return 'give it'
  return `give it, or set AUTH_${id.toUpperCase().replaceAll('-', '_')}_${variable}`
}

function hasUrl(endpoint: string | EndpointHandler | undefined): boolean {
  if (typeof endpoint === 'string') return endpoint !== ''
  return endpoint !== undefined && (Boolean(endpoint.url) || 'request' in endpoint)
}
