import type { Host } from '../../entries/plugin.ts'
import type { SessionLister } from './lister.ts'
import type { Memory } from './memory.ts'
import type { Keeper } from './records/keeper.ts'
import type { Revocations } from './revocations/revocations.ts'
import type { Settings } from './settings.ts'

/** The page of a user's sessions, below the base path. */
export const PAGE = 'account/sessions'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly memory: Memory
  /** Loaded with the first sign-in, extension or end. */
  keeper(): Promise<Keeper>
  /** Loaded with the first sealed session that is read or ended; `undefined` if the option is `false`. */
  revocations(): Promise<Revocations | undefined>
  /** Loaded with the first list. */
  lister(): Promise<SessionLister>
}
