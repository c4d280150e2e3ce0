/**
 * Lays out what is published of the library, in `packages/latchkey/.package`: the build, and a
 * manifest without what only this repository can use. The `source` condition has to go: whoever uses
 * a condition of that name in a repository of their own would be sent to files that are not there.
 *
 *     node tools/stage.ts && npm publish packages/latchkey/.package
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = fileURLToPath(new URL('../packages/latchkey', import.meta.url))

/** Writes the folder anew, in `staged`. */
export function stage(staged: string): void {
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  for (const part of ['dist', 'README.md', 'LICENSE', 'THIRD-PARTY.md'])
    if (existsSync(join(library, part)))
      cpSync(join(library, part), join(staged, part), { recursive: true })
  const text = readFileSync(join(library, 'package.json'), 'utf8')
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(text) as Record<string, object>
  const published = JSON.stringify(manifest, (name, value) =>
    name === 'source' ? undefined : (value as unknown),
  )
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(JSON.parse(published), null, 2)}\n`)
}

if (import.meta.main) stage(join(library, '.package'))
