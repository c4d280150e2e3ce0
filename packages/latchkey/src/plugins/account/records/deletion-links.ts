import { type Host, isTime, type RecordKind, recordKind } from '../../../entries/plugin.ts'

/** A link that confirms a deletion. The key is a keyed hash of the token. */
export interface DeletionLink {
  /** In milliseconds since the epoch. */
  readonly at: number
  /** The address to which it was mailed. */
  readonly address: string
}

/** Milliseconds for which a link works. */
export const DELETION_LINK_AGE: number = 60 * 60_000

export function createDeletionLinks(host: Host): RecordKind<DeletionLink> {
  return recordKind<DeletionLink>(host, 'deletion-link', {
    shape: ({ at, address }) =>
      isTime(at) && typeof address === 'string' ? { at, address } : undefined,
    hasSecretKeys: true,
  })
}
