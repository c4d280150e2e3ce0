import type { AdapterUser, SiteRequest } from '../../../entries/plugin.ts'
import { cleanHands, hasPassword } from '../../../entries/plugin-accounts.ts'
import { mailCleared } from '../mails.ts'
import type { Own } from '../own.ts'
import { isUnproved } from './unproved-users.ts'

/** The password of an account whose address was never proved may be that of a stranger, who would keep a way in. */
export async function clearUnproved(
  user: AdapterUser,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host } = own
  if (!(await hasPassword(user.id, host)) && !(await isUnproved(user.id, own))) return
  const cleared = await cleanHands(user, host)
  const { id: userId, email: to } = user
  if (to)
    await host.work.background('account-reset', () =>
      mailCleared({ to, userId }, cleared, request, own),
    )
}
