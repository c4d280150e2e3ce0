import { SessionTokenError, toError } from '../../base/errors.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { Store } from '../../store/store.ts'
import type { SessionFacts } from '../facts.ts'
import type { KeepingServices } from '../services.ts'

/** The services for moving sessions. */
interface Moving extends Pick<KeepingServices, 'logger' | 'watch'> {
  readonly store: Store
  /** Sessions that are being moved to another key, so that parallel reads do it once. */
  readonly moving: Map<string, Promise<string | null>>
}

/**
 * Stores a session under another key, for example the hash with the current secret, and notifies plugins.
 *
 * @returns the current key; `null` if the session ended meanwhile.
 */
export function moveSession(
  services: Moving,
  session: AdapterSession,
  facts: SessionFacts,
  to: string,
): Promise<string | null> {
  const { moving } = services
  const running =
    moving.get(to) ?? moveWatched(services, session, facts, to).finally(() => moving.delete(to))
  moving.set(to, running)
  return running
}

async function moveWatched(
  services: Moving,
  session: AdapterSession,
  facts: SessionFacts,
  to: string,
): Promise<string | null> {
  const { watch, logger } = services
  if (!watch) return move(services, session, to)
  const unnoted = (error: unknown): true => {
    logger.error(new SessionTokenError(toError(error)))
    return true
  }
  if (await watch.rename(facts, to, 'before').catch(unnoted)) return facts.key
  const key = await move(services, session, to)
  if (key === to) await watch.rename(facts, to, 'after').catch(unnoted)
  return key
}

async function move(
  { store, logger }: Moving,
  { sessionToken: from, userId, expires }: AdapterSession,
  to: string,
): Promise<string | null> {
  try {
    if (store.atomic.renameSession) {
      if (await store.atomic.renameSession(from, to)) return to
      return (await store.getSessionAndUser(to)) ? to : null
    }
    await store.createSession({ sessionToken: to, userId, expires })
  } catch (error) {
    logger.debug('session not stored under its new key', () => ({ error }))
    // Another process was faster, and removes the old row. Or the store failed, and the next read tries again.
    return (await store.getSessionAndUser(to).catch(() => null)) ? to : from
  }
  if (await store.getSessionAndUser(from)) {
    await store.deleteSession(from)
    return to
  }
  // A parallel sign-out removed the old row, so the new row must not stay.
  await store.deleteSession(to)
  return null
}
