import type { Host } from '../plugin/host.ts'
import { type RecordKind, recordKind } from '../plugin/record-kind.ts'

/** Facts about a user that have no column in the table of users. The key of the record is the id of the user. */
export interface AccountProfile {
  /** The preferred language, as the user chose it. */
  readonly locale?: string
  /** When the user was created, in milliseconds since the epoch. Missing for users from before the plugin `account`. */
  readonly createdAt?: number
  /** Ways into the account that are being removed, and until when that holds, in milliseconds since the epoch. */
  readonly removing?: Readonly<Record<string, number>>
}

/** Returns the profiles of users. Members of others stay when one is changed. */
export function profilesOf(
  host: Pick<Host, 'records' | 'ports' | 'logger'>,
): RecordKind<AccountProfile> {
  return recordKind<AccountProfile>(host, 'profile', { shape: (data) => data })
}
