/** Precedes a character that cannot be stored, and itself. */
const ESCAPE = '\uE000'

/**
 * A codec of texts for stores without NUL: PostgreSQL refuses it, and a driver of SQLite ends a text there. It becomes two
 * characters. Other values stay as they are.
 */
export const nulFree = {
  encode: (value: unknown): unknown =>
    typeof value === 'string' && /[\0\uE000]/.test(value)
      ? value.replaceAll(/[\0\uE000]/g, (found) => ESCAPE + (found === '\0' ? '0' : '1'))
      : value,
  decode: (stored: unknown): unknown =>
    typeof stored === 'string' && stored.includes(ESCAPE)
      ? stored.replaceAll(/\uE000[01]/g, (found) => (found.endsWith('0') ? '\0' : ESCAPE))
      : stored,
}
