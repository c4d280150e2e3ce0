/**
 * Keeps the table of threats in docs/explanation/security.md: writes into its last column which tests prove that a
 * threat is withstood, found by the ids anywhere in their names. All other text of the table is written there, also
 * what is **open** at the end of a row.
 *
 *     node tools/threats.ts          exit 1 when the table is not what the tests say
 *     node tools/threats.ts --write  writes it
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSource, visit } from './syntax.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/explanation/security.md')
const [BEGIN, END] = ['<!-- threats -->', '<!-- end of threats -->']

/** Test files by the ids in the names of their tests. */
function proofs(): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const files = globSync('packages/*/{src,tests}/**/*.ts', { cwd: root })
    .filter((file) => /\.test\.ts$|\/tests\//.test(file))
    .sort()
  for (const file of files) {
    for (const id of idsIn(readFileSync(join(root, file), 'utf8')))
      found.set(id, (found.get(id) ?? new Set()).add(file))
  }
  return new Map([...found].map(([id, names]) => [id, [...names]]))
}

const ID = /\bT-[A-Z]+-\d+\b/g

/**
 * Returns the ids in the texts of a test file, wherever they stand in them: names of tests are written out, or come from
 * a table. Comments prove nothing.
 */
export function idsIn(source: string): string[] {
  const found = new Set<string>()
  if (source.search(ID) < 0) return []
  const read = (text: unknown): void => {
    if (typeof text === 'string') for (const [id] of text.matchAll(ID)) found.add(id)
  }
  visit(parseSource('source.ts', source).program, ({ type, value }) => {
    if (type === 'Literal') read(value)
    if (type === 'TemplateElement') read((value as { cooked?: unknown }).cooked)
  })
  return [...found]
}

/** A row of the table: its id, what must hold, and what of it is open. */
const ROW = /^\| (?<id>T-[A-Z]+-\d+) \| (?<holds>.+?) \| (?:.*?\*\*open\*\*: (?<open>.+) |.* |)\|$/

/** Returns the rows of a table with the tests that prove them. @throws for an id that has no row */
export function withProofs(table: string, tests: ReadonlyMap<string, readonly string[]>): string {
  const unknown = new Map(tests)
  const rows = table.split('\n').map((row) => {
    const { id, holds, open } = ROW.exec(row)?.groups ?? {}
    if (id === undefined) return row
    unknown.delete(id)
    const links = (tests.get(id) ?? []).map(
      (file) => `[${label(file)}](${relative(join(page, '..'), join(root, file))})`,
    )
    const state = [
      ...links,
      ...(open || links.length === 0 ? [`**open**${open ? `: ${open}` : ''}`] : []),
    ]
    return `| ${id} | ${holds} | ${state.join(', ')} |`
  })
  if (unknown.size === 0) return rows.join('\n')
  const where = [...unknown].map(([id, files]) => `${id} (${files.join(', ')})`).join(', ')
  throw new Error(`tests name ids that have no row in the table: ${where}`)
}

function label(file: string): string {
  return basename(file).replace(/(\.test)?\.ts$/, '')
}

function main(): void {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`${page} has no place for the table`)
  const made =
    text.slice(0, before) + withProofs(text.slice(before, after), proofs()) + text.slice(after)
  if (process.argv.includes('--write')) writeFileSync(page, made)
  else if (made !== text) {
    console.log(
      'docs/explanation/security.md is not what the tests say: node tools/threats.ts --write',
    )
    process.exitCode = 1
  }
}

if (import.meta.main) main()
