import {
  type Host,
  isJsonObject,
  isTexts,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'

/**
 * The second factors of a user. The key of the record is the id of the user.
 *
 * What is in this record counts, and nothing else: so one comparison of versions decides which of two changes at once is
 * made.
 */
export interface FactorState {
  /**
   * Raised with each change of the factors. A trusted browser keeps the number that it was trusted with, and loses its trust with
   * the next one.
   */
  readonly rev: number
  /** The ids of the confirmed authenticators, the oldest first. */
  readonly totp: readonly string[]
  /** Whether the passkeys of the user are second factors, too. */
  readonly passkeys?: true
  /** When codes by mail became a second factor, in milliseconds. They go to the address that the user has at the time. */
  readonly email?: number
  /** Passkeys that are being removed, and until when that holds, in milliseconds since the epoch. */
  readonly removing?: Readonly<Record<string, number>>
  /** Whether the record could not be read. Then nobody passes with one factor. */
  readonly isDamaged?: true
}

export const NO_FACTORS: FactorState = { rev: 0, totp: [] }

/** Creates the records of factors. */
export function createStates(host: Host): RecordKind<FactorState> {
  return recordKind<FactorState>(host, 'factors', {
    shape: ({ rev, totp, passkeys, email, removing }) =>
      typeof rev === 'number' && isTexts(totp)
        ? {
            rev,
            totp,
            ...(passkeys === true && { passkeys }),
            ...(typeof email === 'number' && { email }),
            ...(isHeld(removing) && { removing }),
          }
        : undefined,
    onDamaged(_, report) {
      report('the user cannot sign in with one factor; reset the factors with api.twoFactor.reset')
      return { ...NO_FACTORS, isDamaged: true }
    },
  })
}

const isHeld = (value: unknown): value is Readonly<Record<string, number>> =>
  isJsonObject(value) && Object.values(value).every((until) => typeof until === 'number')

/** Returns the passkeys that are being removed. */
export function heldKeys(
  { removing = {} }: FactorState,
  now: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(removing).filter(([, until]) => until > now))
}

/** Returns whether every sign-in of the user needs a second factor. */
export function hasFactors({ totp, passkeys, email, isDamaged }: FactorState): boolean {
  return totp.length > 0 || passkeys === true || email !== undefined || isDamaged === true
}
