import type { TwoFactorApi } from 'latchkey/plugins/two-factor'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { findUser } from './find-user.ts'
import { apiOf, withLatchkey } from './with-latchkey.ts'

/**
 * Removes the second factors of a user who lost them.
 *
 * @param user the id of the user, or the address.
 * @throws {UserError} if there is no such user, the user has no second factor, or nobody has one here.
 */
export function resetTwoFactor(user: string, sources: Sources): Promise<void> {
  return withLatchkey(sources, async (configured) => {
    const off = 'two-factor: is off; set LATCHKEY_TWO_FACTOR=optional'
    const twoFactor = apiOf<TwoFactorApi>('twoFactor', off, configured)
    const found = await findUser(user, configured.adapter)
    // Otherwise a user who was meant by mistake would have to set one up.
    if ((await twoFactor.status(found.id)).factors.length === 0)
      throw new UserError(`users: ${found.id} has no second factor, so none was removed`)
    await twoFactor.reset(found.id)
    process.stdout.write(
      `removed the second factors of ${found.id}; the next sign-in sets up a new one\n`,
    )
  })
}
