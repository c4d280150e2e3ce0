import { type RenewalMemory } from '../../../entries/plugin.ts'
import type { CookieRenewed, Entry } from '../cookie/content.ts'
import type { Grant } from '../records/grant.ts'

/** The memory of a process, by the keys of records. */
export interface Memory extends RenewalMemory<Renewed> {
  /** Renewed tokens that the store could not accept yet. */
  readonly unsaved: Map<string, Grant>
}

/** The memory of a process for tokens in cookies, by a hash of the refresh token. */
export interface CookieMemory extends RenewalMemory<CookieRenewed> {
  /** Results of renewals, for requests that still have the old cookie. */
  readonly known: Map<string, { readonly entry: Entry; readonly until: number }>
  /** The warnings that were logged. */
  readonly warned: Set<string>
}

/** The result of a renewal. */
export type Renewed =
  | { readonly kind: 'ok'; readonly grant: Grant }
  | {
      readonly kind: 'failed'
      readonly error: 'NoToken' | 'RefreshTokenError' | 'ProviderUnavailable'
    }

export function createMemory(): { readonly records: Memory; readonly cookies: CookieMemory } {
  return {
    records: { running: new Map(), paused: new Map(), unsaved: new Map() },
    cookies: { running: new Map(), known: new Map(), paused: new Map(), warned: new Set() },
  }
}
