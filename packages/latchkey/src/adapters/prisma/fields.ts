import { type Content, members, type RecordName } from '../records.ts'
import { asIs, type Codec, type Coding, coding } from '../rows/coding.ts'
import { nulFree } from '../rows/nul.ts'
import type { Delegate } from './client.ts'

/** The mapping of a model. */
export interface FieldMapping<Name extends RecordName = RecordName> extends Coding<Name> {
  /** Returns the value as the field stores it; `undefined` if the field cannot hold it. */
  encodeKey(member: string, value: unknown): unknown
}

/** By content and type of the field. Other values are stored unchanged. */
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

/** @throws if a field is missing. */
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
