import type { Grant } from './grant.ts'

/** What a process remembers, by the key of the record. */
export interface Memory {
  /** Renewals that are under way. */
  readonly running: Map<string, Promise<Renewed>>
  /** Providers that could not be asked: until when nobody tries again, and how long that pause is; milliseconds. */
  readonly paused: Map<string, { readonly until: number; readonly pause: number }>
  /** What the provider gave, and the store could not be told yet. */
  readonly unsaved: Map<string, Grant>
}

/** What came of a renewal. */
export type Renewed =
  | { readonly kind: 'ok'; readonly grant: Grant }
  | {
      readonly kind: 'failed'
      readonly error: 'NoToken' | 'RefreshTokenError' | 'ProviderUnavailable'
    }

export function createMemory(): Memory {
  return { running: new Map(), paused: new Map(), unsaved: new Map() }
}
