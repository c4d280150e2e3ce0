/** Options of the plugin. */
export interface SessionsOptions {
  /**
   * Seconds after which a session ends, however much it is used; `false`: never for that.
   *
   * @default 7776000 (90 days)
   */
  readonly absoluteMaxAge?: number | false | undefined
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
  /**
   * Notes the families of browser and system, and the kind of device. Needs the package `bowser`.
   *
   * @default true
   */
  readonly device?: boolean | undefined
}

/** The same with their defaults. */
export interface Settings {
  /** Seconds. */
  readonly absoluteMaxAge: number | false
  readonly limit: number | undefined
  readonly atLimit: 'evict' | 'refuse'
  /** Seconds. */
  readonly freshAge: number
  /** Seconds. */
  readonly touch: number
  readonly device: boolean
}

/** @throws TypeError for an option that is none. */
export function settingsOf({
  absoluteMaxAge = 90 * 24 * 60 * 60,
  limit,
  atLimit = 'evict',
  freshAge = 600,
  touch = 600,
  device = true,
}: SessionsOptions): Settings {
  if (absoluteMaxAge !== false) checkSeconds('absoluteMaxAge', absoluteMaxAge, 1)
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST)) {
    throw new TypeError(`sessions(): \`limit\` must be 1 to ${MOST}, got ${String(limit)}`)
  }
  if (atLimit !== 'evict' && atLimit !== 'refuse') {
    throw new TypeError(
      `sessions(): \`atLimit\` must be 'evict' or 'refuse', got ${JSON.stringify(atLimit)}`,
    )
  }
  checkSeconds('freshAge', freshAge, 1)
  checkSeconds('touch', touch, 0)
  return { absoluteMaxAge, limit, atLimit, freshAge, touch, device }
}

/** Most sessions of a user that can be counted. */
const MOST = 500

function checkSeconds(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new TypeError(
    `sessions(): \`${name}\` must be a whole number of seconds from ${least} on, got ${String(value)}`,
  )
}
