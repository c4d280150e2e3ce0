import * as v from 'valibot'
import type { Fault } from '../refusals.ts'
import type { SignUpField } from '../settings.ts'

/** Longest value of a field, characters. */
export const LONGEST = 10_000

/** A field as it was typed. What is wrong with it is said beside the field, and not here. */
export const typed: v.GenericSchema<string> = v.pipe(v.string(), v.maxLength(LONGEST))

/** A form with further fields, which are checked by their own rules. */
export type FurtherForm = Readonly<Record<string, string | undefined>>

/** What was typed into further fields, and what is wrong with it. */
export interface FurtherFields {
  readonly fields: Readonly<Record<string, string>>
  readonly faults: readonly Fault[]
}

/**
 * Returns the fields that a form does not have: they are refused, so that nobody sets other members of the user.
 *
 * @param known the names of the fields that are no further ones.
 */
export function unknownFields(
  form: FurtherForm,
  known: readonly string[],
  further: readonly SignUpField[],
): Fault[] {
  const names = new Set([...known, ...further.map(({ name }) => name)])
  return Object.keys(form)
    .filter((field) => !names.has(field))
    .map((field) => ({ field: field.slice(0, 100), code: 'unknown' }))
}

/** Checks the further fields of a form. */
export async function checkFurther(
  form: FurtherForm,
  further: readonly SignUpField[],
): Promise<FurtherFields> {
  const faults: Fault[] = []
  const fields: Record<string, string> = {}
  for (const { name, required, maxLength = 200, validate } of further) {
    const value = form[name] ?? ''
    if (value === '' && !required) continue
    if (value === '') faults.push({ field: name, code: 'required' })
    else if (value.length > maxLength) faults.push({ field: name, code: 'invalid' })
    else {
      const verdict = (await validate?.(value)) ?? true
      if (verdict === true) fields[name] = value
      else faults.push({ field: name, code: String(verdict) })
    }
  }
  return { fields, faults }
}
