import {
  digestOf,
  type Host,
  isTexts,
  type JsonObject,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
import { type AtProvider, type BegunData, begunRecords } from '../begun.ts'

/** Local sessions, by session at a provider. */
const BY_SESSION = 'op-session'
/** Local users, by subject of a provider. */
const BY_SUBJECT = 'op-subject'
/** Recent logouts of a provider, which pending sign-ins compare. */
const LOGOUT = 'op-logout'

/** A session at a provider, or all sessions of a subject. */
export type Meant = Pick<AtProvider, 'issuer' | 'clientId' | 'sid'> & {
  readonly sub?: string | undefined
}

/** A local session. */
export type Here = {
  readonly sid: string
  readonly userId: string
  /** The subject that signed in. Entries of earlier versions use the subject of their record. */
  readonly sub?: string
}

/** The local sessions that began with a session at a provider. */
export interface SessionThere {
  /** The subject that signed in last. */
  readonly sub: string
  readonly sessions: readonly Here[]
  /** Set for a damaged record. Never stored. */
  readonly isDamaged?: true
}

/** The local users of a subject of a provider. */
export interface Subject {
  readonly users: readonly string[]
  /** Set for a damaged record. Never stored. */
  readonly isDamaged?: true
}

/** A logout at a provider. */
export interface Logout {
  /** `iat` of the logout, in seconds since the epoch; infinity for a damaged record. */
  readonly at: number
}

/** The records in which sessions are found. */
export interface OpRecords {
  /** The facts with which local sessions began. */
  readonly begun: RecordKind<BegunData>
  readonly sessionsThere: RecordKind<SessionThere>
  readonly subjects: RecordKind<Subject>
  readonly logouts: RecordKind<Logout>
}

export function opRecords(host: Host): OpRecords {
  const notUsed = 'what it said is not used'
  const sessionsThere = recordKind<SessionThere>(host, BY_SESSION, {
    shape: sessionThere,
    onDamaged(_, report) {
      report(notUsed)
      return { sub: '', sessions: [], isDamaged: true }
    },
  })
  const subjects = recordKind<Subject>(host, BY_SUBJECT, {
    shape: ({ users }) => (isTexts(users) ? { users } : undefined),
    onDamaged(_, report) {
      report(notUsed)
      return { users: [], isDamaged: true }
    },
  })
  const logouts = recordKind<Logout>(host, LOGOUT, {
    shape: ({ at }) => (typeof at === 'number' ? { at } : undefined),
    onDamaged(_, report) {
      report(notUsed)
      return { at: Number.POSITIVE_INFINITY }
    },
  })

  return { begun: begunRecords(host), sessionsThere, subjects, logouts }
}

/** Returns the key of the record of a session at a provider. */
export const sessionKey = (meant: Meant, sid: string): Promise<string> =>
  keyOf(BY_SESSION, meant, sid)

/** Returns the key of the record of a subject. */
export const subjectKey = (meant: Meant, sub: string): Promise<string> =>
  keyOf(BY_SUBJECT, meant, sub)

/** Returns the key of the record of a logout. */
export const logoutKey = (meant: Meant): Promise<string> =>
  meant.sid === undefined
    ? keyOf(LOGOUT, meant, 'sub', meant.sub ?? '')
    : keyOf(LOGOUT, meant, 'sid', meant.sid)

const keyOf = (kind: string, { issuer, clientId }: Meant, ...name: string[]): Promise<string> =>
  digestOf(kind, issuer, clientId, ...name)

function sessionThere(data: JsonObject): SessionThere | undefined {
  const { sub, sessions } = data
  const isWhole =
    typeof sub === 'string' &&
    Array.isArray(sessions) &&
    sessions.every((each) => typeof (Object(each) as Partial<Here>).sid === 'string')
  return isWhole ? (data as unknown as SessionThere) : undefined
}
