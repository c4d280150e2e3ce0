import {
  type Cookie,
  clearCookie,
  definedOnly,
  type Host,
  type JsonObject,
  type Proof,
  type RecordKind,
  readChunked,
  recordKind,
  type SessionFacts,
  type SiteRequest,
  writeChunked,
} from '../../entries/plugin.ts'
import { idTokenCookie } from './cookies.ts'

/** One record for each session that began at a provider: the session there, and the ID token. */
const KIND = 'id-token'

/** The longest stored ID token, in characters. Longer ones would make requests with the cookie too large. */
const LONGEST_IN_RECORD = 30_000
const LONGEST_IN_COOKIE = 10_000

/**
 * Records outlive their sessions by a day, so a clock that is a day fast does not remove a record that is still needed.
 */
const DAY = 24 * 60 * 60 * 1000

/** The session at an OpenID provider, from the ID token. */
export interface AtProvider {
  readonly issuer: string
  readonly clientId: string
  readonly sub: string
  readonly sid?: string
}

/** The facts with which a session began. */
export interface Begun {
  readonly provider: string
  readonly at?: AtProvider
  /** The ID token, sealed in the store. */
  readonly token?: string
}

/** The stored facts of a session. They are unknown for a damaged record. */
export type BegunData = Begun | { readonly [Name in keyof Begun]?: never }

/** Returns the records of {@link Begun}, by the ids of sessions. */
export function begunRecords(host: Host): RecordKind<BegunData> {
  return recordKind<BegunData>(host, KIND, {
    shape: begunData,
    onDamaged(_, report) {
      report('its session ends with those of the subject')
      return {}
    },
  })
}

/** Returns the session that an ID token names for a client; `undefined` if it names none. */
export function atProvider(
  claims: Readonly<Record<string, unknown>> | undefined,
  clientId: string,
): AtProvider | undefined {
  const { iss, sub, sid } = claims ?? {}
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined
  return { issuer: iss, clientId, sub, ...(typeof sid === 'string' && sid !== '' && { sid }) }
}

/** Returns the key and the user of a record, to which its sealed token is bound. */
const sealedFor = (key: string, userId: string | undefined) => ({ key, ...definedOnly({ userId }) })

/** Stores the facts with which a session begins. */
export async function storeBegun(
  session: SessionFacts,
  { provider, at, token }: Begun,
  host: Host,
): Promise<void> {
  const [key, { userId }] = [await session.sid(), session]
  const isKept = token !== undefined && token.length <= LONGEST_IN_RECORD
  const sealed = isKept
    ? await host.keys.sealer(KIND).seal({ token }, sealedFor(key, userId))
    : undefined
  const data = definedOnly({ provider, at, token: sealed }) as Begun
  await begunRecords(host).create({ key, userId, data, expires: keptUntil(session.expires) })
}

export const keptUntil = (expires: number): Date => new Date(expires + DAY)

/** @returns the provider of a session; `undefined` if the session began elsewhere, or its record is damaged. */
export async function providerOf(session: SessionFacts, host: Host): Promise<string | undefined> {
  const { prv } = await session.known()
  if (typeof prv === 'string') return prv
  if (!host.hasRecords) return undefined
  return (await begunRecords(host).get(await session.sid()))?.data.provider
}

function begunData(data: JsonObject): Begun | undefined {
  const { provider, at, token = '' } = data
  const isWhole = [provider, token].every(isText) && (at === undefined || isAtProvider(at))
  return isWhole ? (data as unknown as Begun) : undefined
}

function isAtProvider(value: unknown): boolean {
  const { issuer, clientId, sub, sid = '' } = Object(value) as JsonObject
  return [issuer, clientId, sub, sid].every(isText)
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Deletes the record of a session. */
export async function forgetBegun(sid: string, host: Host): Promise<void> {
  if (host.hasRecords) await begunRecords(host).delete(sid)
}

/** Copies the record for a session that got another id. */
export async function copyBegun(
  from: SessionFacts,
  to: SessionFacts,
  host: Host,
): Promise<Begun | undefined> {
  const sid = await from.sid()
  const { data: begun } = (await begunRecords(host).get(sid)) ?? {}
  if (begun?.provider === undefined) return undefined
  const token = await openToken(begun.token, sid, from.userId, host)
  await storeBegun(to, definedOnly({ ...begun, token }) as Begun, host)
  return begun
}

/** Removes and returns the ID token of a session that ended. Of concurrent calls, one receives it. */
export async function takeIdToken(
  sid: string,
  userId: string | undefined,
  host: Host,
): Promise<string | undefined> {
  const taken = await begunRecords(host).take(sid)
  return openToken(taken?.data.token, sid, userId, host)
}

async function openToken(
  sealed: string | undefined,
  sid: string,
  userId: string | undefined,
  { keys: { sealer } }: Host,
): Promise<string | undefined> {
  const opened = sealed && (await sealer(KIND).open(sealed, sealedFor(sid, userId)))
  return opened ? String(opened['token']) : undefined
}

/** The content of the cookie that holds the ID token if no store does. */
export interface InCookie {
  readonly provider: string
  readonly sid: string
  readonly token?: string
}

const COOKIE = { key: 'id-token-cookie' }

/**
 * Returns the cookie for a new session. A sign-in does not send the pieces of an earlier cookie, so they are cleared
 * too.
 */
export async function writeIdToken(
  { request, account }: Proof,
  session: SessionFacts,
  host: Host,
): Promise<readonly Cookie[]> {
  const spec = idTokenCookie(request, host)
  const token = typeof account.id_token === 'string' ? account.id_token : undefined
  const data = definedOnly({
    provider: account.provider,
    sid: await session.sid(),
    token: token !== undefined && token.length <= LONGEST_IN_COOKIE ? token : undefined,
  })
  const sealed = await host.keys.sealer(KIND).seal(data, COOKIE)
  const written = writeChunked(request.cookies, spec, sealed, new Date(session.expires))
  const first = { ...spec, name: `${spec.name}.0` }
  return written.length === 1
    ? // An earlier token may have been in pieces.
      [...written, clearCookie(first)]
    : [
        ...written,
        clearCookie(spec),
        clearCookie({ ...spec, name: `${spec.name}.${written.length}` }),
      ]
}

/**
 * Clears the cookie on paths to which the browser does not send it. Without the first piece, the others are ignored.
 */
export function clearIdToken(request: SiteRequest, host: Host): readonly Cookie[] {
  const spec = idTokenCookie(request, host)
  return [clearCookie(spec), clearCookie({ ...spec, name: `${spec.name}.0` })]
}

export async function readIdToken(request: SiteRequest, host: Host): Promise<InCookie | undefined> {
  const value = readChunked(request.cookies, idTokenCookie(request, host).name)
  const opened = value && (await host.keys.sealer(KIND).open(value, COOKIE))
  return opened ? (opened as unknown as InCookie) : undefined
}
