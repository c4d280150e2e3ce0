import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'redis'

export const redisUrl: string = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

export type TestRedis = Awaited<ReturnType<typeof connectRedis>>

export async function connectRedis(url: string = redisUrl) {
  const client = createClient({ url })
  await client.connect()
  return client
}

/** Removes all keys with a prefix. */
export async function removeKeys(client: TestRedis, prefix: string): Promise<void> {
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) {
    if (keys.length > 0) await client.unlink(keys)
  }
}

/** The part of Upstash's REST interface that its client uses here, in front of a Redis of ours. */
export async function startUpstashFront(
  redis: TestRedis,
): Promise<AsyncDisposable & { readonly url: string }> {
  const answer = async (command: unknown[], base64: boolean) => {
    try {
      const result = await redis.sendCommand(command.map(String))
      return { result: base64 ? encoded(result) : result }
    } catch (error) {
      return { error: (error as Error).message }
    }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await textOf(request)) as unknown[]
    const base64 = request.headers['upstash-encoding'] === 'base64'
    const piped = request.url === '/pipeline'
    const result = piped
      ? await Promise.all(body.map((command) => answer(command as unknown[], base64)))
      : await answer(body, base64)
    const failed = !Array.isArray(result) && 'error' in result
    response.writeHead(failed ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(result))
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** All texts but `OK` are base64. */
function encoded(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(encoded)
  if (typeof result !== 'string' || result === 'OK') return result
  return Buffer.from(result).toString('base64')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
