import { endAddressChange } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'

/** Ends all links to reset the password of a user, and the change of address that is under way. */
export async function endResets(
  userId: string,
  { host, resets }: Pick<Own, 'host' | 'resets'>,
): Promise<void> {
  for await (const { key } of resets.each(userId)) await resets.delete(key)
  await endAddressChange(userId, host)
}
