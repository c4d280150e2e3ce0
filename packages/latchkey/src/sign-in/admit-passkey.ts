import { formatUuid } from '../encoding/uuid.ts'
import { AccountNotLinked, AuthError } from '../errors.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Plan } from '../plan.ts'
import type { VerifiedIdentity } from '../provider.ts'
import type { Store } from '../session/store.ts'

/** The owner of the passkey that was used; nobody has one that is new. */
export async function findPasskeyOwner({ passkey }: VerifiedIdentity): Promise<AdapterUser | null> {
  return passkey && 'owner' in passkey ? passkey.owner : null
}

/**
 * The user of a passkey. One that was used signs its owner in; a new one goes to whoever is signed in
 * and asked for it, else to a new user, and never to anybody who was there before.
 *
 * @throws {AccountNotLinked} when somebody else is signed in, or the address or the passkey is taken.
 */
export async function admitPasskey(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
  current: () => Promise<AdapterUser | null>,
): Promise<{ readonly user: AdapterUser; readonly isNewUser: boolean }> {
  const { passkey } = identity
  if (!passkey) throw new AuthError('the identity is none of a passkey')
  const signedIn = await current()
  if ('owner' in passkey) {
    if (signedIn && signedIn.id !== passkey.owner.id) {
      throw notLinked('the passkey belongs to another user than is signed in', identity)
    }
    return { user: passkey.owner, isNewUser: false }
  }
  if (signedIn?.id !== identity.begunBy) {
    throw notLinked('the registration was not begun by who is signed in now', identity)
  }
  const isNewUser = signedIn === null
  const user = signedIn ?? (await createOwner(identity, store, plan))
  await link(identity, user, store, plan)
  await store.createAuthenticator({ ...passkey.credential, userId: user.id })
  return { user, isNewUser }
}

function notLinked(message: string, { account }: VerifiedIdentity): AccountNotLinked {
  return new AccountNotLinked(message, { provider: account.provider })
}

/** @throws {AccountNotLinked} when there is an account, or somebody with the address. */
async function createOwner(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
): Promise<AdapterUser> {
  const { user, account } = identity
  if (await store.getAccount(account.providerAccountId, account.provider)) {
    throw notLinked('the passkey belongs to a user already', identity)
  }
  if (user.email && (await store.getUserByEmail(user.email))) {
    throw notLinked('another account has the same e-mail address', identity)
  }
  const created = await store.createUser({
    ...user,
    id: user.id ?? formatUuid(plan.ports.random(16)),
    emailVerified: null,
  } as AdapterUser)
  await plan.emit('createUser', { user: created })
  return created
}

/** Ties the passkey to its owner, unless it is already. */
async function link(
  { account, user }: VerifiedIdentity,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<void> {
  const { provider, providerAccountId, type } = account
  const known = await store.getAccount(providerAccountId, provider)
  if (known?.userId === owner.id) return
  if (known) throw new AccountNotLinked('the passkey belongs to another user', { provider })
  await store.linkAccount({ provider, providerAccountId, type, userId: owner.id } as AdapterAccount)
  await plan.emit('linkAccount', {
    user: owner,
    account: { provider, providerAccountId, type },
    profile: user,
  })
}
