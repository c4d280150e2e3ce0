import { replaceAdapters } from './adapters.ts'
import { moveUpdate } from './early-betas.ts'
import { hasAuthorized, leaveGuardedRoutes } from './guarded-routes.ts'
import { leaveComponents, leaveModules, moveImports } from './imports.ts'
import { moveManifest } from './manifest.ts'
import { moveMiddleware } from './middleware.ts'
import type { AdapterChoice } from './modules.ts'
import type { Note } from './notes.ts'
import { Project } from './project.ts'
import { moveSessionReaders } from './session-readers.ts'
import type { Source } from './source.ts'
import { because, type Installed, type User, Users } from './users.ts'
import { moveVersion4, type Setting } from './version-4.ts'

/** A file before and after; one that is missing before is new, one that is missing after is gone. */
export interface Change {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface Outcome {
  readonly changes: readonly Change[]
  /** What is left to a person. */
  readonly notes: readonly Note[]
}

/**
 * Moves an application to Latchkey. Reads and writes nothing itself.
 *
 * @param files texts by their paths from the folder of the application, with slashes.
 * @param installed without it, only packages that are known to use those of Auth.js keep them.
 */
export function codemod(
  files: ReadonlyMap<string, string>,
  adapters: AdapterChoice,
  installed?: Installed,
): Outcome {
  const users = new Users(files, installed ?? (() => undefined))
  const project = new Project(files, (path) => users.of(path) !== undefined)
  const notes: Note[] = []
  const after = new Map<string, string | undefined>()
  notes.push(...unreadableIn(project))

  const { moved, created, removed, settings } = moveVersion4(project)
  const isGuarded = [...project.sources.values()].some(hasAuthorized)
  for (const source of project.sources.values()) {
    if (isGuarded) leaveGuardedRoutes(source)
    moveSource(source, settings, adapters)
    if ((project.majorOf(source.path, 'svelte') ?? 5) < 5) leaveComponents(source)
    const path = moved.get(source.path) ?? source.path
    if (source.changed) after.set(path, source.result())
    if (!removed.has(path)) notes.push(...source.left().map((each) => ({ path, ...each })))
  }
  for (const path of [...moved.keys(), ...removed]) after.set(path, undefined)
  for (const [path, text] of created) after.set(path, text)

  notes.push(...project.left.flatMap((source) => leaveSource(source, users.of(source.path))))

  for (const [path, text] of files) {
    if (/(?:^|\/)package\.json$/.test(path)) {
      const manifest = moveManifest(path, text, users.in(path))
      notes.push(...manifest.notes, ...(installed ? unknownUsers(path, users) : []))
      after.set(path, manifest.text)
    } else if (/(?:^|\/)\.env[^/]*$/.test(path) && users.of(path) === undefined)
      notes.push(...variablesIn(path, text, (project.majorOf(path, 'next-auth') ?? 5) < 5))
  }
  const changes = [...after]
    .map(([path, text]) => ({ path, before: files.get(path), after: text }))
    .filter((change) => change.before !== change.after)
  return {
    changes: changes.toSorted((one, other) => compare(one.path, other.path)),
    notes: notes.toSorted((one, other) => compare(one.path, other.path) || one.line - other.line),
  }
}

function unreadableIn({ unreadable, files }: Project): Note[] {
  return [...unreadable]
    .filter(([path]) => /next-auth|@auth\//.test(files.get(path) ?? ''))
    .map(([path, reason]) => ({ path, line: 1, text: `it cannot be parsed: ${reason}` }))
}

/** Says what stays in a file, because of another package. */
function leaveSource(source: Source, user: User | undefined): Note[] {
  if (user) leaveModules(source, because(user))
  return source.left().map((each) => ({ path: source.path, ...each }))
}

function moveSource(source: Source, settings: readonly Setting[], adapters: AdapterChoice): void {
  moveMiddleware(source, settings)
  replaceAdapters(source, adapters)
  moveUpdate(source)
  moveSessionReaders(source)
  moveImports(source)
}

/** Says that the codemod cannot see what some dependencies use. */
function unknownUsers(path: string, users: Users): Note[] {
  const unknown = users.unknownIn(path)
  if (unknown.length === 0) return []
  const names = `${unknown.slice(0, 3).join(', ')}${unknown.length > 3 ? ', …' : ''}`
  const text = `the dependencies are not installed, so the codemod cannot see whether one of them (${names}) uses Auth.js; install them, and run it again`
  return [{ path, line: 1, text }]
}

/** Variables under the names of version 4. What was moved from there goes on to read the secret. */
function variablesIn(path: string, text: string, isVersion4: boolean): Note[] {
  return text.split('\n').flatMap((line, index) => {
    // Other names are of the application itself.
    const name = /^\s*(?:export\s+)?(NEXTAUTH_(?:URL|URL_INTERNAL|SECRET))\s*=/.exec(line)?.[1]
    if (name === undefined || (name === 'NEXTAUTH_SECRET' && isVersion4)) return []
    const advice =
      name === 'NEXTAUTH_URL_INTERNAL'
        ? 'it is no longer used; remove it'
        : `rename it to \`${name.replace('NEXTAUTH', 'AUTH')}\`, here and where it is set in production`
    return { path, line: index + 1, text: `\`${name}\`: ${advice}` }
  })
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
