import { type Host, isTime, type RecordKind, recordKind } from '../../../entries/plugin.ts'
import { type Asked, askedOf } from './sign-ups.ts'

/** A user who signed up and may sign in before the address is proved. The key is the id of the user. */
export interface UnprovedUser {
  /** When the user signed up, milliseconds since the epoch. */
  readonly at: number
  /** `proving`: the address is stored as proved now. `deleting`: a process deletes the user, or did until it stopped. */
  readonly state: 'waiting' | 'proving' | 'deleting'
  /** When this state began, milliseconds since the epoch. */
  readonly since: number
  /** How often a handler of the event refused the deletion. */
  readonly refused: number
  /** The browser that signed up. */
  readonly flow: string
  readonly asked: Asked
  /** When the last mail was sent, milliseconds since the epoch. */
  readonly sentAt: number
  /** A keyed hash; empty once it was used. */
  readonly code: string
  /** A keyed hash; empty once it was used. */
  readonly token: string
  /** Codes that were typed for the last mail. */
  readonly tries: number
}

const isState = (value: unknown): value is UnprovedUser['state'] =>
  value === 'waiting' || value === 'proving' || value === 'deleting'

export function createUnproved(host: Host): RecordKind<UnprovedUser> {
  return recordKind<UnprovedUser>(host, 'unproved', {
    shape(data) {
      const { at, state, since, refused, flow, asked, sentAt, code, token, tries } = data
      const readAsked = askedOf(asked)
      if (!readAsked || !isTime(at) || !isTime(since) || !isTime(sentAt)) return undefined
      if (typeof refused !== 'number' || typeof tries !== 'number' || !isState(state))
        return undefined
      return typeof flow === 'string' && typeof code === 'string' && typeof token === 'string'
        ? { at, state, since, refused, flow, asked: readAsked, sentAt, code, token, tries }
        : undefined
    },
    // A damaged record gives nobody more rights, and nobody is deleted because of it.
    onDamaged(_, report) {
      report('its user has to prove the address, and is not deleted')
      const now = host.ports.now()
      const nothing = { flow: '', code: '', token: '' }
      const asked = { at: now, agent: '' }
      return {
        ...nothing,
        at: now,
        state: 'waiting',
        since: now,
        refused: 0,
        asked,
        sentAt: 0,
        tries: 0,
      }
    },
  })
}
