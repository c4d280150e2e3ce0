import type { RecordName, Records } from '../records.ts'
import { type Content, members } from '../rows/members.ts'
import { withNul, withoutNul } from '../rows/nul.ts'
import type { Delegate, Row } from './client.ts'

/** How the values of one model are written and read. */
export interface FieldMapping<Name extends RecordName = RecordName> {
  /** What the record has a field and a value for; `undefined` is none, `null` is one. */
  encode(record: object): Row
  decode(row: Row): Records[Name]
  /** The same value as the field has it; `undefined` when it can hold no such value. */
  encodeKey(member: string, value: unknown): unknown
}

/** How one value of ours is kept in a field of another type. Never sees `null`. */
interface Codec {
  encode(value: unknown): unknown
  decode(stored: unknown): unknown
}

const asIs: Codec = { encode: (value) => value, decode: (stored) => stored }

/** By what we have and the type of the field. What is not here is kept as it is. */
const codecs: Readonly<Partial<Record<`${Content} in ${string}`, Codec>>> = {
  'text in String': { encode: withoutNul, decode: withNul },
  'text in Int': { encode: Number, decode: String },
  'text in BigInt': { encode: (value) => BigInt(value as string), decode: String },
  'instant in BigInt': {
    encode: (value) => BigInt((value as Date).getTime()),
    decode: (stored) => new Date(Number(stored)),
  },
  'integer in BigInt': { encode: (value) => BigInt(value as number), decode: Number },
}

const WHOLE = /^(0|-?[1-9]\d{0,14})$/

/** @throws when a field is missing. */
export function fieldMapping<Name extends RecordName>(
  name: Name,
  { fields }: Pick<Delegate, 'fields'>,
): FieldMapping<Name> {
  const ours = members[name]
  const there: NonNullable<Delegate['fields']> =
    fields ?? Object.fromEntries(Object.keys(ours).map((member) => [member, {}]))
  const missing = Object.keys(ours).find((member) => !ours[member]?.optional && !(member in there))
  if (missing) throw new Error(`the ${name} model of Prisma has no field ${missing}`)
  const codecOf = (member: string): Codec => {
    const content = ours[member]?.content
    return (content && codecs[`${content} in ${there[member]?.typeName}`]) ?? asIs
  }
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
      // A verification token has its three members and no more.
      for (const member of Object.keys(name === 'verificationToken' ? nothing : there)) {
        const stored = row[member] ?? null
        record[member] = stored === null ? null : codecOf(member).decode(stored)
      }
      return record as unknown as Records[Name]
    },
    encodeKey(member, value) {
      const type = there[member]?.typeName
      const isNumber = ours[member]?.content === 'text' && (type === 'Int' || type === 'BigInt')
      if (isNumber && !(typeof value === 'string' && WHOLE.test(value))) return undefined
      return value === null ? null : codecOf(member).encode(value)
    },
  }
}
