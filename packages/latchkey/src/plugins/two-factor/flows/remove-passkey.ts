import { Problem } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { heldKeys, NO_FACTORS } from '../records/state.ts'
import { endPending } from './end-others.ts'
import { keysOf, levelOf } from './level.ts'

/** Milliseconds for which a passkey that is being removed does not count, if nobody says that the removal ended. */
const HELD = 60_000

/**
 * Removes a passkey, unless it is the last second factor of a user who must have one.
 *
 * The record of the factors says which passkeys are being removed. So of two removals at once, of passkeys or of an app, the second
 * one does not count the passkey of the first one.
 *
 * @throws {Problem} `last_factor`
 */
export async function removePasskey<Result>(
  userId: string,
  name: string,
  remove: () => Promise<Result>,
  own: Own,
): Promise<Result> {
  const { host, states } = own
  const user = await host.store?.getUser(userId)
  const isRequired =
    user !== undefined && user !== null && (await levelOf(user, own)).until !== undefined
  await states.upsert(userId, async (before = NO_FACTORS) => {
    if (before.isDamaged) return undefined
    const now = host.ports.now()
    const { [name]: _, ...others } = heldKeys(before, now)
    const left = (await keysOf(userId, own)) - Object.keys(others).length - 1
    if (isRequired && before.totp.length === 0 && before.email === undefined && left <= 0)
      throw new Problem('last_factor', 'the user must have a second factor')
    const removing = { ...others, [name]: now + HELD }
    return { data: { ...before, rev: before.rev + 1, removing }, userId }
  })
  try {
    const result = await remove()
    await letGo()
    // What a waiting sign-in can prove has changed.
    await endPending(userId, own)
    return result
  } catch (error) {
    // A store that failed may still do it later.
    if (error instanceof Problem) await letGo()
    throw error
  }

  async function letGo(): Promise<void> {
    await states.update(userId, (before) => {
      if (before.isDamaged) return undefined
      const { [name]: _, ...removing } = heldKeys(before, host.ports.now())
      return { data: { ...before, removing } }
    })
  }
}
