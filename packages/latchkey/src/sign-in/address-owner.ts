import { formatUuid } from '../encoding/uuid.ts'
import type { AdapterUser } from '../model/user.ts'
import type { Plan } from '../plan.ts'
import type { ProvenAccount } from '../provider.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { Store } from '../store/store.ts'

/** Whom an address leads to. */
export interface AddressOwner {
  /** The stored user with the address; `null` where whoever proves it becomes a new one. */
  readonly owner: AdapterUser | null
  /** Somebody who only claims the address, and loses it to whoever proves it. */
  readonly claimant?: AdapterUser
}

/**
 * Returns whom a proof of this address signs in.
 *
 * Anybody can register a passkey for an address that is not theirs. Such a claim neither hands the
 * true owner over to an account that somebody else has the key of, nor does it keep them out. Only in
 * a session of the user with the passkey does the proof belong to that user. What else they have linked
 * says nothing about the address: see {@link isProvenBy} for what does.
 *
 * @param current the stored user who is signed in in this browser.
 */
export async function addressOwner(
  address: string,
  store: Store,
  plan: Plan,
  current: () => Promise<AdapterUser | null>,
): Promise<AddressOwner> {
  const owner = await store.getUserByEmail(address)
  if (!owner || !(await isClaimed(owner, store, plan))) return { owner }
  if ((await current())?.id === owner.id) return { owner }
  return { owner: null, claimant: owner }
}

/** Returns the user whom a proof of this address signs in: a stored one, or one who will be created. */
export async function userAt(
  address: string,
  request: SessionRequest,
  { plan, store }: { readonly plan: Plan; readonly store: Store | undefined },
): Promise<AdapterUser> {
  const current = (): Promise<AdapterUser | null> => plan.session.currentUser(request)
  const owner = store && (await addressOwner(address, store, plan, current)).owner
  return owner ?? { id: formatUuid(plan.ports.random(16)), email: address, emailVerified: null }
}

/**
 * Returns whether a provider's word about the address is to be stored as its proof: only where a passkey
 * could be made for an address that nobody proved. Elsewhere `emailVerified` stays what Auth.js has it.
 */
export function isProvenBy({ provesAddress }: ProvenAccount, plan: Plan): boolean {
  return provesAddress && hasPasskeys(plan)
}

/** Returns whether somebody registered a passkey and never proved the address that they gave. */
async function isClaimed(
  { id, emailVerified }: AdapterUser,
  store: Store,
  plan: Plan,
): Promise<boolean> {
  if (emailVerified || !hasPasskeys(plan)) return false
  return (await store.listAuthenticatorsByUserId(id)).length > 0
}

function hasPasskeys({ providers }: Plan): boolean {
  return providers.some(({ type }) => type === 'webauthn')
}

/**
 * Takes an address from a user who never proved it. User, passkeys and data stay. Stores want an
 * address for each user, so they get one that leads nowhere (RFC 2606 section 2).
 */
export async function releaseAddress({ id }: AdapterUser, store: Store, plan: Plan): Promise<void> {
  const email = `${formatUuid(plan.ports.random(16))}@unproven.invalid`
  const updated = await store.updateUser({ id, email, emailVerified: null })
  await plan.emit('updateUser', { user: { ...updated, id, email } })
}
