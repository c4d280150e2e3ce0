import { excerpt } from './encoding/excerpt.ts'

/** Returns the kind of a value for an error message, for example `a list`. The value itself may be a secret. */
export function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  return 'then' in value ? 'a promise' : 'an object'
}

/** Returns a value for an error message. Objects may contain secrets, so only their kind is shown. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(excerpt(value))
  const isPlain = ['number', 'bigint', 'boolean'].includes(typeof value)
  return isPlain ? String(value) : kindOfValue(value)
}
