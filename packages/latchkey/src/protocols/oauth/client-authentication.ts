import {
  type ClientAuth,
  ClientSecretJwt,
  ClientSecretPost,
  type ModifyAssertionOptions,
  modifyAssertion,
  None,
  PrivateKeyJwt,
  TlsClientAuth,
} from 'oauth4webapi'
import { encodeBase64url } from '../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import { AuthError } from '../../base/errors.ts'
import { assertionAlgorithm, keyAlgorithms, MAC_ALGORITHMS } from './assertion-algorithm.ts'
import { importMacKey } from './mac.ts'

/** The credentials of a client. */
export interface ClientCredentials {
  /** The provider's id, for messages. */
  readonly id: string
  readonly clientSecret: string | undefined
  readonly privateKey: CryptoKey | { key: CryptoKey; kid?: string } | undefined
  /** The `token_endpoint_auth_method` (RFC 7591 section 2). */
  readonly method: string | undefined
  /** Whether the application sends requests itself, with its own client certificate. */
  readonly ownsConnection: boolean
}

/**
 * Returns the client authentication at the token endpoint (RFC 6749 section 2.3, OpenID Connect Core section 9, RFC
 * 8705).
 *
 * @throws {AuthError} if the method is unknown, or an option that it needs is missing.
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
      return secretJwt(needSecret())
    case 'private_key_jwt':
      if (privateKey) return keyJwt(privateKey)
      throw new AuthError(
        `provider ${id}: private_key_jwt needs \`token.clientPrivateKey\`; set it`,
      )
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
 * RFC 6749 section 2.3.1, but with a minimum of encoded characters: many servers do not decode them, and identifiers
 * with `-` and `.` are common.
 */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`)
  }
}

/** RFC 7523 section 2.2, with the algorithm of the provider. */
function secretJwt(secret: string): ClientAuth {
  return async (server, client, body, headers) => {
    const alg = assertionAlgorithm(MAC_ALGORITHMS, server, client)
    await ClientSecretJwt(secret, withAlgorithm(alg))(server, client, body, headers)
    if (alg === 'HS256') return
    // The library always signs with HS256.
    const signed = body.get('client_assertion') ?? ''
    const input = signed.slice(0, signed.lastIndexOf('.'))
    const key = await importMacKey(secret, alg, 'sign')
    const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeUtf8(input)))
    body.set('client_assertion', `${input}.${encodeBase64url(mac)}`)
  }
}

/** RFC 7523 section 2.2, with the algorithm name of the provider. */
function keyJwt(privateKey: CryptoKey | { key: CryptoKey; kid?: string }): ClientAuth {
  const names = keyAlgorithms('key' in privateKey ? privateKey.key : privateKey)
  if (!names) return PrivateKeyJwt(privateKey)
  return (server, client, body, headers) => {
    const options = withAlgorithm(assertionAlgorithm(names, server, client))
    return PrivateKeyJwt(privateKey, options)(server, client, body, headers)
  }
}

function withAlgorithm(alg: string): ModifyAssertionOptions {
  return {
    [modifyAssertion](header) {
      header['alg'] = alg
    },
  }
}

function formEncode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
