import type { DeviceFacts } from './device.ts'

/** A session, as its user sees it. */
export type SessionInfo = {
  /** The id of the session, 22 characters. It is not a credential. */
  readonly id: string
  /** Whether it is the session of the request. */
  readonly current: boolean
  /** When it began, as ISO 8601 date and time. Missing if the session is older than the plugin. */
  readonly begun?: string
  /** When it was last seen, to the precision of the option `touch`, as ISO 8601 date and time. */
  readonly seen?: string
  /** When it expires without use, as ISO 8601 date and time. */
  readonly expires: string
  /** Whether it outlives the browser. */
  readonly remembered: boolean
  /** The holder: the cookie of a browser, an app, or a device without a browser. */
  readonly via: 'cookie' | 'native' | 'device'
  /** When its user last proved their identity, as ISO 8601 date and time. */
  readonly authTime?: string
  /** The methods of the proof (RFC 8176), and `fed` for a provider, `email` for a mail. */
  readonly methods: readonly string[]
  /** The name that its user chose. */
  readonly name?: string
  /** The provider of its sign-in. */
  readonly provider?: string
  /** The device of its sign-in. Missing with `device: false`. */
  readonly device?: DeviceFacts
  /** The network of its sign-in, for example `203.0.113.0/24`, with the option `address`. */
  readonly address?: string
}
