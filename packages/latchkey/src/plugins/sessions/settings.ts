import type { Session } from '../../model/session.ts'
import type { Awaitable } from '../../options/awaitable.ts'
import {
  type RevocationSettings,
  type RevocationsOptions,
  revocationSettings,
} from './revocations/settings.ts'

/** Options of the plugin. */
export interface SessionsOptions {
  /**
   * Seconds after which a session ends, however much it is used; `false`: never for that.
   *
   * @default 7776000 (90 days)
   */
  readonly absoluteMaxAge?: number | false | undefined
  /**
   * Does a session outlive the browser? `never`: its cookie ends with it. `ask`: a checkbox of the sign-in page
   * says so; pages of your own send a field `remember` with the value `1`.
   *
   * @default 'always'
   */
  readonly remember?: 'always' | 'never' | 'ask' | undefined
  /** Seconds after which a session that is not remembered ends when nobody uses it. @default 43200 (12 hours) */
  readonly shortMaxAge?: number | undefined
  /** How many sessions a user may have, 1 to 500. Without it, as many as they like. */
  readonly limit?: number | undefined
  /**
   * What happens to a further one: it ends the one that was seen longest ago, or is refused.
   *
   * @default 'evict'
   */
  readonly atLimit?: 'evict' | 'refuse' | undefined
  /** Seconds since the last proof within which somebody may end their other sessions. @default 600 */
  readonly freshAge?: number | undefined
  /** Seconds between two times at which it is written down when a session was last seen; 0: never. @default 600 */
  readonly touch?: number | undefined
  /** Puts the name of the session into what the browser is told, as `id`. @default false */
  readonly exposeId?: boolean | undefined
  /**
   * Who may list and end sessions of other users, by naming their `userId`. Asked for each call; what it throws
   * means no. Without it, nobody may.
   */
  readonly administrator?: ((asked: AdministratorParams) => Awaitable<boolean>) | undefined
  /**
   * Notes the families of browser and system, and the kind of device. Needs the package `bowser`.
   *
   * @default true
   */
  readonly device?: boolean | undefined
  /**
   * Notes from which network a session began, never the whole address: the first 24 bits of IPv4, the first 48 of IPv6.
   * `true`: of the client as the plugin `limits` finds it out, else as the connection says; a function says the address
   * itself. Needs the package `ipaddr.js`.
   *
   * @default false
   */
  readonly address?: boolean | ((request: Request) => Awaitable<string | undefined>) | undefined
  /**
   * Compares facts of the browser that a session began in with those of later requests. Finds a copied cookie late or
   * never: whoever copies it can copy these facts as well. `browser` and `system` need `device`, `network` needs
   * `address`.
   *
   * @default []
   */
  readonly bind?: readonly BoundFact[] | undefined
  /**
   * What happens to a session when a bound fact changes: the event `sessionSuspected`, or the session ends, with the reason
   * `binding`.
   *
   * @default 'report'
   */
  readonly bindReaction?: 'report' | 'end' | undefined
  /**
   * Confirms that another network may end a session: phones change networks several times a day.
   *
   * @default false
   */
  readonly bindNetworkEnds?: boolean | undefined
  /**
   * How sealed sessions are ended at once, within `bound` milliseconds, without asking the store at each read. Stored
   * sessions need none of it. `false`: a sealed session that was ended is accepted until it is written down that it was
   * seen, after `touch` seconds at the latest.
   *
   * @default {}
   */
  readonly revocations?: RevocationsOptions | false | undefined
}

/** A fact of the browser in which a session began: a family, or the network. */
export type BoundFact = 'browser' | 'system' | 'network'

/** Who asks for sessions of another user, and what for. */
export interface AdministratorParams {
  readonly request: Request
  /** What the browser is told of the session that asks. */
  readonly session: Session
  readonly action: 'list' | 'end' | 'end-all'
  /** Whose sessions they are. */
  readonly userId: string
}

/** The same with their defaults. */
export interface Settings {
  /** Seconds. */
  readonly absoluteMaxAge: number | false
  readonly remember: 'always' | 'never' | 'ask'
  /** Seconds. */
  readonly shortMaxAge: number
  readonly limit: number | undefined
  readonly atLimit: 'evict' | 'refuse'
  /** Seconds. */
  readonly freshAge: number
  /** Seconds. */
  readonly touch: number
  readonly device: boolean
  readonly address: boolean | ((request: Request) => Awaitable<string | undefined>)
  readonly bind: readonly BoundFact[]
  readonly bindReaction: 'report' | 'end'
  readonly exposeId: boolean
  readonly administrator: SessionsOptions['administrator']
  readonly revocations: RevocationSettings | undefined
}

/** @throws TypeError for an option that is none. */
export function settingsOf({
  absoluteMaxAge = 90 * 24 * 60 * 60,
  remember = 'always',
  shortMaxAge = 12 * 60 * 60,
  limit,
  atLimit = 'evict',
  freshAge = 600,
  touch = 600,
  device = true,
  address = false,
  bind = [],
  bindReaction = 'report',
  bindNetworkEnds = false,
  exposeId = false,
  administrator,
  revocations = {},
}: SessionsOptions): Settings {
  if (absoluteMaxAge !== false) checkSeconds('absoluteMaxAge', absoluteMaxAge, 1)
  checkSeconds('shortMaxAge', shortMaxAge, 60)
  checkChoice('remember', remember, ['always', 'never', 'ask'])
  checkChoice('atLimit', atLimit, ['evict', 'refuse'])
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST)) {
    throw new TypeError(`sessions(): \`limit\` must be 1 to ${MOST}, got ${String(limit)}`)
  }
  checkSeconds('freshAge', freshAge, 1)
  checkSeconds('touch', touch, 0)
  for (const fact of bind) checkChoice('bind', fact, ['browser', 'system', 'network'])
  checkChoice('bindReaction', bindReaction, ['report', 'end'])
  if (!device && bind.some((fact) => fact !== 'network')) {
    throw new TypeError(
      'sessions(): `bind` of "browser" or "system" needs `device`, which is false; remove `device: false`, or bind "network" alone',
    )
  }
  if (bind.includes('network')) {
    if (address === false) {
      throw new TypeError(
        'sessions(): `bind` of "network" needs `address`, which is false; set `address: true`',
      )
    }
    if (bindReaction === 'end' && !bindNetworkEnds) {
      throw new TypeError(
        'sessions(): `bind` of "network" with `bindReaction: "end"` signs people out when their phone changes networks; ' +
          'set `bindReaction: "report"`, or confirm it with `bindNetworkEnds: true`',
      )
    }
  }
  return {
    absoluteMaxAge,
    remember,
    shortMaxAge,
    limit,
    atLimit,
    freshAge,
    touch,
    device,
    address,
    bind,
    bindReaction,
    exposeId,
    administrator,
    revocations: revocations === false ? undefined : revocationSettings(revocations),
  }
}

function checkChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return
  throw new TypeError(
    `sessions(): \`${name}\` must be one of ${choices.join(', ')}, got ${JSON.stringify(value)}`,
  )
}

/** Most sessions of a user that can be counted. */
const MOST = 500

function checkSeconds(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new TypeError(
    `sessions(): \`${name}\` must be a whole number of seconds from ${least} on, got ${String(value)}`,
  )
}
