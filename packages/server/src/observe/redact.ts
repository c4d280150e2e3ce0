const HIDDEN = '[redacted]'
const LONGEST_TEXT = 2000
const DEEPEST = 6

/** Names of members whose value is never logged, whatever it is. */
const hiddenMember =
  /(?:secret|password|passwd|token|cookie|authorization|credential|verifier|challenge|nonce|^state$|^code$|^query$|^search$|^body$|^form$|api_?key|private_?key|assertion|^identifier$|jwk)/i

/** `user:password@` before a host. */
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi
/** The query or fragment of a URL or of an absolute path. */
const query = /((?:\b[a-z][a-z0-9+.-]*:\/\/|(?<![\w.])\/)[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi
/** `name=value` of a cookie, a form or a header. */
const assignment =
  /\b([\w.-]*(?:secret|password|token|cookie|code|state|nonce|verifier|csrf)[\w.-]*\s*[=:]\s*)(["']?)[^\s"'&;,]+/gi
const bearer = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
/** A run that looks random: a token, a hash, a sealed value. Words and UUIDs have no such run. */
const random = /[\w-]{20,}(?:\.[\w-]*)*/g
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
    return clean
      .replace(userInfo, `$1${HIDDEN}@`)
      .replace(query, `$1?${HIDDEN}`)
      .replace(bearer, `$1 ${HIDDEN}`)
      .replace(assignment, `$1${HIDDEN}`)
      .replace(random, (run) => (/\d/.test(run) && !uuid.test(run) ? HIDDEN : run))
      .replace(controls, escapeControl)
  }
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
