import {
  KEY_SELECTION,
  OperationProcessingError,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import { decodeBase64url } from '../encoding/base64url.ts'
import { encodeUtf8 } from '../encoding/utf8.ts'
import type { Ports } from '../ports.ts'
import { MAC_ALGORITHMS } from './assertion-algorithm.ts'
import { headerOf } from './jwt-header.ts'
import { importMacKey } from './mac.ts'
import type { Metadata } from './metadata.ts'
import { requestOptions } from './request-options.ts'

/** Milliseconds between two refreshes of an issuer's keys for the sake of an unknown key id. */
const COOL_DOWN = 60_000

/** A token whose claims were checked before, and what its signature is checked with. */
export interface SignedAnswer {
  readonly metadata: Metadata
  /** The response that was processed. */
  readonly response: Response
  readonly jwt: string
  /** For tokens with a MAC instead of a signature (OpenID Connect Core section 10.1). */
  readonly clientSecret: string | undefined
}

/**
 * Verifies the signature of an ID token or a userinfo answer (OpenID Connect Core section 3.1.3.7).
 *
 * The issuer's keys are kept. A key id that is not among them has the keys fetched once more, since
 * issuers rotate them, but not again within a minute.
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
    // Keys are kept for a metadata object; a new one begins without.
    metadata.server = { ...metadata.server }
    await validateApplicationLevelSignature(metadata.server, response, options)
  }
}

/** Is the token sealed with a shared secret? */
export function isSymmetric(jwt: string): boolean {
  return MAC_ALGORITHMS.includes(headerOf(jwt).alg)
}

/** Only the client's secret is a key here; never one that the issuer publishes (RFC 7518 section 3.2). */
async function verifyMac(jwt: string, clientSecret: string | undefined): Promise<void> {
  if (!clientSecret) throw new TypeError('a token with a MAC needs `clientSecret` to be verified')
  const key = await importMacKey(clientSecret, headerOf(jwt).alg, 'verify')
  const end = jwt.lastIndexOf('.')
  const mac = decodeBase64url(jwt.slice(end + 1))
  const isRight =
    mac && (await crypto.subtle.verify('HMAC', key, mac, encodeUtf8(jwt.slice(0, end))))
  if (!isRight) throw new TypeError('the MAC of the token is wrong')
}
