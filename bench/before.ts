/**
 * The library as it was at an earlier commit, built in a work tree of its own:
 *
 *     const { createLatchkey } = await libraryAt('5385a14')
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { createLatchkey } from 'latchkey'

const root = fileURLToPath(new URL('..', import.meta.url))

/** An earlier build, and what removes it. */
export interface Earlier {
  readonly createLatchkey: typeof createLatchkey
  close(): void
}

/** The folder of an earlier build, and what removes it. */
export interface EarlierTree {
  readonly folder: string
  close(): void
}

/** @returns the commit of the last release; `undefined` in a clone without its history. */
export function lastRelease(): string | undefined {
  const { status, stdout } = git('log', '-1', '--format=%h', '--grep=^release: ')
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}

export async function libraryAt(commit: string): Promise<Earlier> {
  const { folder, close } = treeAt(commit)
  try {
    // It has stood in two places.
    const [built = ''] = globSync('packages/latchkey/dist/{entries/,}index.js', { cwd: folder })
    const entry = pathToFileURL(join(folder, built)).href
    const { createLatchkey: create } = (await import(entry)) as Earlier
    return { createLatchkey: create, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Builds the packages of an earlier commit. */
export function treeAt(commit: string): EarlierTree {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-before-'))
  const close = (): void => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    must(git('worktree', 'add', '--detach', '--force', folder, commit))
    // Its dependencies are those of today, its own packages are not used.
    for (const modules of globSync('{,packages/*/}node_modules', { cwd: root }))
      symlinkSync(join(root, modules), join(folder, modules))
    must(spawnSync(process.execPath, ['tools/build.ts'], { cwd: folder, encoding: 'utf8' }))
    return { folder, close }
  } catch (error) {
    close()
    throw error
  }
}

function git(...args: string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' })
}

function must({ status, stdout, stderr }: ReturnType<typeof git>): void {
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}
