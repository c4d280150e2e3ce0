import { primitives } from '#crypto'
import { InvalidCheck } from '../../errors.ts'
import { type Cookie, type CookieSpec, clearCookie, setCookie } from '../../http/cookies.ts'
import { type CookieName, FLOW_MAX_AGE } from '../../options/cookie-policy.ts'
import type { OAuthCheck } from '../../options/provider-options.ts'
import type { Plan } from '../../plan.ts'
import type { AuthRequest } from '../../request.ts'
import type { OAuthFlow } from './oauth-flow.ts'

type CheckName = Exclude<OAuthCheck, 'none'>

/** A value that stays in the browser, and what of it the authorization server is told. */
interface Check {
  readonly cookie: CookieName
  draw(plan: Plan): Promise<string> | string
  params(value: string): Promise<Record<string, string>> | Record<string, string>
}

const randomValue = ({ ports }: Plan): string => primitives.toBase64url(ports.random(32))

const table: Readonly<Record<CheckName, Check>> = {
  /** Binds the answer to this browser (RFC 6749 section 10.12). */
  state: {
    cookie: 'state',
    draw: (plan) =>
      plan.sealer('encodedState').seal({ random: randomValue(plan) }, FLOW_MAX_AGE, plan.ports),
    params: (state) => ({ state }),
  },
  /** Binds the code to this browser (RFC 7636 section 4). */
  pkce: {
    cookie: 'pkceCodeVerifier',
    draw: randomValue,
    params: async (verifier) => ({
      code_challenge: await codeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  },
  /** Binds the ID token to this browser (OpenID Connect Core section 3.1.2.1). */
  nonce: { cookie: 'nonce', draw: randomValue, params: (nonce) => ({ nonce }) },
}

/** RFC 7636 section 4.2. */
async function codeChallenge(verifier: string): Promise<string> {
  return primitives.toBase64url(await primitives.sha256(verifier))
}

/** Draws a value for each check: the parameters that announce them and the cookies that keep them. */
export async function drawChecks(
  flow: OAuthFlow,
  names: readonly OAuthCheck[],
  request: AuthRequest,
  callbackUrl: string,
): Promise<{ params: Record<string, string>; cookies: Cookie[] }> {
  const { plan, id } = flow
  // An account is linked only to who asked for it.
  const user = plan.store && (await plan.session.currentUser(request))
  const params: Record<string, string> = {}
  const cookies: Cookie[] = []
  for (const name of names) {
    if (name === 'none') continue
    const check = table[name]
    const spec = specOf(check, flow, request)
    const value = await check.draw(plan)
    // A cross-site form post does not bring the callback-URL cookie along, so it travels in here.
    const kept = {
      value,
      provider: id,
      ...(user ? { user: user.id } : {}),
      ...(flow.formPost ? { callbackUrl } : {}),
    }
    const sealed = await plan.sealer(spec.name).seal(kept, FLOW_MAX_AGE, plan.ports)
    Object.assign(params, await check.params(value))
    cookies.push(setCookie(spec, sealed, new Date(plan.ports.now() + FLOW_MAX_AGE * 1000)))
  }
  return { params, cookies }
}

/** What a browser kept for a sign-in. */
export interface Recalled {
  readonly values: { readonly [Name in CheckName]?: string }
  readonly callbackUrl?: string
  /** The id of who was signed in when it began. */
  readonly begunBy?: string
}

/** Forgets every value that this browser brought. */
export function forgetChecks(
  flow: OAuthFlow,
  names: readonly OAuthCheck[],
  request: AuthRequest,
): Cookie[] {
  return names.flatMap((name) => {
    if (name === 'none') return []
    const spec = specOf(table[name], flow, request)
    return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
  })
}

/**
 * The values drawn earlier.
 *
 * @throws {InvalidCheck} when this browser does not have one for this provider, or no longer.
 */
export async function recallChecks(
  flow: OAuthFlow,
  names: readonly OAuthCheck[],
  request: AuthRequest,
): Promise<Recalled> {
  const { plan, id } = flow
  const values: { [Name in CheckName]?: string } = {}
  let callbackUrl: string | undefined
  let begunBy: string | undefined
  for (const name of names) {
    if (name === 'none') continue
    const spec = specOf(table[name], flow, request)
    const opened = await plan
      .sealer(spec.name)
      .open(request.cookies.get(spec.name) ?? '', plan.ports)
    const kept = opened?.claims
    if (!kept || typeof kept['value'] !== 'string' || kept['provider'] !== id) {
      throw new InvalidCheck(`this browser has no ${name} for a sign-in with ${id}`)
    }
    values[name] = kept['value']
    if (typeof kept['callbackUrl'] === 'string') callbackUrl = kept['callbackUrl']
    if (typeof kept['user'] === 'string') begunBy = kept['user']
  }
  return {
    values,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(begunBy === undefined ? {} : { begunBy }),
  }
}

/** A provider that posts back from its own site needs cookies that survive that. */
function specOf(
  { cookie }: Check,
  { formPost, plan }: OAuthFlow,
  request: AuthRequest,
): CookieSpec {
  const spec = plan.cookies(request.secure)[cookie]
  return formPost ? { ...spec, options: { ...spec.options, sameSite: 'none', secure: true } } : spec
}
