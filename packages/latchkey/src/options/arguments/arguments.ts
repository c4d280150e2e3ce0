import { isJsonObject } from '../../base/encoding/json.ts'
import { likelyMeant, nearest } from '../../base/encoding/nearest.ts'
import { describeValue } from '../../base/kind-of-value.ts'
import { isHeaders, requestFault } from '../../http/request-fault.ts'

/** Returns what is wrong with a value, as a sentence that names it; `undefined` if it fits. */
export type Kind = (value: unknown, name: string) => string | undefined

/** The arguments of a function by name, in order. */
export type Arguments = Readonly<Record<string, Kind>>

/** The arguments of each function of an object. */
export type ArgumentsOf<Api> = { readonly [Name in keyof Api]: Arguments }

/** A kind for each member of a type, all of which the compiler requires. */
type Members<T> = { readonly [Name in keyof Required<T>]: Kind }

/**
 * Checks the arguments of a function, since code in JavaScript has no compiler.
 *
 * @param of the function, for example `latchkey.api.tokens.issue`.
 * @throws {TypeError} for the first argument that does not fit.
 */
export function checkArguments(of: string, kinds: Arguments, values: readonly unknown[]): void {
  for (const [at, [name, kind]] of Object.entries(kinds).entries()) {
    const fault = kind(values[at], name)
    if (fault !== undefined) throw new TypeError(`${fault} (${of})`)
  }
}

function must(what: string, fits: (value: unknown) => boolean): Kind {
  return (value, name) =>
    fits(value) ? undefined : `\`${name}\` must be ${what}, got ${describeValue(value)}`
}

export const aText: Kind = must('a string', (value) => typeof value === 'string')
export const anId: Kind = must(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
export const aUserId: Kind = must(
  'the id of a user',
  (value) =>
    typeof value === 'number' || typeof value === 'bigint' || anId(value, '') === undefined,
)
export const aNumber: Kind = must(
  'a number',
  (value) => typeof value === 'number' && !Number.isNaN(value),
)
export const aBoolean: Kind = must('true or false', (value) => typeof value === 'boolean')
export const aDate: Kind = must(
  'a Date',
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
)
export const anObject: Kind = must('an object', isJsonObject)
export const anAddress: Kind = must(
  'a URL',
  (value) => typeof value === 'string' || value instanceof URL,
)
export const aFunction: Kind = must('a function', (value) => typeof value === 'function')
export const someTexts: Kind = must(
  'a list of strings',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
)

export function oneOf(...choices: string[]): Kind {
  return must(`one of ${choices.join(', ')}`, (value) => choices.includes(value as string))
}

export const anything: Kind = () => undefined

/** The value may be missing. */
export function optional(kind: Kind): Kind {
  return (value, name) => (value === undefined ? undefined : kind(value, name))
}

export function orNull(kind: Kind): Kind {
  return (value, name) => (value === null ? undefined : kind(value, name))
}

/** An object that has these members, and no others. */
export function only<T>(members: Members<T>): Kind {
  return withNames(members, (name, known) => {
    const meant = nearest(name, known)
    return meant === undefined
      ? `expected one of: ${known.join(', ')}`
      : `did you mean \`${meant}\`?`
  })
}

/** An object that has these members. Others are ignored, unless their name is probably one of these, misspelled. */
export function among<T>(members: Members<T>): Kind {
  return withNames(members, (name, known) => {
    const meant = likelyMeant(name, known)
    return meant === undefined ? undefined : `did you mean \`${meant}\`?`
  })
}

/** A request of the web. */
export const aRequest: Kind = (value, name) => requestFault(value, `\`${name}\` must be a Request`)

/** A request of the web, or its headers. */
export const requestOrHeaders: Kind = (value, name) =>
  isHeaders(value) ? undefined : requestFault(value, `\`${name}\` must be a Request or Headers`)

/** A request of the web, or an object with the id of a user. */
export const aUser: Kind = (value, name) =>
  isJsonObject(value) && !('headers' in value)
    ? aUserOfId(value, name)
    : requestFault(value, `\`${name}\` must be a Request or { userId }`)

/** An object with the id of a user, for example a row. */
export const aUserOfId: Kind = withNames({ userId: aUserId }, ignored)

/** An object that names a session of a user, for example a row. */
export const aSession: Kind = withNames({ userId: aUserId, id: anId }, ignored)

function ignored(): undefined {
  return undefined
}

function withNames<T>(
  members: Members<T>,
  hintFor: (name: string, known: readonly string[]) => string | undefined,
): Kind {
  const known = Object.keys(members)
  return (value, name) => {
    if (!isJsonObject(value)) return anObject(value, name)
    for (const [other, given] of Object.entries(value)) {
      if (given === undefined || Object.hasOwn(members, other)) continue
      const hint = hintFor(other, known)
      if (hint !== undefined) return `\`${name}\` has the unknown member \`${other}\`; ${hint}`
    }
    const faults = Object.entries<Kind>(members).map(([member, kind]) =>
      kind(value[member], `${name}.${member}`),
    )
    return faults.find((fault) => fault !== undefined)
  }
}
