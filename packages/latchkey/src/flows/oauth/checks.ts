import { InvalidCheck } from '../../base/errors.ts'
import { type Cookie, clearCookie } from '../../http/cookies/cookies.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { CookieName } from '../../options/cookie-policy.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import type { OAuthFlow } from './oauth-flow.ts'
import type { Lost } from './why-lost.ts'

type CheckName = Exclude<OAuthCheck, 'none'>

/** The values that bind a response to the browser that began the sign-in. */
export interface CheckValues {
  /** The `state` of the response; `undefined` if Auth.js began the sign-in without one. */
  readonly state: string | undefined
  /** Code verifier (RFC 7636). */
  readonly pkce?: string
  readonly nonce?: string
}

/** The cookies of a sign-in of Auth.js: one for each check, only for the latest sign-in. */
const cookieNames: Readonly<Record<CheckName, CookieName>> = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
}

const names = Object.keys(cookieNames) as CheckName[]

/**
 * Returns a sign-in that Auth.js began.
 *
 * @param why returns the reason why the response belongs to no sign-in of Latchkey.
 * @throws {InvalidCheck} if this browser has none for this provider, or it has expired.
 */
export async function readChecks(
  flow: OAuthFlow,
  checks: readonly OAuthCheck[],
  request: AuthRequest,
  why: () => Promise<Lost>,
): Promise<CheckValues> {
  const { id } = flow
  const values: { [Name in CheckName]?: string } = {}
  for (const name of names.filter((each) => checks.includes(each))) {
    const value = await openCheck(flow, name, request)
    if (value === undefined) throw await noSuchSignIn(id, why)
    values[name] = value
  }
  // Without any check, nothing shows that this browser began it.
  if (Object.keys(values).length === 0) {
    throw await noSuchSignIn(id, why)
  }
  return { ...values, state: values.state }
}

/** Returns whether a sign-in that Auth.js began in this browser is open, for the `state` of a response if it has one. */
export async function hasChecks(
  flow: OAuthFlow,
  state: string | undefined,
  request: AuthRequest,
): Promise<boolean> {
  const kept = await openCheck(flow, 'state', request)
  if (kept !== undefined) return kept === state
  const others = names.map((name) => openCheck(flow, name, request))
  return (await Promise.all(others)).some((value) => value !== undefined)
}

/** Returns the value of a check cookie of this provider; `undefined` if there is none, or it cannot be read. */
async function openCheck(
  flow: OAuthFlow,
  name: CheckName,
  request: AuthRequest,
): Promise<string | undefined> {
  const { plan, id } = flow
  const spec = flow.cookie(cookieNames[name], request)
  const opened = await plan.sealer(spec.name).open(request.cookies.get(spec.name) ?? '', plan.ports)
  const { value, provider, attempt } = opened?.claims ?? {}
  // A sign-in of Latchkey with cookies for Auth.js also has its own cookie. Without that cookie it has ended.
  const isOpen = typeof value === 'string' && provider === id && attempt === undefined
  return isOpen ? value : undefined
}

export async function noSuchSignIn(id: string, reason: () => Promise<Lost>): Promise<InvalidCheck> {
  const { why, isFault } = await reason()
  const text = `this browser has no sign-in with ${id} in progress: ${why}`
  return isFault ? new InvalidCheck(text) : expired(text)
}

/** Returns the error for a sign-in that has ended, for example after a press of the back button. */
export function expired(message: string): InvalidCheck {
  return Object.assign(new InvalidCheck(message), { code: 'expired' as const })
}

/** Clears all check cookies of this browser. */
export function forgetChecks(flow: OAuthFlow, request: AuthRequest): Cookie[] {
  return names
    .map((name) => flow.cookie(cookieNames[name], request))
    .filter(({ name }) => request.cookies.get(name) !== undefined)
    .map(clearCookie)
}
