import { formatUuid } from '../encoding/uuid.ts'
import { AuthError, OAuthAccountNotLinked } from '../errors.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { Plan } from '../plan.ts'
import type { Admission, VerifiedIdentity } from '../provider.ts'
import type { Store } from '../session/store.ts'
import { admitPasskey, findPasskeyOwner } from './admit-passkey.ts'

/** The user of a sign-in, and whether they were created just now. */
export interface Admitted {
  readonly user: User | AdapterUser
  /** `undefined` where nothing is stored. */
  readonly isNewUser: boolean | undefined
}

/** How one kind of identity is matched with what is stored. */
interface Matching {
  /** Is the user new, where nothing is stored? Where an account could have been created, nobody knows. */
  readonly unstored: false | undefined
  /** The stored user of this identity, before the application is asked. */
  find(identity: VerifiedIdentity, store: Store): Promise<AdapterUser | null>
  /** The user to sign in: found, linked or created. Only called once the application agreed. */
  admit(
    identity: VerifiedIdentity,
    store: Store,
    plan: Plan,
    current: () => Promise<AdapterUser | null>,
  ): Promise<Admitted>
}

export const matchings: Readonly<Record<Admission, Matching>> = {
  account: {
    unstored: undefined,

    find: ({ account }, store) => store.getUserByAccount(accountKey(account)),

    async admit(identity, store, plan, current) {
      const { account, user } = identity
      // Asked again: the application may have linked the account when it was asked for its consent.
      const owner = await store.getUserByAccount(accountKey(account))
      const signedIn = await current()
      if (owner) {
        if (signedIn && signedIn.id !== owner.id) {
          throw new OAuthAccountNotLinked('the account belongs to another user', {
            provider: account.provider,
          })
        }
        return { user: owner, isNewUser: false }
      }
      if (signedIn) {
        if (signedIn.id !== identity.begunBy) {
          throw new OAuthAccountNotLinked('the sign-in was not begun by who is signed in now', {
            provider: account.provider,
          })
        }
        await link(identity, signedIn, store, plan)
        return { user: signedIn, isNewUser: false }
      }
      const namesake = user.email ? await store.getUserByEmail(user.email) : null
      if (namesake) {
        if (!identity.linksByAddress) {
          throw new OAuthAccountNotLinked('another account has the same e-mail address', {
            provider: account.provider,
          })
        }
        await link(identity, namesake, store, plan)
        return { user: namesake, isNewUser: false }
      }
      const created = await store.createUser({
        ...user,
        id: user.id ?? formatUuid(plan.ports.random(16)),
        emailVerified: null,
      } as AdapterUser)
      await plan.emit('createUser', { user: created })
      await link(identity, created, store, plan)
      return { user: created, isNewUser: true }
    },
  },

  passkey: { unstored: undefined, find: findPasskeyOwner, admit: admitPasskey },

  address: {
    unstored: undefined,

    find: ({ account }, store) => store.getUserByEmail(account.providerAccountId),

    async admit({ user, account }, store, plan) {
      const now = new Date(plan.ports.now())
      const known = await store.getUserByEmail(account.providerAccountId)
      if (!known) {
        const created = await store.createUser({ ...user, emailVerified: now } as AdapterUser)
        await plan.emit('createUser', { user: created })
        return { user: created, isNewUser: true }
      }
      if (known.emailVerified) return { user: known, isNewUser: false }
      const verified = await store.updateUser({ id: known.id, emailVerified: now })
      await plan.emit('updateUser', { user: verified })
      return { user: verified, isNewUser: false }
    },
  },

  given: {
    unstored: false,

    find: async () => null,

    async admit({ user }, store, plan) {
      if (plan.session.name === 'jwt') return { user, isNewUser: false }
      const stored = user.id === undefined ? null : await store.getUser(user.id)
      if (stored) return { user: stored, isNewUser: false }
      throw new AuthError(
        'with database sessions `authorize` must return a user of the adapter, and it has none with ' +
          `the id that was returned; create the user first, or set \`session.strategy\` to 'jwt'`,
      )
    },
  },
}

function accountKey({
  provider,
  providerAccountId,
}: VerifiedIdentity['account']): Pick<AdapterAccount, 'provider' | 'providerAccountId'> {
  return { provider, providerAccountId }
}

async function link(
  { account, stored, user }: VerifiedIdentity,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<void> {
  const { provider, providerAccountId, type } = account
  const kept = { ...stored, providerAccountId, provider, type }
  await store.linkAccount({ ...kept, userId: owner.id } as AdapterAccount)
  await plan.emit('linkAccount', { user: owner, account: kept, profile: user })
}
