import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An example that runs, as it would in production. */
export interface Application extends AsyncDisposable {
  readonly origin: string
  /** Of the development account and the mailbox. */
  readonly development: string
  /** Lets all sessions of a user have come to their end. */
  expire(email: string): void
  output(): string
}

export interface Starting {
  /** What makes it ready for production, in its folder. */
  readonly build?: readonly [command: string, ...args: string[]]
  readonly start: readonly [command: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** Why an example cannot be started; `undefined` when it can. */
export function missingExample(name: string): string | undefined {
  return existsSync(join(root, 'examples', name, 'node_modules'))
    ? undefined
    : `examples/${name} is not installed; npm test does that`
}

/** Builds an example with the library as it is now, and starts it on a free port, on an empty database. */
export async function startExample(
  name: string,
  { build, start, env }: Starting,
): Promise<Application> {
  const folder = join(root, 'examples', name)
  const installed = join(folder, 'node_modules')
  // What was installed is what was there then.
  for (const part of ['dist', 'package.json']) {
    const to = join(installed, 'latchkey', part)
    rmSync(to, { recursive: true, force: true })
    cpSync(join(root, 'packages/latchkey', part), to, { recursive: true })
  }
  const shared = join(installed, 'latchkey-examples-shared')
  cpSync(join(root, 'examples/shared'), shared, { recursive: true })
  const data = mkdtempSync(join(tmpdir(), 'latchkey-example-'))
  const [port, developmentPort] = [await freePort(), await freePort()]
  const environment = {
    ...process.env,
    PATH: `${join(installed, '.bin')}:${process.env['PATH'] ?? ''}`,
    NODE_ENV: 'production',
    // That of the examples is known to everybody, and production does not start with it.
    AUTH_SECRET: 'h8Vt3Zk6Rw1Yq9Nb4Mx7Cp2Jd5Gf0Ls',
    PORT: String(port),
    DEVELOPMENT_PORT: String(developmentPort),
    EXAMPLE_DATA: data,
    NEXT_TELEMETRY_DISABLED: '1',
    ...env,
  }
  if (build) {
    const [command, ...args] = build
    execFileSync(command, args, { cwd: folder, env: environment, stdio: 'pipe' })
  }
  const development = join(shared, 'development.mjs')
  const origin = `http://localhost:${port}`
  const command = [process.execPath, development, ...start] as const
  const served = await serve(origin, { command, folder, env: environment }).catch((error) => {
    rmSync(data, { recursive: true, force: true })
    throw error
  })
  const end = async (): Promise<void> => {
    await served[Symbol.asyncDispose]()
    rmSync(data, { recursive: true, force: true })
  }
  const url = `http://localhost:${developmentPort}`
  const expire = (email: string): void => {
    const database = new DatabaseSync(join(data, 'app.db'))
    const { changes } = database
      .prepare('UPDATE session SET expires = ? FROM user WHERE user.id = userId AND email = ?')
      .run(Date.now() - 1000, email)
    database.close()
    if (changes === 0) throw new Error(`${email} has no session`)
  }
  return { origin, development: url, expire, output: served.output, [Symbol.asyncDispose]: end }
}

/** Something that answers. */
export interface Served extends AsyncDisposable {
  /** All that it has printed. */
  output(): string
}

/** Starts a server and waits until it answers. */
export async function serve(
  origin: string,
  {
    command: [program, ...args],
    folder,
    env,
  }: {
    command: readonly [program: string, ...args: string[]]
    folder: string
    env: NodeJS.ProcessEnv
  },
): Promise<Served> {
  const running = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [running.stdout, running.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const output = (): string => printed
  const end = (): Promise<void> => stop(running)
  try {
    await answers(origin, running, output)
  } catch (error) {
    await end()
    throw error
  }
  return { output, [Symbol.asyncDispose]: end }
}

async function answers(origin: string, running: ChildProcess, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (running.exitCode !== null) throw new Error(`the example ended:\n${output()}`)
    try {
      await (await fetch(origin, { redirect: 'manual' })).body?.cancel()
      return
    } catch {
      await pause(100)
    }
  }
  throw new Error(`the example does not answer:\n${output()}`)
}

/** With everything that it started: a framework has processes of its own. */
async function stop(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.pid === undefined) return
  const ended = once(running, 'exit')
  process.kill(-running.pid, 'SIGTERM')
  const late = setTimeout(() => {
    if (running.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }, 5000)
  await ended
  clearTimeout(late)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
