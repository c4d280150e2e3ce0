import type { Host } from '../../entries/plugin.ts'
import type { Settings } from './settings.ts'

/** The memory of a process, used if there is no store for it. */
export interface Memory {
  /** Used tickets, and when they expire, in milliseconds since the epoch. */
  readonly used: Map<string, number>
  /** Logout tokens with an invalid signature, by provider and network. */
  readonly failures: Map<string, { count: number; until: number }>
  /** Whether the warning about front-channel logout was logged. */
  warned: boolean
  /** Whether the warning about unknown client addresses was logged. */
  warnedOfUnknown: boolean
}

/** The values that the parts and routes of the plugin share. */
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
