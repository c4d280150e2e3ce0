import { AccountNotLinked } from '../../base/errors.ts'
import type { Account, AdapterAccount } from '../../model/account.ts'
import type { Authenticator } from '../../model/authenticator.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Admitted, ProvenPasskey, Visitor } from '../../plan/provider.ts'
import { allOrNothing } from '../../sign-in/all-or-nothing.ts'
import { createOwner } from '../../sign-in/create-owner.ts'
import type { Store } from '../../store/store.ts'
import type { WebAuthnFlow } from './webauthn-flow.ts'

/** The owner of the used credential, or the new credential. */
export type UsedPasskey = { readonly owner: AdapterUser } | { readonly credential: Authenticator }

/**
 * Returns the user of a passkey. A used passkey signs in its owner. A new one belongs to the signed-in user
 * who requested it, or to a new user, and never to another existing user.
 *
 * @throws {AccountNotLinked} if another user is signed in, or the address or the passkey belongs to another user.
 * @throws {ReauthenticationRequired} if the signed-in user proved their identity too long ago.
 */
export async function admitPasskey(
  identity: ProvenPasskey,
  passkey: UsedPasskey,
  { store, plan }: WebAuthnFlow,
  visitor: Visitor,
): Promise<Admitted> {
  const signedIn = await visitor.user()
  if ('owner' in passkey) {
    if (signedIn && signedIn.id !== passkey.owner.id) {
      throw notLinked('the passkey belongs to another user than the one who is signed in', identity)
    }
    return { user: passkey.owner, isNewUser: false }
  }
  if (signedIn?.id !== identity.begunBy) {
    throw notLinked('another user began the registration; request new options', identity)
  }
  if (signedIn) {
    await visitor.needFresh()
    await plan.plugins?.accounts.needProved(signedIn.id)
  } else await refuseKnown(identity, store)
  const { user, isLinked } = await storePasskey(identity, passkey.credential, signedIn, store, plan)
  if (!signedIn) await plan.emit('createUser', { user })
  if (isLinked) {
    const account = accountOf(identity)
    await plan.emit('linkAccount', { user, account, profile: identity.user })
  }
  return { user, isNewUser: signedIn === null }
}

function notLinked(message: string, { account }: ProvenPasskey): AccountNotLinked {
  return new AccountNotLinked(message, { provider: account.provider })
}

/** @throws {AccountNotLinked} if the account exists, or another user has the address. */
async function refuseKnown(identity: ProvenPasskey, store: Store): Promise<void> {
  const { user, account } = identity
  if (await store.getAccount(account.providerAccountId, account.provider)) {
    throw notLinked('the passkey already belongs to a user', identity)
  }
  if (user.email && (await store.getUserByEmail(user.email))) {
    throw notLinked('another account has the same e-mail address', identity)
  }
}

/** Stores user, account and credential, all or none: each needs the others. */
async function storePasskey(
  identity: ProvenPasskey,
  credential: Authenticator,
  signedIn: AdapterUser | null,
  store: Store,
  plan: Plan,
): Promise<{ user: AdapterUser; isLinked: boolean }> {
  const account = accountOf(identity)
  const draft = { ...identity.user, emailVerified: null } as AdapterUser
  return allOrNothing(store, plan.logger, async (group) => {
    const { store: inside, undoWith } = group
    const user = signedIn ?? (await createOwner(draft, group, store))
    const known = await inside.getAccount(account.providerAccountId, account.provider)
    if (known && known.userId !== user.id) {
      throw notLinked('the passkey belongs to another user', identity)
    }
    if (!known) {
      await inside.linkAccount({ ...account, userId: user.id } as AdapterAccount)
      undoWith(() => store.unlinkAccount(account))
    }
    await inside.createAuthenticator({ ...credential, userId: user.id })
    return { user, isLinked: !known }
  })
}

function accountOf({
  account: { provider, providerAccountId, type },
}: ProvenPasskey): Pick<Account, 'provider' | 'providerAccountId' | 'type'> {
  return { provider, providerAccountId, type }
}
