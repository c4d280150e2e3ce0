/** Letters of codes that people type: none is taken for another, and no word comes out. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Draws a code, each letter as likely as every other: bytes from 240 on are drawn again. */
export function drawUserCode(random: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH))
      if (byte < 240 && code.length < LENGTH) code += LETTERS[byte % 20]
  }
  return code
}

/** As it is shown: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** What somebody typed, whatever the case and with blanks and hyphens; `undefined` for what is no code. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  return code.length === LENGTH && Array.from(code).every((letter) => LETTERS.includes(letter))
    ? code
    : undefined
}
