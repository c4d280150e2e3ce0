import type { Host } from './host.ts'
import type { RecordSealer } from './host-groups.ts'

/** Records with a sealed value that does not expire, so that a secret is needed until they are sealed anew. */
export interface SealedKind {
  /** The kind of the records. `host.keys.sealer` of this kind seals the value, bound to the key and the user of the record. */
  readonly kind: string
  /** The member of the data with the value. A value that is not sealed stays as it is. */
  readonly member: string
  /** Values are written again in ordinary use, so that nothing warns of one that an earlier secret sealed. */
  readonly isRenewed?: true
  /** Returns what seals the value instead, with keys of its own. */
  sealer?(host: Pick<Host, 'keys' | 'ports'>): RecordSealer | undefined
}

/** How many stored values were sealed anew. */
export interface ResealedRecords {
  readonly resealed: number
  /** Values that the first secret had sealed already. */
  readonly current: number
  /** Values that no configured secret opens. */
  readonly unreadable: number
}
