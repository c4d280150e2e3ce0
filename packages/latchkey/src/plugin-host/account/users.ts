import { EventError, MissingAdapter, toError } from '../../base/errors.ts'
import type { AdapterAccount } from '../../model/account.ts'
import type { Adapter } from '../../model/adapter.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import type { SessionPlan } from '../../plan/plan.ts'
import type { HostUsers } from '../../plugin/host-groups.ts'

type Deletion = Parameters<HostUsers['delete']>[1]

/**
 * Deletes a user, and tells the application before and the plugins before and after.
 *
 * @throws the error of a handler of the event `deleteUser`; the user is then unchanged.
 */
export async function deleteUser(
  userId: string,
  { reason, isLastTry = false }: Deletion,
  { events }: Pick<AuthConfig, 'events'>,
  plan: SessionPlan,
): Promise<void> {
  try {
    await events?.deleteUser?.({ userId, reason })
    await plan.plugins?.events.tell('deleteUser', { userId, reason })
  } catch (error) {
    if (!isLastTry) throw error
    plan.logger.error(new EventError(toError(error)))
  }
  await telling(plan).deleteUser?.(userId)
}

/** Unlinks an account, and tells the plugins. */
export async function unlinkAccount(
  { provider, providerAccountId }: Pick<AdapterAccount, 'provider' | 'providerAccountId'>,
  plan: SessionPlan,
): Promise<void> {
  await telling(plan).unlinkAccount?.({ provider, providerAccountId })
}

/** Returns the store, which calls the hooks of plugins. */
function telling({ store, plugins }: SessionPlan): Pick<Adapter, 'deleteUser' | 'unlinkAccount'> {
  if (!store) throw new MissingAdapter('users are stored only with an adapter')
  const { deleteUser: remove, unlinkAccount: unlink } = store
  const methods: Adapter = { deleteUser: remove, unlinkAccount: unlink }
  return plugins ? plugins.accounts.tellingDeletions(methods) : methods
}
