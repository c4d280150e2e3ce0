import {
  type CurrentSession,
  type Host,
  Problem,
  type SessionRequest,
} from '../../entries/plugin.ts'
import type { Connections } from './connections/connections.ts'
import type { Settings } from './settings.ts'

/** The page of a user's connections, below the base path. */
export const PAGE = 'account/connections'

/** The values that the routes of the plugin share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  isKept(provider: string): boolean
  /** Returns the connections of the signed-in user. */
  connections(current: CurrentSession, request: SessionRequest): Promise<Connections>
}

/** Returns the connections of the signed-in user. A route for users always has one. */
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
