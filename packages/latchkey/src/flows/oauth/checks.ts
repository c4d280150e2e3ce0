import { InvalidCheck } from '../../errors.ts'
import { type Cookie, clearCookie } from '../../http/cookies.ts'
import type { CookieName } from '../../options/cookie-policy.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import type { AuthRequest } from '../../request.ts'
import type { OAuthFlow } from './oauth-flow.ts'

type CheckName = Exclude<OAuthCheck, 'none'>

/** The values that bind an answer to the browser which asked for it. */
export interface CheckValues {
  /** What the answer must carry; `undefined` when Auth.js began the sign-in without. */
  readonly state: string | undefined
  /** Code verifier (RFC 7636). */
  readonly pkce?: string
  readonly nonce?: string
}

/** The cookies in which Auth.js keeps a sign-in: one for each check, for the latest sign-in only. */
const cookieNames: Readonly<Record<CheckName, CookieName>> = {
  state: 'state',
  pkce: 'pkceCodeVerifier',
  nonce: 'nonce',
}

const names = Object.keys(cookieNames) as CheckName[]

/**
 * A sign-in that Auth.js began.
 *
 * @param why says why it is none of ours.
 * @throws {InvalidCheck} when this browser does not have one for this provider, or no longer.
 */
export async function readChecks(
  flow: OAuthFlow,
  checks: readonly OAuthCheck[],
  request: AuthRequest,
  why: () => Promise<string>,
): Promise<CheckValues> {
  const { plan, id } = flow
  const values: { [Name in CheckName]?: string } = {}
  for (const name of names.filter((each) => checks.includes(each))) {
    const spec = flow.cookie(cookieNames[name], request)
    const opened = await plan
      .sealer(spec.name)
      .open(request.cookies.get(spec.name) ?? '', plan.ports)
    const { value, provider, attempt } = opened?.claims ?? {}
    // One of ours, which a plugin kept for Auth.js, has a cookie of its own, without which it is over.
    if (typeof value !== 'string' || provider !== id || attempt !== undefined) {
      throw await noSuchSignIn(id, why)
    }
    values[name] = value
  }
  // Without a single check, nothing says that this browser began it.
  if (Object.keys(values).length === 0) {
    throw await noSuchSignIn(id, why)
  }
  return { ...values, state: values.state }
}

export async function noSuchSignIn(id: string, why: () => Promise<string>): Promise<InvalidCheck> {
  return new InvalidCheck(`this browser has no sign-in with ${id} in progress: ${await why()}`)
}

/** Forgets every value that this browser brought. */
export function forgetChecks(flow: OAuthFlow, request: AuthRequest): Cookie[] {
  return names
    .map((name) => flow.cookie(cookieNames[name], request))
    .filter(({ name }) => request.cookies.get(name) !== undefined)
    .map(clearCookie)
}
