import { type Host } from '../../../entries/plugin.ts'
import type { Revoker } from '../connections/revocation.ts'
import type { Grant } from '../records/grant.ts'
import type { Keeper } from '../records/keeper.ts'
import type { Settings } from '../settings.ts'
import { works } from '../validity.ts'
import type { Memory, Renewed } from './memory.ts'

export type { Renewed } from './memory.ts'

/** The services that renewals of tokens in records use. */
export interface RenewerServices {
  readonly host: Host
  readonly settings: Settings
  readonly memory: Memory
  readonly keeper: Keeper
  readonly revoker: Revoker
}

export const ok = (grant: Grant): Renewed => ({ kind: 'ok', grant })

export const failed = (error: Extract<Renewed, { kind: 'failed' }>['error']): Renewed => ({
  kind: 'failed',
  error,
})

/** Returns the result for a grant that another process wrote. */
export function judged(grant: Grant, { ports }: Pick<Host, 'ports'>): Renewed {
  return works(grant, ports.now()) ? ok(grant) : failed('RefreshTokenError')
}
