import { type Cookie, clearCookie, setCookie } from '../../http/cookies.ts'
import type { AuthRequest } from '../../request.ts'
import type { EmailFlow } from './email-flow.ts'

/** What the browser that asked for a mail keeps of it. It can neither read nor change it. */
export interface EmailRequest {
  /** What is stored instead of the token. */
  readonly value: string
  readonly identifier: string
  /** Hash of the code, if the mail has one. */
  readonly code: string | undefined
}

/** @param expires when the mail's link stops to work. */
export async function keepRequest(
  { plan, config, maxAge, requestCookie }: EmailFlow,
  request: AuthRequest,
  asked: EmailRequest,
  expires: Date,
): Promise<Cookie> {
  const spec = requestCookie(request)
  const claims = { ...asked, provider: config.id }
  return setCookie(spec, await plan.sealer(spec.name).seal(claims, maxAge, plan.ports), expires)
}

/** The last mail of this provider that this browser asked for. */
export async function recallRequest(
  { plan, config, requestCookie }: EmailFlow,
  request: AuthRequest,
): Promise<EmailRequest | undefined> {
  const { name } = requestCookie(request)
  const kept = request.cookies.get(name)
  const opened = kept ? await plan.sealer(name).open(kept, plan.ports) : undefined
  const { provider, value, identifier, code } = opened?.claims ?? {}
  if (provider !== config.id || typeof value !== 'string' || typeof identifier !== 'string') {
    return undefined
  }
  return { value, identifier, code: typeof code === 'string' ? code : undefined }
}

export function forgetRequest({ requestCookie }: EmailFlow, request: AuthRequest): Cookie[] {
  const spec = requestCookie(request)
  return request.cookies.get(spec.name) === undefined ? [] : [clearCookie(spec)]
}
