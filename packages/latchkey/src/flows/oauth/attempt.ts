import { primitives } from '#crypto'
import type { MaybePromise } from '../../base/crypto/crypto.ts'
import { type Cookie, type CookieSpec, clearCookie, setCookie } from '../../http/cookies/cookies.ts'
import { isFromElsewhere } from '../../http/origin/origin-hints.ts'
import { type AuthRequest, arrivedAs } from '../../http/request.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ProofKey } from '../../model/proof-key.ts'
import type { AdapterUser } from '../../model/user.ts'
import { type CookieName, FLOW_MAX_AGE } from '../../options/cookie-policy.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import type { BoundSignIn } from '../../plan/provider.ts'
import type { SignInFields } from '../../session/strategy.ts'
import { useOnce } from '../../sign-in/used-once.ts'
import { visitorOf } from '../../sign-in/visitor.ts'
import {
  type CheckValues,
  expired,
  forgetChecks,
  hasChecks,
  noSuchSignIn,
  readChecks,
} from './checks.ts'
import type { OAuthFlow } from './oauth-flow.ts'
import { type LookedFor, type Lost, whyLost } from './why-lost.ts'

/** The values that bind one sign-in to the browser that began it (RFC 9700 section 4.7). */
export interface Attempt extends CheckValues {
  /** The target after the sign-in. */
  readonly callbackUrl?: string
  /** Fields of plugins from the start of the sign-in. */
  readonly kept?: SignInFields | undefined
  /** The context that the application passed to `signIn`, for the `signIn` callback. */
  readonly context?: JsonObject | undefined
  /** The id of the user who was signed in when it began. */
  readonly begunBy?: string
  /** Whether the response must not link an account to that user. */
  readonly linksNothing?: true
  /** Whether another site began it. */
  readonly elsewhere?: true
  /** The account and the session that the response must belong to. */
  readonly bound?: BoundSignIn | undefined
  /** Greatest age of the visitor's authentication, seconds. */
  readonly maxAge?: number
  /** Authentication contexts, one of which is required. */
  readonly acr?: readonly string[]
  /** The key that the tokens are bound to. */
  readonly dpop?: ProofKey | undefined
}

/**
 * Most open sign-ins of one browser, for example in several tabs. The oldest is removed first, and before it those that other
 * sites began: a page of another site may open a page that begins one.
 */
const LIMIT = 5

/** Most bytes of all their cookies: servers accept about 16 kB of headers, and other cookies need space, too. */
const MOST_BYTES = 6000

/** The purpose of the seal of all attempts. Each has a cookie of its own. */
const PURPOSE = 'latchkey.sign-in'

/** Creates the values of a new attempt: the parameters of its request, and its cookies. */
export async function beginAttempt(
  flow: OAuthFlow,
  checks: readonly OAuthCheck[],
  request: AuthRequest,
  {
    dpop,
    linksNothing,
    ...kept
  }: Pick<
    Attempt,
    'callbackUrl' | 'kept' | 'context' | 'bound' | 'maxAge' | 'acr' | 'dpop' | 'linksNothing'
  >,
): Promise<{ params: Record<string, string>; cookies: Cookie[] }> {
  const { plan, id } = flow
  // An account is linked only to the user who requested it.
  const user = plan.store && (await plan.session.currentUser(request))
  const state = await drawState(flow, checks, request)
  const pkce = checks.includes('pkce') ? randomValue(flow) : undefined
  const nonce = checks.includes('nonce') ? randomValue(flow) : undefined
  const attempt = {
    ...kept,
    provider: id,
    state,
    pkce,
    nonce,
    begunBy: user?.id,
    ...(isFromElsewhere(arrivedAs(request).headers, request.origin) && { elsewhere: true }),
    ...(user && (linksNothing || !(await mayLink(flow, request, user))) && { linksNothing: true }),
  }
  const sealed = await plan.sealer(PURPOSE).seal({ ...attempt, dpop }, FLOW_MAX_AGE, plan.ports)
  const expires = new Date(plan.ports.now() + FLOW_MAX_AGE * 1000)
  const specFor = (name: CookieName): CookieSpec => flow.cookie(name, request)
  return {
    params: {
      state,
      ...(pkce === undefined
        ? {}
        : { code_challenge: await codeChallenge(pkce), code_challenge_method: 'S256' }),
      ...(nonce === undefined ? {} : { nonce }),
    },
    cookies: [
      ...(await makeRoom(flow, request, sealed.length)),
      setCookie(await specOf(flow, state, request), sealed, expires),
      ...((await plan.plugins?.actions.begun({ ...attempt, checks }, specFor)) ?? []),
    ],
  }
}

/**
 * Returns whether the sign-in may link an account to the signed-in user. Otherwise it may only sign them in with an
 * account that they have.
 *
 * @throws {ReauthenticationRequired} if they have no account at this provider.
 */
async function mayLink(
  { plan, id }: OAuthFlow,
  request: AuthRequest,
  user: AdapterUser,
): Promise<boolean> {
  // The framework may have checked the origin less strictly.
  if (isFromElsewhere(arrivedAs(request).headers, request.origin)) return false
  const visitor = visitorOf(request, plan)
  if (await visitor.isFresh()) return true
  const accounts = await plan.store?.atomic.listAccountsByUserId?.(user.id)
  if (accounts && !accounts.some(({ provider }) => provider === id)) await visitor.needFresh()
  return false
}

/**
 * Returns the attempt of a response, and marks it as used.
 *
 * @throws {InvalidCheck} if this browser has no attempt for the response, or the attempt was used or is too old.
 */
export async function takeAttempt(
  flow: OAuthFlow,
  checks: readonly OAuthCheck[],
  response: URLSearchParams,
  request: AuthRequest,
): Promise<Attempt> {
  const { plan, id } = flow
  const claims = await openAttempt(flow, response, request)
  const why = async (): Promise<Lost> =>
    whyLost(flow, await lookedFor(flow, response, request), request)
  if (claims === undefined) return readChecks(flow, checks, request, why)
  if (claims === null) throw await noSuchSignIn(id, why)
  if (!(await useOnce(plan, claims))) {
    throw expired(`this response of ${id} was already used`)
  }
  return claims as unknown as Attempt
}

/** Returns the stored attempt: `undefined` if there is none, `null` if it belongs to another provider. */
async function openAttempt(
  flow: OAuthFlow,
  response: URLSearchParams,
  request: AuthRequest,
): Promise<Record<string, unknown> | null | undefined> {
  const { plan, id } = flow
  const state = onlyState(response)
  const kept = state && request.cookies.get((await specOf(flow, state, request)).name)
  if (!state || !kept) return undefined
  const claims = (await plan.sealer(PURPOSE).open(kept, plan.ports))?.claims
  return claims?.['provider'] === id && claims['state'] === state ? claims : null
}

/**
 * Returns whether the session of a user who links an account is missing in this request. Browsers do not send it
 * with a form of another site. They send it after a redirect of this site.
 */
export async function comesWithoutSession(
  flow: OAuthFlow,
  response: URLSearchParams,
  request: AuthRequest,
): Promise<boolean> {
  if (!flow.formPost || request.method !== 'POST') return false
  const attempt = await openAttempt(flow, response, request)
  // Without a store, users have no id, but their sessions have one.
  if (attempt?.['bound'] !== undefined) return (await flow.plan.session.current(request)) === null
  if (attempt?.['begunBy'] === undefined) return false
  return (await flow.plan.session.currentUser(request)) === null
}

/** Returns whether a response belongs to an attempt of this browser, of Latchkey or of Auth.js. */
export async function hasAttempt(flow: OAuthFlow, request: AuthRequest): Promise<boolean> {
  const response = flow.response(request)
  const claims = await openAttempt(flow, response, request)
  return claims === undefined ? hasChecks(flow, onlyState(response), request) : claims !== null
}

/** Clears the cookie of the attempt of a response. */
export async function forgetAttempt(flow: OAuthFlow, request: AuthRequest): Promise<Cookie[]> {
  const state = onlyState(flow.response(request))
  const spec = state === undefined ? undefined : await specOf(flow, state, request)
  const own = spec && request.cookies.get(spec.name) !== undefined ? [clearCookie(spec)] : []
  return [...own, ...forgetChecks(flow, request)]
}

/** Returns the value of a parameter; `undefined` if it is repeated. */
function onlyState(response: URLSearchParams): string | undefined {
  const [state, ...more] = response.getAll('state')
  return more.length === 0 ? state : undefined
}

/** Returns a random value, sealed if another deployment must recognize it. */
function drawState(
  flow: OAuthFlow,
  checks: readonly OAuthCheck[],
  request: AuthRequest,
): MaybePromise<string> {
  const random = randomValue(flow)
  if (!checks.includes('state')) return random
  const { plan, proxy, id } = flow
  const isElsewhere = proxy !== undefined && proxy.origin !== request.origin
  const origin = isElsewhere ? { origin: `${request.base}/callback/${id}` } : {}
  return plan.sealer('encodedState').seal({ random, ...origin }, FLOW_MAX_AGE, plan.ports)
}

function randomValue({ plan: { ports } }: OAuthFlow): string {
  return primitives.toBase64url(ports.random(32))
}

/** RFC 7636 section 4.2. */
async function codeChallenge(verifier: string): Promise<string> {
  return primitives.toBase64url(await primitives.sha256(verifier))
}

/** The cookie of an attempt. Its name is derived from the `state` of the response. */
async function specOf(flow: OAuthFlow, state: string, request: AuthRequest): Promise<CookieSpec> {
  const { name, options } = flow.cookie('signIn', request)
  const digest = primitives.toBase64url(await primitives.sha256(state))
  return { name: `${name}.${digest.slice(0, 16)}`, options }
}

/** @returns `undefined` for a response without a usable `state`. */
async function lookedFor(
  flow: OAuthFlow,
  response: URLSearchParams,
  request: AuthRequest,
): Promise<LookedFor | undefined> {
  const state = onlyState(response)
  if (!state) return undefined
  const overOther = await specOf(flow, state, { ...request, secure: !request.secure })
  return {
    name: (await specOf(flow, state, request)).name,
    purpose: PURPOSE,
    overOther: overOther.name,
    prefix: `${flow.cookie('signIn', request).name}.`,
  }
}

/** Clears the oldest attempts of this browser, so that a new one of `length` bytes fits within the limits. */
async function makeRoom(flow: OAuthFlow, request: AuthRequest, length: number): Promise<Cookie[]> {
  const { plan } = flow
  const { name, options } = flow.cookie('signIn', request)
  const open = request.cookies.names().filter((each) => each.startsWith(`${name}.`))
  const kept = (each: string): string => request.cookies.get(each) ?? ''
  let bytes = open.reduce((sum, each) => sum + kept(each).length, length)
  if (open.length < LIMIT && bytes <= MOST_BYTES) return []
  const dated = await Promise.all(
    open.map(async (each) => {
      const opened = await plan.sealer(PURPOSE).open(kept(each), plan.ports)
      const { iat = 0, elsewhere } = opened?.claims ?? {}
      return { name: each, begun: Number(iat), rank: elsewhere ? 0 : 1 }
    }),
  )
  const closed: Cookie[] = []
  for (const oldest of dated.sort((a, b) => a.rank - b.rank || a.begun - b.begun)) {
    if (open.length - closed.length < LIMIT && bytes <= MOST_BYTES) break
    bytes -= kept(oldest.name).length
    closed.push(clearCookie({ name: oldest.name, options }))
  }
  return closed
}
