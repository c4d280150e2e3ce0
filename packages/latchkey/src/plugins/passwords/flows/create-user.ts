import { type AdapterUser, type Host, Problem } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { ExtraFields } from '../settings.ts'

/** A user who signed up. */
export interface NewUser {
  readonly email: string
  readonly emailVerified: Date | null
  readonly name: string | undefined
  readonly username: string | undefined
  /** The holder of the reservation of the user name. */
  readonly flow: string
  /** The hash of the password. */
  readonly phc: string
}

/**
 * Creates a user with a password, or nothing.
 *
 * @param beforePassword called when there is a user, and nobody can sign in yet.
 * @throws {Problem} `invalid_code` if the address has a user by now.
 */
export async function createUser(
  user: NewUser,
  own: Own,
  beforePassword?: (made: AdapterUser) => Promise<unknown>,
): Promise<AdapterUser> {
  const { store } = own.host
  if (!store) throw new Problem('store_unavailable', 'there is no adapter')
  return store.inTurn(user.email, async () => {
    if (await store.getUserByEmail(user.email)) throw taken()
    return create(user, own, beforePassword)
  })
}

/**
 * Tells the application of the new user.
 *
 * @param fields what was typed. They are members of the user, too, unless the user has a column of that name.
 */
export function tellCreated(user: AdapterUser, fields: ExtraFields, host: Host): Promise<void> {
  return host.tell('createUser', { user: { ...fields, ...user }, fields })
}

async function create(
  { email, emailVerified, name, username, flow, phc }: NewUser,
  { host, passwords }: Own,
  beforePassword: ((made: AdapterUser) => Promise<unknown>) | undefined,
): Promise<AdapterUser> {
  const { store } = host
  let made: AdapterUser | undefined
  try {
    const id = crypto.randomUUID()
    made = await store?.createUser({ id, name: name ?? null, email, emailVerified, image: null })
    if (!made) throw taken()
    await beforePassword?.(made)
    if (!(await passwords.write(made.id, undefined, { phc, by: 'user' }))) throw taken()
    if (username !== undefined) await host.userNames()?.give(username, made.id, flow)
    return made
  } catch (error) {
    // A user without the password could not sign in with it.
    if (made) await store?.deleteUser(made.id)
    // Somebody else may have proved the address at the same time.
    else if (await store?.getUserByEmail(email)) throw taken()
    throw error
  }
}

function taken(): Problem {
  return new Problem('invalid_code', 'the address has a user by now')
}
