import type { Host } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** What a process remembers where no store does. */
export interface Memory {
  /** Tickets that were used, and until when they would be good, milliseconds since the epoch. */
  readonly used: Map<string, number>
  /** Logout tokens with a wrong signature, by provider and network. */
  readonly failures: Map<string, { count: number; until: number }>
  /** Was it warned of front-channel logout? */
  warned: boolean
  /** Was it warned that nobody knows where clients are? */
  warnedOfUnknown: boolean
}

/** What the parts and routes of the plugin share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly memory: Memory
}

/** Paths below the base path. The first two are registered at providers. */
export const RETURN = 'logout/return'
export const BACKCHANNEL = 'logout/backchannel'
export const FRONTCHANNEL = 'logout/frontchannel'
export const CONTINUE = 'logout/continue'
export const SIGNED_OUT = 'logout/signed-out'
