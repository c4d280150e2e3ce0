import { checkOptions, listOf, optionError } from '../../entries/plugin.ts'
import { type ApiKeysOptions, type ApiKeysSettings, apiKeysSettings } from './api-keys/settings.ts'
import { type DeviceOptions, type DeviceSettings, deviceSettings } from './device/settings.ts'
import { type JwtOptions, type JwtSettings, jwtSettings } from './jwt/settings.ts'
import { type NativeOptions, type NativeSettings, nativeSettings } from './native/settings.ts'

/** Options of the plugin. Each part is off until it is named. */
export interface TokensOptions {
  /**
   * Issues signed tokens for APIs, which the APIs verify themselves.
   *
   * @default off
   * @see docs/how-to/protect-an-api.md
   */
  readonly jwt?: JwtOptions | undefined
  /**
   * Lets users make keys for their programs.
   *
   * @default off
   * @see docs/how-to/offer-api-keys.md
   */
  readonly apiKeys?: ApiKeysOptions | undefined
  /**
   * Signs in programs without a browser, such as command lines (RFC 8628).
   *
   * @default off
   * @see docs/how-to/sign-in-from-a-command-line.md
   */
  readonly device?: DeviceOptions | undefined
  /**
   * Signs in apps with the browser of the system (RFC 8252).
   *
   * @default off
   * @see docs/how-to/sign-in-from-an-app.md
   */
  readonly native?: NativeOptions | undefined
  /**
   * Origins of other sites whose pages may send session tokens, for example `https://admin.example`.
   *
   * Programs that are not browsers do not need it.
   *
   * @default none
   */
  readonly bearerOrigins?: readonly string[] | undefined
}

/** The options with their defaults. */
export interface Settings {
  readonly jwt: JwtSettings | undefined
  readonly apiKeys: ApiKeysSettings | undefined
  readonly device: DeviceSettings | undefined
  readonly native: NativeSettings | undefined
  readonly bearerOrigins: readonly string[]
}

/** @throws {TypeError} for an invalid option, and if every part is off. */
export function settingsOf(options: TokensOptions): Settings {
  checkOptions('tokens', options, {
    jwt: true,
    apiKeys: true,
    device: true,
    native: true,
    bearerOrigins: listOf('origins, for example https://admin.example', isOrigin),
  })
  const { jwt, apiKeys, device, native, bearerOrigins = [] } = options
  if (!jwt && !apiKeys && !device && !native)
    throw optionError(
      'tokens(): no feature is enabled; set `jwt`, `apiKeys`, `device` or `native`',
      'tokens',
    )
  return {
    jwt: jwt && jwtSettings(jwt),
    apiKeys: apiKeys && apiKeysSettings(apiKeys),
    device: device && deviceSettings(device),
    native: native && nativeSettings(native),
    bearerOrigins,
  }
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && URL.canParse(text) && new URL(text).origin === text
}
