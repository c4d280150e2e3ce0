import { checkOptions, type JsonObject, Problem } from '../../../entries/plugin.ts'
import { firstNoNetwork } from './networks.ts'
import { type ApiKeysSettings, type KeyRate, RATE } from './settings.ts'

/** The properties of a new key. */
export interface NewKey {
  /** 1 to 60 characters. */
  readonly name: string
  /** @default none */
  readonly scopes?: readonly string[] | undefined
  /** `null` for a key without an end, if `maxAge` allows it. @default `defaultAge` from now */
  readonly expires?: Date | null | undefined
  readonly rate?: KeyRate | undefined
  /** Networks and addresses from which it is accepted, for example `10.0.0.0/8`. */
  readonly networks?: readonly string[] | undefined
  /** Data of your application, at most 4 kB as JSON. */
  readonly data?: JsonObject | undefined
}

/** In characters of JSON. */
const LONGEST_DATA = 4096

/** At most 60 characters, at least one visible, and none that changes how the others are displayed. */
const NAME =
  /^(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,60}$/u

/**
 * Returns when a new key ends, in milliseconds since the epoch; `undefined` for a key without an end.
 *
 * @throws {Problem} `invalid_input`
 */
export function endOfNewKey(
  { expires }: Pick<NewKey, 'expires'>,
  { maxAge, defaultAge }: Pick<ApiKeysSettings, 'maxAge' | 'defaultAge'>,
  now: number,
): number | undefined {
  if (expires === undefined) return now + defaultAge * 1000
  if (expires === null) {
    if (maxAge === null) return undefined
    throw wrong('expires', 'keys must expire: set a date')
  }
  const until = expires.getTime()
  if (!(until > now)) throw wrong('expires', 'it must be a date in the future')
  if (maxAge !== null && until > now + maxAge * 1000)
    throw wrong('expires', 'it is later than `maxAge` allows')
  return until
}

/** @throws {Problem} `invalid_input`, or `scope_not_allowed` */
export async function checkNewKey(
  { name, scopes = [], rate, networks, data }: NewKey,
  settings: Pick<ApiKeysSettings, 'scopes'>,
): Promise<void> {
  if (!NAME.test(name)) throw wrong('name', 'it must have 1 to 60 characters, all visible')
  const odd = scopes.find((scope) => !settings.scopes.includes(scope))
  if (odd !== undefined) throw new Problem('scope_not_allowed', 'a scope is not configured')
  if (rate) checkOptions('tokens', rate, RATE, { member: 'apiKeys.rate' })
  if (networks && (networks.length === 0 || networks.length > 50))
    throw wrong('networks', 'it must have 1 to 50 networks')
  if (networks && (await firstNoNetwork(networks)) !== undefined)
    throw wrong('networks', 'one of them is not a network')
  if (data && JSON.stringify(data).length > LONGEST_DATA) throw wrong('data', 'it is too large')
}

function wrong(field: string, detail: string): Problem {
  return new Problem('invalid_input', `${field}: ${detail}`, {
    errors: [{ field, code: 'invalid' }],
  })
}
