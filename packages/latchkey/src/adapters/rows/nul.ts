/** Stands before a character that cannot be kept, or before itself; as in our own SQL tables. */
const ESCAPE = '\uE000'

/**
 * PostgreSQL has no NUL in its texts and fails when it is asked for one; a driver of SQLite ends a text
 * there. It becomes two characters.
 *
 * @param value anything else than a text stays as it is.
 */
export function withoutNul(value: unknown): unknown {
  return /[\0\uE000]/.test(String(value))
    ? String(value).replaceAll(/[\0\uE000]/g, (found) => ESCAPE + (found === '\0' ? '0' : '1'))
    : value
}

export function withNul(stored: unknown): unknown {
  return String(stored).includes(ESCAPE)
    ? String(stored).replaceAll(/\uE000[01]/g, (found) => (found.endsWith('0') ? '\0' : ESCAPE))
    : stored
}
