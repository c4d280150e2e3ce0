import * as v from 'valibot'

/** A field as it was typed. What is wrong with it is said beside the field, and not here. */
export const typed: v.GenericSchema<string> = v.pipe(v.string(), v.maxLength(10_000))

/** A token of a link. */
export const token: v.OptionalSchema<v.GenericSchema<string>, undefined> = v.optional(
  v.pipe(v.string(), v.maxLength(200)),
)

/** A public id. */
export const publicIdField: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(40),
)

/** Returns whether a text has characters that cannot be seen, or change the direction of others. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text)
}
