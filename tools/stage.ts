/**
 * Lays out what is published of the library, in `packages/latchkey/.package`: the build, the
 * docs, and a manifest without what only this repository can use. The `source` condition has to go: whoever uses
 * a condition of that name in a repository of their own would be sent to files that are not there.
 * `typesVersions` is added: compilers with `moduleResolution: "node"` do not read `exports`.
 *
 *     node tools/stage.ts && npm publish packages/latchkey/.package
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'packages/latchkey')

/** Writes the folder anew, in `staged`. */
export function stage(staged: string): void {
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  for (const part of ['dist', 'README.md', 'CHANGELOG.md', 'LICENSE', 'THIRD-PARTY.md'])
    if (existsSync(join(library, part)))
      cpSync(join(library, part), join(staged, part), { recursive: true })
  // READMEs link to them at unpkg.com, in the version that is installed.
  cpSync(join(root, 'docs'), join(staged, 'docs'), { recursive: true })
  const text = readFileSync(join(library, 'package.json'), 'utf8')
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(text) as Record<string, object>
  const published = JSON.parse(
    JSON.stringify(manifest, (name, value) => (name === 'source' ? undefined : (value as unknown))),
  ) as Record<string, object>
  Object.assign(published, { typesVersions: { '*': typesOf(published['exports'] ?? {}) } })
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

/** The declarations of each subpath, in the form of `typesVersions`. A pattern keeps its asterisk. */
function typesOf(exports: object): Record<string, readonly string[]> {
  const entries = Object.entries(exports as Record<string, { types: string } | string>)
  return Object.fromEntries(
    entries.flatMap(([subpath, target]) =>
      typeof target === 'string' || subpath === '.' ? [] : [[subpath.slice(2), [target.types]]],
    ),
  )
}

if (import.meta.main) stage(join(library, '.package'))
