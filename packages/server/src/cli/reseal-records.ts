import type { Sources } from '../settings.ts'
import { UserError } from '../user-error.ts'
import { withLatchkey } from './with-latchkey.ts'

/**
 * Seals all stored values that do not expire with the first secret, and prints how many.
 *
 * @throws {UserError} if there are values that no configured secret opens.
 */
export function resealRecords(sources: Sources): Promise<void> {
  return withLatchkey(sources, async ({ latchkey }) => {
    const { resealed, current, unreadable } = await latchkey.resealRecords()
    process.stdout.write(`sealed ${resealed}, unchanged ${current}, unreadable ${unreadable}\n`)
    if (unreadable > 0)
      throw new UserError(
        `secrets: no configured secret opens ${unreadable} of the stored values; set the secret that sealed them as well, for example AUTH_SECRET_2, and run "latchkey secrets reseal" again`,
      )
  })
}
