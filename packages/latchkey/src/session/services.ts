import type { Awaitable } from '../base/awaitable.ts'
import type { Ports } from '../base/ports.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { JwtParams, SessionParams } from '../options/callbacks.ts'
import type { CookieSpecs } from '../options/cookie-policy.ts'
import type { EventMessages } from '../options/events.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Watch } from './watch.ts'

/** Services of both session strategies. */
export interface SessionServices {
  readonly ports: Pick<Ports, 'now' | 'random'>
  readonly secrets: readonly string[]
  cookies(secure: boolean): CookieSpecs
  /** Seconds. */
  readonly maxAge: number
  /** Seconds for which a sealed token is accepted after it was written. */
  readonly tokenMaxAge: number
  /** Seconds within which a session is extended at most once. */
  readonly updateAge: number
  /** Whether new rows of stored sessions are stored under the token itself, and not under its hash. */
  readonly plainTokens: boolean
  readonly callbacks: SessionCallbacks
  readonly logger: Logger
  /** The hooks of plugins, if any has some. */
  readonly watch: Watch | undefined
  /** Does the application want to know when a session ends? */
  readonly tellsSignOut: boolean
  emit(name: 'session', message: EventMessages['session']): Promise<void> | undefined
}

export interface SessionCallbacks {
  /** `undefined` when the token is left as it is. */
  readonly jwt: ((params: JwtParams) => Awaitable<JWT | null>) | undefined
  session(params: SessionParams): Awaitable<Session>
}
