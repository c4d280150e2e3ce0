import {
  type Awaitable,
  checkOptions,
  listOf,
  oneOf,
  optionError,
  type Session,
  seconds,
  someFunction,
  wholeNumber,
} from '../../entries/plugin.ts'
import {
  type RevocationSettings,
  type RevocationsOptions,
  revocationSettings,
} from './revocations/settings.ts'

/** Options of the plugin. */
export interface SessionsOptions {
  /** Seconds until a session ends, even if it is used; `false` sets no end. @default 7776000 (90 days) */
  readonly absoluteMaxAge?: number | false | undefined
  /**
   * Whether sessions outlive the browser: `always`, `never`, or `ask`, a checkbox on the sign-in page.
   *
   * Pages of your own send a field `remember` with the value `1`.
   *
   * @default 'always'
   */
  readonly remember?: 'always' | 'never' | 'ask' | undefined
  /** Seconds without use until a session ends that is not remembered. @default 43200 (12 hours) */
  readonly shortMaxAge?: number | undefined
  /** Number of sessions of one user, 1 to 500. @default none */
  readonly limit?: number | undefined
  /**
   * What a further sign-in does: `evict` ends the session that was seen longest ago, `refuse` refuses the sign-in.
   *
   * @default 'evict'
   */
  readonly atLimit?: 'evict' | 'refuse' | undefined
  /**
   * Seconds since the last proof of identity, within which a user may end their other sessions and add a way to sign in.
   *
   * A smaller `freshAge` of the plugin `tokens` also applies to adding a way to sign in.
   *
   * @default 600
   */
  readonly freshAge?: number | undefined
  /** Seconds between two writes of the time when a session was last seen; 0 never writes it. @default 600 */
  readonly touch?: number | undefined
  /** Adds the id of the session to the session that the browser receives, as `id`. @default false */
  readonly exposeId?: boolean | undefined
  /**
   * Returns whether the caller may list and end sessions of another user.
   *
   * It receives `{ request, session, action, userId }` for each call. An error means no.
   *
   * @default nobody may
   */
  readonly administrator?: ((asked: AdministratorParams) => Awaitable<boolean>) | undefined
  /**
   * Stores the families of browser and system, and the kind of device.
   *
   * @default true
   */
  readonly device?: boolean | undefined
  /**
   * Stores the network in which a session began: `true`, or a function that returns the address.
   *
   * It stores for example `203.0.113.0/24`, and never the address itself: the first 24 bits of IPv4, the first 48 of
   * IPv6. `true` uses the address that the plugin `limits` finds, or that of the connection.
   *
   * @default false
   */
  readonly address?: boolean | ((request: Request) => Awaitable<string | undefined>) | undefined
  /**
   * Facts that are compared with those of the sign-in: `browser`, `system`, `network`.
   *
   * A copied cookie is found late or never, since these facts can be copied as well. `'browser'` and `'system'` need
   * `device`, `'network'` needs `address`.
   *
   * @default []
   */
  readonly bind?: readonly BoundFact[] | undefined
  /**
   * The result of a change: `report` causes the event `sessionSuspected`, `end` ends the session.
   *
   * @default 'report'
   */
  readonly bindReaction?: 'report' | 'end' | undefined
  /**
   * Confirms that a change of the network may end a session.
   *
   * Phones change networks several times a day. Without it, `bind` of `'network'` with `bindReaction: 'end'` is
   * refused.
   *
   * @default false
   */
  readonly bindNetworkEnds?: boolean | undefined
  /**
   * How sealed sessions end at once, without a request to the store for each read.
   *
   * With `false` a sealed session that was ended lasts for up to `touch` seconds more. Stored sessions do not need
   * the option.
   *
   * @default {}
   * @see docs/how-to/end-a-session-at-once.md
   */
  readonly revocations?: RevocationsOptions | false | undefined
}

/** A fact of the browser in which a session began: a family, or the network. */
export type BoundFact = 'browser' | 'system' | 'network'

/** The arguments of the option `administrator`. */
export interface AdministratorParams {
  readonly request: Request
  /** The session of the caller, as the browser receives it. */
  readonly session: Session
  readonly action: 'list' | 'end' | 'end-all'
  /** The user whose sessions are meant. */
  readonly userId: string
}

/** The options with their defaults. */
export interface Settings {
  /** In seconds. */
  readonly absoluteMaxAge: number | false
  readonly remember: 'always' | 'never' | 'ask'
  /** In seconds. */
  readonly shortMaxAge: number
  readonly limit: number | undefined
  readonly atLimit: 'evict' | 'refuse'
  /** In seconds. */
  readonly freshAge: number
  /** In seconds. */
  readonly touch: number
  readonly device: boolean
  readonly address: boolean | ((request: Request) => Awaitable<string | undefined>)
  readonly bind: readonly BoundFact[]
  readonly bindReaction: 'report' | 'end'
  readonly exposeId: boolean
  readonly administrator: SessionsOptions['administrator']
  readonly revocations: RevocationSettings | undefined
}

/** The largest limit. */
const MOST = 500
const FACTS: readonly BoundFact[] = ['browser', 'system', 'network']

/** @throws {TypeError} for an invalid option. */
export function settingsOf(options: SessionsOptions): Settings {
  checkOptions('sessions', options, {
    absoluteMaxAge: oneOf(false, seconds(1)),
    remember: oneOf('always', 'never', 'ask'),
    shortMaxAge: seconds(60),
    limit: wholeNumber(1, MOST),
    atLimit: oneOf('evict', 'refuse'),
    freshAge: seconds(1),
    touch: seconds(0),
    device: 'boolean',
    address: oneOf(true, false, someFunction),
    bind: listOf(FACTS.join(', '), (fact) => FACTS.includes(fact as BoundFact)),
    bindReaction: oneOf('report', 'end'),
    bindNetworkEnds: 'boolean',
    exposeId: 'boolean',
    administrator: 'function',
    revocations: true,
  })
  const {
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
  } = options
  checkBinding({ device, address, bind, bindReaction, bindNetworkEnds })
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

/** Checks that bound facts are stored, and that a change of the network ends sessions only if that is confirmed. */
function checkBinding({
  device,
  address,
  bind,
  bindReaction,
  bindNetworkEnds,
}: Pick<Settings, 'device' | 'address' | 'bind' | 'bindReaction'> & {
  readonly bindNetworkEnds: boolean
}): void {
  if (!device && bind.some((fact) => fact !== 'network')) {
    throw optionError(
      'sessions(): `bind` of "browser" or "system" needs `device`, which is false; remove `device: false`, or bind "network" alone',
      'sessions',
    )
  }
  if (bind.includes('network')) {
    if (address === false) {
      throw optionError(
        'sessions(): `bind` of "network" needs `address`, which is false; set `address: true`',
        'sessions',
      )
    }
    if (bindReaction === 'end' && !bindNetworkEnds) {
      throw optionError(
        'sessions(): `bind` of "network" with `bindReaction: "end"` signs people out when their phone changes networks; ' +
          'set `bindReaction: "report"`, or confirm it with `bindNetworkEnds: true`',
        'sessions',
      )
    }
  }
}
