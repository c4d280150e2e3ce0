import { decodeBase64url } from '../encoding/base64url.ts'
import { parseJsonObject } from '../encoding/json.ts'
import { decodeUtf8 } from '../encoding/utf8.ts'
import { WebAuthnVerificationError } from '../errors.ts'
import type { CredentialResponse } from './simple-webauthn.ts'

/**
 * Refuses what was made in a frame of another site (WebAuthn section 7.1 step 10, 7.2 step 13): our
 * pages are shown in none. Compares the challenge, too, since the library's error would quote it.
 *
 * @param challenge base64url
 * @throws {WebAuthnVerificationError}
 */
export function checkClientData({ response }: CredentialResponse, challenge: string): void {
  const { clientDataJSON } = response
  const bytes = typeof clientDataJSON === 'string' ? decodeBase64url(clientDataJSON) : undefined
  const data = parseJsonObject(bytes && decodeUtf8(bytes))
  if (!data) throw new WebAuthnVerificationError('the client data cannot be read')
  if (data['challenge'] !== challenge) {
    throw new WebAuthnVerificationError('the passkey signed another challenge')
  }
  if ((data['crossOrigin'] ?? false) !== false || data['topOrigin'] !== undefined) {
    throw new WebAuthnVerificationError('the passkey was used in a frame of another site')
  }
}
