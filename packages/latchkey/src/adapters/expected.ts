import { kindOfValue } from '../base/kind-of-value.ts'
import { optionError } from '../base/option-error.ts'
import { misspelledIn } from '../base/option-names.ts'

/** A client of another package that is often passed by mistake, and the call that accepts it. */
export interface Mistaken {
  /** For example `a pool of pg`. */
  readonly what: string
  /** The members that identify it. */
  readonly has: readonly string[]
  /** A member that only the right client has. */
  readonly lacks?: string
  readonly write: string
}

/**
 * Checks that a client has the methods that an adapter calls, since the first call would fail with a message about
 * the adapter's own code.
 *
 * @param of the function that received the client.
 * @param expected for example `a pool of pg`.
 * @throws {TypeError} that names the value, and how to pass it.
 */
export function checkClient(
  of: string,
  client: unknown,
  expected: string,
  methods: readonly string[],
  mistaken: readonly Mistaken[] = [],
): void {
  const typeOf = (name: string): string => {
    try {
      return typeof (Object(client) as Record<string, unknown>)[name]
    } catch {
      // A client that is created on first use, for example while the application is built without the client's
      // variables.
      return 'unreadable'
    }
  }
  const has = (name: string): boolean => typeOf(name) === 'function'
  const missing = methods.filter((name) => !['function', 'unreadable'].includes(typeOf(name)))
  const known = mistaken.find(
    ({ has: members, lacks: other }) => members.every(has) && (other === undefined || !has(other)),
  )
  if (!known && Object(client) === client && missing.length === 0) return
  const isPromise = has('then')
  const got = isPromise ? 'a promise' : (known?.what ?? kindOfValue(client))
  const fix = isPromise ? '; await it' : known ? `; write ${known.write}` : ''
  const lacks = known || isPromise || client == null ? '' : ` without ${missing.join(', ')}`
  throw optionError(`${of}(): expected ${expected}, got ${got}${lacks}${fix}`, 'adapter')
}

/** @throws {TypeError} for an option whose name is probably misspelled. */
export function checkNames(of: string, options: object, known: readonly string[]): void {
  const [fault] = misspelledIn(options, known)
  if (fault !== undefined) throw optionError(`${of}(): ${fault}`, 'adapter')
}
