/** The letters of typed codes: none looks like another, and without vowels no words appear. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Returns a random code, each letter equally likely: bytes from 240 on are drawn again. */
export function drawUserCode(random: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH))
      if (byte < 240 && code.length < LENGTH) code += LETTERS[byte % 20]
  }
  return code
}

/** Returns a code as it is shown: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** Reads a typed code in any case, with spaces and hyphens; `undefined` for other text. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return code.length === LENGTH && Array.from(code).every((letter) => LETTERS.includes(letter))
    ? code
    : undefined
}
