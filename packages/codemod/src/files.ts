import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Change } from './codemod.ts'

/** Never of the application itself. */
const LEFT_OUT = /^(?:node_modules|dist|build|coverage|\..+)$/

const WANTED =
  /(?:\.(?:[cm]?[jt]sx?|svelte|vue|astro)|(?:^|\/)(?:package|[jt]sconfig(?:\.\w+)?)\.json|(?:^|\/)\.env[^/]*)$/

/** A minified bundle is nobody's source. */
const MOST_CHARACTERS = 1_000_000

/** Returns the texts of a folder that may name Auth.js, by their paths from it, with slashes. */
export function readFiles(folder: string): Map<string, string> {
  const listed = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const paths = listed === undefined ? walk(folder, '') : listed.split('\0')
  const files = new Map<string, string>()
  for (const path of new Set([...paths, ...variableFiles(folder)])) {
    if (!WANTED.test(path) || path.split('/').includes('node_modules')) continue
    const text = read(join(folder, path))
    if (text !== undefined && text.length <= MOST_CHARACTERS) files.set(path, text)
  }
  return files
}

/** Returns what git knows of no commit, a line each; `undefined` where there is no git. */
export function uncommitted(folder: string): string[] | undefined {
  const said = git(folder, 'status', '--porcelain', '--', '.')
  return said?.split('\n').filter((line) => line !== '')
}

/** Writes what has changed. */
export function writeChanges(folder: string, changes: readonly Change[]): void {
  for (const { path, after } of changes) {
    const file = join(folder, path)
    if (after === undefined) {
      rmSync(file)
      continue
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, after)
  }
}

/** They are looked at, and never tracked. */
function variableFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.env'))
}

function walk(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(below, entry.name)
    if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : walk(folder, path)
    return entry.isFile() ? path : []
  })
}

/** A file that git lists may be gone. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function git(folder: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return status === 0 ? stdout : undefined
}
