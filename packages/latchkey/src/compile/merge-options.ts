/** A plain object: a list, a key, a URL or a date is taken over as it is. */
function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Endpoints that may be given as text as well as by an object with a `url`. */
const ENDPOINTS: ReadonlySet<PropertyKey> = new Set(['authorization', 'token', 'userinfo'])

/**
 * What an application says, over what a provider says: member by member, lists as a whole,
 * `undefined` ignored. An endpoint that is text keeps its address when only parameters are added.
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
