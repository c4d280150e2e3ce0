const HIDDEN = '[redacted]'
const LONGEST_TEXT = 2000
const DEEPEST = 6

/** Names of members whose value is never logged, whatever it is. */
const hiddenMember =
  /(?:secret|password|passwd|token|cookie|authorization|credential|verifier|challenge|nonce|^state$|^code$|^query$|^search$|^body$|^form$|api_?key|private_?key|assertion|^identifier$|jwk)/i

// Every expression below takes time that is linear in the text, whatever the text is: each begins where the
// character in front says that a run begins, or ends without a condition. redact.test.ts measures it.

/** `user:password@` before a host. */
const userInfo = /:\/\/[^\s/@]+@/g
/** What may be an address. Quotes do not end it: a path or a query may hold any of them. */
const run = /\S+/g
/** The beginning of an absolute path, or of what follows a scheme. */
const pathStart = /(?<![\w.])\//
/** What the sentence around an address puts behind it. */
const closing = /(?<!["'<>()[\]{}.,;:!])["'<>()[\]{}.,;:!]+$/
/** `name=value` of a cookie, a form, a header or JSON. A value may hold quotes, and text in quotes. */
const assignment =
  /(?<![\w.-])((?=[\w.-]*(?:secret|password|token|cookie|code|state|nonce|verifier|csrf))[\w.-]+["']?\s*[=:]\s*)(?:"[^"]*"?|'[^']*'?|[^\s"'&;,])+/gi
const bearer = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
/** A run that looks random: a token, a hash, a sealed value. Words and UUIDs have no such run. */
const random = /[\w-]{20,}(?:\.[\w-]*)*/g
/** Longest text without a space, in characters: nobody's path or query fills the log. */
const LONGEST_RUN = 200
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Makes the function that takes secrets out of text.
 *
 * @param known values that are secret in this process; more may be added later.
 */
export function redactor(known: ReadonlySet<string>): (text: string) => string {
  return (text) => {
    let clean = text
    for (const value of known) if (value.length >= 4) clean = clean.replaceAll(value, HIDDEN)
    if (clean.length > LONGEST_TEXT) clean = `${clean.slice(0, LONGEST_TEXT)}…`
    return withoutSecrets(clean)
  }
}

/** A short text in which nothing below finds anything: no run is long enough to look random. */
const plain = /^[\w./-]{1,19}$/

/** Returns the text without what looks like a secret, and without control characters. */
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
      // Once more: what was escaped is longer.
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

/** Everything that could end a line, colour a terminal or turn text around. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * A copy of a value that may be logged: secret members hidden, text cleaned, errors with their causes
 * as plain objects, and neither circles nor depths.
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

/** Where an error was thrown, without the message that V8 puts in front. */
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

/** The secret values somewhere in a configuration, such as the client secrets of its providers. */
export function secretsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'string' && /secret|password|^pass$|api_?key/i.test(name)
      ? [member]
      : secretsIn(member, depth + 1),
  )
}
