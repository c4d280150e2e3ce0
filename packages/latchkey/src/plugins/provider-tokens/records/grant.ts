import {
  definedOnly,
  digestOf,
  type Host,
  isTexts,
  type JsonObject,
  jwtPart,
  type KindRecord,
  type ProofKey,
  type RecordKind,
  recordKind,
  type TokenSubject,
} from '../../../entries/plugin.ts'

/** Records of the tokens of accounts at providers. */
const KIND = 'provider-tokens'

/** The tokens of an account. They are secret, and sealed in the record. */
export interface Tokens {
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
  readonly token_type?: string | undefined
  readonly id_token?: string | undefined
  /**
   * The subject of the ID token of the sign-in. ID tokens of renewals must have the same subject (OpenID Connect Core
   * 12.2).
   */
  readonly subject?: TokenSubject | undefined
  /** The key to which the tokens are bound (RFC 9449). */
  readonly dpop?: ProofKey | undefined
  /** Further access tokens, the latest first: by resource, or by the parameters of an exchange. */
  readonly more?: readonly FurtherToken[] | undefined
}

export interface FurtherToken {
  readonly key: string
  readonly access_token: string
  readonly token_type?: string | undefined
  /** In seconds since the epoch. */
  readonly expires_at?: number | undefined
  readonly scope?: string | undefined
}

/** The part of a record that is not sealed. */
export interface GrantFacts {
  readonly provider: string
  /** The provider's id of the account. */
  readonly account: string
  /** An id that changes with each sign-in. */
  readonly grant: string
  /** A number that increases with each renewal. */
  readonly gen: number
  /** In seconds since the epoch. */
  readonly expires_at?: number | undefined
  /** In seconds since the epoch. */
  readonly refresh_expires_at?: number | undefined
  readonly scope: readonly string[]
  /** The requested scopes, if the account was connected for more. */
  readonly asked?: readonly string[] | undefined
  /** In milliseconds since the epoch. */
  readonly obtained: number
  /** The error with which the provider refused to renew the tokens of this generation. */
  readonly error?: GrantError | undefined
  /** An unfinished renewal. */
  readonly trying?: { readonly at: number; readonly fence: string } | undefined
}

export interface GrantError {
  readonly code: string
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly gen: number
  /** The response to an earlier renewal may have been lost. */
  readonly lost?: true | undefined
}

/** The stored data of a grant. */
export interface GrantData extends GrantFacts {
  /** The sealed {@link Tokens}, bound to the record. */
  readonly sealed: string
}

/** A record with its opened tokens. */
export interface Grant extends GrantFacts {
  readonly key: string
  readonly userId: string
  /**
   * `undefined` if they cannot be opened: they belong to another record, or were sealed with a secret that is not
   * configured any more.
   */
  readonly tokens: Tokens | undefined
  readonly record: KindRecord<GrantData>
}

export function keyOf(provider: string, account: string): Promise<string> {
  return digestOf('provider-token', provider, account)
}

/** The largest sealed text, in characters. A record may have 64 kB. */
const LONGEST = 60_000

/**
 * Returns the data of a record.
 *
 * @throws TypeError if the tokens are too large for a record.
 */
export async function sealGrant(
  {
    key,
    userId,
    facts,
    tokens,
  }: { key: string; userId: string; facts: GrantFacts; tokens: Tokens },
  host: Host,
): Promise<GrantData> {
  const seal = (kept: Tokens): Promise<string> =>
    host.keys.sealer(KIND).seal(definedOnly({ ...kept }) as JsonObject, { key, userId })
  let sealed = await seal(tokens)
  // Replaceable tokens are dropped first.
  if (sealed.length > LONGEST) {
    const { more: _, id_token: __, ...needed } = tokens
    sealed = await seal(needed)
  }
  if (sealed.length > LONGEST)
    throw new TypeError(
      `the tokens of the provider ${facts.provider} are too long to be stored: ${sealed.length} characters, but only ${LONGEST} fit; request fewer scopes`,
    )
  return definedOnly({ ...facts, sealed }) as GrantData
}

/** Returns the records of grants, by the keys of {@link keyOf}. */
export function grantRecords(host: Host): RecordKind<GrantData> {
  return recordKind(host, KIND, {
    shape: grantData,
    onDamaged: 'the account has no tokens until it is connected again',
  })
}

/** Opens the tokens of a record. */
export async function openGrant(
  record: KindRecord<GrantData> | null,
  host: Host,
): Promise<Grant | undefined> {
  if (!record?.userId) return undefined
  const { key, userId, data } = record
  const { sealed, ...facts } = data
  const tokens = await host.keys.sealer(KIND).open(sealed, { key, userId })
  return { ...facts, key, userId, record, tokens: tokens as unknown as Tokens | undefined }
}

function grantData(data: JsonObject): GrantData | undefined {
  const { provider, account, grant, gen, obtained, scope, asked, sealed, error, trying } = data
  const { expires_at, refresh_expires_at } = data
  const isWhole =
    [provider, account, grant, sealed].every((each) => typeof each === 'string') &&
    [gen, obtained, expires_at ?? 0, refresh_expires_at ?? 0].every(Number.isFinite) &&
    [scope, asked ?? []].every(isTexts) &&
    [error ?? {}, trying ?? {}].every((each) => typeof each === 'object')
  return isWhole ? (data as unknown as GrantData) : undefined
}

/** Returns the facts of a grant without its tokens. */
export function factsOf(grant: Grant): GrantFacts {
  const { key: _, userId: __, record: ___, tokens: ____, ...facts } = grant
  return facts
}

/** Returns the claims of an ID token that was verified before; an empty object for other values. */
export function claimsIn(jwt: string): Readonly<Record<string, unknown>> {
  return jwtPart(jwt, 1) ?? {}
}
