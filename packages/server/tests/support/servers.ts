import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'

// Real servers for tests: the shared ones, with a database for each test, and ones of the test's own
// that may be stopped.

const POSTGRES_URL =
  process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const REDIS_URL: string = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** A database of the shared PostgreSQL, gone after the test. */
export async function temporaryDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const name = `latchkey_test_${randomBytes(6).toString('hex')}`
  await runSql(POSTGRES_URL, `CREATE DATABASE ${name}`)
  const url = new URL(POSTGRES_URL)
  url.pathname = name
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      await runSql(POSTGRES_URL, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

const MYSQL_URL = process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/test'

/** A database of the shared MariaDB, gone after the test. */
export async function temporaryMariaDb(): Promise<{ url: string } & AsyncDisposable> {
  const name = `latchkey_test_${randomBytes(6).toString('hex')}`
  const connection = await createConnection(MYSQL_URL)
  await connection.query(`CREATE DATABASE ${name}`)
  const url = new URL(MYSQL_URL)
  url.pathname = name
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await connection.query(`DROP DATABASE IF EXISTS ${name}`)
      await connection.end()
    },
  }
}

/** @returns the rows. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** A server of the test's own. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string
  start(): Promise<void>
  /** Ends it at once, as a machine that loses its power would. */
  kill(): Promise<void>
  /** Stops it from answering, without ending it. */
  freeze(): void
  thaw(): void
}

const POSTGRES_HOME = '/usr/lib/postgresql'

/** Where the programs of PostgreSQL are, or nothing. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(POSTGRES_HOME)) return undefined
  const [version] = readdirSync(POSTGRES_HOME).toSorted().toReversed()
  return version && join(POSTGRES_HOME, version, 'bin')
}

/** PostgreSQL refuses to run as root. */
function userFor(name: string): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** PostgreSQL on a port of its own. */
export async function ownPostgres(programs: string): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-pg-'))
  const user = userFor('postgres')
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  execFileSync(join(programs, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '-N'], {
    ...user,
    cwd: directory,
    stdio: 'ignore',
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const args = ['-D', data, '-p', String(port), '-k', directory]
  return ownServer({
    url,
    directory,
    spawn: () =>
      spawn(join(programs, 'postgres'), [...args, '-c', 'listen_addresses=127.0.0.1'], {
        ...user,
        cwd: directory,
        stdio: 'ignore',
      }),
    // SIGQUIT: at once, without writing down what is in memory; the log is replayed at the start.
    lethal: 'SIGQUIT',
    ready: () => runSql(url, 'SELECT 1'),
  })
}

/** Redis on a port of its own, with what it keeps on disk at each write. */
export async function ownRedis(): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-redis-'))
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes']
  return ownServer({
    url: `redis://127.0.0.1:${port}`,
    directory,
    spawn: () =>
      spawn('redis-server', [...args, '--appendfsync', 'always', '--dir', directory], {
        stdio: 'ignore',
      }),
    lethal: 'SIGKILL',
    ready: () => answersAt(port),
  })
}

interface Parts {
  readonly url: string
  readonly directory: string
  readonly spawn: () => ChildProcess
  readonly lethal: NodeJS.Signals
  readonly ready: () => Promise<unknown>
}

async function ownServer({ url, directory, lethal, ready, ...parts }: Parts): Promise<OwnServer> {
  let running: ChildProcess | undefined
  const server: OwnServer = {
    url,
    async start() {
      running = parts.spawn()
      for (;;) {
        try {
          await ready()
          return
        } catch (error) {
          if (running.exitCode !== null) throw error
          await pause(50)
        }
      }
    },
    async kill() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      running.kill('SIGCONT')
      running.kill(lethal)
      await once(running, 'exit')
    },
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await server.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

async function answersAt(port: number): Promise<void> {
  const socket = connectTo(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A cable to a server that can be cut. */
export interface Cable extends AsyncDisposable {
  readonly url: string
  /** Lets nothing through, in either direction, without saying so. */
  stall(): void
  /** Lets everything through again, also what came meanwhile. */
  flow(): void
  /** Cuts a connection, once, when something that matches is sent through it, before it arrives. */
  cutBefore(pattern: RegExp): void
  /** How often it was cut. */
  readonly cuts: number
}

/** @param to the URL of the server that the cable leads to. */
export async function cable(to: string): Promise<Cable> {
  const target = new URL(to)
  const open = new Set<Socket>()
  let pattern: RegExp | undefined
  let cuts = 0
  let stalled = false
  const server = createServer((near) => {
    const far = connectTo(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      if (stalled) setImmediate(() => socket.pause())
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    near.on('data', (chunk) => {
      if (pattern?.test(chunk.toString('latin1'))) {
        pattern = undefined
        cuts++
        near.destroy()
        far.destroy()
      } else far.write(chunk)
    })
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    stall() {
      stalled = true
      for (const socket of open) socket.pause()
    },
    flow() {
      stalled = false
      for (const socket of open) socket.resume()
    },
    cutBefore(what) {
      pattern = what
    },
    get cuts() {
      return cuts
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
