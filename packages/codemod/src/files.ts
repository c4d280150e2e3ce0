import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import type { Change } from './codemod.ts'
import type { Installed } from './users.ts'

/** Never of the application itself. */
const LEFT_OUT = /^(?:node_modules|dist|build|coverage|\..+)$/

const WANTED =
  /(?:\.(?:[cm]?[jt]sx?|svelte|vue|astro)|(?:^|\/)(?:package|[jt]sconfig(?:\.\w+)?)\.json|(?:^|\/)\.env[^/]*)$/

/** A minified bundle is nobody's source. */
const MOST_CHARACTERS = 1_000_000

/** What a folder has. Paths are from it, with slashes. */
export interface Folder {
  /** The texts that may name Auth.js. */
  readonly files: Map<string, string>
  /** Symbolic links that were not followed: what they lead to is of somebody else. */
  readonly links: readonly string[]
}

export function readFolder(folder: string): Folder {
  const listed = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  const paths = listed === undefined ? walk(folder, '') : listed.split('\0')
  const files = new Map<string, string>()
  const links = new Set<string>()
  for (const path of new Set([...paths, ...variableFiles(folder)])) {
    if (path.split('/').includes('node_modules')) continue
    const link = linkIn(folder, path)
    if (link !== undefined) links.add(link)
    if (link !== undefined || !WANTED.test(path)) continue
    const text = read(join(folder, path))
    if (text !== undefined && text.length <= MOST_CHARACTERS) files.set(path, text)
  }
  return { files, links: [...links].toSorted() }
}

/** Returns the names of the packages that an installed package needs: dependencies and peers. */
export function installedIn(root: string): Installed {
  return (folder, name) => {
    for (let at = resolve(root, folder); ; at = dirname(at)) {
      const text = read(join(at, 'node_modules', name, 'package.json'))
      if (text !== undefined) return needsIn(text)
      if (at === dirname(at)) return undefined
    }
  }
}

function needsIn(text: string): string[] {
  try {
    const { dependencies, peerDependencies } = JSON.parse(text) as Record<string, object>
    return Object.keys({ ...dependencies, ...peerDependencies })
  } catch {
    return []
  }
}

/** Returns the first part of a path that is a symbolic link. */
export function linkIn(folder: string, path: string): string | undefined {
  const names = path.split('/')
  const parts = names.map((_, at) => names.slice(0, at + 1).join('/'))
  return parts.find((part) =>
    lstatSync(join(folder, part), { throwIfNoEntry: false })?.isSymbolicLink(),
  )
}

/** Returns what git knows of no commit, a line each; `undefined` where there is no git. */
export function uncommitted(folder: string): string[] | undefined {
  const said = git(folder, 'status', '--porcelain', '--ignore-submodules=all', '--', '.')
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
    return entry.isFile() || entry.isSymbolicLink() ? path : []
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

/** The configuration of a folder can name programs: git must not run them, since the folder may come from a stranger. */
const HARMLESS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
]

/**
 * No objects are fetched, whatever protocols the folder allows: a remote can name a program. Nothing is written either,
 * not even the index.
 */
const ALONE = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' }

/** Runs git without the programs that the folder names. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  const listed = runGit(folder, ['config', '--list', '--show-scope', '--name-only', '-z'])
  return listed === undefined ? undefined : runGit(folder, args, filtersIn(listed))
}

const FILTER = /^filter\..*\.(?:clean|smudge|process)$/s

/** Returns the names of the filters in the configuration of a folder, which git may have in two files. */
function filtersIn(listed: string): string[] {
  const parts = listed.split('\0')
  return parts.filter((name, at) => {
    const scope = parts[at - 1]
    return at % 2 === 1 && (scope === 'local' || scope === 'worktree') && FILTER.test(name)
  })
}

/** @param none settings that are empty. Their names may have an equals sign, as no argument may. */
function runGit(
  folder: string,
  args: readonly string[],
  none: readonly string[] = [],
): string | undefined {
  const first = Number(process.env['GIT_CONFIG_COUNT'] ?? 0)
  const empty = none.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${first + at}`, name],
    [`GIT_CONFIG_VALUE_${first + at}`, ''],
  ])
  const count = none.length > 0 && { GIT_CONFIG_COUNT: String(first + none.length) }
  const given = [...HARMLESS.flatMap((setting) => ['-c', setting]), ...args]
  const { status, stdout } = spawnSync('git', ['-C', resolve(folder), ...given], {
    // Windows looks for programs in this folder first.
    cwd: dirname(process.execPath),
    env: { ...process.env, ...ALONE, ...count, ...Object.fromEntries(empty) },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return status === 0 ? stdout : undefined
}
