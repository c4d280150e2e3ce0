import { sql } from 'kysely'
import { withDocs } from '../../base/option-error.ts'
import type { Codec } from './dialect.ts'
import type { ColumnType } from './tables.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
/** Texts that are the same after a conversion to a number and back. */
const SERIAL = /^[1-9]\d{0,18}$/
const GREATEST_SERIAL = 2n ** 63n - 1n

const milliseconds = (value: unknown): number => (value as Date).getTime()

/** The codecs that all engines share. */
export const commonCodecs: { readonly [type in ColumnType]?: Codec } = {
  uuid: {
    encode: (value) => (typeof value === 'string' && UUID.test(value) ? value : undefined),
    decode: (stored) => String(stored).toLowerCase(),
  },
  serial: {
    // As text: not all drivers accept numbers of 64 bits.
    encode: (value) =>
      typeof value === 'string' && SERIAL.test(value) && BigInt(value) <= GREATEST_SERIAL
        ? value
        : undefined,
    decode: String,
    write: (place) => sql`cast(${place} as bigint)`,
  },
  iso: {
    encode: (value) => (value as Date).toISOString(),
    decode: (stored) => validDate(new Date(String(stored))),
  },
  'utc-text': {
    encode: (value) => `${utcText(value)} +00:00`,
    decode: (stored) => fromUtcText(String(stored).replace(/ ?\+00:00$/, '')),
  },
  ms: { encode: milliseconds, decode: (stored) => validDate(new Date(Number(stored))) },
  'ms-text': {
    encode: (value) => String(milliseconds(value)),
    decode: (stored) => validDate(new Date(Number(stored))),
    order: (column) => sql`cast(${column} as decimal(20))`,
  },
  s: {
    // Rounded down: nothing may live longer than intended.
    encode: (value) => Math.floor(milliseconds(value) / 1000),
    decode: (stored) => validDate(new Date(Number(stored) * 1000)),
  },
  json: {
    encode: (value) => JSON.stringify(value, (_, each: unknown) => inTexts(each, wellFormed)),
    decode: (stored) => (typeof stored === 'string' ? JSON.parse(stored) : stored),
  },
  integer: { encode: (value) => value, decode: Number },
}

/** Replaces lone surrogates by U+FFFD. Engines refuse them in JSON, and replace them in other texts. */
export function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/**
 * Changes a text, or the names of the members of an object. `JSON` calls it for each value of a tree, so it does not
 * descend itself.
 */
export function inTexts(value: unknown, change: (text: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), one]))
}

/** 0 and 1, for engines without booleans. */
export const bit: Codec = {
  encode: (value) => (value ? 1 : 0),
  decode: (stored) => stored === true || Number(stored) === 1,
}

/** Returns a date as `2026-02-03 04:05:06.789` in UTC. */
export function utcText(value: unknown): string {
  return (value as Date).toISOString().slice(0, -1).replace('T', ' ')
}

/** @param stored the format of {@link utcText}, with any number of digits after the point. */
export function fromUtcText(stored: unknown): Date {
  return validDate(new Date(`${String(stored).replace(' ', 'T')}Z`))
}

/** @throws for an invalid date: otherwise, a session could never end. */
export function validDate(date: Date): Date {
  if (Number.isNaN(date.getTime()))
    throw new Error(withDocs('the database returned an invalid date', 'adapterCall'))
  return date
}
