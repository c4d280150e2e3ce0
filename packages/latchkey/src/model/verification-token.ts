/** A one-time token that was mailed to an address. Only its hash is stored. */
export interface VerificationToken {
  /** The email address. */
  identifier: string
  /** Lower-case hex SHA-256 of the mailed token followed by the secret. */
  token: string
  expires: Date
}
