import type { RecordName } from '../records.ts'

/** What a member holds; how a column of the application keeps it is the column's business. */
export type Content = 'text' | 'instant' | 'integer' | 'boolean'

export interface Member {
  readonly content: Content
  /** May be missing in a table of the application, and is `null` then. */
  readonly optional: boolean
}

const text: Member = { content: 'text', optional: false }
const instant: Member = { content: 'instant', optional: false }
const integer: Member = { content: 'integer', optional: false }
const optional = (member: Member): Member => ({ ...member, optional: true })

/** The members of each record. */
export const members: Readonly<Record<RecordName, Readonly<Record<string, Member>>>> = {
  user: {
    id: text,
    name: optional(text),
    email: text,
    emailVerified: optional(instant),
    image: optional(text),
  },
  account: {
    userId: text,
    type: text,
    provider: text,
    providerAccountId: text,
    refresh_token: optional(text),
    access_token: optional(text),
    expires_at: optional(integer),
    token_type: optional(text),
    scope: optional(text),
    id_token: optional(text),
    session_state: optional(text),
  },
  session: { sessionToken: text, userId: text, expires: instant },
  verificationToken: { identifier: text, token: text, expires: instant },
  authenticator: {
    credentialID: text,
    userId: text,
    providerAccountId: text,
    credentialPublicKey: text,
    counter: integer,
    credentialDeviceType: text,
    credentialBackedUp: { content: 'boolean', optional: false },
    transports: optional(text),
  },
  record: {
    kind: text,
    key: text,
    userId: text,
    data: text,
    version: integer,
    createdAt: instant,
    expires: instant,
  },
}
