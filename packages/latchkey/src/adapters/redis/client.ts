import { optionError } from '../../base/option-error.ts'

/**
 * How the adapter talks to Redis: it runs scripts and nothing else.
 *
 * @see fromNodeRedis, fromIoredis, fromUpstash for the usual clients.
 */
export interface RedisClient {
  /** `EVAL` */
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
  /** `EVALSHA`; fails with `NOSCRIPT` in its message where the server does not know the script. */
  evalSha(digest: string, keys: string[], args: string[]): Promise<unknown>
}

/** A client, cluster or pool of the package `redis`, as far as it is used. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A client or cluster of the package `ioredis`, as far as it is used. */
export interface IoredisClient {
  readonly options?: { readonly keyPrefix?: string | undefined }
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>
  evalsha(digest: string, numberOfKeys: number, ...args: string[]): Promise<unknown>
}

/** A client of the package `@upstash/redis`, as far as it is used. */
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

/** @throws when the client changes keys by itself: those that the scripts make, it does not know. */
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

/** The client may read answers as JSON, as it does by default: the scripts give none that would change. */
export function fromUpstash(client: UpstashClient): RedisClient {
  return {
    eval: (script, keys, args) => client.eval(script, keys, args).catch(withoutCommand),
    evalSha: (digest, keys, args) => client.evalsha(digest, keys, args).catch(withoutCommand),
  }
}

/** These clients tell with an error which command failed, with all the values that were in it. */
function withoutCommand(error: unknown): never {
  if (!(error instanceof Error)) throw error
  if ('command' in error) error.command = undefined
  const end = error.message.indexOf(', command was: ')
  if (end < 0) throw error
  throw Object.assign(new Error(error.message.slice(0, end)), { name: error.name })
}
