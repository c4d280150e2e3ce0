import { type Host, type RecordKind, recordKind } from '../../../entries/plugin.ts'
import { type Asked, askedOf } from './sign-ups.ts'

/** A link to choose a new password. Its key is a keyed hash of the token. */
export interface PasswordReset {
  /** The address that the mail was sent to. */
  readonly address: string
  /** `rev` of the password at that time; 0 without one. */
  readonly rev: number
  readonly asked: Asked
}

/** Seconds for which a link works. */
export const RESET_AGE: number = 30 * 60

export function createResets(host: Host): RecordKind<PasswordReset> {
  return recordKind<PasswordReset>(host, 'password-reset', {
    shape({ address, rev, asked }) {
      const readAsked = askedOf(asked)
      if (typeof address !== 'string' || typeof rev !== 'number' || !readAsked) return undefined
      return { address, rev, asked: readAsked }
    },
    hasSecretKeys: true,
  })
}
