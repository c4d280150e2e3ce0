/**
 * The scripts that are in use for names (Unicode Standard Annex 31, table 5). Those that people write together are one:
 * Unicode Technical Standard 39, section 5.1.
 */
const SCRIPTS: readonly (readonly string[])[] = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
    'Hebrew',
    'Kannada',
    'Khmer',
    'Lao',
    'Latin',
    'Malayalam',
    'Myanmar',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thaana',
    'Thai',
    'Tibetan',
  ].map((script) => [script]),
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
]

const isAscii = /^[\0-\x7f]*$/

let patterns: readonly RegExp[] | undefined

/** Returns whether there is one script to which all characters belong. Digits and marks belong to each. */
export function isOneScript(name: string): boolean {
  if (isAscii.test(name)) return true
  patterns ??= SCRIPTS.map((scripts) => {
    const each = [...scripts, 'Common', 'Inherited'].map((name) => `\\p{Script_Extensions=${name}}`)
    return new RegExp(`^[${each.join('')}]*$`, 'u')
  })
  return patterns.some((pattern) => pattern.test(name))
}
