/** Most code points of a text in a mail. */
const LONGEST = 100

/** Marks with which a text makes a mail program show a link, and what is shown instead. */
const links = (): readonly (readonly [RegExp, string])[] => [
  [/:\/\//g, ': //'],
  [/\b(www)\./gi, '$1. '],
  // Also the full stops that are dots in names of hosts (RFC 3490 section 3.1).
  [new RegExp('([\\p{L}\\p{N}-])[.\u3002\uff0e\uff61](?=[\\p{L}\\p{N}]{2})', 'gu'), '$1. '],
]

/**
 * Returns a text of strangers, such as the name of a thing, for a mail: short, on one line, without marks that change its
 * direction, and without anything of which a mail program makes a link.
 */
export function foreignText(text: string): string {
  // Not a literal, because the engine would load its Unicode tables with the file. Other marks of \p{Cf} join letters.
  const hidden = new RegExp(
    '[\\p{Cc}\\p{Cs}\\s\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+',
    'gu',
  )
  const line = text.replace(hidden, ' ').trim()
  const points = Array.from(line)
  const short = points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : line
  return links().reduce((shown, [mark, instead]) => shown.replace(mark, instead), short)
}
