import { optionError } from '../../base/option-error.ts'

/**
 * The access to Redis. The adapter only runs scripts.
 *
 * @see fromNodeRedis, fromIoredis, fromUpstash for the usual clients.
 */
export interface RedisClient {
  /** `EVAL` */
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
  /** `EVALSHA`. It fails with `NOSCRIPT` in its message if the server does not know the script. */
  evalSha(digest: string, keys: string[], args: string[]): Promise<unknown>
}

/** The members of a client, cluster or pool of `redis` that the adapter uses. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** The members of a client or cluster of `ioredis` that the adapter uses. */
export interface IoredisClient {
  readonly options?: { readonly keyPrefix?: string | undefined }
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>
  evalsha(digest: string, numberOfKeys: number, ...args: string[]): Promise<unknown>
}

/** The members of a client of `@upstash/redis` that the adapter uses. */
export interface UpstashClient {
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
  evalsha(digest: string, keys: string[], args: string[]): Promise<unknown>
}

export function fromNodeRedis(client: NodeRedisClient): RedisClient {
  return {
    eval: (script, keys, args) => client.eval(script, { keys, arguments: args }),
    evalSha: (digest, keys, args) => client.evalSha(digest, { keys, arguments: args }),
  }
}

/** @throws if the client adds a prefix to keys: it would not change the keys that the scripts create. */
export function fromIoredis(client: IoredisClient): RedisClient {
  if (client.options?.keyPrefix) {
    throw optionError(
      'remove `keyPrefix` of the ioredis client, and set `prefix` of the adapter',
      'adapter',
    )
  }
  return {
    eval: (script, keys, args) =>
      client.eval(script, keys.length, ...keys, ...args).catch(withoutCommand),
    evalSha: (digest, keys, args) =>
      client.evalsha(digest, keys.length, ...keys, ...args).catch(withoutCommand),
  }
}

/** The client may parse results as JSON, as it does by default: that changes no result of the scripts. */
export function fromUpstash(client: UpstashClient): RedisClient {
  return {
    eval: (script, keys, args) => client.eval(script, keys, args).catch(withoutCommand),
    evalSha: (digest, keys, args) => client.evalsha(digest, keys, args).catch(withoutCommand),
  }
}

/** Throws the error without the command, since these clients add all values of the command to it. */
function withoutCommand(error: unknown): never {
  if (!(error instanceof Error)) throw error
  if ('command' in error) error.command = undefined
  const end = error.message.indexOf(', command was: ')
  if (end < 0) throw error
  throw Object.assign(new Error(error.message.slice(0, end)), { name: error.name })
}
