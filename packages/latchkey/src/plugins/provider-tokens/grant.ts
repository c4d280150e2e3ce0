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
} from '../../entries/plugin.ts'

/** Records of the tokens that a provider gave for an account. */
const KIND = 'provider-tokens'

/** What a provider gave for an account. Secret: sealed in the record. */
export interface Tokens {
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
  readonly token_type?: string | undefined
  readonly id_token?: string | undefined
  /** Whom the ID token of the sign-in is about. Those of renewals must be about the same (OpenID Connect Core 12.2). */
  readonly subject?: TokenSubject | undefined
  /** What they are bound to (RFC 9449). */
  readonly dpop?: ProofKey | undefined
  /** Further access tokens, the latest first: by resource, or by what was exchanged for them. */
  readonly more?: readonly FurtherToken[] | undefined
}

export interface FurtherToken {
  readonly key: string
  readonly access_token: string
  readonly token_type?: string | undefined
  /** Seconds since the epoch. */
  readonly expires_at?: number | undefined
  readonly scope?: string | undefined
}

/** What may be read of a record without opening it. */
export interface GrantFacts {
  readonly provider: string
  /** The provider's identifier of the account. */
  readonly account: string
  /** Another one after each sign-in. */
  readonly grant: string
  /** One more after each renewal. */
  readonly gen: number
  /** Seconds since the epoch. */
  readonly expires_at?: number | undefined
  /** Seconds since the epoch. */
  readonly refresh_expires_at?: number | undefined
  readonly scope: readonly string[]
  /** What was asked for, where an account was connected for more. */
  readonly asked?: readonly string[] | undefined
  /** Milliseconds since the epoch. */
  readonly obtained: number
  /** What the provider said when it refused to renew the tokens of this generation. */
  readonly error?: GrantError | undefined
  /** A renewal that was begun, and not finished. */
  readonly trying?: { readonly at: number; readonly fence: string } | undefined
}

export interface GrantError {
  readonly code: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly gen: number
  /** The answer to an earlier renewal may have been lost. */
  readonly lost?: true | undefined
}

/** What is stored of a grant. */
export interface GrantData extends GrantFacts {
  /** {@link Tokens}, bound to the record. */
  readonly sealed: string
}

/** A record and what is in it. */
export interface Grant extends GrantFacts {
  readonly key: string
  readonly userId: string
  /** `undefined` where they cannot be opened: they are another record's, or sealed with a secret that is gone. */
  readonly tokens: Tokens | undefined
  readonly record: KindRecord<GrantData>
}

export function keyOf(provider: string, account: string): Promise<string> {
  return digestOf('provider-token', provider, account)
}

/** Longest sealed text, characters: a record has room for 64 kB. */
const LONGEST = 60_000

/**
 * Returns the data of a record.
 *
 * @throws TypeError when the tokens are larger than a record may be.
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
  // What can be had again makes room first.
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

/** Returns the tokens of accounts, by the names that {@link keyOf} gives. */
export function grantRecords(host: Host): RecordKind<GrantData> {
  return recordKind(host, KIND, {
    shape: grantData,
    onDamaged: 'the account has no tokens until it is connected again',
  })
}

/** Returns a grant with its tokens. */
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

/** Facts of a grant, to make others of. */
export function factsOf(grant: Grant): GrantFacts {
  const { key: _, userId: __, record: ___, tokens: ____, ...facts } = grant
  return facts
}

/** The claims of an ID token that was verified when it came; none of what is no such token. */
export function claimsIn(jwt: string): Readonly<Record<string, unknown>> {
  return jwtPart(jwt, 1) ?? {}
}
