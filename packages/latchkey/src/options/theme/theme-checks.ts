import type { ThemeTokens } from '../pages.ts'

/** Maximum number of bytes of `theme.css`. */
const CSS_LIMIT = 20 * 1024

/** Maximum number of characters of a logo in a `data:` URL. */
const DATA_LIMIT = 16 * 1024

/** Names that need no quotes in CSS, and cannot end a rule. */
const FAMILY = /^[\w-][\w -]{0,59}$/

/** Returns the names of font families, valid or not. */
export function familyNames(font: ThemeTokens['font']): readonly string[] {
  return typeof font === 'string' ? font.split(',').map((name) => name.trim()) : (font ?? [])
}

/** Returns whether a name can be a font family of the theme. */
export function isFamily(name: unknown): boolean {
  return typeof name === 'string' && FAMILY.test(name)
}

/** Returns whether a text is a length for `tokens.radius`. */
export function isLength(text: unknown): boolean {
  return typeof text === 'string' && /^(?:0|\d{0,3}(?:\.\d{1,4}|(?<=\d))(?:px|rem|em))$/.test(text)
}

/** Why a text cannot be the CSS of the application; `undefined` if it can. */
export function cssFault(css: string): string | undefined {
  if (new TextEncoder().encode(css).length > CSS_LIMIT) return 'is longer than 20 kB'
  if (css.includes('</')) return 'contains `</`, which could end the style sheet'
  if (/@import/i.test(css)) return 'contains `@import`; insert the rules themselves'
  const foreign = [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].some(
    ([, address = '']) =>
      !/^data:/i.test(address) && /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(address),
  )
  return foreign ? 'contains `url(` with the address of another site; use a path' : undefined
}

/** Returns whether an address can be a link of the footer: https, mailto or a path. */
export function isLink(address: unknown): boolean {
  if (typeof address !== 'string' || /[\s\p{Cc}]/u.test(address)) return false
  if (/^https:\/\/[^/]/i.test(address)) return URL.canParse(address)
  return /^mailto:[^@]+@[^@]+$/i.test(address) || /^\/(?![\\/])/.test(address)
}

/** Returns whether an address can be a logo: http, https, a path, or an image in a `data:` URL. */
export function isLogo(address: unknown): boolean {
  if (typeof address !== 'string' || address === '') return false
  if (/^data:/i.test(address)) return isImage(address) && address.length <= DATA_LIMIT
  return !URL.canParse(address) || /^https?:$/.test(new URL(address).protocol)
}

function isImage(address: string): boolean {
  return /^data:image\/[\w.+-]+[;,]/i.test(address)
}

/** Controls, and marks that change the direction of the text after them. */
const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** Returns whether a text has 1 to `most` characters, and no controls. */
export function isPlainText(text: unknown, most: number): boolean {
  return (
    typeof text === 'string' &&
    /\S/.test(text) &&
    Array.from(text).length <= most &&
    !CONTROL.test(text)
  )
}

/** Returns whether a text can be the name of the application. */
export function isName(name: unknown): boolean {
  return isPlainText(name, 60)
}
