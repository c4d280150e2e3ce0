import { AdapterError } from '../base/errors.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Store } from '../store/store.ts'
import type { Group } from './all-or-nothing.ts'

/**
 * Creates the user of a new account. If the account is not linked, the user is deleted: nobody could sign in as this
 * user, and the owner of the address could not sign in either.
 *
 * @param draft with a new id.
 * @throws {AdapterError} also if the adapter does not return the created user.
 */
export async function createOwner(
  draft: AdapterUser,
  { store: inside, undoWith }: Group,
  store: Store,
): Promise<AdapterUser> {
  let made: Partial<AdapterUser> | null | undefined
  // Registered before the call: a store may create the user and still fail.
  undoWith(async () => {
    const left = made?.id ? made : await store.getUser(draft.id)
    if (left?.id) await store.deleteUser(left.id)
  })
  made = await inside.createUser(draft)
  if (made?.id) return made as AdapterUser
  throw new AdapterError(
    'the adapter returned a user without an id; return the stored user with its `id`',
    { method: 'createUser' },
  )
}
