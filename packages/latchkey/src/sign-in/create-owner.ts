import { AdapterError } from '../errors.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Store } from '../store/store.ts'
import type { Group } from './all-or-nothing.ts'

/**
 * Creates the user to whom an account will belong, and takes them back when it does not come to that:
 * nobody could sign in as them, and whoever has the address could not either.
 *
 * @param draft with an id that was drawn for this user.
 * @throws {AdapterError} also when the adapter does not tell who was created.
 */
export async function createOwner(
  draft: AdapterUser,
  { store: inside, undoWith }: Group,
  store: Store,
): Promise<AdapterUser> {
  let made: Partial<AdapterUser> | null | undefined
  // Announced first: a store may do what it is told, and then fail to say so.
  undoWith(async () => {
    const left = made?.id ? made : await store.getUser(draft.id)
    if (left?.id) await store.deleteUser(left.id)
  })
  made = await inside.createUser(draft)
  if (made?.id) return made as AdapterUser
  throw new AdapterError('the adapter gave a user without an id', { method: 'createUser' })
}
