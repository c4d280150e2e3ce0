/** Requirements of a secret, in characters. */
export interface SecretRules {
  readonly shortest: number
  /** Minimum number of different characters. */
  readonly different: number
}

// Words of example secrets in documentation and templates, in any order and spelling, for example
// `your-secret-key-here` or `changeMe123`. A string, because bundlers can remove an unused string.
const EXAMPLE_WORDS =
  ' a abcdef abcdefgh an and any app at auth authentication authjs base be better build by bytes change ' +
  'changeit char character chars characters com default demo dev development do dont env example ' +
  'fallback for from generate generated go goes hash here hex in insert is it its jwt key latchkey ' +
  'least length local localhost long longer me min minimum must my new next nextauth not of only ' +
  'openssl or password phrase placeholder please prod production put qwerty rand random randomly ' +
  'real replace run safe salt sample secret secrets secure session sessions set site some something ' +
  'string strong super test testing tests text that the these this to todo token top use value very ' +
  'with you your '

/** Letters of the longest word. */
const LONGEST_WORD = 14

/** Maximum length of a checked secret: longer than any example. */
const LONGEST_EXAMPLE = 200

/**
 * Returns the weakness of a secret, as the end of a sentence that begins with its name.
 *
 * @returns `undefined` if the secret is strong enough. The text never contains the secret.
 */
export function secretWeakness(
  secret: string,
  { shortest, different }: SecretRules,
): string | undefined {
  const plain = secret.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  if (isRepetition(plain)) return 'repeats a few characters'
  if (isExample(plain)) return 'is a known example'
  if (secret.length < shortest) {
    return `is too short: it has ${secret.length} characters, and needs at least ${shortest}`
  }
  return new Set(secret).size < different ? 'repeats a few characters' : undefined
}

/** Returns true for `aaaa`, `abababab` and `onetwoonetwo`. */
function isRepetition(text: string): boolean {
  return text.length > 1 && (text + text).indexOf(text, 1) < text.length
}

/** Returns true for a text that consists of the words above and of digits. */
function isExample(text: string): boolean {
  if (text.length > LONGEST_EXAMPLE || !/[a-z]/.test(text)) return false
  // The positions at which a word ends, and the next one may begin.
  const ends = new Set([0])
  for (let end = 1; end <= text.length; end++) {
    const isDigit = /\d/.test(text.charAt(end - 1))
    for (let length = 1; length <= Math.min(LONGEST_WORD, end); length++) {
      if (!ends.has(end - length)) continue
      const isWord = EXAMPLE_WORDS.includes(` ${text.slice(end - length, end)} `)
      if (isWord || (length === 1 && isDigit)) ends.add(end)
    }
  }
  return ends.has(text.length)
}
