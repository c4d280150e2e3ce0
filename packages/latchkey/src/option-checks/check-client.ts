import { type AuthError, InvalidProvider } from '../base/errors.ts'
import { customFetch } from '../options/markers.ts'
import type { OAuth2Config, TokenEndpointHandler } from '../options/provider-options.ts'
import { keyAlgorithms, MAC_ALGORITHMS } from '../protocols/oauth/assertion-algorithm.ts'
import { judge } from './judge.ts'

/** Methods of client authentication (OpenID Connect Core section 9, RFC 8705). */
const METHODS: readonly unknown[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
]

/** Finds a mistake with which the first token request would fail, or would use another method than configured. */
export function checkClient(provider: OAuth2Config<unknown>): AuthError | undefined {
  const { id, client, [customFetch]: custom } = provider
  const { request, clientPrivateKey: given } = tokenOf(provider)
  const method: unknown = client?.token_endpoint_auth_method
  const name = `provider ${id}: \`client.token_endpoint_auth_method\``
  if (method !== undefined && !METHODS.includes(method)) {
    return judge(
      [method],
      () => false,
      `${name} must be one of ${METHODS.join(', ')}`,
      InvalidProvider,
    )
  }
  // The application's own token request has its own authentication.
  if (request) return undefined
  if (given && method === undefined) {
    return new InvalidProvider(
      `${name} is missing, so \`token.clientPrivateKey\` is not used; set it to 'private_key_jwt', or remove the key`,
    )
  }
  switch (method) {
    case 'private_key_jwt': {
      if (!given) {
        return new InvalidProvider(
          `${name} is 'private_key_jwt', and \`token.clientPrivateKey\` is missing; set the key, or choose another method`,
        )
      }
      const key: unknown = typeof given === 'object' && 'key' in given ? given.key : given
      return isSigningKey(key)
        ? checkAlgorithm(provider, keyAlgorithms(key))
        : new InvalidProvider(
            `provider ${id}: \`token.clientPrivateKey\` must be a private CryptoKey with the usage 'sign'; import it with crypto.subtle.importKey`,
          )
    }
    case 'client_secret_jwt':
      return checkAlgorithm(provider, MAC_ALGORITHMS)
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      if (custom) return undefined
      return new InvalidProvider(
        `${name} is '${method}', which needs a \`customFetch\` that sends the client's certificate (RFC 8705); set one, or choose another method`,
      )
    default:
      return undefined
  }
}

function tokenOf({ token }: OAuth2Config<unknown>): TokenEndpointHandler {
  return typeof token === 'object' ? token : {}
}

function isSigningKey(key: unknown): key is CryptoKey {
  const { type, usages } = (key ?? {}) as Partial<CryptoKey>
  return type === 'private' && usages?.includes('sign') === true
}

function checkAlgorithm(
  { id, client }: OAuth2Config<unknown>,
  names: readonly string[] | undefined,
): AuthError | undefined {
  const alg = client?.token_endpoint_auth_signing_alg
  if (alg === undefined || !names) return undefined
  return judge(
    [alg],
    (value) => names.some((name) => name === value),
    `provider ${id}: \`client.token_endpoint_auth_signing_alg\` must be one of ${names.join(', ')}`,
    InvalidProvider,
  )
}
