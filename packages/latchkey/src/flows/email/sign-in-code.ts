import type { Ports } from '../../base/ports.ts'
import type { EmailFlow } from './email-flow.ts'

const DIGITS = 6

/** The number of codes: 19.9 bits, so guesses must be limited. */
const CODES = 10 ** DIGITS

/** Random values from here on are discarded, so that all codes are equally likely. */
const CEILING: number = Math.floor(2 ** 32 / CODES) * CODES

/** Returns six random decimal digits. */
export function drawCode(random: Ports['random']): string {
  for (;;) {
    const bytes = random(4)
    const drawn = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (drawn < CEILING) return String(drawn % CODES).padStart(DIGITS, '0')
  }
}

/** Returns the code that a user typed or pasted, without separators; `undefined` if it is not a code. */
export function readCode(typed: string): string | undefined {
  // Checked before the normalization, whose time grows with the square of the number of combining marks.
  if (typed.length > TYPED_LIMIT) return undefined
  const code = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '')
  return CODE.test(code) ? code : undefined
}

/** Longest input, characters: a code with separators. */
const TYPED_LIMIT = 32

const CODE = /^[0-9]{6}$/

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
