import { optionError, withDocs } from '../../base/option-error.ts'
import { type Adapter, isAdapterConflict } from '../../model/adapter.ts'
import type { AdapterSession } from '../../model/session.ts'
import type { AdapterUser } from '../../model/user.ts'

/** The users in the store of sessions. They have only an id there. */
export interface Guests {
  /** Creates a session, and its guest if needed. */
  admit(session: AdapterSession): Promise<AdapterSession>
  /** Removes a guest with all sessions, and the open verification tokens of the address. */
  remove(id: string, address?: string | null): Promise<void>
}

type Needed = 'createUser' | 'getUser' | 'getUserByEmail' | 'updateUser' | 'deleteUser'
const NEEDED: readonly Needed[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'updateUser',
  'deleteUser',
]

/** @throws if `sessions` cannot store users. */
export function guestsOf(sessions: Adapter): Guests {
  const missing = NEEDED.filter((name) => typeof sessions[name] !== 'function')
  if (missing.length > 0) {
    throw optionError(
      `the adapter for sessions lacks ${missing.join(', ')}; use an adapter that has these methods`,
      'adapter',
    )
  }
  const store = sessions as Required<Pick<Adapter, Needed | 'createSession'>>
  return {
    async admit(session) {
      try {
        return await store.createSession(session)
      } catch (error) {
        if (isAdapterConflict(error)) throw error
        // Another sign-in of the user may have created the guest in between. Then it works now.
        if (!(await store.getUser(session.userId))) await createGuest(store, session.userId)
      }
      return store.createSession(session)
    },
    async remove(id, address) {
      if (address && sessions.createVerificationToken) await giveAddress(store, id, address)
      await store.deleteUser(id)
    },
  }
}

type Store = Required<Pick<Adapter, Needed>>

async function createGuest(store: Store, id: string): Promise<void> {
  try {
    const guest = await store.createUser({ id, email: NOBODY, emailVerified: null })
    if (guest.id !== id)
      throw new Error(
        withDocs(
          'the adapter for sessions must store users under the ids that it receives; turn off ids that it generates itself',
          'adapter',
        ),
      )
  } catch (error) {
    // Another sign-in of the user may be faster.
    if (!isAdapterConflict(error)) throw error
  }
}

/** Gives the guest an address: the store removes the verification tokens of an address with its user. */
async function giveAddress(store: Store, id: string, address: string): Promise<void> {
  if (!(await store.getUser(id))) await createGuest(store, id)
  try {
    await store.updateUser({ id, email: address })
  } catch (error) {
    if (!isAdapterConflict(error)) throw error
    // Another guest has the address, because an earlier deletion was interrupted.
    const before = await store.getUserByEmail(address)
    if (before) await store.updateUser({ id: before.id, email: NOBODY })
    await store.updateUser({ id, email: address })
  }
}

// Required by the types, but a provider may return none, and a guest has none.
const NOBODY = null as unknown as AdapterUser['email']
