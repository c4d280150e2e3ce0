/**
 * Makes the table of letters that look alike from `confusables.txt` of the Unicode Consortium:
 *
 *     node tools/confusables.ts FILE
 *
 * The table has what a user name can have: letters, digits and marks of the scripts that names are made of, in lower case.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isOneScript } from '../packages/latchkey/src/plugins/usernames/scripts.ts'

const TABLE = '../packages/latchkey/src/plugins/usernames/confusables.generated.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file: node tools/confusables.ts confusables.txt')
const text = readFileSync(file, 'utf8')
const version = /^# Version: (\S+)/m.exec(text)?.[1]
const pairs = text.split('\n').flatMap((line) => {
  const [from, to] = line.replace(/#.*/, '').split(';').slice(0, 2).map(charactersOf)
  return from && to && isInNames(from) ? [`${from}${to}`] : []
})
const lines = pairs.sort().join(' ')
writeFileSync(
  fileURLToPath(new URL(TABLE, import.meta.url)),
  `// Made by tools/confusables.ts from confusables.txt of Unicode ${version}. © Unicode, Inc., Unicode License v3.
/** Each character that looks like others, and these, separated by spaces. */
export const confusables =
  ${JSON.stringify(lines).replaceAll(/[^ -~]/gu, (char) => char.split('').map(escaped).join(''))}
`,
)

function charactersOf(points: string): string {
  const numbers = points.trim().split(/\s+/).filter(Boolean)
  return String.fromCodePoint(...numbers.map((point) => Number.parseInt(point, 16)))
}

function isInNames(char: string): boolean {
  const folded = char.normalize('NFKC').toLowerCase().normalize('NFKC')
  return folded === char && /^[\p{L}\p{M}\p{N}]$/u.test(char) && isOneScript(char)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
