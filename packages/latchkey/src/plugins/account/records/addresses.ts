import { type Host, isTexts, isTime, type RecordKind, recordKind } from '../../../entries/plugin.ts'
import { ADDRESS_CHANGE } from '../../../entries/plugin-accounts.ts'

/** A change of an address that is not confirmed. The key is the id of the user, so a later change replaces it. */
export interface AddressChange {
  /** The address at that time; empty without one. */
  readonly from: string
  readonly to: string
  /** Keyed hashes. */
  readonly code: string
  readonly token: string
  /** Wrong codes. */
  readonly tries: number
  /** The public id of the session that asked. */
  readonly sid: string
}

/** Milliseconds for which the code and the link work. */
export const CHANGE_AGE: number = 60 * 60_000

export function createChanges(host: Host): RecordKind<AddressChange> {
  return recordKind<AddressChange>(host, ADDRESS_CHANGE, {
    shape({ from, to, code, token, tries, sid }) {
      if (!isTexts([from, to, code, token, sid]) || typeof tries !== 'number') return undefined
      return { from, to, code, token, sid, tries } as AddressChange
    },
  })
}

/** A change of an address that can be undone. The key is a keyed hash of the token. */
export interface AddressUndo {
  readonly from: string
  readonly to: string
  /** When the change was asked for, in milliseconds since the epoch. */
  readonly at: number
  /** When it was undone for the first time. What was added later is of the owner. */
  readonly begunAt?: number
}

export function createUndos(host: Host): RecordKind<AddressUndo> {
  return recordKind<AddressUndo>(host, 'address-undo', {
    shape({ from, to, at, begunAt }) {
      if (!isTexts([from, to]) || !isTime(at)) return undefined
      return { from, to, at, ...(isTime(begunAt) && { begunAt }) } as AddressUndo
    },
    hasSecretKeys: true,
  })
}
