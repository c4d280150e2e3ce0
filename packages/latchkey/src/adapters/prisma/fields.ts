import { type Content, members, type RecordName } from '../records.ts'
import { asIs, type Codec, type Coding, coding } from '../rows/coding.ts'
import { nulFree } from '../rows/nul.ts'
import type { Delegate } from './client.ts'

/** How the values of one model are written and read. */
export interface FieldMapping<Name extends RecordName = RecordName> extends Coding<Name> {
  /** The same value as the field has it; `undefined` when it can hold no such value. */
  encodeKey(member: string, value: unknown): unknown
}

/** By what we have and the type of the field. What is not here is kept as it is. */
const codecs: Readonly<Partial<Record<`${Content} in ${string}`, Codec>>> = {
  'text in String': nulFree,
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
  const codecOf = (member: string): Codec => {
    const content = ours[member]?.content
    return (content && codecs[`${content} in ${there[member]?.typeName}`]) ?? asIs
  }

  return {
    ...coding(name, there, { table: 'model of Prisma', column: 'field' }, codecOf),
    encodeKey(member, value) {
      const type = there[member]?.typeName
      const isNumber = ours[member]?.content === 'text' && (type === 'Int' || type === 'BigInt')
      if (isNumber && !(typeof value === 'string' && WHOLE.test(value))) return undefined
      return value === null ? null : codecOf(member).encode(value)
    },
  }
}
