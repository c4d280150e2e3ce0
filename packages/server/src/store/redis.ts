import type { Adapter } from 'latchkey/adapters'
import { fromNodeRedis, type RedisClient, redisAdapter } from 'latchkey/adapters/redis'
import { redisPush } from 'latchkey/adapters/redis/push'
import type { Push } from 'latchkey/plugins/sessions'
import { createClient } from 'redis'
import type { Log } from '../observe/log.ts'
import { firstLine, UserError } from '../user-error.ts'
import { codeOf } from './data-dir.ts'
import { inTime, isLate } from './in-time.ts'
import { askedLately, tryWriting } from './probe.ts'
import type { Opened } from './store.ts'

/** The settings that are about Redis. */
export interface RedisSettings {
  readonly url: string
  /** What all keys begin with. */
  readonly prefix: string
  /** Seconds for a connection, for a command, and for the server to answer at the start. */
  readonly timeout: number
}

/** Redis, opened. */
export interface OpenedRedis extends Opened {
  readonly adapter: Adapter
  readonly push: Push
  /** @returns what it does when its memory is full: `noeviction` refuses to write. */
  evictionPolicy(): Promise<string>
}

/** Milliseconds between attempts to connect again: soon at first, then every second. */
const LONGEST_PAUSE = 1000

/**
 * Opens Redis, or Valkey. It is waited for, if it does not answer at once; a connection that is lost
 * later is made again by itself, and meanwhile every command fails at once.
 *
 * @throws {UserError} when it refuses, or does not answer in time.
 */
export async function openRedis(
  { url, prefix, timeout }: RedisSettings,
  log: Log,
): Promise<OpenedRedis> {
  const { protocol, host } = new URL(url)
  const where = `${protocol}//${host}`
  const client = createClient({
    url,
    // Nobody waits for a server that is away: what could not be sent has not happened.
    disableOfflineQueue: true,
    // A server that is gone without a word: the connection is given up then.
    pingInterval: (timeout * 1000) / 2,
    socket: {
      connectTimeout: timeout * 1000,
      socketTimeout: timeout * 1000,
      reconnectStrategy: (attempts) => Math.min(25 * 2 ** attempts, LONGEST_PAUSE),
    },
  })
  let last: unknown
  // It says so again at each attempt; the log says it once, and that it is over.
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
