import { type Host, isTexts, isTime, type RecordKind, recordKind } from '../../../entries/plugin.ts'

/** A deletion that was asked for. The key is the id of the user. */
export interface PlannedDeletion {
  /** When the user is deleted, in milliseconds since the epoch. */
  readonly at: number
  /**
   * `planned`: the user can still keep the account. `begun`: a process deletes it, or did until it stopped. `kept`: the user
   * kept the account.
   */
  readonly state: 'planned' | 'begun' | 'kept'
  /** How often a handler of the event refused it. */
  readonly tries: number
  /** The site and the languages of the request that asked for it, for the mail at the end. */
  readonly origin: string
  readonly languages: string
}

const STATES: readonly unknown[] = ['planned', 'begun', 'kept']

export function createDeletions(host: Host): RecordKind<PlannedDeletion> {
  return recordKind<PlannedDeletion>(host, 'deletion', {
    shape({ at, state, tries, origin, languages }) {
      if (!isTime(at) || !STATES.includes(state) || typeof tries !== 'number') return undefined
      if (!isTexts([origin, languages])) return undefined
      return { at, state, tries, origin, languages } as PlannedDeletion
    },
    // Nobody signs in to an account that may be half deleted.
    onDamaged(_, report) {
      report('the account is treated as one whose deletion has begun')
      return { at: host.ports.now(), state: 'begun', tries: 0, origin: '', languages: '' }
    },
  })
}
