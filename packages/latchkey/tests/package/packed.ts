import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { ensureBuilt } from '../../../../tools/ensure-built.ts'
import { stage } from '../../../../tools/stage.ts'

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))

/** What a worker waits for until another one has installed the library; it takes some ten seconds. */
const PATIENCE = 120_000

let installed: string | undefined

/**
 * An empty project with the packed library installed: what somebody has after `npm install latchkey`.
 *
 * Made once for a run. Whoever writes into it uses a folder of its own.
 *
 * @returns its folder
 */
export function projectWithLatchkey(): string {
  installed ??= installOnce()
  return installed
}

function installOnce(): string {
  const done = join(inject('runFolder'), 'installed')
  const begun = `${done}.begun`
  try {
    // Of several workers, one makes the folder.
    mkdirSync(begun)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return installedElsewhere(done, begun)
  }
  try {
    const project = install()
    writeFileSync(`${done}.part`, project)
    renameSync(`${done}.part`, done)
    return project
  } catch (error) {
    // The next one tries, and fails with its own reason.
    rmdirSync(begun)
    throw error
  }
}

/** Waits for the project that another worker makes, and returns its folder. */
function installedElsewhere(done: string, begun: string): string {
  const until = performance.now() + PATIENCE
  while (!existsSync(done)) {
    if (!existsSync(begun)) return installOnce()
    if (performance.now() > until)
      throw new Error('another worker did not install the library in time')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  return readFileSync(done, 'utf8')
}

function install(): string {
  // What is packed is what was built last; the checks that run before the tests build.
  ensureBuilt()
  const project = mkdtempSync(join(inject('runFolder'), 'project-'))
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const staged = join(project, '.package')
  stage('latchkey', staged)
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
  'latchkey/adapters/drizzle': ['drizzle-orm'],
  'latchkey/adapters/drizzle/pg-record': ['drizzle-orm'],
  'latchkey/adapters/drizzle/pg-schema': ['drizzle-orm'],
  'latchkey/adapters/drizzle/sqlite-record': ['drizzle-orm'],
  'latchkey/adapters/drizzle/sqlite-schema': ['drizzle-orm'],
  'latchkey/adapters/sql': ['kysely'],
  'latchkey/adapters/sql/d1': ['kysely'],
  'latchkey/adapters/sql/libsql': ['kysely'],
  'latchkey/adapters/sql/mysql2': ['kysely'],
  'latchkey/adapters/sql/node-sqlite': ['kysely', 'node:sqlite'],
  'latchkey/adapters/sql/pg': ['kysely'],
  'latchkey/adapters/sqlite': ['kysely', 'node:sqlite'],
  'latchkey/next': ['next', 'react'],
  'latchkey/nuxt/app': ['nuxt', 'vue'],
  'latchkey/plugins/accounts/react': ['react'],
  'latchkey/plugins/accounts/solid': ['solid-js'],
  'latchkey/plugins/accounts/svelte': ['svelte'],
  'latchkey/plugins/accounts/vue': ['vue'],
  'latchkey/qwik': ['@builder.io/qwik'],
  'latchkey/react': ['react'],
  'latchkey/react-router': ['react-router'],
  'latchkey/solid': ['solid-js'],
  'latchkey/solid-start': ['solid-js'],
  'latchkey/svelte': ['svelte'],
  'latchkey/sveltekit': ['@sveltejs/kit', '$app'],
  'latchkey/sveltekit/client': ['$app'],
  'latchkey/sveltekit/components': ['svelte'],
  'latchkey/sveltekit/webauthn': ['$app'],
  // Its assertions are those of Node.js, which most runtimes have.
  'latchkey/testing/adapter': ['node:'],
  'latchkey/vue': ['vue'],
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
