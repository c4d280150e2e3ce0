/** Returns whether the value is a plain object. Lists, keys, URLs and dates are not merged, but replaced. */
function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Endpoints that accept a string or an object with a `url`. */
const ENDPOINTS: ReadonlySet<PropertyKey> = new Set(['authorization', 'token', 'userinfo'])

/**
 * Merges the options of the application over those of the provider: member by member, lists as a whole,
 * `undefined` ignored. An endpoint that is a string keeps its address if only parameters are added.
 */
export function mergeOptions<T extends object>(base: T, over: object | undefined): T {
  if (!over) return base
  const merged: Record<PropertyKey, unknown> = { ...(base as Record<PropertyKey, unknown>) }
  for (const key of Reflect.ownKeys(over)) {
    if (key === '__proto__') continue
    const value = (over as Record<PropertyKey, unknown>)[key]
    if (value === undefined) continue
    const before = merged[key]
    if (!isPlain(value)) merged[key] = value
    else if (isPlain(before)) merged[key] = mergeOptions(before, value)
    else if (typeof before === 'string' && ENDPOINTS.has(key))
      merged[key] = { url: before, ...value }
    else merged[key] = { ...value }
  }
  return merged as T
}
