import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Connections, createConnections } from './connections.ts'
import { SECRET } from './stores.ts'

/** The public address of the service, behind a proxy that ends TLS. The driver takes the place of the proxy. */
export const ORIGIN = 'https://login.example'

const COMMAND = fileURLToPath(new URL('../../packages/server/dist/cli/main.js', import.meta.url))
const CONFIG = fileURLToPath(new URL('latchkey.config.ts', import.meta.url))
const OIDC = fileURLToPath(new URL('../provider.ts', import.meta.url))

/** Connections to each instance, at most, as from a proxy. */
const CONNECTIONS = 128
/** Milliseconds that an instance may take to listen. */
const START_LIMIT = 30_000

/** A process that was started here. */
interface Started extends AsyncDisposable {
  readonly pid: number
}

/** Instances of the service on one store, and their provider. */
export interface Site extends AsyncDisposable {
  readonly instances: readonly Connections[]
  /** Processes, by what they are. */
  readonly processes: Readonly<Record<'instances' | 'provider', readonly number[]>>
}

interface SiteOptions {
  readonly count: number
  /** Where instances write their logs. */
  readonly directory: string
  /** The environment that names the store. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts the provider and as many instances. */
export async function startSite({ count, directory, env }: SiteOptions): Promise<Site> {
  await using stack = new AsyncDisposableStack()
  const provider = stack.use(await startProvider())
  const started = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const log = join(directory, `instance-${index}.log`)
      const instance = await startInstance(log, { ...env, LOAD_ISSUER: provider.issuer })
      return stack.use(instance)
    }),
  )
  const instances = started.map(({ port }) => createConnections(port, CONNECTIONS))
  stack.defer(() => {
    for (const connections of instances) connections.close()
  })
  const kept = stack.move()
  return {
    instances,
    processes: { instances: started.map(({ pid }) => pid), provider: [provider.pid] },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Brings the tables of a database up to date. */
export async function migrate(env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, 'migrate', '--records', '--config', CONFIG], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment(env), LOAD_ISSUER: 'http://127.0.0.1' },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('latchkey migrate failed')
}

/** What `latchkey serve` is started with; nothing else of this process reaches it. */
function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    AUTH_SECRET: SECRET,
    AUTH_URL: ORIGIN,
    HOST: '127.0.0.1',
    PORT: '0',
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
    LATCHKEY_DRAIN_DELAY: '0',
    LATCHKEY_DRAIN_TIMEOUT: '1',
    ...env,
  }
}

async function startProvider(): Promise<Started & { issuer: string }> {
  const child = fork(OIDC, { env: { ...process.env, ALG: 'ES256' }, execArgv: [] })
  const [issuer] = (await once(child, 'message')) as [string]
  return { issuer, ...started(child) }
}

/** Starts an instance with a file as its log, as a container has it, and finds its port there. */
async function startInstance(
  log: string,
  env: Readonly<Record<string, string>>,
): Promise<Started & { port: number }> {
  const file = openSync(log, 'w')
  const child = spawn(process.execPath, [COMMAND, 'serve', '--config', CONFIG], {
    stdio: ['ignore', file, file],
    env: environment(env),
  })
  closeSync(file)
  const running = started(child)
  for (const end = performance.now() + START_LIMIT; performance.now() < end; await pause(50)) {
    const written = readFileSync(log, 'utf8')
    const port = /"port":(\d+),"msg":"listening"/.exec(written)?.[1]
    if (port !== undefined) return { port: Number(port), ...running }
    if (child.exitCode !== null) throw new Error(`an instance did not start: ${written}`)
  }
  await running[Symbol.asyncDispose]()
  throw new Error(`an instance did not start: ${readFileSync(log, 'utf8')}`)
}

function started(child: ChildProcess): Started {
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
