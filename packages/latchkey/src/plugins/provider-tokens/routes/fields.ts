import * as v from 'valibot'

/** The id of a provider. */
export const providerInput: v.GenericSchema<{ provider: string }> = v.strictObject({
  provider: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
})
