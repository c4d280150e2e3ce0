import type { AdapterAuthenticator } from '../../model/authenticator.ts'

// The used parts of `@simplewebauthn/server`, version 11 or later. They are declared here because it is an optional
// peer dependency: applications compile without it.

/** How strictly an authenticator must verify the user (WebAuthn section 5.8.6). */
export type UserVerification = 'required' | 'preferred' | 'discouraged'

/** The accepted authenticators (WebAuthn section 5.4.4). */
export interface AuthenticatorSelection {
  authenticatorAttachment?: 'platform' | 'cross-platform'
  residentKey?: UserVerification
  requireResidentKey?: boolean
  userVerification?: UserVerification
}

/** The options of an authentication that an application can set. */
export interface AuthenticationOptions {
  /** Milliseconds that the browser waits for the user. @default 300000 */
  timeout?: number
  /**
   * Whether the authenticator verifies the user: `required`, `preferred` or `discouraged`.
   *
   * @default `'required'` for the provider passkey
   */
  userVerification?: UserVerification
  /** Extensions of WebAuthn that are requested. */
  extensions?: Record<string, unknown>
}

/** The options of a registration that an application can set. */
export interface RegistrationOptions {
  /** Milliseconds that the browser waits for the user. @default 300000 */
  timeout?: number
  /** The attestation that is requested: `none`, `direct` or `enterprise`. @default 'none' */
  attestationType?: 'none' | 'direct' | 'enterprise'
  /** Requirements on the authenticator. @default see `registrationOptions` */
  authenticatorSelection?: AuthenticatorSelection
  /** COSE algorithms, the preferred one first. @default [-8, -7, -257] */
  supportedAlgorithmIDs?: number[]
  /** The authenticator that the browser offers first: `securityKey`, `localDevice` or `remoteDevice`. */
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
  /** Extensions of WebAuthn that are requested. */
  extensions?: Record<string, unknown>
}

/** The options of the check of an authentication that an application can set. */
export interface VerifyAuthenticationOptions {
  /** Refuses a response if the authenticator did not verify the user. @default true */
  requireUserVerification?: boolean
}

/** The options of the check of a registration that an application can set. */
export interface VerifyRegistrationOptions {
  /** Refuses a response if no user was present. @default true */
  requireUserPresence?: boolean
  /** Refuses a response if the authenticator did not verify the user. @default true */
  requireUserVerification?: boolean
  /** COSE algorithms that are accepted. @default those that were offered */
  supportedAlgorithmIDs?: number[]
  /** Refuses an Android SafetyNet attestation of a device that failed the compatibility test. */
  attestationSafetyNetEnforceCTSCheck?: boolean
}

/** The body of `GET webauthn-options`. */
export type WebAuthnOptionsResponseBody =
  | { action: 'authenticate'; options: RequestOptionsJSON }
  | { action: 'register'; options: CreationOptionsJSON }

/** A credential, with which a browser finds the authenticator. */
export interface CredentialDescriptor {
  /** base64url */
  id: string
  transports?: string[]
}

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn section 5.1.8). */
export interface CreationOptionsJSON {
  challenge: string
  user: { id: string; name: string; displayName: string }
  hints?: readonly string[]
}

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn section 5.1.9). */
export interface RequestOptionsJSON {
  challenge: string
  allowCredentials?: readonly { id: string; transports?: readonly string[] }[]
}

/** `RegistrationResponseJSON` or `AuthenticationResponseJSON` (WebAuthn section 5.1), unchecked. */
export interface CredentialResponse {
  id: string
  rawId?: unknown
  type?: unknown
  response: {
    clientDataJSON?: unknown
    attestationObject?: unknown
    transports?: unknown
    userHandle?: unknown
    [member: string]: unknown
  }
  [member: string]: unknown
}

interface Expected {
  // The data from the browser in the type of the library, which checks the types itself.
  // oxlint-disable-next-line typescript/no-explicit-any
  response: any
  expectedChallenge: string
  expectedOrigin: string[]
  expectedRPID: string
}

/** The result of a verified registration. */
export interface RegisteredCredential {
  fmt: string
  /** The model of the authenticator, as a UUID. */
  aaguid?: string
  attestationObject: Uint8Array<ArrayBuffer>
  credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
  credentialDeviceType: string
  credentialBackedUp: boolean
}

/** The result of a verified authentication. */
export interface UsedCredential {
  newCounter: number
  /** Whether the authenticator checked a fingerprint, a face or a PIN. */
  userVerified: boolean
  credentialDeviceType: string
}

/** A script with its hash, a source in a Content-Security-Policy. */
export interface PageScript {
  readonly text: string
  readonly source: string
}

/** The four functions of `@simplewebauthn/server` that generate and verify, and two functions of Latchkey. */
export interface SimpleWebAuthn {
  generateRegistrationOptions(
    options: RegistrationOptions & {
      rpName: string
      rpID: string
      userName: string
      userID: Uint8Array<ArrayBuffer>
      userDisplayName: string
      challenge: Uint8Array<ArrayBuffer>
      excludeCredentials: CredentialDescriptor[]
    },
  ): Promise<CreationOptionsJSON>
  generateAuthenticationOptions(
    options: AuthenticationOptions & {
      rpID: string
      challenge: Uint8Array<ArrayBuffer>
      allowCredentials?: CredentialDescriptor[]
    },
  ): Promise<RequestOptionsJSON>
  verifyRegistrationResponse(
    options: VerifyRegistrationOptions & Expected,
  ): Promise<{ verified: boolean; registrationInfo?: RegisteredCredential }>
  verifyAuthenticationResponse(
    options: VerifyAuthenticationOptions &
      Expected & {
        credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
      },
  ): Promise<{ verified: boolean; authenticationInfo: UsedCredential }>
  /**
   * Returns whether the certificates of a verified attestation end at a certificate that the application trusts, and
   * not at one in the attestation itself. Called only if `attestationType` requests an attestation.
   */
  isAnchored?(credential: RegisteredCredential): Promise<boolean>
  /** Returns the script of the built-in sign-in page. Without it, the page has no form for passkeys. */
  pageScript?(): Promise<PageScript>
}

/** The relying party of a request (WebAuthn section 4). */
export interface RelyingParty {
  /** The domain of the site, or a parent domain. */
  id: string
  /** The name that users see. */
  name: string
  /** The exact accepted origins of responses. */
  origin: string | readonly string[]
}

/** Returns the part of a stored credential with which a browser finds it. */
export function descriptorOf({
  credentialID,
  transports,
}: Pick<AdapterAuthenticator, 'credentialID' | 'transports'>): CredentialDescriptor {
  const id = credentialID.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return transports ? { id, transports: transports.split(',') } : { id }
}
