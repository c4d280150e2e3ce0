import type { EventMessages } from '../../entries/plugin.ts'
import type { Own } from './own.ts'
import type { UserTokens } from './tokens.ts'

/** After these a user has a session still, or is about to. */
const GOES_ON: ReadonlySet<string> = new Set(['replaced', 'evicted', 'failed', 'user-deleted'])

/** Whoever ended their last session has tokens revoked, where that is wanted: they belong to all sessions. */
export async function leave(
  { userId, reason }: EventMessages['sessionEnded'],
  { host, settings }: Own,
  tokens: () => Promise<UserTokens>,
): Promise<void> {
  const isAsked = async (provider: string): Promise<boolean> =>
    ((await host.providers.client(provider))?.rules.revoke ?? settings.revoke) === 'sign-out'
  const sessions = GOES_ON.has(reason) ? undefined : host.sessions.control()
  if (!sessions) return
  const providers = []
  for (const id of host.providers.ids()) if (await isAsked(id)) providers.push(id)
  if (providers.length === 0 || (await sessions.list(userId)).length > 0) return
  for (const id of providers) await (await tokens()).forget(userId, id, 'sign-out')
}

/**
 * A provider ended sessions: tokens that are renewed end with them, unless they are for access without the user
 * (OpenID Connect Back-Channel Logout 1.0 section 2.7).
 */
export async function forgetOnline(
  { provider, userIds }: EventMessages['backchannelLogout'],
  tokens: () => Promise<UserTokens>,
): Promise<void> {
  for (const userId of userIds) {
    const grant = await (await tokens()).find(userId, provider)
    if (!grant || grant.scope.includes('offline_access')) continue
    await (await tokens()).forget(userId, provider, 'back-channel')
  }
}
