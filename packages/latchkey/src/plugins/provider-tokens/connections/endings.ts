import type { EventMessages } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { UserTokens } from '../records/tokens.ts'

/** Reasons after which the user still has a session, or is about to get one, or is deleted. */
const GOES_ON: ReadonlySet<string> = new Set(['replaced', 'evicted', 'failed', 'user-deleted'])

/** Revokes the tokens of a user whose last session ended, if configured. Tokens belong to all sessions of a user. */
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
 * Deletes the renewable tokens of a provider that ended sessions, except those for offline access (OpenID Connect
 * Back-Channel Logout 1.0 section 2.7).
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
