import type { Push } from '../../model/push.ts'

/** The members of a client of `redis` that are used. */
export interface NodeRedisPushClient {
  publish(channel: string, message: string): Promise<unknown>
  duplicate(): NodeRedisSubscriber
}

interface NodeRedisSubscriber {
  on(event: 'error', listener: () => void): unknown
  connect(): Promise<unknown>
  subscribe(channel: string, listener: () => void): Promise<unknown>
  destroy(): unknown
}

/** The members of a client of `ioredis` that are used. */
export interface IoredisPushClient {
  readonly status: string
  publish(channel: string, message: string): Promise<unknown>
  duplicate(): IoredisSubscriber
}

interface IoredisSubscriber {
  on(event: 'error' | 'message', listener: () => void): unknown
  subscribe(channel: string): Promise<unknown>
  disconnect(): unknown
}

/**
 * Tells other processes through Redis or Valkey that a session was ended. It opens one more connection, which listens.
 * The client opens it again if it breaks.
 *
 * @param client of `redis` or `ioredis`.
 * @param options `prefix`: the prefix of the adapter, if it has one.
 */
export function redisPush(
  client: NodeRedisPushClient | IoredisPushClient,
  { prefix = '' }: { readonly prefix?: string } = {},
): Push {
  const channel = `${prefix}revocations`
  /** Closes the listening connection. */
  let leave = (): unknown => undefined
  return {
    async listen(hint) {
      // The client connects again by itself. Hints that are lost meanwhile are not repeated.
      const quiet = (): void => {}
      if ('status' in client) {
        const subscriber = client.duplicate()
        leave = () => subscriber.disconnect()
        subscriber.on('error', quiet)
        subscriber.on('message', hint)
        await subscriber.subscribe(channel)
      } else {
        const subscriber = client.duplicate()
        leave = () => subscriber.destroy()
        subscriber.on('error', quiet)
        await subscriber.connect()
        await subscriber.subscribe(channel, hint)
      }
      hint()
    },
    async notify(seq) {
      await client.publish(channel, String(seq))
    },
    async close() {
      leave()
    },
  }
}
