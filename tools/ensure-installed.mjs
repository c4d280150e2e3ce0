/**
 * Installs what the lockfile names and `node_modules` lacks, then runs the command it was given with
 * the project's own Node.js first on the PATH:
 *
 *     node tools/ensure-installed.mjs [command [arguments…]]
 *
 * Plain JavaScript, because this is the one file that has to run on whatever Node.js started npm.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

/** Runs `npm ci` when something is missing. Says nothing when nothing is. */
export function ensureInstalled() {
  if (isInstalled(root)) return
  console.log('Installing the dependencies that package-lock.json names …')
  const npm = process.env['npm_execpath']
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = npm
    ? spawnSync(process.execPath, [npm, ...flags], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', flags, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status === 0) return
  console.error(`
The dependencies could not be installed${error ? `: ${error.message}` : ` (npm ci ended with ${status})`}.
What npm printed above says why. It needs the npm registry, or a warm npm cache, and some 1.2 GB of
disk. Once it is mended, run the same command again.`)
  process.exit(1)
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
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 128 : 1)))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled()
  const [command, ...args] = process.argv.slice(2)
  if (command) process.exitCode = await run(command, args)
}
