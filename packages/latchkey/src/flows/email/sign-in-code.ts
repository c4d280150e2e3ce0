import type { Ports } from '../../ports.ts'
import type { EmailFlow } from './email-flow.ts'

const DIGITS = 6

/** How many codes there are: 19.9 bits, so the number of guesses must be limited. */
const CODES = 10 ** DIGITS

/** Draws at or above are thrown away, so that every code is as likely as any other. */
const CEILING: number = Math.floor(2 ** 32 / CODES) * CODES

/** Draws six decimal digits. */
export function drawCode(random: Ports['random']): string {
  for (;;) {
    const bytes = random(4)
    const drawn = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (drawn < CEILING) return String(drawn % CODES).padStart(DIGITS, '0')
  }
}

/** The code that somebody typed or pasted, whatever stands between the digits; `undefined` when it is none. */
export function readCode(typed: string): string | undefined {
  // Before it is normalized, which takes time that grows with the square of a run of combining marks.
  if (typed.length > TYPED_LIMIT) return undefined
  const code = typed.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '')
  return CODE.test(code) ? code : undefined
}

/** Characters: a code, and what people put between its digits. */
const TYPED_LIMIT = 32

const CODE = /^[0-9]{6}$/

/**
 * What is kept instead of a code, for each secret that may have made it; the first is current.
 *
 * @param value the mail's stored hash: the code of one mail means nothing for another.
 */
export function hashesOfCode(
  { hashes }: Pick<EmailFlow, 'hashes'>,
  code: string,
  value: string,
): Promise<[string, ...string[]]> {
  return hashes(`${code}.${value}`)
}
