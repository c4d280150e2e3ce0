import type { AdapterAuthenticator } from '../../model/authenticator.ts'

// What is used of `@simplewebauthn/server`, version 11 or later, described here so that nobody needs the
// package in order to compile: it is an optional peer.

/** How strictly an authenticator is asked to check who is using it (WebAuthn section 5.8.6). */
export type UserVerification = 'required' | 'preferred' | 'discouraged'

/** Which authenticators are wanted (WebAuthn section 5.4.4). */
export interface AuthenticatorSelection {
  authenticatorAttachment?: 'platform' | 'cross-platform'
  residentKey?: UserVerification
  requireResidentKey?: boolean
  userVerification?: UserVerification
}

/** What an application may say about the options of an authentication. */
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

/** What an application may say about the options of a registration. */
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

/** What an application may say about the check of an authentication. */
export interface VerifyAuthenticationOptions {
  /** Refuses a response if the authenticator did not verify the user. @default true */
  requireUserVerification?: boolean
}

/** What an application may say about the check of a registration. */
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

/** A credential by which a browser may find an authenticator. */
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

/** `RegistrationResponseJSON` or `AuthenticationResponseJSON` (WebAuthn section 5.1), not checked yet. */
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
  // What the browser sent, as the library takes it: it checks the types itself.
  // oxlint-disable-next-line typescript/no-explicit-any
  response: any
  expectedChallenge: string
  expectedOrigin: string[]
  expectedRPID: string
}

/** What a verified registration gives. */
export interface RegisteredCredential {
  fmt: string
  attestationObject: Uint8Array<ArrayBuffer>
  credential: { id: string; publicKey: Uint8Array<ArrayBuffer>; counter: number }
  credentialDeviceType: string
  credentialBackedUp: boolean
}

/** What a verified authentication gives. */
export interface UsedCredential {
  newCounter: number
  credentialDeviceType: string
}

/** A script, and its hash as a source in a Content-Security-Policy. */
export interface PageScript {
  readonly text: string
  readonly source: string
}

/** The four functions of `@simplewebauthn/server` that generate and verify, and what tells who vouches. */
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
   * Do the certificates of a verified attestation end at one that the application trusts, and not at
   * one in the attestation itself? Only asked where `attestationType` asks for an attestation.
   */
  isAnchored?(credential: RegisteredCredential): Promise<boolean>
  /** What the built-in sign-in page runs. Without it, it has no form for passkeys. */
  pageScript?(): Promise<PageScript>
}

/** The relying party of a request: who asks for the passkey (WebAuthn section 4). */
export interface RelyingParty {
  /** A domain: that of the site, or one above it. */
  id: string
  /** What people are shown. */
  name: string
  /** Where the answer may come from, exactly. */
  origin: string | readonly string[]
}

/** What of a stored credential tells a browser where it may be. */
export function descriptorOf({
  credentialID,
  transports,
}: Pick<AdapterAuthenticator, 'credentialID' | 'transports'>): CredentialDescriptor {
  const id = credentialID.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  return transports ? { id, transports: transports.split(',') } : { id }
}
