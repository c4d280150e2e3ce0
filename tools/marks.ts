/**
 * The marks on the buttons of the sign-in page, out of the icons of Simple Icons (CC0). Each provider's
 * file imports its own, `./marks/<name>.ts`; this writes what they import:
 *
 *     node tools/marks.ts          exit 1 when a mark is missing, unused or not what the icon is
 *     node tools/marks.ts --write  writes them
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as icons from 'simple-icons'

const library = fileURLToPath(new URL('../packages/latchkey/src', import.meta.url))
const folder = join(library, 'providers/marks')

const bySlug = new Map(
  Object.values(icons).flatMap((icon) => ('slug' in icon ? [[icon.slug, icon] as const] : [])),
)

/** Names of the marks that providers import. */
function wanted(): Set<string> {
  const sources = globSync('providers/*.ts', { cwd: library })
  return new Set(
    sources.flatMap((file) =>
      [...readFileSync(join(library, file), 'utf8').matchAll(/'\.\/marks\/([\w-]+)\.ts'/g)].map(
        ([, name = '']) => name,
      ),
    ),
  )
}

function moduleOf(name: string): string {
  const icon = bySlug.get(name)
  if (!icon) throw new Error(`Simple Icons has no "${name}"`)
  if (icon.license && icon.license.type !== 'CC0-1.0')
    throw new Error(`the icon of ${icon.title} has a licence of its own, ${icon.license.type}`)
  const line = `export const mark: string = '${icon.path}'`
  return `// Made by tools/marks.ts out of Simple Icons, CC0. Do not change it here.

/** ${icon.title}. */
${line.length > 100 ? line.replace(' = ', ' =\n  ') : line}
`
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const names = wanted()
if (names.size === 0) throw new Error('no provider imports a mark: is it in another folder now?')
const stray = globSync('*.ts', { cwd: folder }).filter((file) => !names.has(basename(file, '.ts')))
const write = process.argv.includes('--write')
const wrong: string[] = []
if (write) {
  mkdirSync(folder, { recursive: true })
  for (const file of stray) rmSync(join(folder, file))
}
for (const name of names) {
  const file = join(folder, `${name}.ts`)
  const module = moduleOf(name)
  if (write) writeFileSync(file, module)
  else if (contentOf(file) !== module) wrong.push(name)
}
if (write) console.log(`${names.size} marks`)
else if (wrong.length > 0 || stray.length > 0) {
  console.log(`not what they should be: ${[...wrong, ...stray].join(', ')}`)
  console.log('run: node tools/marks.ts --write')
  process.exitCode = 1
}
