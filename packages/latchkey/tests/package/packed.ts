import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stage } from '../../../../tools/stage.ts'

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))

let installed: string | undefined

/**
 * An empty project with the packed library installed: what somebody has after `npm install latchkey`.
 *
 * Made once for a process and removed at its end.
 *
 * @returns its folder
 */
export function projectWithLatchkey(): string {
  installed ??= install()
  return installed
}

function install(): string {
  // What is packed is what was built last; the checks that run before the tests build.
  if (!existsSync(join(root, 'packages/latchkey/dist/index.js')))
    run('node', ['tools/build.ts'], root)
  const project = mkdtempSync(join(tmpdir(), 'latchkey-project-'))
  process.once('exit', () => rmSync(project, { recursive: true, force: true }))
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const staged = join(project, '.package')
  stage(staged)
  run('npm', ['pack', '--pack-destination', project, ...quiet], staged)
  const tarball = readdirSync(project).find((file) => file.endsWith('.tgz')) ?? ''
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type: 'module' }),
  )
  run('npm', ['install', `./${tarball}`, '--prefer-offline', '--omit=peer', ...quiet], project)
  return project
}

/**
 * Runs a command with the repository's tools on the PATH.
 *
 * @returns what it printed
 * @throws {Error} with everything it printed, when it fails
 */
export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        DENO_NO_UPDATE_CHECK: '1',
        NODE_OPTIONS: '',
      },
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Subpaths that talk to a package or module that an application brings along itself. */
export const needsMore: Readonly<Record<string, readonly string[]>> = {
  'latchkey/adapters/sql': ['kysely'],
  'latchkey/adapters/sql/node-sqlite': ['kysely', 'node:sqlite'],
}

/** Every name under which the installed library can be imported; a pattern is each file it matches. */
export function subpathsOf(project: string): string[] {
  const installedAt = join(project, 'node_modules/latchkey')
  const manifest = JSON.parse(readFileSync(join(installedAt, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string } | string>
  }
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const name = join('latchkey', subpath)
    if (!subpath.includes('*')) return [name]
    const [folder = '', ending = ''] = target.default.split('*')
    return readdirSync(join(installedAt, folder))
      .filter((file) => file.endsWith(ending))
      .map((file) => name.replace('*', file.slice(0, -ending.length)))
  })
}
