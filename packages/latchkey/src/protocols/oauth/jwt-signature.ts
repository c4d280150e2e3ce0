import {
  KEY_SELECTION,
  OperationProcessingError,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import { decodeBase64url } from '../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../base/encoding/utf8.ts'
import type { Ports } from '../../base/ports.ts'
import { MAC_ALGORITHMS } from './assertion-algorithm.ts'
import { headerOf } from './jwt-header.ts'
import { importMacKey } from './mac.ts'
import type { Metadata } from './metadata.ts'
import { requestOptions } from './request-options.ts'

/** Minimum time in milliseconds between two reloads of an issuer's keys because of an unknown key id. */
const COOL_DOWN = 60_000

/** A response whose claims were checked, and the secret for its signature. */
export interface SignedAnswer {
  readonly metadata: Metadata
  /** The response that was processed. */
  readonly response: Response
  readonly jwt: string
  /** The key of tokens with a MAC instead of a signature (OpenID Connect Core section 10.1). */
  readonly clientSecret: string | undefined
}

/**
 * Verifies the signature of an ID token or a userinfo response (OpenID Connect Core section 3.1.3.7).
 *
 * The issuer's keys are cached. An unknown key id reloads them, since issuers rotate keys, at most once a minute.
 */
export async function verifySignature(
  { metadata, response, jwt, clientSecret }: SignedAnswer,
  send: typeof fetch,
  { now }: Pick<Ports, 'now'>,
): Promise<void> {
  if (isSymmetric(jwt)) return verifyMac(jwt, clientSecret)
  const options = requestOptions(send)
  try {
    await validateApplicationLevelSignature(metadata.server, response, options)
  } catch (error) {
    const isUnknownKey = error instanceof OperationProcessingError && error.code === KEY_SELECTION
    if (!isUnknownKey || now() - metadata.keysRefreshedAt < COOL_DOWN) throw error
    metadata.keysRefreshedAt = now()
    // The library caches keys by metadata object; a copy starts without keys.
    metadata.server = { ...metadata.server }
    await validateApplicationLevelSignature(metadata.server, response, options)
  }
}

/** Returns whether the token is signed with a shared secret. */
export function isSymmetric(jwt: string): boolean {
  return MAC_ALGORITHMS.includes(headerOf(jwt).alg)
}

/** Verifies a MAC with the client secret only, never with a key of the issuer (RFC 7518 section 3.2). */
async function verifyMac(jwt: string, clientSecret: string | undefined): Promise<void> {
  if (!clientSecret)
    throw new TypeError(
      'a token that is signed with a shared secret can be verified only with `clientSecret`; set it',
    )
  const key = await importMacKey(clientSecret, headerOf(jwt).alg, 'verify')
  const end = jwt.lastIndexOf('.')
  const mac = decodeBase64url(jwt.slice(end + 1))
  const isRight =
    mac && (await crypto.subtle.verify('HMAC', key, mac, encodeUtf8(jwt.slice(0, end))))
  if (!isRight) throw new TypeError('the signature (MAC) of the token is wrong')
}
