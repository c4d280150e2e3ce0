import type { Own } from '../own.ts'
import { NO_FACTORS } from '../records/state.ts'
import { endPending } from './end-others.ts'

/** Removes all second factors of a user, and what stands in for them. What counts goes first. */
export async function removeAll(
  userId: string,
  own: Pick<Own, 'host' | 'states' | 'totp' | 'recovery' | 'browsers'>,
): Promise<void> {
  const { host, states, totp, recovery, browsers } = own
  const generation = await recovery.generation(userId)
  let removed: readonly string[] = []
  await states.upsert(userId, (before) => {
    removed = before?.totp ?? []
    return { data: { ...NO_FACTORS, rev: (before?.rev ?? 0) + 1 }, userId }
  })
  await totp.remove(removed)
  await totp.endEnrolments(userId)
  await recovery.end(userId, generation)
  await browsers.forget(userId)
  await endPending(userId, own)
  for (const method of ['totp', 'recovery', 'email'])
    await host.attempts.strikes(method).clear(userId)
}
