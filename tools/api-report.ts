/**
 * The public surface of the library, as its declarations say it: which name each subpath exports,
 * and every declaration that an application can get to see through one of them.
 *
 *     node tools/api-report.ts            compares it with api/latchkey.api.txt
 *     node tools/api-report.ts --write    writes that file, which is committed and reviewed
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Declaration, DeclarationTree } from './declarations.ts'

const library = fileURLToPath(new URL('../packages/latchkey/', import.meta.url))
const committed = fileURLToPath(new URL('../api/latchkey.api.txt', import.meta.url))

const report = publicSurface()
if (process.argv.includes('--write')) writeFileSync(committed, report)
else compare(readFileSync(committed, 'utf8'), report)

function publicSurface(): string {
  const tree = new DeclarationTree()
  const reached = new Map<string, Declaration>()
  const reach = (each: Declaration): void => {
    if (reached.has(idOf(each))) return
    reached.set(idOf(each), each)
    for (const next of tree.namedBy(each)) reach(next)
  }
  const lines: string[] = []
  for (const [subpath, file] of subpaths()) {
    lines.push(subpath)
    for (const [name, meaning] of tree.exportsOf(file)) {
      lines.push(`  ${name}: ${typeof meaning === 'string' ? meaning : idOf(meaning)}`)
      if (typeof meaning !== 'string') reach(meaning)
    }
    lines.push('')
  }
  for (const [id, { text }] of [...reached].sort(([a], [b]) => (a < b ? -1 : 1)))
    lines.push(`── ${id}`, text, '')
  return `${lines.join('\n').trimEnd()}\n`
}

function idOf({ file, name }: Declaration): string {
  const path = relative(join(library, 'dist'), file).split(sep).join('/')
  return `${path.replace(/\.d\.ts$/, '')}#${name}`
}

/** Every subpath with its declarations; a pattern stands for the files that it matches. */
function subpaths(): [subpath: string, file: string][] {
  const manifest = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string } | string>
  }
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const name = join('latchkey', subpath)
    if (!subpath.includes('*')) return [[name, join(library, target.types)] as [string, string]]
    const [folder = '', ending = ''] = target.types.split('*')
    return readdirSync(join(library, folder))
      .filter((file) => file.endsWith(ending))
      .map((file): [string, string] => [
        name.replace('*', file.slice(0, -ending.length)),
        join(library, folder, file),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  })
}

function compare(before: string, after: string): void {
  if (before === after) return
  const [old, now] = [new Set(before.split('\n')), new Set(after.split('\n'))]
  for (const line of old) if (!now.has(line)) console.error(`- ${line}`)
  for (const line of now) if (!old.has(line)) console.error(`+ ${line}`)
  console.error('The public surface differs from api/latchkey.api.txt. If it should: npm run api')
  process.exitCode = 1
}
