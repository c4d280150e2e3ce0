import { checkOptions, oneOf, seconds } from '../../../entries/plugin.ts'
import {
  clientNames,
  DEFAULT_SESSION_AGE,
  type DeviceClient,
  LONGEST_SESSION_AGE,
} from '../device/settings.ts'
import { refuse } from '../option-checks.ts'
import { faultOfRedirectUri } from './redirect-uri.ts'

/** An app that signs in with the browser of the system. */
export interface NativeClient extends DeviceClient {
  /**
   * The redirect URIs of the app: an https URL with a path, a scheme with a dot (`com.example.app:/callback`), or
   * `http://127.0.0.1/callback` at any port.
   */
  readonly redirectUris: readonly string[]
}

/** Options of sign-ins for apps (RFC 8252). */
export interface NativeOptions {
  /**
   * The apps: `{ id, name, redirectUris }` each.
   *
   * A redirect URI is an https address with a path, an address whose scheme contains a dot
   * (`com.example.app:/callback`), or `http://127.0.0.1` or `http://[::1]` at any port.
   */
  readonly clients: readonly NativeClient[]
  /** Seconds until a code expires, 10 to 600. @default 60 */
  readonly codeMaxAge?: number | undefined
  /** Seconds without use until a session of an app ends. @default 7776000 (90 days) */
  readonly maxAge?: number | undefined
  /** Seconds until a session of an app ends, even if it is used. @default 31536000 (365 days) */
  readonly absoluteMaxAge?: number | undefined
  /** Seconds until an app receives another token for its session. @default 86400 */
  readonly renewAfter?: number | undefined
  /**
   * Seconds for which the previous token stays valid, 0 to 600.
   *
   * With 0, an app that sends two requests at the same moment loses its session.
   *
   * @default 60
   */
  readonly grace?: number | undefined
  /** Seconds since the last proof of identity, within which a user may approve an app. @default 600 */
  readonly freshAge?: number | undefined
  /**
   * Whether the user confirms every sign-in of an app (`always`), or only the `first` one at an https address. Sign-ins at
   * other addresses are always confirmed, since other programs can receive them (RFC 8252 section 8.6).
   *
   * @default 'always'
   */
  readonly consent?: 'always' | 'first' | undefined
}

/** An app, with its defaults. */
export interface NativeApp {
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** The options with their defaults; ages are in seconds. */
export interface NativeSettings {
  /** By their ids. */
  readonly clients: ReadonlyMap<string, NativeApp>
  readonly codeMaxAge: number
  readonly maxAge: number
  readonly absoluteMaxAge: number
  readonly renewAfter: number
  readonly grace: number
  readonly freshAge: number
  readonly consent: 'always' | 'first'
}

/** @throws {TypeError} for an invalid option. */
export function nativeSettings(options: NativeOptions): NativeSettings {
  checkOptions(
    'tokens',
    options,
    {
      clients: true,
      codeMaxAge: seconds(10, 600),
      maxAge: seconds(60, LONGEST_SESSION_AGE),
      absoluteMaxAge: seconds(60, LONGEST_SESSION_AGE),
      renewAfter: seconds(0, 365 * 86_400),
      grace: seconds(0, 600),
      freshAge: seconds(1, 86_400),
      consent: oneOf('always', 'first'),
    },
    { member: 'native' },
  )
  const {
    clients,
    codeMaxAge = 60,
    maxAge = DEFAULT_SESSION_AGE,
    absoluteMaxAge = 365 * 86_400,
    renewAfter = 86_400,
    grace = 60,
    freshAge = 600,
    consent = 'always',
  } = options
  const names = clientNames('native', clients)
  if (absoluteMaxAge < maxAge)
    refuse(
      'native',
      `\`absoluteMaxAge\` must be at least \`maxAge\`, which is ${maxAge}, got ${absoluteMaxAge}`,
    )
  const apps = clients.map(({ id, redirectUris }) => {
    if (!Array.isArray(redirectUris) || redirectUris.length === 0)
      refuse('native', `the client ${id} needs at least one URL in \`redirectUris\``)
    for (const uri of redirectUris as readonly string[]) {
      const fault = faultOfRedirectUri(String(uri))
      if (fault !== undefined)
        refuse(
          'native',
          `${JSON.stringify(uri)} in \`redirectUris\` of the client ${id} is invalid: ${fault}`,
        )
    }
    return [id, { name: names.get(id) ?? id, redirectUris }] as const
  })
  return {
    clients: new Map(apps),
    codeMaxAge,
    maxAge,
    absoluteMaxAge,
    renewAfter,
    grace,
    freshAge,
    consent,
  }
}
