import { type ApiKeysOptions, type ApiKeysSettings, apiKeysSettings } from './api-keys/settings.ts'
import { type JwtOptions, type JwtSettings, jwtSettings } from './jwt/settings.ts'

/** Options of the plugin. Each part is off until it is named. */
export interface TokensOptions {
  /** Signed tokens for APIs, which the APIs verify themselves. */
  readonly jwt?: JwtOptions | undefined
  /** Keys for programs, which their users make and end. */
  readonly apiKeys?: ApiKeysOptions | undefined
}

/** The same with their defaults. */
export interface Settings {
  readonly jwt: JwtSettings | undefined
  readonly apiKeys: ApiKeysSettings | undefined
}

/** @throws {TypeError} for an option that is none, and where nothing is on. */
export function settingsOf({ jwt, apiKeys }: TokensOptions): Settings {
  if (!jwt && !apiKeys) throw new TypeError('tokens(): nothing is on; set `jwt` or `apiKeys`')
  return { jwt: jwt && jwtSettings(jwt), apiKeys: apiKeys && apiKeysSettings(apiKeys) }
}
