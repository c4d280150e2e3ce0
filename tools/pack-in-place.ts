/**
 * Makes `npm pack` and `npm publish` of a folder below `packages` pack what `tools/stage.ts` lays out. `prepack` builds
 * the package and replaces its manifest; `postpack` puts the manifest back.
 *
 *     "prepack": "node ../../tools/pack-in-place.ts"
 *     "postpack": "node ../../tools/pack-in-place.ts --undo"
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { folderOf, published, stage } from './stage.ts'

const { values } = parseArgs({ options: { undo: { type: 'boolean', default: false } } })
const name = published.find((each) => each === basename(process.cwd()))
if (!name) throw new Error(`${process.cwd()} is not the folder of a package that is published`)

const folder = folderOf(name)
const manifest = join(folder, 'package.json')
/** The manifest of this repository, as long as the published one is in its place. */
const kept = join(folder, '.package.json')

// After a run that was interrupted, it is still there.
if (existsSync(kept)) undo()
if (!values.undo) {
  const build = fileURLToPath(new URL('build.ts', import.meta.url))
  // What npm reads from the standard output, for example with --json, is npm's own.
  execFileSync(process.execPath, [build, name], { stdio: ['ignore', 2, 2] })
  const staged = join(folder, '.package')
  stage(name, staged)
  copyFileSync(manifest, kept)
  copyFileSync(join(staged, 'package.json'), manifest)
  if (existsSync(join(staged, 'docs')))
    cpSync(join(staged, 'docs'), join(folder, 'docs'), { recursive: true })
}

function undo(): void {
  renameSync(kept, manifest)
  rmSync(join(folder, 'docs'), { recursive: true, force: true })
}
