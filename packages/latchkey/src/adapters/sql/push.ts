import { optionError } from '../../base/option-error.ts'
import type { Push } from '../../model/push.ts'

/** The members of a pool of `pg` that are used. */
export interface PgPushPool {
  connect(): Promise<PgPushClient>
  query(text: string, values: string[]): Promise<unknown>
}

export interface PgPushClient {
  query(text: string): Promise<unknown>
  release(destroy?: boolean): void
  on(event: 'notification' | 'error' | 'end', listener: () => void): unknown
}

/** Milliseconds until a broken connection is opened again. */
const PAUSE = 1000

/**
 * Tells other processes through PostgreSQL that a session was ended. It keeps one connection of the pool to listen.
 * `LISTEN` does not work through a pooler that gives each transaction another connection.
 *
 * @param options `channel`: a name of small letters, digits and `_`. The default is `latchkey_revocations`.
 */
export function postgresPush(
  pool: PgPushPool,
  { channel = 'latchkey_revocations' }: { readonly channel?: string } = {},
): Push {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(channel)) {
    throw optionError(
      `postgresPush(): \`channel\` must have 1 to 63 lower-case letters, digits and _, got ${JSON.stringify(channel)}`,
      'sessions',
    )
  }
  /** Returns the listening connection to the pool. */
  let leave = (): void => {}
  let isClosed = false

  async function listen(hint: () => void): Promise<void> {
    const client = await pool.connect()
    let isReleased = false
    const release = (): boolean => {
      if (isReleased) return false
      isReleased = true
      client.release(true)
      return true
    }
    const mend = (): void => {
      if (release() && !isClosed) again(hint)
    }
    client.on('notification', hint)
    client.on('error', mend)
    client.on('end', mend)
    leave = release
    if (isClosed) release()
    try {
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      release()
      throw error
    }
    // For messages that were sent while no connection listened.
    hint()
  }

  function again(hint: () => void): void {
    const timer = setTimeout(() => {
      if (!isClosed) listen(hint).catch(() => again(hint))
    }, PAUSE)
    // The timer must not keep a process running.
    const waited = timer as unknown as { unref?(): void }
    waited.unref?.()
  }

  return {
    listen,
    async notify(seq) {
      await pool.query('SELECT pg_notify($1, $2)', [channel, String(seq)])
    },
    async close() {
      isClosed = true
      leave()
    },
  }
}
