import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connectRedis } from './redis.ts'

/** Two servers, each with half of the slots. */
export interface RedisCluster extends AsyncDisposable {
  readonly urls: readonly string[]
}

/** @throws where there is no `redis-server` to start. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all([startNode(), startNode()])
  const clients = await Promise.all(nodes.map(({ url }) => connectRedis(url)))
  for (const [index, client] of clients.entries()) {
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', ...(index ? HIGH : LOW)])
  }
  const [first, second] = nodes
  await clients[0]?.sendCommand([
    'CLUSTER',
    'MEET',
    '127.0.0.1',
    String(second?.port),
    String(second?.busPort),
  ])
  for (const client of clients) {
    while (!String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok')) {
      await setTimeout(50)
    }
    await client.close()
  }
  return {
    urls: nodes.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await first?.stop()
      await second?.stop()
    },
  }
}

const LOW = ['0', '8191']
const HIGH = ['8192', '16383']

async function startNode() {
  const [port, busPort] = [await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-redis-'))
  const ports = `--port ${port} --cluster-port ${busPort} --bind 127.0.0.1`.split(' ')
  const settings = `--cluster-enabled yes --appendonly no --dir ${folder}`.split(' ')
  const child = spawn('redis-server', [...ports, ...settings, '--save', ''])
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve())
  })
  return {
    port,
    busPort,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
