import {
  KEY_SELECTION,
  OperationProcessingError,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import type { Ports } from '../ports.ts'
import type { Metadata } from './metadata.ts'
import { requestOptions } from './request-options.ts'

/** Milliseconds between two refreshes of an issuer's keys for the sake of an unknown key id. */
const COOL_DOWN = 60_000

/**
 * Verifies the signature of the ID token in a token response (OpenID Connect Core section 3.1.3.7).
 *
 * The issuer's keys are kept. A key id that is not among them has the keys fetched once more, since
 * issuers rotate them, but not again within a minute.
 *
 * @param response the response that was processed before.
 */
export async function verifyIdTokenSignature(
  metadata: Metadata,
  response: Response,
  send: typeof fetch,
  { now }: Pick<Ports, 'now'>,
): Promise<void> {
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
