import { withDocs } from '../../base/option-error.ts'
import { members, type RecordName, type Records } from '../records.ts'

/** A row as the mapper of the application returns it, with its names of members. */
export type Row = Record<string, unknown>

/** Converts a value for a column of another type. It never receives `null`. */
export interface Codec {
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
}

export const asIs: Codec = { encode: (value) => value, decode: (stored) => stored }

/** Converts records to rows and back. */
export interface Coding<Name extends RecordName = RecordName> {
  /** Returns the members that have a column and a value; `undefined` is no value, `null` is one. */
  encode(record: object): Row
  decode(row: Row): Records[Name]
}

/**
 * Returns the coding of a table of the application.
 *
 * @param there the columns of the table, by member.
 * @throws if a column is missing.
 */
export function coding<Name extends RecordName>(
  name: Name,
  there: Readonly<Record<string, unknown>>,
  what: { readonly table: string; readonly column: string },
  codecOf: (member: string) => Codec,
): Coding<Name> {
  const ours = members[name]
  const missing = Object.keys(ours).find((member) => !ours[member]?.optional && !(member in there))
  if (missing)
    throw new Error(
      withDocs(`the ${name} ${what.table} has no ${what.column} ${missing}`, 'adapter'),
    )
  const nothing = Object.fromEntries(Object.keys(ours).map((member) => [member, null]))
  return {
    encode(record) {
      const row: Row = {}
      for (const [member, value] of Object.entries(record)) {
        if (value === undefined || !(member in there)) continue
        row[member] = value === null ? null : codecOf(member).encode(value)
      }
      return row
    },
    decode(row) {
      const record: Row = { ...nothing }
      // A verification token has exactly three members.
      for (const member of Object.keys(name === 'verificationToken' ? nothing : there)) {
        const stored = row[member] ?? null
        record[member] = stored === null ? null : codecOf(member).decode(stored)
      }
      return record as unknown as Records[Name]
    },
  }
}
