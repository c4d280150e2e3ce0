import { formatUuid } from '../base/encoding/uuid.ts'
import type { AdapterUser } from '../model/user.ts'
import type { EmailConfig } from '../options/provider-options.ts'
import type { Plan } from '../plan/plan.ts'
import type { ProvenAccount, Visitor } from '../plan/provider.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { Store } from '../store/store.ts'
import { visitorOf } from './visitor.ts'

/** The user of an address. */
export interface AddressOwner {
  /** The stored user with the address; `null` if a proof of the address creates a new user. */
  readonly owner: AdapterUser | null
  /** A user who only claims the address, and loses it to a person who proves it. */
  readonly claimant?: AdapterUser
}

/**
 * Returns the user that a proof of this address signs in.
 *
 * Anybody can register a passkey for an address that is not theirs. Such a claim must not sign the true owner in to
 * an account that another person has the key of, and must not lock the owner out. The proof belongs to the user with
 * the passkey only in a session of that user. Other linked accounts prove nothing about the address, except as in
 * {@link isProvenBy}.
 *
 * @throws {ReauthenticationRequired} if that user signed in too long ago.
 */
export async function addressOwner(
  address: string,
  store: Store,
  plan: Plan,
  visitor: Visitor,
): Promise<AddressOwner> {
  const owner = await store.getUserByEmail(address)
  if (!owner || !(await isClaimed(owner, store, plan))) return { owner }
  if ((await visitor.user())?.id !== owner.id) return { owner: null, claimant: owner }
  await visitor.needFresh()
  return { owner }
}

/**
 * Returns the user that a proof of this address signs in: a stored one, or the draft of a new one.
 *
 * @param config the mail provider.
 * @throws {ReauthenticationRequired} if only a session opens the account to the proof, and its user signed in too long ago.
 */
export async function userAt(
  address: string,
  request: SessionRequest,
  {
    plan,
    store,
    config,
  }: {
    readonly plan: Plan
    readonly store: Store | undefined
    readonly config?: Pick<EmailConfig, 'opensUnproven'>
  },
): Promise<AdapterUser> {
  const visitor = visitorOf(request, plan)
  const owner = store && (await addressOwner(address, store, plan, visitor)).owner
  const isClosed = config?.opensUnproven === false && owner?.emailVerified === null
  if (isClosed && (await visitor.user())?.id === owner.id) await visitor.needFresh()
  return owner ?? { id: formatUuid(plan.ports.random(16)), email: address, emailVerified: null }
}

/**
 * Returns whether to store that the provider proved the address. This is done only if passkeys are enabled, because
 * they can be registered with an unproven address. Otherwise `emailVerified` has the value that it has in Auth.js.
 */
export function isProvenBy({ provesAddress }: ProvenAccount, plan: Plan): boolean {
  return provesAddress && hasPasskeys(plan)
}

/** Returns whether the user registered a passkey and never proved their address. */
async function isClaimed(user: AdapterUser, store: Store, plan: Plan): Promise<boolean> {
  const { id, emailVerified } = user
  if (emailVerified || !hasPasskeys(plan)) return false
  // The proof removes the passkey instead.
  if (await isLetIn(user, plan)) return false
  return (await store.listAuthenticatorsByUserId(id)).length > 0
}

/** Returns whether a user was let in before the address is proved. */
export async function isLetIn(
  { id }: Pick<AdapterUser, 'id'>,
  { plugins }: Plan,
): Promise<boolean> {
  return (await plugins?.accounts.unproved?.has(id)) ?? false
}

function hasPasskeys({ providers }: Plan): boolean {
  return providers.some(({ type }) => type === 'webauthn')
}

/**
 * Takes an address from a user who never proved it. User, passkeys and data stay. Stores require an address for each
 * user, so the user gets one that cannot exist (RFC 2606 section 2).
 */
export async function releaseAddress({ id }: AdapterUser, store: Store, plan: Plan): Promise<void> {
  const email = `${formatUuid(plan.ports.random(16))}@unproven.invalid`
  const updated = await store.updateUser({ id, email, emailVerified: null })
  await plan.emit('updateUser', { user: { ...updated, id, email } })
}
