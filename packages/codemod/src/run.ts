import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Change, codemod } from './codemod.ts'
import { diff } from './diff.ts'
import { installedIn, linkIn, readFolder, uncommitted, writeChanges } from './files.ts'
import type { Note } from './notes.ts'

const HELP = `Usage: latchkey-codemod [folder] [options]

Moves an application from Auth.js, or next-auth 4 and 5, to Latchkey: imports, calls, routes and
package.json. It prints what it changed, and lists the remaining steps.

Options:
  --dry-run                print the changes as a diff and write nothing
  --adapters <keep|replace>  keep adapters of Auth.js, which continue to work, or replace them
                           where Latchkey has one for the same tables (default: keep)
  --force                  write even if git cannot undo the changes
  -v, --version            print the version
  -h, --help               print this help

Exit codes: 0 done, 1 failed, 2 invalid command line.`

/** What a run says, and what the process ends with. */
export interface Said {
  readonly code: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

/** Runs a command line. */
export function run(args: readonly string[]): Said {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return fail(2, error instanceof Error ? error.message : String(error))
  }
  const { values, positionals } = parsed
  if (values.help) return say(HELP)
  if (values.version) return say(version())
  const [folder = '.', ...others] = positionals
  if (others.length > 0)
    return fail(2, `only one folder is possible, got ${positionals.join(', ')}`)
  const { adapters } = values
  if (adapters !== 'keep' && adapters !== 'replace')
    return fail(2, `--adapters must be keep or replace, got ${adapters}`)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return fail(1, `${folder} is not a folder; pass the folder of the application`)
  const isDry = values['dry-run']
  const refusal = isDry || values.force ? undefined : refusalOf(folder)
  if (refusal !== undefined) return fail(1, refusal)

  const { files, links } = readFolder(folder)
  const { changes: all, notes } = codemod(files, adapters, installedIn(folder))
  // A new file would be written through a link.
  const changes = all.filter(({ path }) => linkIn(folder, path) === undefined)
  if (!isDry) writeChanges(folder, changes)
  return say(report({ changes, notes, links }, isDry))
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      adapters: { type: 'string', default: 'keep' },
      force: { type: 'boolean', default: false },
      version: { type: 'boolean', short: 'v', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
}

/** Why nothing is written: what is written over must be somewhere else. */
function refusalOf(folder: string): string | undefined {
  const files = uncommitted(folder)
  if (files === undefined)
    return `${folder} is not in a git repository, so the changes cannot be undone with git. Use --dry-run to see the changes, or --force to write them`
  if (files.length === 0) return undefined
  return `${files.length} ${files.length === 1 ? 'file is' : 'files are'} not committed in ${folder}, for example ${files[0]?.slice(3)}. Commit or stash first, use --dry-run to see the changes, or --force to write them`
}

/** What a run found. */
interface Found {
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
  readonly links: readonly string[]
}

function report({ changes, notes, links }: Found, isDry: boolean): string {
  const parts: string[] = []
  if (changes.length === 0) parts.push('Nothing to change.')
  else if (isDry) parts.push(...changes.map(shown))
  else parts.push(['Changed:', ...changes.map((change) => `  ${titleOf(change)}`)].join('\n'))
  if (notes.length > 0) {
    const lines = notes.map(({ path, line, text }) => `  ${path}:${line}: ${text}`)
    parts.push(['Remaining steps:', ...lines].join('\n'))
  }
  if (links.length > 0)
    parts.push(
      ['Not followed, because they are symbolic links:', ...links.map((path) => `  ${path}`)].join(
        '\n',
      ),
    )
  if (changes.length > 0 && !isDry)
    parts.push('Now run npm install, and the checks of your application.')
  return parts.join('\n\n')
}

function titleOf({ path, before, after }: Change): string {
  return `${path}${before === undefined ? ' (new)' : after === undefined ? ' (removed)' : ''}`
}

function shown({ path, before, after }: Change): string {
  return diff(before ?? '', after ?? '', {
    from: before === undefined ? '/dev/null' : `a/${path}`,
    to: after === undefined ? '/dev/null' : `b/${path}`,
  })
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function say(out: string): Said {
  return { code: 0, out, err: '' }
}

function fail(code: 1 | 2, message: string): Said {
  return { code, out: '', err: `latchkey-codemod: ${message}` }
}
