import * as v from 'valibot'

/** A typed name; the rules of the plugin judge it. */
export const nameField: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(500),
)
