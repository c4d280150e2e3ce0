import { isJsonObject } from '../encoding/json.ts'

/** The fields of a request's body. */
export type Form = Readonly<Record<string, unknown>>

/** Longest body that is read, bytes. */
export const BODY_LIMIT: number = 1024 * 1024

/** No fields. */
export const NOTHING: Form = Object.freeze(Object.create(null) as Record<string, unknown>)

/** A body that cannot be read: too long, or not the JSON it claims to be. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
}

/**
 * The fields of a body, JSON or form-encoded; of a repeated field the last counts. Other types of
 * content have no fields.
 *
 * @throws {UnreadableBody} when it is longer than {@link BODY_LIMIT} or malformed.
 */
export async function readForm(request: Request): Promise<Form> {
  const type = request.headers.get('content-type') ?? ''
  const isJson = type.includes('application/json')
  if (!isJson && !type.includes('application/x-www-form-urlencoded')) return NOTHING
  const text = await readText(request)
  return isJson ? fieldsOfJson(text) : fieldsOf(new URLSearchParams(text))
}

/** @throws {UnreadableBody} when it is longer than `limit` bytes. */
export async function readText(request: Request, limit: number = BODY_LIMIT): Promise<string> {
  if (Number(request.headers.get('content-length')) > limit) {
    throw new UnreadableBody(`the body is longer than ${limit} bytes`)
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
      throw new UnreadableBody(`the body is longer than ${limit} bytes`)
    }
    if (last.length > 0) text += (decoder ??= new TextDecoder()).decode(last, { stream: true })
    last = value
  }
}

/** Most bodies come in one piece, and need no decoder of their own. */
const wholeDecoder = new TextDecoder()

function fieldsOfJson(text: string): Form {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? fieldsOf(Object.entries(value)) : NOTHING
  } catch {
    // The engine's own error quotes the body, which may be a password.
    throw new UnreadableBody('the body is not JSON')
  }
}

/** Without a prototype, so that a field named `__proto__` is a field. */
function fieldsOf(entries: Iterable<readonly [string, unknown]>): Form {
  const form = Object.create(null) as Record<string, unknown>
  for (const [name, value] of entries) {
    if (name in form) repeatedFields.set(form, (repeatedFields.get(form) ?? new Set()).add(name))
    form[name] = value
  }
  return Object.freeze(form)
}

const repeatedFields = new WeakMap<Form, Set<string>>()

/** Was a field sent more than once? Where a standard forbids that, the last is not simply taken. */
export function isRepeated(form: Form, name: string): boolean {
  return repeatedFields.get(form)?.has(name) ?? false
}

/** A field's text; `undefined` when it is missing, empty or no text. */
export function formText(form: Form, name: string): string | undefined {
  const value = form[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
