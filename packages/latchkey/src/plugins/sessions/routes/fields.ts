import * as v from 'valibot'
import { type EndReason, endReasons } from '../../../entries/plugin.ts'

type Text = v.GenericSchema<string>

/** The id of a session, or of a row without a record. */
export const idField: Text = v.pipe(v.string(), v.regex(/^[\w-]{22}$/))

export const userIdField: Text = v.pipe(v.string(), v.minLength(1), v.maxLength(190))

export const reasonField: v.GenericSchema<Exclude<EndReason, 'failed'>> = v.picklist(endReasons)

/**
 * At most 60 characters, at least one visible, and none that changes how the others are displayed. An empty text
 * removes the name.
 */
export const nameField: Text = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(60),
  v.regex(
    /^(?:(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*)?$/u,
  ),
)
