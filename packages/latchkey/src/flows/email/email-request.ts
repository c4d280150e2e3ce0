import { type Cookie, clearCookie, setCookie } from '../../http/cookies.ts'
import type { AuthRequest } from '../../request.ts'
import type { SignInFields } from '../../session/strategy.ts'
import type { EmailFlow } from './email-flow.ts'

/** What the browser that asked for a mail keeps of it. It can neither read nor change it. */
export interface EmailRequest {
  /** What is stored instead of the token. */
  readonly value: string
  readonly identifier: string
  /** Hash of the code, if the mail has one. */
  readonly code: string | undefined
  /** Fields of plugins that were sent with it. */
  readonly kept: SignInFields | undefined
  /** This browser used the token, and the store failed before there was a session. */
  readonly unfinished?: Unfinished | undefined
}

/** What makes a sealed value one that is used once: its id and its end, seconds since the epoch. */
interface Unfinished {
  readonly jti: unknown
  readonly exp: unknown
}

/** @param expires when the mail's link stops to work. */
export function keepRequest(
  flow: EmailFlow,
  request: AuthRequest,
  asked: EmailRequest,
  expires: Date,
): Promise<Cookie> {
  return keep(flow, request, { ...asked }, expires)
}

/** Keeps that this browser used the token, so that it can finish the sign-in once the store works again. */
export function keepUnfinished(
  flow: EmailFlow,
  request: AuthRequest,
  { value, identifier, code, kept }: EmailRequest,
  expires: Date,
): Promise<Cookie> {
  return keep(flow, request, { value, identifier, code, kept, unfinished: true }, expires)
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

/** The last mail of this provider that this browser asked for. */
export async function recallRequest(
  { plan, config, requestCookie }: EmailFlow,
  request: AuthRequest,
): Promise<EmailRequest | undefined> {
  const { name } = requestCookie(request)
  const sealed = request.cookies.get(name)
  const opened = sealed ? await plan.sealer(name).open(sealed, plan.ports) : undefined
  const { provider, value, identifier, code, kept, unfinished, jti, exp } = opened?.claims ?? {}
  if (provider !== config.id || typeof value !== 'string' || typeof identifier !== 'string') {
    return undefined
  }
  return {
    value,
    identifier,
    code: typeof code === 'string' ? code : undefined,
    kept: kept as SignInFields | undefined,
    unfinished: unfinished === true ? { jti, exp } : undefined,
  }
}

export function forgetRequest({ requestCookie }: EmailFlow, request: AuthRequest): Cookie[] {
  const spec = requestCookie(request)
  return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
}
