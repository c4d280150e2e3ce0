import type { DeviceFacts } from './device.ts'

/** A session, as its user is told of it. */
export type SessionInfo = {
  /** Names the session, and signs nobody in. 22 characters. */
  readonly id: string
  /** Is it the session of the request that asks? */
  readonly current: boolean
  /** When it began, as ISO 8601 date and time; left out where the session is older than the plugin. */
  readonly begun?: string
  /** When it was last seen, exact to the option `touch`, as ISO 8601 date and time. */
  readonly seen?: string
  /** When it ends unless it is used, as ISO 8601 date and time. */
  readonly expires: string
  /** Does it outlive the browser? */
  readonly remembered: boolean
  /** What holds it: the cookie of a browser, an app, or a device without one. */
  readonly via: 'cookie' | 'native' | 'device'
  /** When its user last proved who they are, as ISO 8601 date and time. */
  readonly authTime?: string
  /** How they proved it (RFC 8176), and `fed` for a provider, `email` for a mail. */
  readonly methods: readonly string[]
  /** What its user calls it. */
  readonly name?: string
  /** The provider that it began with. */
  readonly provider?: string
  /** With what it began; left out with `device: false`. */
  readonly device?: DeviceFacts
  /** The network in which it began, `203.0.113.0/24` say; with the option `address`. */
  readonly address?: string
}
