import type { Adapter } from 'latchkey/adapters'
import { fromNodeRedis, type RedisClient, redisAdapter } from 'latchkey/adapters/redis'
import { redisPush } from 'latchkey/adapters/redis/push'
import type { Push } from 'latchkey/plugins/sessions'
import { createClient } from 'redis'
import type { Log } from '../../observe/log.ts'
import { firstLine, UserError } from '../../user-error.ts'
import { codeOf } from '../data-dir.ts'
import { inTime, isLate } from '../in-time.ts'
import { askedLately, tryWriting } from '../probe.ts'
import type { Opened } from '../store.ts'

/** The settings for Redis. */
export interface RedisSettings {
  readonly url: string
  /** Prefix of all keys. */
  readonly prefix: string
  /** Maximum time in seconds for a connection, for a command, and for the first answer of the server at the start. */
  readonly timeout: number
}

/** An open connection to Redis. */
export interface OpenedRedis extends Opened {
  readonly adapter: Adapter
  readonly push: Push
  /** @returns what the server does if its memory is full: with `noeviction` it refuses to write. */
  evictionPolicy(): Promise<string>
}

/** Maximum number of milliseconds between two attempts to reconnect. */
const LONGEST_PAUSE = 1000

/**
 * Opens Redis or Valkey. If the server does not answer yet, it waits. The client reopens a lost connection
 * automatically; until then every command fails immediately.
 *
 * @throws {UserError} if the server refuses the connection, or does not answer in time.
 */
export async function openRedis(
  { url, prefix, timeout }: RedisSettings,
  log: Log,
): Promise<OpenedRedis> {
  const { protocol, host } = new URL(url)
  const where = `${protocol}//${host}`
  const client = createClient({
    url,
    // Commands fail immediately while the server cannot be reached, so a command that was not sent is never sent later.
    disableOfflineQueue: true,
    // If the server disappears without closing the connection, the client drops the connection.
    pingInterval: (timeout * 1000) / 2,
    socket: {
      connectTimeout: timeout * 1000,
      socketTimeout: timeout * 1000,
      reconnectStrategy: (attempts) => Math.min(25 * 2 ** attempts, LONGEST_PAUSE),
    },
  })
  let last: unknown
  // The client reports this at each attempt; the log has one line at the beginning and one at the end.
  client.on('error', (error: unknown) => {
    if (last === undefined) log.warn({ redis: where, reason: reasonOf(error) }, 'redis is away')
    last = error
  })
  client.on('ready', () => {
    if (last !== undefined) log.info({ redis: where }, 'redis is back')
    last = undefined
  })
  try {
    await inTime(client.connect(), timeout)
  } catch (error) {
    client.destroy()
    const cause = last ?? error
    throw new UserError(
      `redis: cannot use ${where} (${reasonOf(cause)}): ${fixFor(firstLine(cause))}`,
      { cause },
    )
  }
  const scripts = fromNodeRedis(client)
  const limited: RedisClient = {
    eval: (...call) => inTime(scripts.eval(...call), timeout),
    evalSha: (...call) => inTime(scripts.evalSha(...call), timeout),
  }
  const adapter = redisAdapter(limited, { prefix })
  const push = redisPush(client, { prefix })
  return {
    adapter,
    push,
    where,
    problem: askedLately({
      ask: () => tryWriting(adapter),
      wordFor: (error) =>
        client.isReady && !isLate(error) ? 'redis-unwritable' : 'redis-unreachable',
      timeout,
    }),
    async evictionPolicy() {
      const info = await inTime(client.info('memory'), timeout)
      return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown'
    },
    gone: () => false,
    async close() {
      await push.close()
      if (client.isReady) await client.close()
      else client.destroy()
    },
  }
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return code === 'unknown error' ? firstLine(error) : code
}

function fixFor(message: string): string {
  if (/WRONGPASS|NOAUTH|NOPERM/.test(message)) return 'check user and password'
  if (/DB index/.test(message)) return 'there is no database with this number; use /0'
  return 'check that the server is running, and check host and port'
}
