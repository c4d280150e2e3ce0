import { isJsonObject } from '../base/encoding/json.ts'

/** The fields of a request's body. */
export type Form = Readonly<Record<string, unknown>>

/** Maximum size of a body, in bytes. */
export const BODY_LIMIT: number = 1024 * 1024

/** No fields. */
export const NOTHING: Form = Object.freeze(Object.create(null) as Record<string, unknown>)

/** Thrown for a body that is too long, or is not valid JSON. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
}

/**
 * Returns the fields of a body, JSON or form-encoded. Of a repeated field, the last one counts. Other content types
 * have no fields.
 *
 * @throws {UnreadableBody} if the body is longer than {@link BODY_LIMIT} or malformed.
 */
export async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  const isJson = type.includes('application/json')
  if (!isJson && !type.includes('application/x-www-form-urlencoded')) return NOTHING
  const text = await readText(request)
  return isJson ? fieldsOfJson(text) : fieldsOf(new URLSearchParams(text))
}

/**
 * Returns the body as text.
 *
 * @throws {UnreadableBody} if it is longer than `limit` bytes.
 */
export async function readText(request: Request, limit: number = BODY_LIMIT): Promise<string> {
  if (Number(request.headers.get('content-length')) > limit) {
    throw new UnreadableBody(`the request body is longer than ${limit} bytes`)
  }
  if (!request.body) return ''
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  let decoder: TextDecoder | undefined
  let text = ''
  let last: Uint8Array = new Uint8Array()
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + (decoder ?? wholeDecoder).decode(last)
    length += value.byteLength
    if (length > limit) {
      await reader.cancel()
      throw new UnreadableBody(`the request body is longer than ${limit} bytes`)
    }
    if (last.length > 0) text += (decoder ??= new TextDecoder()).decode(last, { stream: true })
    last = value
  }
}

/** A shared decoder for bodies that arrive in one chunk, which are most. */
const wholeDecoder = new TextDecoder()

function fieldsOfJson(text: string): Form {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? fieldsOf(Object.entries(value)) : NOTHING
  } catch {
    // Without the cause: the error of the engine quotes the body, which may contain a password.
    throw new UnreadableBody('the request body is not valid JSON')
  }
}

/** Returns an object without a prototype, so that `__proto__` can be a field. */
function fieldsOf(entries: Iterable<readonly [string, unknown]>): Form {
  const form = Object.create(null) as Record<string, unknown>
  for (const [name, value] of entries) {
    if (name in form) repeatedFields.set(form, (repeatedFields.get(form) ?? new Set()).add(name))
    form[name] = value
  }
  return Object.freeze(form)
}

const repeatedFields = new WeakMap<Form, Set<string>>()

/** Returns whether a field was sent more than once, which some standards forbid. */
export function isRepeated(form: Form, name: string): boolean {
  return repeatedFields.get(form)?.has(name) ?? false
}

/** Returns the string of a field; `undefined` if it is missing, empty or not a string. */
export function formText(form: Form, name: string): string | undefined {
  const value = form[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
