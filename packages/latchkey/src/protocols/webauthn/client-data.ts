import { decodeBase64url } from '../../base/encoding/base64url.ts'
import { parseJsonObject } from '../../base/encoding/json.ts'
import { decodeUtf8 } from '../../base/encoding/utf8.ts'
import { WebAuthnVerificationError } from '../../base/errors.ts'
import type { CredentialResponse } from './simple-webauthn.ts'

/** Characters of the origin of an app, with the 43 characters of a SHA-256 hash. */
const LONGEST_ORIGIN = 64

/** The prefix of the origin of an Android app, before the hash of its signing certificate. */
const ANDROID = 'android:apk-key-hash:'

/**
 * Refuses a passkey that was used in a frame of another site (WebAuthn section 7.1 step 10, 7.2 step 13), because our
 * pages are never shown in frames. It also compares the challenge, since the library's error would contain it, and
 * names the option for the origin of an app, since the library's error does not.
 *
 * @param challenge base64url
 * @throws {WebAuthnVerificationError}
 */
export function checkClientData(
  { response }: CredentialResponse,
  challenge: string,
  origins: readonly string[],
): void {
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
  const { origin } = data
  if (typeof origin === 'string' && origin.startsWith(ANDROID) && !origins.includes(origin)) {
    throw new WebAuthnVerificationError(
      `the passkey was used in the app ${JSON.stringify(origin.slice(0, LONGEST_ORIGIN))}; if it is yours, add that origin to \`relayingParty.origin\``,
    )
  }
}
