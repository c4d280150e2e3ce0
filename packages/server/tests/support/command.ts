import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

/** The arguments of Node.js that start a command line. */
const program: readonly string[] = isBuilt()
  ? [join(packages, 'server/dist/cli/main.js')]
  : ['--conditions=source', join(packages, 'server/src/cli/main.ts')]

/** Whether no source has changed since the build. A process starts from the build with half the work. */
function isBuilt(): boolean {
  const timeOf = (path: string): number =>
    statSync(join(packages, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const built = ['latchkey/dist/entries/index.js', 'server/dist/index.js'].map(timeOf)
  const sources = ['latchkey/src', 'server/src'].flatMap((folder) =>
    readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => timeOf(join(folder, file))),
  )
  return Math.min(...built) > Math.max(...sources)
}

/** How a command line ended. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Options {
  readonly directory: string
  readonly env?: Record<string, string>
  /** Another Node.js than the one of the tests. */
  readonly node?: string
  /** Called with everything that a service has printed so far, whenever it prints. */
  readonly onOutput?: (out: string) => void
}

function start(
  args: readonly string[],
  { directory, env, node = process.execPath }: Options,
): ChildProcess {
  return spawn(
    node,
    [...program, ...args],
    // Nothing of the environment of the tests may reach it.
    {
      cwd: directory,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

/** What Node.js compiled is kept for all command lines of a run: the next one starts in half the time. */
function compileCache(): string {
  return join(inject('runFolder'), 'compiled')
}

/** Milliseconds that a service may take to listen: a second, and many of them on a machine with much else to do. */
const START_LIMIT = 60_000

/** Runs `latchkey` with these arguments to its end. */
export async function latchkey(args: readonly string[], options: Options): Promise<Ended> {
  const process = start(args, options)
  const output = collect(process)
  const [code] = (await once(process, 'close')) as [number | null]
  return { code, ...output() }
}

/** Runs `latchkey` and kills it as soon as this is so; it is asked again and again. */
export async function killedLatchkey(
  args: readonly string[],
  options: Options,
  isTime: () => Promise<boolean>,
): Promise<Ended> {
  const process = start(args, options)
  const output = collect(process)
  const closed = once(process, 'close') as Promise<[number | null]>
  while (process.exitCode === null && !(await isTime()));
  process.kill('SIGKILL')
  const [code] = await closed
  return { code, ...output() }
}

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly process: ChildProcess
  readonly origin: string
  output(): { out: string; err: string }
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts `latchkey serve` on a free port and waits until it listens. */
export async function serviceProcess(
  options: Options,
  args: readonly string[] = [],
): Promise<ServiceProcess> {
  const process = start(['serve', '--port', '0', ...args], options)
  const output = collect(process)
  const closed = once(process, 'close') as Promise<[number | null]>
  const origin = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => process.kill('SIGKILL'), START_LIMIT)
    const look = (): void => {
      options.onOutput?.(output().out)
      const found = /\baddress"?[=:]"(https?:[^"]*)"/.exec(output().out)?.[1]
      if (!found) return
      clearTimeout(late)
      resolve(found)
    }
    process.stdout?.on('data', look)
    void closed.then(() => {
      clearTimeout(late)
      reject(new Error(`it did not start: ${output().err}${output().out}`))
    })
  })
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    process.kill(signal)
    const [code] = await closed
    return { code, ...output() }
  }
  return {
    process,
    origin,
    output,
    end,
    async [Symbol.asyncDispose]() {
      if (process.exitCode === null && process.signalCode === null) await end('SIGKILL')
    },
  }
}

function collect(process: ChildProcess): () => { out: string; err: string } {
  let out = ''
  let err = ''
  process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  process.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  return () => ({ out, err })
}
