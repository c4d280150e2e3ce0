import type { Awaitable } from '../base/awaitable.ts'
import type { MaybePromise } from '../base/crypto/crypto.ts'
import type { Ports } from '../base/ports.ts'
import type { JWT } from '../model/jwt.ts'
import type { Session } from '../model/session.ts'
import type { JwtParams, SessionParams } from '../options/callbacks.ts'
import type { CookieSpecs } from '../options/cookie-policy.ts'
import type { EventMessages } from '../options/events.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Carried } from './carrier.ts'
import type { SessionFacts } from './facts.ts'
import type { SessionRequest } from './strategy.ts'
import type { SessionAges, Verdict, Watch } from './watch.ts'

/** The services of both ways to keep sessions. */
export interface KeepingServices {
  readonly ports: Pick<Ports, 'now' | 'random'>
  readonly secrets: readonly string[]
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
  /** Whether the application has a handler for the end of a session. */
  readonly tellsSignOut: boolean
}

/** The services of sessions. */
export interface SessionServices extends KeepingServices {
  cookies(secure: boolean): CookieSpecs
  emit(name: 'session', message: EventMessages['session']): Promise<void> | undefined
}

export interface SessionCallbacks {
  /** `undefined` if there is no `jwt` callback. */
  readonly jwt: ((params: JwtParams) => Awaitable<JWT | null>) | undefined
  session(params: SessionParams): Awaitable<Session>
}

/** Returns the configured lifetimes, or those of the program that has the session. */
export function agesFor(configured: SessionAges, holder: Carried['holder']): SessionAges {
  const maxAge = holder?.maxAge
  if (maxAge === undefined) return configured
  return { maxAge, tokenMaxAge: maxAge, updateAge: configured.updateAge }
}

/** Returns whether the plugins accept a session. */
export function judgeSession(
  { watch, ports }: Pick<KeepingServices, 'watch' | 'ports'>,
  facts: SessionFacts,
  request: SessionRequest,
  readOnly: boolean,
): MaybePromise<Verdict> {
  return watch ? watch.judge(facts, { now: ports.now(), readOnly, request }) : 'good'
}

/** Returns the session that the browser receives, after the plugins. */
export function showSession(
  { watch }: Pick<KeepingServices, 'watch'>,
  session: Session,
  facts: SessionFacts,
  request: SessionRequest,
): MaybePromise<Session> {
  // The callback of an application may have returned nothing.
  const shown = (session as Session | undefined) && watch?.shown
  return shown ? shown(session, facts, { request }) : session
}
