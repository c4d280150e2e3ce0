/** Most code points of a text in a mail. */
const LONGEST = 100

/** Marks with which a text makes a mail program show a link, and what is shown instead. */
const links = (): readonly (readonly [RegExp, string])[] => [
  [/:\/\//g, ': //'],
  [/\b(www)\./gi, '$1. '],
  // Also the full stops that are dots in names of hosts (RFC 3490 section 3.1, UTS 46), after and before marks that join letters.
  [
    new RegExp(
      '(\\S)[.\u2024\u3002\ufe52\uff0e\uff61](?=[\\p{L}\\p{N}\\p{M}\u200c\u200d]{2})',
      'gu',
    ),
    '$1. ',
  ],
]

/**
 * Returns a text of strangers, such as the name of a thing, for a mail: short, on one line, without marks that change its
 * direction, and without anything of which a mail program makes a link.
 */
export function foreignText(text: string): string {
  // Not a literal, because the engine would load its Unicode tables with the file. Other marks of \p{Cf} join letters.
  const hidden = new RegExp(
    '[\\p{Cc}\\p{Cs}\\s\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}]+',
    'gu',
  )
  // One point more, which shows that the text was cut. Links need no more than what is shown.
  const line = beginningOf(text.replace(hidden, ' ').trim(), LONGEST + 1)
  const shown = links().reduce((before, [mark, instead]) => before.replace(mark, instead), line)
  const isCut = Array.from(shown).length > LONGEST
  return isCut ? `${beginningOf(shown, LONGEST - 1)}…` : shown
}

const beginningOf = (text: string, points: number): string =>
  Array.from(text).slice(0, points).join('')
