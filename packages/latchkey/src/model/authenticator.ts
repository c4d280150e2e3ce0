/** A credential record (WebAuthn section 4); binary members are padded base64. */
export interface Authenticator {
  credentialID: string
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** The transports, separated by commas. */
  transports?: string | null
  providerAccountId: string
  userId?: string
}

/** A stored credential record. */
export interface AdapterAuthenticator extends Authenticator {
  userId: string
}
