import { type AuthError, InvalidProvider } from '../base/errors.ts'
import { customFetch } from '../options/markers.ts'
import type { OAuth2Config, OAuthCheck } from '../options/provider-options.ts'

/** The algorithms that FAPI 2.0 allows for signatures (FAPI 2.0 Security Profile section 5.4). */
export const FAPI_ALGORITHMS: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Methods of client authentication with a TLS certificate (RFC 8705). */
const TLS_METHODS: readonly unknown[] = ['tls_client_auth', 'self_signed_tls_client_auth']

/** Returns whether the tokens of a provider are bound to the TLS certificate of the client (RFC 8705 section 3). */
export function isBoundToCertificate({
  client,
  dpop,
}: Pick<OAuth2Config<unknown>, 'client' | 'dpop'>): boolean {
  return (
    !dpop &&
    (TLS_METHODS.includes(client?.token_endpoint_auth_method) ||
      client?.['tls_client_certificate_bound_access_tokens'] === true)
  )
}

/** Returns a provider with the options of its security profile, or the same object without a profile. */
export function withSecurityProfile<P>(config: OAuth2Config<P>): OAuth2Config<P> {
  if (!config.securityProfile) return config
  const isBound = isBoundToCertificate(config)
  const checks: OAuthCheck[] = [
    'pkce',
    'state',
    ...(config.type === 'oidc' ? ['nonce' as const] : []),
  ]
  return {
    ...config,
    par: true,
    dpop: config.dpop ?? !isBound,
    checks: [...new Set([...checks, ...(config.checks ?? [])])],
    client: { ...(isBound && { use_mtls_endpoint_aliases: true }), ...config.client },
  }
}

/** Finds options that the security profile does not allow. Metadata is checked when it is read. */
export function checkSecurityProfile(provider: OAuth2Config<unknown>): AuthError | undefined {
  const { id, securityProfile, profile } = provider
  const refuse = (what: string): AuthError => new InvalidProvider(`provider ${id}: ${what}`)
  if (typeof profile === 'string')
    return refuse('`profile` must be a function; for FAPI 2.0, set `securityProfile`')
  if (securityProfile === undefined) return undefined
  const given: string = securityProfile
  if (given === 'fapi2-message-signing')
    return refuse(
      "Message Signing (JAR, JARM, signed introspection) is not supported; set `securityProfile: 'fapi2'`",
    )
  if (given !== 'fapi2') return refuse("`securityProfile` must be 'fapi2', or be absent")
  const fault = forbiddenIn(provider)
  return fault === undefined ? undefined : refuse(`${fault} (\`securityProfile: 'fapi2'\`)`)
}

function forbiddenIn(provider: OAuth2Config<unknown>): string | undefined {
  return faultOfClient(provider) ?? faultOfRequests(provider)
}

/** How the client proves itself, and to what its tokens are bound. */
function faultOfClient(provider: OAuth2Config<unknown>): string | undefined {
  const { id, client = {}, dpop, issuer } = provider
  const token = typeof provider.token === 'object' ? provider.token : {}
  const method = client.token_endpoint_auth_method
  const isBound = isBoundToCertificate(provider)
  if (!issuer) return '`issuer` is missing; set it, since the metadata is required'
  if (provider.clientSecret)
    return `\`clientSecret\` is not allowed; remove it, and AUTH_${id.toUpperCase().replaceAll('-', '_')}_SECRET, and set \`client.token_endpoint_auth_method\` to 'private_key_jwt'`
  if (method !== 'private_key_jwt' && !TLS_METHODS.includes(method))
    return "`client.token_endpoint_auth_method` must be 'private_key_jwt', 'tls_client_auth' or 'self_signed_tls_client_auth'"
  if (method === 'private_key_jwt' && !isFapiKey(token.clientPrivateKey))
    return '`token.clientPrivateKey` must be an RSA-PSS key with SHA-256 and 2048 bits or more, a P-256 key, or an Ed25519 key; make another one'
  if (dpop === false && !isBound)
    return '`dpop: false` leaves the tokens unbound; remove it, or set `client.tls_client_certificate_bound_access_tokens` and a `customFetch` that sends a certificate'
  if (isBound && !provider[customFetch])
    return '`client.tls_client_certificate_bound_access_tokens` needs a `customFetch` that sends the client certificate; set one, or remove the option'
  return undefined
}

/** What is asked of the provider, and what is accepted as its answer. */
function faultOfRequests(provider: OAuth2Config<unknown>): string | undefined {
  const { client = {}, checks, par, tokens, tenantIssuer } = provider
  const token = typeof provider.token === 'object' ? provider.token : {}
  if (par === false) return '`par: false` is not allowed; remove it'
  if (checks && (!checks.includes('pkce') || checks.includes('none')))
    return "`checks` must contain 'pkce' and must not contain 'none'; remove `checks` to use the default"
  if (provider.allowDangerousEmailAccountLinking === true)
    return "`allowDangerousEmailAccountLinking: true` is not allowed; remove it, or set it to 'proven'"
  if (tenantIssuer !== undefined)
    return '`tenantIssuer` is not allowed; set the `issuer` of one tenant'
  const own = (['isLenient', 'conform', 'request'] as const).find((name) => token[name])
  if (own) return `\`token.${own}\` is not allowed; remove it`
  if (tokens?.refresh) return '`tokens.refresh` is not allowed; remove it'
  const signed = ['id_token_signed_response_alg', 'userinfo_signed_response_alg'].find(
    (name) => client[name] !== undefined && !FAPI_ALGORITHMS.includes(String(client[name])),
  )
  return (
    signed && `\`client.${signed}\` must be PS256, ES256 or EdDSA, got ${String(client[signed])}`
  )
}

function isFapiKey(given: unknown): boolean {
  const key = (typeof given === 'object' && given && 'key' in given ? given.key : given) as
    | CryptoKey
    | undefined
  const { name, hash, modulusLength, namedCurve } = (key?.algorithm ?? {
    name: '',
  }) as RsaHashedKeyAlgorithm & EcKeyAlgorithm
  if (name === 'RSA-PSS') return hash.name === 'SHA-256' && modulusLength >= 2048
  return (name === 'ECDSA' && namedCurve === 'P-256') || /^(?:Ed25519|EdDSA)$/.test(name)
}
