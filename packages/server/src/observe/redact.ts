const HIDDEN = '[redacted]'
const LONGEST_TEXT = 2000
const DEEPEST = 6

/** Names of members whose value is never logged. */
const hiddenMember =
  /(?:secret|password|passwd|token|cookie|authorization|credential|verifier|challenge|nonce|^state$|^code$|^query$|^search$|^body$|^form$|api_?key|private_?key|assertion|^identifier$|jwk)/i

// The time of every expression below is linear in the length of any text: each one begins only where a lookbehind shows
// the start of a run, or has no condition at its end. redact.test.ts measures this.

/** `user:password@` before a host. */
const userInfo = /:\/\/[^\s/@]+@/g
/** Text that may be an address. Quotes do not end it, since a path or a query may contain them. */
const run = /\S+/g
/** The beginning of an absolute path, or of the part after a scheme. */
const pathStart = /(?<![\w.])\//
/** Punctuation of the sentence after an address. */
const closing = /(?<!["'<>()[\]{}.,;:!])["'<>()[\]{}.,;:!]+$/
/** `name=value` of a cookie, a form, a header or JSON. A value may contain quotes, and quoted text. */
const assignment =
  /(?<![\w.-])((?=[\w.-]*(?:secret|password|token|cookie|code|state|nonce|verifier|csrf))[\w.-]+["']?\s*[=:]\s*)(?:"[^"]*"?|'[^']*'?|[^\s"'&;,])+/gi
const bearer = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
/** Text that looks random: a token, a hash, a sealed value. Words and UUIDs do not match. */
const random = /[\w-]{20,}(?:\.[\w-]*)*/g
/** Maximum length of a text without spaces in characters, so that a long path or query does not fill the log. */
const LONGEST_RUN = 200
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Returns a function that removes secrets from text.
 *
 * @param known secret values of this process; more may be added later.
 */
export function redactor(known: ReadonlySet<string>): (text: string) => string {
  return (text) => {
    let clean = text
    for (const value of known) if (value.length >= 4) clean = clean.replaceAll(value, HIDDEN)
    if (clean.length > LONGEST_TEXT) clean = `${clean.slice(0, LONGEST_TEXT)}…`
    return withoutSecrets(clean)
  }
}

/** A short text in which the expressions below find nothing: no part is long enough to look random. */
const plain = /^[\w./-]{1,19}$/

/** Returns the text without parts that look like a secret, and without control characters. */
export function withoutSecrets(text: string): string {
  if (plain.test(text) || uuid.test(text)) return text
  return (
    text
      .replace(userInfo, `://${HIDDEN}@`)
      .replace(run, withoutQuery)
      .replace(run, shortened)
      .replace(bearer, `$1 ${HIDDEN}`)
      .replace(assignment, `$1${HIDDEN}`)
      .replace(random, (found) => (/\d/.test(found) && !uuid.test(found) ? HIDDEN : found))
      .replace(controls, escapeControl)
      // Again, since escaped text is longer.
      .replace(run, shortened)
  )
}

function shortened(found: string): string {
  return found.length > LONGEST_RUN ? `${found.slice(0, LONGEST_RUN - 1)}…` : found
}

function withoutQuery(text: string): string {
  const path = text.search(pathStart)
  const query = path < 0 ? -1 : text.slice(path).search(/[?#]/)
  if (query < 0) return text
  const [end = ''] = text.slice(path + query).match(closing) ?? []
  return `${text.slice(0, path + query)}?${HIDDEN}${end}`
}

/** Characters that could end a line, colour a terminal or change the direction of text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Returns a copy of a value for the log: without secret members, with clean text, with errors and their causes as plain
 * objects, without cycles, and of limited depth.
 */
export function redact(value: unknown, clean: (text: string) => string): unknown {
  return copy(value, clean, 0)
}

function copy(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return value === undefined ? undefined : clean(String(value))
  if (depth >= DEEPEST) return '…'
  if (value instanceof Error) return copyError(value, clean, depth)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return clean(value.href)
  if (Array.isArray(value))
    return value.slice(0, 20).map((member: unknown) => copy(member, clean, depth + 1))
  if (!isPlain(value)) return `[${clean(value.constructor?.name ?? 'object')}]`
  const members = Object.entries(value).slice(0, 50)
  return Object.fromEntries(
    members.map(([name, member]) => [
      clean(name),
      hiddenMember.test(name) && member !== undefined && member !== null
        ? HIDDEN
        : copy(member, clean, depth + 1),
    ]),
  )
}

function copyError(error: Error, clean: (text: string) => string, depth: number): unknown {
  const type = 'type' in error && typeof error.type === 'string' ? error.type : undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    name: clean(error.name),
    ...(type !== undefined && type !== error.name && { type: clean(type) }),
    ...(code !== undefined && { reason: clean(code) }),
    message: clean(error.message),
    ...('docs' in error && typeof error.docs === 'string' && { docs: clean(error.docs) }),
    stack: framesOf(error).map(clean),
    ...(error.cause !== undefined && { cause: copy(error.cause, clean, depth + 1) }),
  }
}

/** Returns the stack frames of an error, without the message in front of them. */
function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 12)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns all secret values in a configuration, such as the client secrets of its providers. */
export function secretsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && /secret|password|^pass$|api_?key/i.test(name)
      ? [member]
      : secretsIn(member, depth + 1),
  )
}
