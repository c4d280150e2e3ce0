import type { Ports } from '../../base/ports.ts'
import type { EmailFlow } from './email-flow.ts'

/** Digits of a code. Six have 19.9 bits, so guesses must be limited. */
export type CodeLength = 6 | 7 | 8

/** Returns random decimal digits. */
export function drawCode(random: Ports['random'], digits: CodeLength = 6): string {
  const codes = 10 ** digits
  // Random values from here on are discarded, so that all codes are equally likely.
  const ceiling = Math.floor(2 ** 32 / codes) * codes
  for (;;) {
    const bytes = random(4)
    const drawn = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (drawn < ceiling) return String(drawn % codes).padStart(digits, '0')
  }
}

/**
 * Returns the code that a user typed or pasted, without separators and in ASCII, whatever the script of its digits is;
 * `undefined` if it is not a code.
 */
export function readCode(typed: string, digits: CodeLength = 6): string | undefined {
  // Checked before the normalization, whose time grows with the square of the number of combining marks.
  if (typed.length > TYPED_LIMIT) return undefined
  const code = typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[^0-9]/gu, (char) => digitOf(char) ?? char)
  return code.length === digits && /^[0-9]+$/.test(code) ? code : undefined
}

/** Longest input, characters: a code with separators. */
const TYPED_LIMIT = 32

/** Returns a decimal digit of any script in ASCII. The ten digits of a script follow each other. */
function digitOf(char: string): string | undefined {
  const isDigit = /\p{Nd}/u
  if (!isDigit.test(char)) return undefined
  const point = char.codePointAt(0) ?? 0
  let zero = point
  while (isDigit.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

/**
 * Returns the hash of a code for each secret in the list. The first one is current.
 *
 * @param value the stored hash of the mail, which binds the code to this mail.
 */
export function hashesOfCode(
  { hashes }: Pick<EmailFlow, 'hashes'>,
  code: string,
  value: string,
): Promise<[string, ...string[]]> {
  return hashes(`${code}.${value}`)
}
