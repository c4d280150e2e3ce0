import * as v from 'valibot'

/** The id of a provider. */
export const providerField: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
)

export const providerInput: v.GenericSchema<{ provider: string }> = v.strictObject({
  provider: providerField,
})
