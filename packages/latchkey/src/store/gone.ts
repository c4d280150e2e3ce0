import type { AdapterAccount } from '../model/account.ts'
import type { Adapter, AdapterMethod } from '../model/adapter.ts'
import type { AdapterSession } from '../model/session.ts'

// The arguments are those of the method that failed.
// oxlint-disable-next-line typescript/no-explicit-any
type Read = (adapter: Adapter, given: any) => unknown

/**
 * The methods that need an existing row, and how to read it. Users are not read, because some adapters return no user
 * if the store fails.
 */
const readers: Readonly<Partial<Record<AdapterMethod, Read | undefined>>> = {
  deleteSession: (adapter, token: string) => adapter.getSessionAndUser?.(token),
  updateSession: (adapter, { sessionToken }: Pick<AdapterSession, 'sessionToken'>) =>
    adapter.getSessionAndUser?.(sessionToken),
  unlinkAccount: (adapter, account: Pick<AdapterAccount, 'provider' | 'providerAccountId'>) =>
    adapter.getUserByAccount?.(account),
  deleteUser: undefined,
}

/**
 * Returns whether a method failed only because there is nothing to remove or to change. Some adapters throw then, and
 * two parts of an application may end the same session.
 */
export async function isGone(
  error: unknown,
  adapter: Adapter,
  name: AdapterMethod,
  args: readonly unknown[],
): Promise<boolean> {
  if (!(name in readers)) return false
  // Prisma: the row to delete or to update was not found.
  if (error instanceof Error && 'code' in error && error.code === 'P2025') return true
  try {
    return (await readers[name]?.(adapter, args[0])) === null
  } catch {
    return false
  }
}
