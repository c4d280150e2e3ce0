import { equal } from '../base/crypto/equal.ts'
import { encodeBase64url } from '../base/encoding/base64url.ts'
import { isJsonObject } from '../base/encoding/json.ts'
import { type Cookie, type CookieSpec, clearCookie, setCookie } from '../http/cookies/cookies.ts'
import { type Outcome, redirect } from '../http/outcome.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import { WITH_DAMAGED } from '../model/damaged-record.ts'
import type { JsonObject, PluginRecord } from '../model/record.ts'
import type { CsrfTokens, Plan } from '../plan/plan.ts'
import type { GatePage, PendingSignIn } from '../plugin/hooks.ts'
import type { Host } from '../plugin/host.ts'
import { csrfTokens, drawCsrf } from './visit.ts'

const KIND = 'pending-sign-in'
const NEW_USER = 'new-user'
/** Lifetime of a pending sign-in, seconds. */
const MAX_AGE = 600
/** Most pending sign-ins of one user. */
const MOST = 5
/** Most of these in browsers that are known to the user, so that there is room for another browser. */
const MOST_KNOWN = 4

/** The members of a host that pending sign-ins use. */
export interface PendingHost extends Pick<Host, 'records' | 'keys' | 'store'> {
  /** Returns whether the user signed in with the requesting browser before. */
  isKnownBrowser(userId: string, request: SiteRequest): Promise<boolean>
}

/**
 * Stores a sign-in until the visitor comes back from a gate. The browser receives its key, bound to a new CSRF token
 * of the same response: another browser cannot use the key without this token.
 */
export async function keepPending(
  signIn: PendingSignIn,
  { page, gate }: { readonly page: SafeUrl | GatePage; readonly gate: string },
  request: SiteRequest,
  plan: Plan,
  host: PendingHost,
): Promise<Outcome> {
  const { ports } = plan
  const id = encodeBase64url(ports.random(32))
  const key = await host.keys.hash('pending', id)
  const userId = idOf(signIn)
  const isKnown = await host.isKnownBrowser(userId, request)
  // A user who was unknown before the proof, for example at a provider, has no earlier values.
  const unchanged = { ...(await plan.watch?.beforeProof(userId)), ...signIn.before }
  await makeRoom(userId, isKnown, host)
  const sealed = await host.keys
    .sealer(KIND)
    .seal(
      { signIn: JSON.stringify(signIn, keepingDates), gate, unchanged },
      { key, userId, maxAge: MAX_AGE },
    )
  const expires = new Date(ports.now() + MAX_AGE * 1000)
  const data = { sealed, ...(isKnown && { known: true }) }
  await host.records.create({ kind: KIND, key, userId, data, expires })
  if (signIn.isNewUser) {
    await host.records.create({ kind: NEW_USER, key: userId, userId, data: {} })
  }
  const csrf = plan.csrf ? await drawCsrf(request, plan) : undefined
  const spec = cookieSpec(request, plan)
  const value = await plan.sealer(spec.name).seal({ id, csrf: csrf?.token ?? null }, MAX_AGE, ports)
  const cookies = [setCookie(spec, value, expires), ...(csrf ? [csrf.cookie] : [])]
  if (typeof page === 'string') return { ...redirect(page, cookies), detour: true }
  const members = { ...page.json, expires: expires.toISOString() }
  return { ...redirect(page.page, cookies), detour: true, members }
}

/** A pending sign-in and the key of its record. */
export interface KeptSignIn {
  readonly key: string
  readonly signIn: PendingSignIn
  /** The plugin at whose gate it waits; `undefined` for one that an earlier version stored. */
  readonly gate: string | undefined
  /** Values of plugins that change when no session can begin any more, for example because all sessions of the user ended. */
  readonly unchanged: JsonObject
}

/** Returns the pending sign-in of this browser, with the current data of the user. */
export async function readPending(
  request: SiteRequest,
  plan: Plan,
  host: PendingHost,
  tokens: () => Promise<CsrfTokens>,
): Promise<KeptSignIn | undefined> {
  const key = await pendingKey(request, plan, host, tokens)
  const record = key === undefined ? null : await host.records.get(KIND, key, WITH_DAMAGED)
  return record ? opened(record, host) : undefined
}

/** Removes and returns the pending sign-in of this browser: only one of many parallel calls gets it. */
export async function takePending(
  request: SiteRequest,
  plan: Plan,
  host: PendingHost,
): Promise<KeptSignIn | undefined> {
  const key = await pendingKey(request, plan, host)
  const record = key === undefined ? null : await host.records.take(KIND, key, WITH_DAMAGED)
  return record ? opened(record, host) : undefined
}

export function forgetPending(request: SiteRequest, plan: Plan): Cookie {
  return clearCookie(cookieSpec(request, plan))
}

/** Returns whether the user is new: also if they left at a gate after they were created, and signed in again. */
export async function wasNew(signIn: PendingSignIn, { records }: PendingHost): Promise<boolean> {
  return signIn.isNewUser === true || (await records.get(NEW_USER, idOf(signIn))) !== null
}

export async function noLongerNew(signIn: PendingSignIn, { records }: PendingHost): Promise<void> {
  if (signIn.isNewUser) await records.take(NEW_USER, idOf(signIn))
}

/** Returns the id of the user, or of the account if no user is stored. */
function idOf({ user, account }: PendingSignIn): string {
  return user.id ?? `${account.provider} ${account.providerAccountId}`
}

/**
 * Removes the oldest pending sign-ins above the limit, so that repeated sign-ins do not block new ones. A sign-in of an unknown
 * browser removes none of a known one: strangers who know the password do not end that of the owner.
 */
async function makeRoom(userId: string, isKnown: boolean, { records }: PendingHost): Promise<void> {
  const { records: waiting } = await records.list({ kind: KIND, userId, limit: 100 }, WITH_DAMAGED)
  const oldestFirst = waiting.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const known = oldestFirst.filter(({ data }) => data['known'] === true)
  const unknown = oldestFirst.filter(({ data }) => data['known'] !== true)
  const tooMany =
    isKnown && known.length >= MOST_KNOWN
      ? known.slice(0, known.length - MOST_KNOWN + 1)
      : unknown.slice(0, Math.max(0, waiting.length - MOST + 1))
  for (const { key } of tooMany) await records.take(KIND, key, WITH_DAMAGED)
}

async function pendingKey(
  request: SiteRequest,
  plan: Plan,
  host: PendingHost,
  tokens = () => csrfTokens(request, plan),
): Promise<string | undefined> {
  const { name } = cookieSpec(request, plan)
  const cookie = request.cookies.get(name)
  const kept = cookie && (await plan.sealer(name).open(cookie, plan.ports))?.claims
  if (!kept || typeof kept['id'] !== 'string') return undefined
  if (plan.csrf) {
    if (!(await tokens()).some(({ token }) => equal(token, String(kept['csrf'])))) return undefined
  }
  return host.keys.hash('pending', kept['id'])
}

async function opened(
  { key, userId, data }: PluginRecord,
  host: PendingHost,
): Promise<KeptSignIn | undefined> {
  const sealed = String(data['sealed'])
  const claims: JsonObject | undefined = await host.keys.sealer(KIND).open(sealed, { key, userId })
  if (!claims) return undefined
  const stored = JSON.parse(String(claims['signIn']), withDates) as PendingSignIn
  const signIn = { ...stored, key }
  const gate = typeof claims['gate'] === 'string' ? claims['gate'] : undefined
  const { unchanged } = claims
  const kept = { key, signIn, gate, unchanged: isJsonObject(unchanged) ? unchanged : {} }
  if (!host.store || !signIn.user.id) return kept
  const user = await host.store.getUser(signIn.user.id)
  return user ? { ...kept, signIn: { ...signIn, user } } : undefined
}

const DATE = '@latchkey/date'

/** Encodes dates, which the result of `authorize` may contain and JSON does not have. */
function keepingDates(this: unknown, name: string, value: unknown): unknown {
  const given = (this as Record<string, unknown>)[name]
  return given instanceof Date ? { [DATE]: given.getTime() } : value
}

function withDates(_: string, value: unknown): unknown {
  const isDate = typeof value === 'object' && value !== null && DATE in value
  return isDate ? new Date(Number(value[DATE])) : value
}

function cookieSpec({ secure }: SiteRequest, plan: Plan): CookieSpec {
  const { options } = plan.cookies(secure).csrfToken
  const isSecure = options.secure === true
  return {
    name: isSecure ? '__Host-latchkey.pending' : 'latchkey.pending',
    options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure, maxAge: MAX_AGE },
  }
}
