import { type RenewalMemory } from '../../entries/plugin.ts'
import type { CookieRenewed, Entry } from './cookie/content.ts'
import type { Grant } from './grant.ts'

/** What a process remembers, by the key of the record. */
export interface Memory extends RenewalMemory<Renewed> {
  /** What the provider gave, and the store could not be told yet. */
  readonly unsaved: Map<string, Grant>
}

/** What a process remembers of tokens in cookies, by a hash of the refresh token. */
export interface CookieMemory extends RenewalMemory<CookieRenewed> {
  /** What came of renewals, for those who still bring the old cookie. */
  readonly known: Map<string, { readonly entry: Entry; readonly until: number }>
  /** What was warned of already. */
  readonly warned: Set<string>
}

/** What came of a renewal. */
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
