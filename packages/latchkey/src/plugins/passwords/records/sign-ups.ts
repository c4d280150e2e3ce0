import { type Host, isJsonObject, type RecordKind, recordKind } from '../../../entries/plugin.ts'
import type { ExtraFields } from '../settings.ts'

/** When and with which browser something was asked for. */
export interface Asked {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly agent: string
}

/**
 * A sign-up whose address is not proved yet. There is no user. Its key is a keyed hash of the address.
 *
 * For an address that has a user, all members are there, too, but no mail has the code and the token.
 */
export interface PendingSignUp {
  /** The browser that began it. */
  readonly flow: string
  readonly asked: Asked
  /** When the last mail was sent, milliseconds since the epoch. */
  readonly sentAt: number
  /** The sealed hash of the password; empty for an address that has a user. */
  readonly hash: string
  readonly name?: string
  readonly username?: string
  readonly extra?: ExtraFields
  /** A keyed hash. */
  readonly code: string
  /** A keyed hash. */
  readonly token: string
  /** Wrong codes so far. */
  readonly tries: number
  /** Whether the address has a user already. */
  readonly existing: boolean
}

/** Seconds for which a sign-up waits for its proof. */
export const SIGN_UP_AGE: number = 24 * 60 * 60
/** Codes that may be typed for one mail. */
export const MOST_TRIES = 5

export function createSignUps(host: Host): RecordKind<PendingSignUp> {
  return recordKind<PendingSignUp>(host, 'sign-up', { shape, hasSecretKeys: true })
}

function shape(data: Readonly<Record<string, unknown>>): PendingSignUp | undefined {
  const { flow, asked, sentAt, hash, name, username, extra, code, token, tries, existing } = data
  const readAsked = askedOf(asked)
  const texts = [flow, hash, code, token]
  if (!readAsked || !texts.every((each) => typeof each === 'string')) return undefined
  if (typeof tries !== 'number' || typeof sentAt !== 'number') return undefined
  const [ofFlow = '', ofHash = '', ofCode = '', ofToken = ''] = texts
  return {
    flow: ofFlow,
    asked: readAsked,
    sentAt,
    hash: ofHash,
    code: ofCode,
    token: ofToken,
    tries,
    existing: existing === true,
    ...(typeof name === 'string' && { name }),
    ...(typeof username === 'string' && { username }),
    ...(isJsonObject(extra) && { extra: extra as ExtraFields }),
  }
}

export function askedOf(asked: unknown): Asked | undefined {
  const { at, agent } = Object(asked) as Readonly<Record<string, unknown>>
  return typeof at === 'number' && typeof agent === 'string' ? { at, agent } : undefined
}
