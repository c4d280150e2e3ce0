import { type JwtOptions, type JwtSettings, jwtSettings } from './jwt/settings.ts'

/** Options of the plugin. Each part is off until it is named. */
export interface TokensOptions {
  /** Signed tokens for APIs, which the APIs verify themselves. */
  readonly jwt?: JwtOptions | undefined
}

/** The same with their defaults. */
export interface Settings {
  readonly jwt: JwtSettings | undefined
}

/** @throws {TypeError} for an option that is none, and where nothing is on. */
export function settingsOf({ jwt }: TokensOptions): Settings {
  if (!jwt) throw new TypeError('tokens(): nothing is on; set `jwt`')
  return { jwt: jwtSettings(jwt) }
}
