import { type Cookie, clearCookie, setCookie } from '../../http/cookies/cookies.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { JsonObject } from '../../model/json.ts'
import type { SignInFields } from '../../session/strategy.ts'
import { isCsrfVerified } from '../../sign-in/visit.ts'
import type { EmailFlow } from './email-flow.ts'

/** Data of a requested mail, sealed in a cookie of the browser that requested it. */
export interface EmailRequest {
  /** The stored hash of the token. */
  readonly value: string
  readonly identifier: string
  /** Hash of the code, if the mail has one. */
  readonly code: string | undefined
  /** Fields of plugins from the request for the mail. */
  readonly kept: SignInFields | undefined
  /** What the application gave to `signIn` for the `signIn` callback. */
  readonly context: JsonObject | undefined
  /** Whether this browser used the token and the store failed before the session began. */
  readonly unfinished?: Unfinished | undefined
}

/** The same, as its cookie holds it. */
export interface RecalledRequest extends EmailRequest {
  /** The expiry of the cookie, and so of the mail. */
  readonly expires: Date
}

/** The id and the expiry (seconds since the epoch) of a sealed value, for its single use. */
interface Unfinished {
  readonly jti: unknown
  readonly exp: unknown
}

/** @param expires the expiry of the link. */
export function keepRequest(
  flow: EmailFlow,
  request: AuthRequest,
  asked: EmailRequest,
  expires: Date,
): Promise<Cookie> {
  return keep(flow, request, { ...asked }, expires)
}

/** Stores that this browser used the token, so that it can complete the sign-in when the store works again. */
export function keepUnfinished(
  flow: EmailFlow,
  request: AuthRequest,
  { value, identifier, code, kept, context }: EmailRequest,
  expires: Date,
): Promise<Cookie> {
  return keep(flow, request, { value, identifier, code, kept, context, unfinished: true }, expires)
}

async function keep(
  { plan, config, requestCookie }: EmailFlow,
  request: AuthRequest,
  asked: Record<string, unknown>,
  expires: Date,
): Promise<Cookie> {
  const spec = requestCookie(request)
  const claims = { ...asked, provider: config.id }
  const seconds = Math.max(1, Math.ceil((expires.getTime() - plan.ports.now()) / 1000))
  return setCookie(spec, await plan.sealer(spec.name).seal(claims, seconds, plan.ports), expires)
}

/** Returns the latest mail of this provider that this browser requested. */
export async function recallRequest(
  { plan, config, requestCookie }: EmailFlow,
  request: AuthRequest,
): Promise<RecalledRequest | undefined> {
  const { name } = requestCookie(request)
  const sealed = request.cookies.get(name)
  const opened = sealed ? await plan.sealer(name).open(sealed, plan.ports) : undefined
  const { provider, value, identifier, code, kept, context, unfinished, jti, exp } =
    opened?.claims ?? {}
  if (provider !== config.id || typeof value !== 'string' || typeof identifier !== 'string') {
    return undefined
  }
  return {
    value,
    identifier,
    code: typeof code === 'string' ? code : undefined,
    kept: kept as SignInFields | undefined,
    context: context as JsonObject | undefined,
    unfinished: unfinished === true ? { jti, exp } : undefined,
    expires: new Date(Number(exp) * 1000),
  }
}

/** Returns whether a link or a code belongs to the latest mail that this browser requested. */
export async function isOwnRequest(flow: EmailFlow, request: AuthRequest): Promise<boolean> {
  const asked = await recallRequest(flow, request)
  const token = request.query.get('token')
  if (!asked) return false
  if (token === null) return isCsrfVerified(request, flow.plan)
  return (await flow.hashes(token)).includes(asked.value)
}

export function forgetRequest({ requestCookie }: EmailFlow, request: AuthRequest): Cookie[] {
  const spec = requestCookie(request)
  return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
}
