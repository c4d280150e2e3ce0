import type { TwoFactorApi } from 'latchkey/plugins/two-factor'
import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { findUser } from './find-user.ts'
import { withLatchkey } from './with-latchkey.ts'

/**
 * Removes the second factors of a user who lost them.
 *
 * @param user the id of the user, or the address.
 * @throws {UserError} if there is no such user, or nobody has a second factor here.
 */
export function resetTwoFactor(user: string, sources: Sources): Promise<void> {
  return withLatchkey(sources, async ({ config, latchkey, adapter }) => {
    if (!config.plugins?.some(({ name }) => name === 'twoFactor'))
      throw new UserError('two-factor: is off; set LATCHKEY_TWO_FACTOR=optional')
    const found = await findUser(user, adapter)
    const { twoFactor } = latchkey.api as unknown as { twoFactor: TwoFactorApi }
    await twoFactor.reset(found.id)
    process.stdout.write(
      `removed the second factors of ${found.id}; the next sign-in sets up a new one\n`,
    )
  })
}
