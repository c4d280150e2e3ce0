import {
  type CurrentSession,
  type Host,
  Problem,
  type SessionRequest,
} from '../../entries/plugin.ts'
import type { Connections } from './connections.ts'
import type { Settings } from './settings.ts'

/** The page of a user's connections, below the base path. */
export const PAGE = 'account/connections'

/** What the routes of the plugin are given. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  isKept(provider: string): boolean
  /** The connections of who is signed in. */
  connections(current: CurrentSession, request: SessionRequest): Promise<Connections>
}

/** Who is signed in: a route for users always has somebody. */
export async function connectionsOf(
  {
    current,
    request,
  }: { readonly current: CurrentSession | null; readonly request: SessionRequest },
  own: Own,
): Promise<Connections> {
  if (!current) throw new Problem('unauthenticated', 'nobody is signed in')
  return own.connections(current, request)
}
