import { lowerCase } from '../encoding/lower-case.ts'
import { formatUuid } from '../encoding/uuid.ts'
import {
  AccountNotLinked,
  AdapterError,
  AuthError,
  isAuthError,
  OAuthAccountNotLinked,
} from '../errors.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Plan } from '../plan.ts'
import type {
  Admitted,
  CompiledProvider,
  GivenUser,
  ProvenAccount,
  ProvenAddress,
  VerifiedIdentity,
} from '../provider.ts'
import type { Store } from '../store/store.ts'
import { type AddressOwner, addressOwner, isProvenBy, releaseAddress } from './address-owner.ts'
import { allOrNothing } from './all-or-nothing.ts'
import { createOwner } from './create-owner.ts'

type Current = () => Promise<AdapterUser | null>

/** Returns the stored user of an identity, before the application is asked. Whom a passkey's flow found is whom it describes. */
export async function findUser(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
  current: Current,
): Promise<AdapterUser | null> {
  const { account, proven } = identity
  if (proven === 'account') return store.getUserByAccount(accountKey(account))
  if (proven !== 'address') return null
  return (await addressOwner(account.providerAccountId, store, plan, current)).owner
}

/** Returns the user to sign in: found, linked or created. Only called once the application agreed. */
export function admitUser(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
  current: Current,
): Promise<Admitted> {
  switch (identity.proven) {
    case 'account':
      return inTurn(identity, store, () => admitAccount(identity, store, plan, current))
    case 'address':
      return inTurn(identity, store, () => admitAddress(identity, store, plan, current))
    case 'passkey':
      return inTurn(identity, store, () => identity.admit(current))
    case 'word':
      return admitGiven(identity, store, plan)
  }
}

async function admitGiven(
  { user, account }: GivenUser,
  store: Store,
  plan: Plan,
): Promise<Admitted> {
  if (plan.session.name === 'jwt') return { user, isNewUser: false }
  const stored = await store.getUser(account.providerAccountId)
  if (stored) return { user: stored, isNewUser: false }
  throw new AuthError(
    'with database sessions `authorize` must return a user of the adapter, and it has none with ' +
      `the id that was returned; create the user first (\`adapter.createUser\`), or set \`session.strategy\` to 'jwt'`,
  )
}

async function admitAccount(
  identity: ProvenAccount,
  store: Store,
  plan: Plan,
  current: Current,
): Promise<Admitted> {
  const { account, user } = identity
  // Asked again: the application may have linked the account when it was asked for its consent.
  const owner = await store.getUserByAccount(accountKey(account))
  const signedIn = await current()
  if (owner) {
    if (signedIn && signedIn.id !== owner.id) {
      throw notLinked(identity, 'the account belongs to another user')
    }
    return signInOwner(identity, owner, store, plan)
  }
  if (signedIn) {
    if (signedIn.id !== identity.begunBy) {
      throw notLinked(identity, 'the sign-in was not begun by who is signed in now')
    }
    await link(identity, signedIn, store, plan)
    return { user: await withProof(identity, signedIn, store, plan), isNewUser: false }
  }
  if (identity.onlyLinks) {
    throw notLinked(identity, 'it was to be linked to somebody who is not signed in any more')
  }
  const { owner: namesake, claimant } = user.email
    ? await addressOwner(user.email, store, plan, current)
    : NOBODY
  if (claimant) {
    // Who merely says the same of the address has no better claim.
    if (!identity.provesAddress && identity.linksByAddress !== true) {
      throw notLinked(identity, 'another account has the same e-mail address')
    }
    await releaseAddress(claimant, store, plan)
  }
  if (namesake) {
    const { linksByAddress } = identity
    if (!linksByAddress || (linksByAddress === 'proven' && !namesake.emailVerified)) {
      // Another instance may have made both since the account was looked for: then it is the same person.
      const made = await store.getUserByAccount(accountKey(account))
      if (made) return signInOwner(identity, made, store, plan)
      throw notLinked(identity, 'another account has the same e-mail address')
    }
    await link(identity, namesake, store, plan)
    return { user: await withProof(identity, namesake, store, plan), isNewUser: false }
  }
  if (identity.deniesAddress && plan.providers.some(joinsByAddress)) {
    throw notLinked(
      identity,
      'the provider says that the address is not proven, and others join by it',
    )
  }
  return createAndLink(identity, store, plan)
}

/** Signs in whom an account belongs to, and stores its latest tokens. */
async function signInOwner(
  identity: ProvenAccount,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<Admitted> {
  const account = accountOf(identity, owner)
  await store.atomic.updateAccount?.(rowOf(account, plan))
  await tellStored(identity, account, plan)
  return { user: await withProof(identity, owner, store, plan), isNewUser: false }
}

/** Keeps what the provider proved of the stored address, so that nobody else proves it away from its owner. */
async function withProof(
  identity: ProvenAccount,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<AdapterUser> {
  if (owner.emailVerified || !isProvenBy(identity, plan)) return owner
  // A stored address is in the letters of its mail provider, or as a provider of accounts once gave it.
  const isSame = lowerCase(owner.email ?? '') === lowerCase(identity.user.email ?? '')
  return isSame ? markProven(owner, store, plan) : owner
}

/** Is an address all that somebody needs to be taken for its owner? */
function joinsByAddress({ config }: CompiledProvider): boolean {
  if (config.type === 'email') return true
  const isOAuth = config.type === 'oauth' || config.type === 'oidc'
  return isOAuth && config.allowDangerousEmailAccountLinking === true
}

const NOBODY: AddressOwner = { owner: null }

function notLinked({ account }: VerifiedIdentity, why: string): OAuthAccountNotLinked {
  return new OAuthAccountNotLinked(why, { provider: account.provider })
}

/** A user and their account: no user without the account is left behind, who could never sign in. */
async function createAndLink(identity: ProvenAccount, store: Store, plan: Plan): Promise<Admitted> {
  const { user } = identity
  const draft = {
    ...user,
    id: user.id ?? formatUuid(plan.ports.random(16)),
    emailVerified: isProvenBy(identity, plan) ? new Date(plan.ports.now()) : null,
  } as AdapterUser
  const created = await allOrNothing(store, plan.logger, async (group) => {
    const made = await createOwner(draft, group, store)
    await group.store.linkAccount(rowOf(accountOf(identity, made), plan))
    return made
  })
  await tellStored(identity, accountOf(identity, created), plan)
  await plan.emit('createUser', { user: created })
  await tellLinked(identity, created, plan)
  return { user: created, isNewUser: true }
}

async function admitAddress(
  { user, account }: ProvenAddress,
  store: Store,
  plan: Plan,
  current: Current,
): Promise<Admitted> {
  const { providerAccountId: address } = account
  const { owner: known, claimant } = await addressOwner(address, store, plan, current)
  if (claimant) await releaseAddress(claimant, store, plan)
  if (!known) {
    const draft = { ...user, emailVerified: new Date(plan.ports.now()) } as AdapterUser
    const created = (await store.createUser(draft)) as AdapterUser | undefined
    if (!created?.id) throw new AdapterError('the adapter gave a user without an id')
    await plan.emit('createUser', { user: created })
    return { user: created, isNewUser: true }
  }
  if (known.emailVerified) return { user: known, isNewUser: false }
  const mail = plan.provider(account.provider)?.config
  const keepsClosed = mail?.type === 'email' && mail.opensUnproven === false
  if (keepsClosed && (await current())?.id !== known.id) {
    throw new AccountNotLinked(
      'the address was never proven: sign in as before, then open a mailed link',
      { provider: account.provider },
    )
  }
  return { user: await markProven(known, store, plan), isNewUser: false }
}

async function markProven(user: AdapterUser, store: Store, plan: Plan): Promise<AdapterUser> {
  const emailVerified = new Date(plan.ports.now())
  const updated = await store.updateUser({ id: user.id, emailVerified })
  // Some adapters give back what changed, and nothing or `null` for the rest.
  const changed = Object.entries(updated ?? {}).filter(([, value]) => (value ?? null) !== null)
  const verified = { ...user, emailVerified, ...Object.fromEntries(changed) }
  await plan.emit('updateUser', { user: verified })
  return verified
}

/**
 * Sign-ins of one person come one after the other in this process: not every store keeps addresses and
 * accounts unique.
 */
function inTurn(
  identity: VerifiedIdentity,
  store: Store,
  admit: () => Promise<Admitted>,
): Promise<Admitted> {
  const { account, user } = identity
  const key = user.email || `${account.provider} ${account.providerAccountId}`
  return store.inTurn(key, () => unlessFaster(identity, store, admit))
}

/**
 * Of parallel first sign-ins of one person one makes the user. The others find that the store refused
 * theirs, look again, and go on as if they had come later.
 */
async function unlessFaster(
  { account, user }: VerifiedIdentity,
  store: Store,
  admit: () => Promise<Admitted>,
): Promise<Admitted> {
  try {
    return await admit()
  } catch (error) {
    if (!isAuthError(error) || error.type !== 'AdapterError') throw error
    const isThere = async (): Promise<boolean> => {
      if ((await store.getUserByAccount(accountKey(account))) !== null) return true
      const { email } = user
      if (!email || error.cause?.['method'] !== 'createUser') return false
      return (await store.getUserByEmail(email)) !== null
    }
    if (!(await isThere().catch(() => false))) throw error
    return admit()
  }
}

function accountKey({
  provider,
  providerAccountId,
}: VerifiedIdentity['account']): Pick<AdapterAccount, 'provider' | 'providerAccountId'> {
  return { provider, providerAccountId }
}

async function link(
  identity: ProvenAccount,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<void> {
  const account = accountOf(identity, owner)
  await store.linkAccount(rowOf(account, plan))
  await tellStored(identity, account, plan)
  await tellLinked(identity, owner, plan)
}

/** What of an account is in its row: less, where a plugin keeps the tokens. */
function rowOf(account: AdapterAccount, { plugins }: Plan): AdapterAccount {
  return plugins?.accountRow(account) ?? account
}

function accountOf({ account, stored }: ProvenAccount, owner: AdapterUser): AdapterAccount {
  const { provider, providerAccountId, type } = account
  return { ...stored, providerAccountId, provider, type, userId: owner.id } as AdapterAccount
}

async function tellStored(
  { account: answer, bound, dpop }: ProvenAccount,
  account: AdapterAccount,
  { plugins }: Plan,
): Promise<void> {
  await plugins?.accountStored(account, answer, bound?.scope, dpop)
}

async function tellLinked(identity: ProvenAccount, owner: AdapterUser, plan: Plan): Promise<void> {
  const { userId: _, ...account } = accountOf(identity, owner)
  await plan.emit('linkAccount', { user: owner, account, profile: identity.user })
}
