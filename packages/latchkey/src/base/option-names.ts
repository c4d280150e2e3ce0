import { likelyMeant, nearest } from './encoding/nearest.ts'

/**
 * Returns a fault for each name that is probably a known one, misspelled. Other unknown names have none, since several functions
 * may share one object.
 *
 * @param prefix what is written before each name, for example `session.`.
 */
export function misspelledIn(
  given: object,
  known: readonly string[],
  prefix = '',
): readonly string[] {
  return Object.keys(given).flatMap((name) => {
    const meant = known.includes(name) ? undefined : likelyMeant(name, known)
    return meant === undefined ? [] : [faultOf(prefix, name, meant)]
  })
}

/** Returns the fault of the first name that is not known. It names all that are. */
export function unknownIn(
  given: object,
  known: readonly string[],
  prefix: string,
): string | undefined {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  return unknown === undefined
    ? undefined
    : `${faultOf(prefix, unknown, nearest(unknown, known))} The options are: ${known.join(', ')}`
}

function faultOf(prefix: string, name: string, meant: string | undefined): string {
  const hint = meant === undefined ? '.' : `; did you mean \`${prefix}${meant}\`?`
  return `there is no option \`${prefix}${name}\`${hint}`
}
