import type { Push } from '../../model/push.ts'

/** A client of the package `redis`, as far as it is used. */
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

/** A client of the package `ioredis`, as far as it is used. */
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
 * Tells other processes through Redis or Valkey that a session was ended. Makes one connection more, which listens; the
 * client makes it again when it breaks.
 *
 * @param client of `redis` or `ioredis`.
 * @param options `prefix`: that of the adapter, if it has one.
 */
export function redisPush(
  client: NodeRedisPushClient | IoredisPushClient,
  { prefix = '' }: { readonly prefix?: string } = {},
): Push {
  const channel = `${prefix}revocations`
  /** Ends the connection that listens. */
  let leave = (): unknown => undefined
  return {
    async listen(hint) {
      // The client tries again by itself; hints that are lost meanwhile are not waited for.
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
