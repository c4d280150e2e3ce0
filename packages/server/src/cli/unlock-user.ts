import type { LimitsApi } from 'latchkey/plugins/limits'
import type { Sources } from '../settings.ts'
import { findUser } from './find-user.ts'
import { apiOf, withLatchkey } from './with-latchkey.ts'

/**
 * Lets a user in again whom limits refuse, or whose password or second factor is disabled after wrong attempts.
 *
 * @param user the id of the user, or the address.
 * @throws {UserError} if there is no such user, or there are no limits.
 */
export function unlockUser(user: string, sources: Sources): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const off = 'limits: are off, so no attempts are counted; set LATCHKEY_LIMITS=true'
    const limits = apiOf<LimitsApi>('limits', off, configured)
    const { id } = await findUser(user, configured.adapter)
    await limits.unlock(id)
    process.stdout.write(`forgot the failed attempts of ${id}\n`)
  })
}
