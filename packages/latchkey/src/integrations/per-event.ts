import { keepFromCaches } from './caching.ts'

// What the integrations have for one event of a framework: values that are stored with it, the fields of its form, and the
// cookies of its response.

/** A value for each event, stored with the object that the framework has for it. */
export interface PerEvent<Value> {
  get(event: object): Value | undefined
  set(event: object, value: Value): void
  /** Returns the value. The first call creates it. */
  once(event: object, create: () => Value): Value
}

/** Returns a place for a value of each event. Every place is separate. */
export function perEvent<Value>(name: string): PerEvent<Value> {
  const key = Symbol(`latchkey.${name}`)
  const get = (event: object): Value | undefined => (event as { [key]?: Value })[key]
  const set = (event: object, value: Value): void => {
    // Not enumerable, so that copies of the object do not have it.
    Object.defineProperty(event, key, { value, configurable: true })
  }
  return {
    get,
    set,
    once(event, create) {
      const known = get(event)
      if (known !== undefined) return known
      const value = create()
      set(event, value)
      return value
    },
  }
}

/** Returns the fields of a form; a repeated field is a list. */
export function fieldsOf(form: FormData): Record<string, unknown> {
  const names = [...new Set(form.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const all = form.getAll(name)
      return [name, all.length > 1 ? all : all[0]]
    }),
  )
}

/**
 * Merges the `Set-Cookie` headers of two responses to one request. If both set a cookie, also in several pieces, the
 * later one wins. So a session that a middleware extended stays signed out after a sign-out.
 */
export function inOrder(earlier: readonly string[], later: readonly string[]): string[] {
  return [...left(earlier, later), ...later]
}

/** Returns the earlier lines whose cookie no later line sets. */
export function left(earlier: readonly string[], later: readonly string[]): string[] {
  const names = new Set(later.map(nameOf))
  return earlier.filter((line) => !names.has(nameOf(line)))
}

/** Returns the name of a cookie, without the number of a piece. */
function nameOf(line: string): string {
  const end = line.indexOf('=')
  return line
    .slice(0, end < 0 ? line.length : end)
    .trim()
    .replace(/\.\d+$/, '')
}

/** Replaces the cookies of a response. */
export function replaceCookies(headers: Headers, lines: readonly string[]): void {
  headers.delete('set-cookie')
  for (const line of lines) headers.append('set-cookie', line)
}

/**
 * Returns a copy of a response with cookies, except those that it sets itself, and without caching. A copy, because the
 * headers of `Response.redirect` cannot be changed.
 */
export function withCookies(response: Response, { headers }: { headers: Headers }): Response {
  const cookies = headers.getSetCookie()
  if (cookies.length === 0) return response
  const answer = new Response(response.body, response)
  const own = answer.headers.getSetCookie()
  replaceCookies(answer.headers, inOrder(cookies, own))
  keepFromCaches(answer.headers)
  return answer
}
