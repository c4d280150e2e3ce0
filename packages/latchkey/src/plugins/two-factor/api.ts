import { type AdapterUser, Problem } from '../../entries/plugin.ts'
import { endSessions, tellSecurity } from '../../entries/plugin-accounts.ts'
import { removeAll } from './flows/remove-all.ts'
import type { Own } from './own.ts'
import { statusOf } from './status.ts'
import type { TwoFactorApi } from './two-factor-api.ts'

/** Creates the functions for code of the application. */
export function createApi(own: Own): TwoFactorApi {
  const { host, settings, enforcement } = own

  async function needUser(userId: string): Promise<AdapterUser> {
    const user = await host.store?.getUser(userId)
    if (!user) throw new Problem('not_found', `there is no user ${userId}`)
    return user
  }

  return {
    status: async (userId) => statusOf(await needUser(userId), own),
    async require(userId, { until } = {}) {
      const user = await needUser(userId)
      const end = until?.getTime() ?? host.ports.now() + settings.grace * 1000
      await enforcement.require(user.id, end)
    },
    async reset(userId) {
      const user = await needUser(userId)
      // What must be set up anew is written first, so that nobody signs in with one factor in between.
      await enforcement.require(user.id, host.ports.now())
      await removeAll(user.id, own)
      await endSessions(user.id, 'factor-changed', host)
      await tellSecurity(host, { type: 'factor.reset', outcome: 'success', userId: user.id })
    },
  }
}
