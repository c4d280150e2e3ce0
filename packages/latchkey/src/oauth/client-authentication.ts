import {
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
  TlsClientAuth,
} from 'oauth4webapi'
import { AuthError } from '../errors.ts'

/** What a client can prove itself with. */
export interface ClientCredentials {
  /** The provider's id, for messages. */
  readonly id: string
  readonly clientSecret: string | undefined
  readonly privateKey: CryptoKey | { key: CryptoKey; kid?: string } | undefined
  /** The `token_endpoint_auth_method` (RFC 7591 section 2). */
  readonly method: string | undefined
  /** Does the application send requests itself, over connections with a certificate of its own? */
  readonly ownsConnection: boolean
}

/**
 * How the client authenticates itself at the token endpoint (RFC 6749 section 2.3, OpenID Connect
 * Core section 9, RFC 8705).
 *
 * @throws {AuthError} when the method needs what is not configured, or is unknown.
 */
export function clientAuthentication(credentials: ClientCredentials): ClientAuth {
  const { id, clientSecret, privateKey } = credentials
  const method = credentials.method ?? (clientSecret ? 'client_secret_basic' : 'none')
  switch (method) {
    case 'client_secret_basic':
      return basic(needSecret())
    case 'client_secret_post':
      return ClientSecretPost(needSecret())
    case 'client_secret_jwt':
      return ClientSecretJwt(needSecret())
    case 'private_key_jwt':
      if (privateKey) return PrivateKeyJwt(privateKey)
      throw new AuthError(`provider ${id}: private_key_jwt needs \`token.clientPrivateKey\``)
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      if (credentials.ownsConnection) return TlsClientAuth()
      throw new AuthError(
        `provider ${id}: ${method} needs a \`customFetch\` that sends the client's certificate (RFC 8705)`,
      )
    case 'none':
      return None()
    default:
      throw new AuthError(`provider ${id}: unknown client authentication method ${method}`)
  }

  function needSecret(): string {
    if (clientSecret) return clientSecret
    throw new AuthError(`provider ${id}: ${method} needs \`clientSecret\``)
  }
}

/**
 * RFC 6749 section 2.3.1, with no more characters encoded than must be: many servers do not decode
 * what they get, and identifiers with `-` and `.` are common.
 */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`)
  }
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
