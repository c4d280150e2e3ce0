/** What a secret has to have, in characters. */
export interface SecretRules {
  readonly shortest: number
  /** How many of them have to differ. */
  readonly different: number
}

// Words that examples are made of: those of documentation, of templates and of their instructions, in
// whatever order and spelling, `your-secret-key-here` or `changeMe123`.
// A text, which a bundler leaves out where nobody asks for it.
const EXAMPLE_WORDS =
  ' a abcdef abcdefgh an and any app at auth authentication authjs base be better build by bytes change ' +
  'changeit char character chars characters com default demo dev development do dont env example ' +
  'fallback for from generate generated go goes hash here hex in insert is it its jwt key latchkey ' +
  'least length local localhost long longer me min minimum must my new next nextauth not of only ' +
  'openssl or password phrase placeholder please prod production put qwerty rand random randomly ' +
  'real replace run safe salt sample secret secrets secure session sessions set site some something ' +
  'string strong super test testing tests text that the these this to todo token top use value very ' +
  'with you your '

/** Letters of the longest of them. */
const LONGEST_WORD = 14

/** Longest text that is looked at: longer than any example. */
const LONGEST_EXAMPLE = 200

/**
 * What is wrong with a secret, as the end of a sentence that begins with its name.
 *
 * @returns `undefined` when it may be used. The answer never contains the secret.
 */
export function secretWeakness(
  secret: string,
  { shortest, different }: SecretRules,
): string | undefined {
  const plain = secret.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  if (isRepetition(plain)) return 'repeats a few characters'
  if (isExample(plain)) return 'is a known example'
  if (secret.length < shortest) {
    return `is too short: ${secret.length} characters, and ${shortest} are needed`
  }
  return new Set(secret).size < different ? 'repeats a few characters' : undefined
}

/** True for `aaaa`, `abababab` and `onetwoonetwo`. */
function isRepetition(text: string): boolean {
  return text.length > 1 && (text + text).indexOf(text, 1) < text.length
}

/** True for a text that consists of the words above, and of numbers. */
function isExample(text: string): boolean {
  if (text.length > LONGEST_EXAMPLE || !/[a-z]/.test(text)) return false
  // The places where a word may end, so that the next one begins there.
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
