/**
 * Lays out what is published of a package, in its folder `.package`: the files that its manifest lists, and a manifest
 * without what only this repository can use. The `source` condition has to go: applications that use
 * a condition of that name in a repository of their own would be sent to files that are not there.
 *
 * The library also has the docs, and `typesVersions`: compilers with `moduleResolution: "node"` do not read `exports`.
 *
 *     node tools/stage.ts
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that are published, by their folders below `packages`. */
export const published = ['latchkey', 'server', 'codemod'] as const

export type Published = (typeof published)[number]

export function folderOf(name: Published): string {
  return join(root, 'packages', name)
}

/** Writes the folder `staged` anew. */
export function stage(name: Published, staged: string): void {
  const folder = folderOf(name)
  const { files, ...manifest } = readManifest(folder)
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { recursive: true })
  for (const part of files) {
    // READMEs link to the docs at unpkg.com, in the version that is installed.
    const from = join(part === 'docs' ? root : folder, part)
    if (existsSync(from)) cpSync(from, join(staged, part), { recursive: true })
  }
  const { exports = {} } = manifest
  const types = typesOf(exports)
  writeManifest(staged, {
    ...manifest,
    files,
    ...(Object.keys(types).length > 0 && { typesVersions: { '*': types } }),
  })
}

interface Manifest {
  readonly files: readonly string[]
  readonly exports?: object
  readonly typesVersions?: object
}

function readManifest(folder: string): Manifest {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(text) as Manifest & { scripts: object; devDependencies: object }
  return JSON.parse(
    JSON.stringify(manifest, (name, value) => (name === 'source' ? undefined : (value as unknown))),
  ) as Manifest
}

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
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

if (import.meta.main) for (const name of published) stage(name, join(folderOf(name), '.package'))
