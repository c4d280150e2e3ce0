/** Whose secret it is, as an authenticator shows it. */
export interface Enrolled {
  readonly issuer: string
  readonly account: string
  /** Base32 */
  readonly secret: string
}

/** Returns the address that an authenticator reads from a QR code. */
export function otpauthUri({ issuer, account, secret }: Enrolled): string {
  // A colon separates issuer and account.
  const name = issuer.replaceAll(':', ' ').trim()
  // A name may have half of a character, which no address can have.
  const label = [name, account].map((part) => encodeURIComponent(part.toWellFormed())).join(':')
  const params = { secret, issuer: name, algorithm: 'SHA1', digits: '6', period: '30' }
  const query = Object.entries(params).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `otpauth://totp/${label}?${query.join('&')}`
}
