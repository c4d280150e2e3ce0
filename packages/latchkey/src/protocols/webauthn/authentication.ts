import { isAuthError, toError, WebAuthnVerificationError } from '../../base/errors.ts'
import type { AdapterAuthenticator } from '../../model/authenticator.ts'
import { checkClientData } from './client-data.ts'
import { bytesOf } from './credential-id.ts'
import {
  type AuthenticationOptions,
  type CredentialDescriptor,
  type CredentialResponse,
  descriptorOf,
  type RelyingParty,
  type RequestOptionsJSON,
  type SimpleWebAuthn,
  type VerifyAuthenticationOptions,
} from './simple-webauthn.ts'

/** Returns the options of the browser's `navigator.credentials.get()` (WebAuthn section 7.2 step 1). */
export function authenticationOptions(
  library: SimpleWebAuthn,
  configured: AuthenticationOptions,
  {
    relyingParty,
    challenge,
    allow,
  }: {
    readonly relyingParty: RelyingParty
    readonly challenge: Uint8Array<ArrayBuffer>
    /** The allowed credentials; `undefined` allows each passkey of this site. */
    readonly allow: readonly CredentialDescriptor[] | undefined
  },
): Promise<RequestOptionsJSON> {
  return library.generateAuthenticationOptions({
    ...configured,
    rpID: relyingParty.id,
    challenge,
    ...(allow ? { allowCredentials: [...allow] } : {}),
  })
}

/** What an authenticator showed. */
export interface VerifiedAuthentication {
  /** The new signature counter to store. */
  readonly counter: number
  /** The methods (RFC 8176): `user` if it verified its user; `swk` for a key that may be backed up, else `hwk`. */
  readonly amr: readonly string[]
}

/**
 * Checks an authentication (WebAuthn section 7.2) with the stored credential.
 *
 * @param challenge base64url
 * @throws {WebAuthnVerificationError}
 */
export async function verifyAuthentication(
  library: SimpleWebAuthn,
  response: CredentialResponse,
  {
    relyingParty,
    challenge,
    stored,
    configured,
  }: {
    readonly relyingParty: RelyingParty
    readonly challenge: string
    readonly stored: AdapterAuthenticator
    readonly configured: VerifyAuthenticationOptions
  },
): Promise<VerifiedAuthentication> {
  const expectedOrigin = [relyingParty.origin].flat()
  checkClientData(response, challenge, expectedOrigin)
  const publicKey = bytesOf(stored.credentialPublicKey)
  if (!publicKey) throw new WebAuthnVerificationError('the stored public key cannot be read')
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      ...configured,
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID: relyingParty.id,
      credential: { id: descriptorOf(stored).id, publicKey, counter: stored.counter },
    })
    if (!verified) throw new WebAuthnVerificationError('the signature is wrong')
    // Step 22: the backup eligibility of a credential never changes.
    if (authenticationInfo.credentialDeviceType !== stored.credentialDeviceType) {
      throw new WebAuthnVerificationError('the backup eligibility of the credential has changed')
    }
    const { newCounter, userVerified, credentialDeviceType } = authenticationInfo
    const key = credentialDeviceType === 'multiDevice' ? 'swk' : 'hwk'
    return { counter: newCounter, amr: ['pop', ...(userVerified ? ['user'] : []), key] }
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new WebAuthnVerificationError(toError(error))
  }
}
