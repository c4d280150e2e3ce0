import { checkOptions, seconds } from '../../../entries/plugin.ts'
import { refuse } from '../option-checks.ts'

/** A program that signs in without a browser. */
export interface DeviceClient {
  /** Id of the program: 1 to 60 letters, digits, dots, dashes and underscores. */
  readonly id: string
  /** Name of the program that users see, 1 to 60 characters. */
  readonly name: string
}

/** Options of sign-ins for programs without a browser, command lines for example. */
export interface DeviceOptions {
  /** The programs: `{ id, name }` each. */
  readonly clients: readonly DeviceClient[]
  /** Seconds until a code expires, 60 to 1800. @default 600 */
  readonly maxAge?: number | undefined
  /** Seconds between two polls of a program, 1 to 60. @default 5 */
  readonly interval?: number | undefined
  /** Seconds without use until a session of a device ends. @default 7776000 (90 days) */
  readonly sessionMaxAge?: number | undefined
  /** Seconds since the last proof of identity, within which a user may approve a device. @default 600 */
  readonly freshAge?: number | undefined
}

/** The options with their defaults. */
export interface DeviceSettings {
  /** Names by ids. */
  readonly clients: ReadonlyMap<string, string>
  readonly maxAge: number
  readonly interval: number
  readonly sessionMaxAge: number
  readonly freshAge: number
}

/** Seconds without use until a session of a program ends. */
export const DEFAULT_SESSION_AGE: number = 90 * 86_400
export const LONGEST_SESSION_AGE: number = 10 * 365 * 86_400

/** @throws {TypeError} for an invalid option. */
export function deviceSettings(options: DeviceOptions): DeviceSettings {
  checkOptions(
    'tokens',
    options,
    {
      clients: true,
      maxAge: seconds(60, 1800),
      interval: seconds(1, 60),
      sessionMaxAge: seconds(60, LONGEST_SESSION_AGE),
      freshAge: seconds(1, 86_400),
    },
    { member: 'device' },
  )
  const {
    clients,
    maxAge = 600,
    interval = 5,
    sessionMaxAge = DEFAULT_SESSION_AGE,
    freshAge = 600,
  } = options
  const names = clientNames('device', clients)
  return { clients: names, maxAge, interval, sessionMaxAge, freshAge }
}

/** @throws {TypeError} for an invalid or repeated client. */
export function clientNames(
  option: 'device' | 'native',
  clients: readonly DeviceClient[],
): ReadonlyMap<string, string> {
  if (!Array.isArray(clients) || clients.length === 0)
    refuse(option, `\`clients\` must name at least one program`)
  const names = new Map<string, string>()
  const kinds = {
    id: 'string',
    name: 'string',
    ...(option === 'native' && { redirectUris: true }),
  } as const
  for (const [at, client] of (clients as readonly DeviceClient[]).entries()) {
    checkOptions('tokens', client, kinds, { member: `${option}.clients[${at}]` })
    const { id, name } = client
    if (typeof id !== 'string' || !/^[\w.-]{1,60}$/.test(id))
      refuse(
        option,
        `the \`id\` of a client must have 1 to 60 letters, digits, dots, dashes and underscores, got ${JSON.stringify(id)}`,
      )
    if (typeof name !== 'string' || name === '' || name.length > 60)
      refuse(option, `the \`name\` of the client ${id} must have 1 to 60 characters`)
    if (names.has(id)) refuse(option, `the client ${id} is in the list twice`)
    names.set(id, name)
  }
  return names
}
