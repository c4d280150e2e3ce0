/** Options of the plugin. */
export interface SessionsOptions {
  /**
   * Seconds after which a session ends, however much it is used; `false`: never for that.
   *
   * @default 7776000 (90 days)
   */
  readonly absoluteMaxAge?: number | false | undefined
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
  /** Seconds. */
  readonly freshAge: number
  /** Seconds. */
  readonly touch: number
  readonly device: boolean
}

/** @throws TypeError for an option that is none. */
export function settingsOf({
  absoluteMaxAge = 90 * 24 * 60 * 60,
  freshAge = 600,
  touch = 600,
  device = true,
}: SessionsOptions): Settings {
  if (absoluteMaxAge !== false) checkSeconds('absoluteMaxAge', absoluteMaxAge, 1)
  checkSeconds('freshAge', freshAge, 1)
  checkSeconds('touch', touch, 0)
  return { absoluteMaxAge, freshAge, touch, device }
}

function checkSeconds(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new TypeError(
    `sessions(): \`${name}\` must be a whole number of seconds from ${least} on, got ${String(value)}`,
  )
}
