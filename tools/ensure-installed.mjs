/**
 * Installs what the lockfile names and `node_modules` lacks, then runs the command it was given with
 * the project's own Node.js first on the PATH:
 *
 *     node tools/ensure-installed.mjs [--interop] [--examples] [--site] [--mutation] [command [arguments…]]
 *
 * With `--interop` also the projects that have a lockfile of their own, those below `interop/` and some
 * examples: what only tests need and is too heavy for everybody who wants to start the service. With
 * `--examples` also all examples, and with `--site` what builds the site of the documentation and its pictures,
 * and with `--mutation` Stryker.
 *
 * Plain JavaScript, because this is the one file that has to run on whatever Node.js started npm.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Whether everything that the lockfile asks for is installed, in the version it asks for.
 *
 * @param {string} directory the one that holds `package-lock.json`
 * @returns {boolean}
 */
export function isInstalled(directory) {
  const wanted = packagesOf(join(directory, 'package-lock.json'))
  const present = packagesOf(join(directory, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  for (const [path, { version, integrity, resolved, optional }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = present[path]
    if (!found && optional) continue
    if (found?.version !== version) return false
    if (found?.integrity !== integrity) return false
    if (found?.resolved !== resolved) return false
  }
  return Object.keys(present).every((path) => path in wanted)
}

/**
 * @typedef {{ version?: string, integrity?: string, resolved?: string, optional?: boolean }} Locked
 * @param {string} file
 * @returns {Record<string, Locked> | undefined} what the lockfile lists, by path; nothing when it cannot be read
 */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** What builds the site of the documentation. */
const SITE = 'site'

/** What changes code to test the tests. */
const MUTATION = 'tools/mutation'

/** Examples whose frameworks the tests of the library use. */
const EXAMPLES = [
  'examples/account-page',
  'examples/express',
  'examples/hono',
  'examples/next',
  'examples/plugin',
  'examples/sveltekit',
  'examples/solid-start',
]

/**
 * The npm projects of their own that tests need: the folders below `interop/`, a few examples, and the site.
 *
 * @param {string} directory the one that holds `interop`
 * @returns {string[]} from that directory, with slashes
 */
export function interopProjects(directory) {
  const examples = projectsBelow(directory, 'examples')
  return examples
    .filter((project) => EXAMPLES.includes(project))
    .concat(projectsBelow(directory, 'interop'))
    .concat(existsSync(join(directory, SITE, 'package-lock.json')) ? [SITE] : [])
}

/**
 * The folders with a lockfile below that one.
 *
 * @param {string} directory
 * @param {'examples' | 'interop'} parent
 * @returns {string[]} from the directory, with slashes
 */
export function projectsBelow(directory, parent) {
  return readdirSync(join(directory, parent))
    .map((name) => `${parent}/${name}`)
    .filter((project) => existsSync(join(directory, project, 'package-lock.json')))
    .sort()
}

/**
 * Runs `npm ci` where something is missing. Prints nothing if nothing is.
 *
 * @param {string} project a folder that holds `package-lock.json`, from the root; with a slash at the
 *   end, or empty for the root itself
 * @returns {Promise<boolean>} whether it is installed now; if not, the reason has been printed
 */
export async function ensureInstalled(project = '') {
  const cwd = join(root, project)
  if (isInstalled(cwd)) return true
  console.log(`Installing the dependencies that ${project}package-lock.json names …`)
  const npm = process.env['npm_execpath']
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['inherit', project ? 'ignore' : 'inherit', 'inherit']
  const child = npm
    ? spawn(process.execPath, [npm, ...flags], { cwd, stdio })
    : spawn('npm', flags, { cwd, stdio, shell: process.platform === 'win32' })
  /** @type {string | undefined} */
  const problem = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('exit', (code) => resolve(code === 0 ? undefined : `npm ci ended with ${code}`))
  })
  if (problem === undefined) return true
  console.error(`
The dependencies that ${project}package-lock.json names could not be installed (${problem}).
What npm printed above says why. It needs the npm registry, or a warm npm cache, and some 0.8 GB of
disk, or 3 GB for the tests. Once it is mended, run the same command again.`)
  return false
}

/**
 * Installs the root and several projects, as many at a time as there are processors.
 *
 * @param {readonly string[]} projects from the root
 * @returns {Promise<boolean>} whether all are installed now; after the first failure no other is begun
 */
async function ensureAllInstalled(projects) {
  const base = ensureInstalled()
  // The largest come last in the list, and so begin first.
  const queue = projects.toReversed()
  let succeeded = true
  /** @param {Promise<boolean>} before */
  const installInTurn = async (before) => {
    succeeded = (await before) && succeeded
    for (let next = queue.shift(); succeeded && next !== undefined; next = queue.shift()) {
      // Examples copy the library, in whose folder the root installs.
      if (next.startsWith('examples/') && !(await base)) break
      succeeded = (await ensureInstalled(`${next}/`)) && succeeded
    }
  }
  const others = Array.from({ length: availableParallelism() - 1 }, () => Promise.resolve(true))
  await Promise.all([base, ...others].map(installInTurn))
  return succeeded
}

/**
 * Runs a command with the project's own binaries first on the PATH and ends as it ends. Signals
 * reach it, each once: a terminal sends Ctrl-C to the whole group, so that one is not passed on.
 * When whoever started this process is gone, the command is asked to end as well.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number>} its exit code
 */
export function run(command, args) {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    },
    shell: process.platform === 'win32',
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  // npm sends SIGTERM to the shell between it and us, and some shells die of it without a word.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    child.kill('SIGTERM')
    clearInterval(watch)
  }, 100)
  child.on('exit', () => clearInterval(watch))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      clearInterval(watch)
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const first = process.argv.findIndex(
    (arg, index) => index > 1 && !/^--(?:interop|examples|site|mutation)$/.test(arg),
  )
  const flags = process.argv.slice(2, first < 0 ? undefined : first)
  const projects = flags.includes('--interop') ? interopProjects(root) : []
  if (flags.includes('--site')) projects.push(SITE)
  if (flags.includes('--mutation')) projects.push(MUTATION)
  if (flags.includes('--examples')) {
    projects.push(...projectsBelow(root, 'examples'))
    // So that their tests are run, too.
    process.env['EXAMPLES'] = '1'
  }
  if (!(await ensureAllInstalled([...new Set(projects)]))) process.exit(1)
  const [command, ...args] = process.argv.slice(2 + flags.length)
  if (command) process.exitCode = await run(command, args)
}
