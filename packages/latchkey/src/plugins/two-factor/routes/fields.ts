import * as v from 'valibot'

/** A code as it was typed. */
export const aCode: v.GenericSchema<string> = v.pipe(v.string(), v.maxLength(100))

/** An id that this plugin made. */
export const anId: v.GenericSchema<string> = v.pipe(v.string(), v.minLength(1), v.maxLength(60))

/** A name that people give: 1 to 64 characters, none of them a control. */
export const aName: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => {
    const { length } = Array.from(text)
    return length >= 1 && length <= 64 && !/\p{C}/u.test(text)
  }),
)

/** A box that is ticked. */
export const aBox: v.GenericSchema<boolean | string> = v.union([
  v.boolean(),
  v.pipe(v.string(), v.maxLength(10)),
])

export const isTicked = (value: boolean | string | undefined): boolean =>
  value === true || value === '1'
