import type { Host } from '../plugin/host.ts'

/** The kind of the records of address changes that are not confirmed yet. The key is the id of the user. */
export const ADDRESS_CHANGE = 'address-change'

/** Ends the change of address that a user has begun, for example because somebody else may have begun it. */
export async function endAddressChange(
  userId: string,
  { records }: Pick<Host, 'records'>,
): Promise<void> {
  await records.take(ADDRESS_CHANGE, userId)
}
