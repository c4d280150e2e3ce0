import { decodeBase64url } from '../../base/encoding/base64url.ts'
import { isAuthError, toError, WebAuthnVerificationError } from '../../base/errors.ts'
import type { Authenticator } from '../../model/authenticator.ts'
import { checkClientData } from './client-data.ts'
import { storedCredentialId, toBase64 } from './credential-id.ts'
import type {
  CreationOptionsJSON,
  CredentialDescriptor,
  CredentialResponse,
  RegistrationOptions,
  RelyingParty,
  SimpleWebAuthn,
  VerifyRegistrationOptions,
} from './simple-webauthn.ts'

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), the preferred one first. */
const ALGORITHMS: readonly number[] = [-8, -7, -257]

/** The user of a new credential. */
export interface NewCredential {
  readonly relyingParty: RelyingParty
  readonly challenge: Uint8Array<ArrayBuffer>
  /** 64 hexadecimal digits. */
  readonly userHandle: string
  readonly name: string
  readonly displayName: string
  /** The existing credentials of the user. */
  readonly exclude: readonly CredentialDescriptor[]
}

/** Returns the options of the browser's `navigator.credentials.create()` (WebAuthn section 7.1 step 1). */
export async function registrationOptions(
  library: SimpleWebAuthn,
  configured: RegistrationOptions,
  { relyingParty, challenge, userHandle, name, displayName, exclude }: NewCredential,
): Promise<CreationOptionsJSON> {
  const { authenticatorSelection } = configured
  const { hints, ...options } = await library.generateRegistrationOptions({
    supportedAlgorithmIDs: [...ALGORITHMS],
    ...configured,
    // A copy, because the library changes it.
    ...(authenticatorSelection ? { authenticatorSelection: { ...authenticatorSelection } } : {}),
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: name,
    userDisplayName: displayName,
    userID: handleBytes(userHandle),
    challenge,
    excludeCredentials: [...exclude],
  })
  return hints?.length ? { ...options, hints } : options
}

/** Decodes the handle: in messages, its hexadecimal digits are read as base64url. */
function handleBytes(userHandle: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64url(userHandle)
  if (!bytes) throw new TypeError('a user handle is 64 hexadecimal digits')
  return bytes
}

/** A credential record, and the model of its authenticator as the authenticator says it. */
export interface NewPasskey {
  readonly credential: Authenticator
  readonly aaguid: string | undefined
}

/**
 * Checks a registration (WebAuthn section 7.1).
 *
 * @param challenge base64url
 * @returns the new credential, which has no owner yet.
 * @throws {WebAuthnVerificationError}
 */
export async function verifyRegistration(
  library: SimpleWebAuthn,
  response: CredentialResponse,
  {
    relyingParty,
    challenge,
    configured,
    offered,
  }: {
    readonly relyingParty: RelyingParty
    readonly challenge: string
    readonly configured: VerifyRegistrationOptions
    readonly offered: RegistrationOptions
  },
): Promise<NewPasskey> {
  const expectedOrigin = [relyingParty.origin].flat()
  checkClientData(response, challenge, expectedOrigin)
  try {
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      supportedAlgorithmIDs: offered.supportedAlgorithmIDs ?? [...ALGORITHMS],
      ...configured,
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID: relyingParty.id,
    })
    if (!verified || !registrationInfo) {
      throw new WebAuthnVerificationError('the registration could not be verified')
    }
    const { attestationType = 'none' } = offered
    if (attestationType !== 'none' && !(await library.isAnchored?.(registrationInfo))) {
      throw new WebAuthnVerificationError('the attestation of the authenticator is not trusted')
    }
    const { credential, credentialBackedUp, credentialDeviceType, aaguid } = registrationInfo
    const credentialID = storedCredentialId(credential.id)
    // The id outside of the attestation is not signed.
    if (credentialID === undefined || credentialID !== storedCredentialId(response.id)) {
      throw new WebAuthnVerificationError('the ids of the credential and of the response differ')
    }
    const transports = transportsOf(response)
    const passkey = {
      providerAccountId: credentialID,
      credentialID,
      credentialPublicKey: toBase64(credential.publicKey),
      counter: credential.counter,
      credentialBackedUp,
      credentialDeviceType,
      ...(transports === undefined ? {} : { transports }),
    }
    return { credential: passkey, aaguid }
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new WebAuthnVerificationError(toError(error))
  }
}

/** Returns the transports, which tell a browser where to find the credential. Other values are omitted. */
function transportsOf({ response: { transports } }: CredentialResponse): string | undefined {
  if (!Array.isArray(transports)) return undefined
  return transports
    .filter((transport) => typeof transport === 'string' && TRANSPORT.test(transport))
    .slice(0, 10)
    .join(',')
}

const TRANSPORT = /^[a-z][a-z0-9-]{0,31}$/
