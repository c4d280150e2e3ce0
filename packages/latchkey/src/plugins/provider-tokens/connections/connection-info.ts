import type { Host } from '../../../entries/plugin.ts'
import { isRenewable, works } from '../validity.ts'
import type { KnownTokens } from './connections.ts'

/** A connection of a user to a provider. */
export type ConnectionInfo = {
  /** The id of the provider. */
  readonly provider: string
  /** The name of the provider. */
  readonly name: string
  /** The granted scopes. */
  readonly scopes: readonly string[]
  /** When the account was connected, in ISO 8601. Missing for tokens in a cookie. */
  readonly since?: string
  /** Missing while there is a valid or renewable token. */
  readonly ended?: WhyEnded
}

/** Why a connection has ended. */
export type WhyEnded = {
  /**
   * - `refused`: the provider refused to renew the tokens
   * - `expired`: the tokens expired, and cannot be renewed
   * - `unreadable`: the tokens were sealed with a secret that is not configured any more
   */
  readonly why: 'refused' | 'expired' | 'unreadable'
  /** In ISO 8601. */
  readonly at?: string
}

/** Returns the connections of a user, ended ones first. */
export async function connectionInfos(
  known: ReadonlyMap<string, KnownTokens>,
  host: Host,
): Promise<ConnectionInfo[]> {
  const now = host.ports.now()
  const infos = await Promise.all(
    [...known].map(async ([provider, tokens]): Promise<ConnectionInfo> => {
      const { scope: scopes, since } = tokens
      const name = (await host.providers.client(provider))?.name ?? provider
      const ended = endOf(tokens, now)
      return {
        provider,
        name,
        scopes,
        ...(since !== undefined && { since: new Date(since).toISOString() }),
        ...(ended && { ended }),
      }
    }),
  )
  return infos.toSorted((one, other) => Number(Boolean(other.ended)) - Number(Boolean(one.ended)))
}

function endOf(known: KnownTokens, now: number): WhyEnded | undefined {
  const { tokens, error, refused, expires_at, refresh_expires_at } = known
  if (error) return { why: 'refused', ...on(refused) }
  if (!tokens) return { why: 'unreadable' }
  if (works(known, now) || isRenewable(known, now)) return undefined
  const end = expires_at ?? refresh_expires_at
  return { why: 'expired', ...on(end === undefined ? undefined : end * 1000) }
}

function on(milliseconds: number | undefined): Pick<WhyEnded, 'at'> {
  return milliseconds === undefined ? {} : { at: new Date(milliseconds).toISOString() }
}
