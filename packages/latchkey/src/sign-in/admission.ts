import { lowerCase } from '../base/encoding/lower-case.ts'
import { formatUuid } from '../base/encoding/uuid.ts'
import {
  AccountNotLinked,
  AdapterError,
  AuthError,
  isAuthError,
  OAuthAccountNotLinked,
} from '../base/errors.ts'
import type { SiteRequest } from '../http/request.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { JsonObject } from '../model/json.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Plan } from '../plan/plan.ts'
import type {
  Admitted,
  CompiledProvider,
  GivenUser,
  ProvenAccount,
  ProvenAddress,
  VerifiedIdentity,
  Visitor,
} from '../plan/provider.ts'
import type { Store } from '../store/store.ts'
import {
  type AddressOwner,
  addressOwner,
  isLetIn,
  isProvenBy,
  releaseAddress,
} from './address-owner.ts'
import { allOrNothing } from './all-or-nothing.ts'
import { createOwner } from './create-owner.ts'

/** Returns the stored user of an identity, for the `signIn` callback. The flow of passkeys has found its user itself. */
export async function findUser(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
  visitor: Visitor,
): Promise<AdapterUser | null> {
  const { account, proven } = identity
  if (proven === 'account') return store.getUserByAccount(accountKey(account))
  if (proven !== 'address') return null
  return (await addressOwner(account.providerAccountId, store, plan, visitor)).owner
}

/** Returns the user to sign in: found, linked or created. Called only after the `signIn` callback allowed the sign-in. */
export function admitUser(
  identity: VerifiedIdentity,
  store: Store,
  plan: Plan,
  visitor: Visitor,
  request: SiteRequest,
): Promise<Admitted> {
  switch (identity.proven) {
    case 'account':
      return inTurn(identity, store, () => admitAccount(identity, store, plan, visitor, request))
    case 'address':
      return inTurn(identity, store, () => admitAddress(identity, store, plan, visitor, request))
    case 'passkey':
      return inTurn(identity, store, () => identity.admit(visitor))
    case 'word':
      return admitGiven(identity, store, plan)
  }
}

async function admitGiven(
  { user, account, isNewUser = false }: GivenUser,
  store: Store,
  plan: Plan,
): Promise<Admitted> {
  if (plan.session.name === 'jwt') return { user, isNewUser }
  const stored = await store.getUser(account.providerAccountId)
  if (stored) return { user: stored, isNewUser }
  throw new AuthError(
    'with sessions in a database, `authorize` must return a stored user, and the adapter has no user with ' +
      `the returned id; create the user first (\`adapter.createUser\`), or set \`session.strategy\` to 'jwt'`,
  )
}

async function admitAccount(
  identity: ProvenAccount,
  store: Store,
  plan: Plan,
  visitor: Visitor,
  request: SiteRequest,
): Promise<Admitted> {
  const { account, user } = identity
  // Read again, because the `signIn` callback may have linked the account.
  const owner = await store.getUserByAccount(accountKey(account))
  const signedIn = await visitor.user()
  if (owner) {
    if (signedIn && signedIn.id !== owner.id) {
      throw notLinked(identity, 'the account belongs to another user')
    }
    return signInOwner(identity, owner, store, plan)
  }
  if (signedIn) {
    await visitor.needFresh()
    await plan.plugins?.accounts.needProved(signedIn.id)
    if (signedIn.id !== identity.begunBy) {
      throw notLinked(identity, 'another user began the sign-in; start the linking again')
    }
    if (identity.linksNothing) {
      throw notLinked(
        identity,
        'a link of another site began the sign-in, or the user had signed in too long ago; start the linking again',
      )
    }
    await link(identity, signedIn, store, plan)
    return { user: await withProof(identity, signedIn, store, plan), isNewUser: false }
  }
  if (identity.onlyLinks) {
    throw notLinked(
      identity,
      'the sign-in started as account linking, but the session is no longer valid',
    )
  }
  const { owner: namesake, claimant } = user.email
    ? await addressOwner(user.email, store, plan, visitor)
    : NOBODY
  if (claimant) {
    // A provider that does not prove the address has no better claim to it.
    if (!identity.provesAddress && identity.linksByAddress !== true) {
      throw notLinked(identity, 'another account has the same e-mail address')
    }
    await releaseAddress(claimant, store, plan)
  }
  if (namesake) return admitNamesake(identity, namesake, store, plan, request)
  if (identity.deniesAddress && plan.providers.some(joinsByAddress)) {
    throw notLinked(
      identity,
      'the provider reports the address as not proven, and another provider signs users in by their address',
    )
  }
  return createAndLink(identity, store, plan)
}

/** Links an account to the user with its address, if it may open that user. */
async function admitNamesake(
  identity: ProvenAccount,
  namesake: AdapterUser,
  store: Store,
  plan: Plan,
  request: SiteRequest,
): Promise<Admitted> {
  const { account, linksByAddress } = identity
  // Whoever made such an account loses it to the owner of the address.
  const isUnproved = !namesake.emailVerified && (await isLetIn(namesake, plan))
  const isProven = Boolean(namesake.emailVerified) || isUnproved
  if (!linksByAddress || (linksByAddress === 'proven' && !isProven)) {
    // Another instance may have created both in the meantime, in a parallel sign-in of the same person.
    const made = await store.getUserByAccount(accountKey(account))
    if (made) return signInOwner(identity, made, store, plan)
    throw notLinked(identity, 'another account has the same e-mail address')
  }
  const before = namesake.emailVerified ? undefined : await makeRoom(namesake, request, plan)
  await link(identity, namesake, store, plan)
  const user =
    isUnproved && identity.provesAddress
      ? await markProven(namesake, store, plan)
      : await withProof(identity, namesake, store, plan)
  return { user, isNewUser: false, before }
}

/** Signs in the owner of an account, and stores the latest tokens. */
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

/** Stores that the provider proved the address of the user, so that another proof does not take it from them. */
async function withProof(
  identity: ProvenAccount,
  owner: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<AdapterUser> {
  if (owner.emailVerified || !isProvenBy(identity, plan)) return owner
  // A stored address may have the letter case of a mail provider, or of an earlier profile.
  const isSame = lowerCase(owner.email ?? '') === lowerCase(identity.user.email ?? '')
  return isSame ? markProven(owner, store, plan) : owner
}

/** Returns whether the provider signs users in by their address alone. */
function joinsByAddress({ config }: CompiledProvider): boolean {
  if (config.type === 'email') return true
  const isOAuth = config.type === 'oauth' || config.type === 'oidc'
  return isOAuth && config.allowDangerousEmailAccountLinking === true
}

const NOBODY: AddressOwner = { owner: null }

function notLinked({ account }: VerifiedIdentity, why: string): OAuthAccountNotLinked {
  return new OAuthAccountNotLinked(why, { provider: account.provider })
}

/** Creates a user and their account, or neither: a user without the account could never sign in. */
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
  visitor: Visitor,
  request: SiteRequest,
): Promise<Admitted> {
  const { providerAccountId: address } = account
  const { owner: known, claimant } = await addressOwner(address, store, plan, visitor)
  if (claimant) await releaseAddress(claimant, store, plan)
  if (!known) {
    const draft = { ...user, emailVerified: new Date(plan.ports.now()) } as AdapterUser
    const created = (await store.createUser(draft)) as AdapterUser | undefined
    if (!created?.id)
      throw new AdapterError(
        'the adapter returned a user without an id; return the stored user with its `id`',
      )
    await plan.emit('createUser', { user: created })
    return { user: created, isNewUser: true }
  }
  if (known.emailVerified) return { user: known, isNewUser: false }
  const mail = plan.provider(account.provider)?.config
  const keepsClosed = mail?.type === 'email' && mail.opensUnproven === false
  const isOwn = async (): Promise<boolean> => (await visitor.user())?.id === known.id
  if (keepsClosed && !(await isOwn())) {
    throw new AccountNotLinked(
      'the address was never proven: sign in as before, then open a mailed link',
      { provider: account.provider },
    )
  }
  const isRoomMade = plan.plugins !== undefined && !(await isOwn())
  const before = isRoomMade ? await makeRoom(known, request, plan) : undefined
  return { user: await markProven(known, store, plan), isNewUser: false, before }
}

/**
 * Lets plugins remove what a stranger may have put into an account before its address is proved.
 *
 * @returns the state before the proof, since the sessions of the stranger end with it.
 */
async function makeRoom(user: AdapterUser, request: SiteRequest, plan: Plan): Promise<JsonObject> {
  await plan.plugins?.accounts.proving(user, request)
  return (await plan.watch?.beforeProof(user.id)) ?? {}
}

async function markProven(user: AdapterUser, store: Store, plan: Plan): Promise<AdapterUser> {
  await plan.plugins?.accounts.unproved?.proving(user.id)
  const emailVerified = new Date(plan.ports.now())
  const updated = await store.updateUser({ id: user.id, emailVerified })
  // Some adapters return only the changed members, and `undefined` or `null` for the others.
  const changed = Object.entries(updated ?? {}).filter(([, value]) => (value ?? null) !== null)
  const verified = { ...user, emailVerified, ...Object.fromEntries(changed) }
  await plan.emit('updateUser', { user: verified })
  return verified
}

/**
 * Runs sign-ins of one person one after the other in this process, because not every store enforces unique addresses
 * and accounts.
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
 * Repeats a sign-in that lost against a parallel first sign-in of the same person. The store has refused to create a
 * second user, and the repeated sign-in finds the first.
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

/** Returns the row of an account. It has no tokens if a plugin keeps them. */
function rowOf(account: AdapterAccount, { plugins }: Plan): AdapterAccount {
  return plugins?.accounts.row(account) ?? account
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
  await plugins?.accounts.stored(account, answer, bound?.scope, dpop)
}

async function tellLinked(identity: ProvenAccount, owner: AdapterUser, plan: Plan): Promise<void> {
  const { userId: _, ...account } = accountOf(identity, owner)
  await plan.emit('linkAccount', { user: owner, account, profile: identity.user })
}
