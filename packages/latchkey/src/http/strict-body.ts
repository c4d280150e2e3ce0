import { isJsonObject } from '../base/encoding/json.ts'
import { readText, UnreadableBody } from './form.ts'

/** Maximum size of the body of a plugin's route, in bytes. A route may have a lower limit. */
const STRICT_LIMIT = 64 * 1024

/** A limit for bodies with some ids, a name and a callback URL, in bytes. */
export const SHORT_BODY: number = 4 * 1024
const MOST_FIELDS = 100
const DEEPEST = 8
/** Names with a special meaning in JavaScript. */
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type BodyFault = 'unsupported_media_type' | 'too_large' | 'invalid_input'

/** The fields of a body, and whether a form or a program sent it. */
export interface StrictBody {
  readonly isForm: boolean
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Returns the fields of a body: a JSON object, or a form without repeated fields.
 *
 * @param limit maximum size in bytes.
 * @returns the problem code for another body, or one that exceeds `limit`, 100 fields or 8 levels.
 */
export async function readStrictBody(
  request: Request,
  limit: number = STRICT_LIMIT,
): Promise<StrictBody | BodyFault> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const isForm = type === 'application/x-www-form-urlencoded'
  if (!isForm && type !== 'application/json') return 'unsupported_media_type'
  let text: string
  try {
    text = await readText(request, limit)
  } catch (error) {
    if (error instanceof UnreadableBody) return 'too_large'
    throw error
  }
  const fields = isForm ? strictFields(new URLSearchParams(text)) : objectOf(text)
  return fields ? { isForm, fields } : 'invalid_input'
}

/** Returns the fields of a form or a query; `undefined` if one is repeated, or there are too many. */
export function strictFields(params: URLSearchParams): Record<string, string> | undefined {
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of params) {
    if (++count > MOST_FIELDS || name in fields || UNSAFE_NAMES.has(name)) return undefined
    fields[name] = value
  }
  return fields
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && isPlainData(value, DEEPEST) ? value : undefined
  } catch {
    // Also if the JSON is nested too deeply for the engine.
    return undefined
  }
}

function isPlainData(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(
    ([name, member]) => !UNSAFE_NAMES.has(name) && isPlainData(member, levels - 1),
  )
}
