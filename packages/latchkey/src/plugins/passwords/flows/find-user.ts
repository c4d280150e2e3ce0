import type { AdapterUser } from '../../../entries/plugin.ts'
import { readAddress } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'

/** Characters of an identifier that are read. */
const LONGEST = 320

/** Returns what was typed in the form in which it is counted and looked up. */
export function identifierOf(typed: string): string {
  const text = typed.slice(0, LONGEST + 1)
  return text.length > LONGEST ? '' : text.normalize('NFKC').toLowerCase().trim()
}

/** Returns the user with this address or user name. */
export async function userOf(
  identifier: string,
  { host }: Pick<Own, 'host'>,
): Promise<AdapterUser | undefined> {
  const { store } = host
  if (!store) return undefined
  if (identifier.includes('@')) {
    const address = readAddress(identifier)
    return (address && (await store.getUserByEmail(address))) || undefined
  }
  const id = identifier === '' ? undefined : await host.userNames()?.find(identifier)
  return (id !== undefined && (await store.getUser(id))) || undefined
}
