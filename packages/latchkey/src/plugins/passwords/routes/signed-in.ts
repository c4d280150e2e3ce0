import type { Answer, SiteRequest } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'

/** Returns the response of a sign-in or a sign-up with a password, with an offer of a passkey if the session has begun. */
export async function signedIn(
  answer: Answer,
  userId: string,
  request: SiteRequest,
  { host }: Own,
): Promise<Answer> {
  // A sign-in that waits at a gate says so itself.
  if (answer.json?.['status'] !== undefined) return answer
  const grace = await host.plugins.factors()?.grace?.(userId, request)
  const json = {
    status: 'signed_in',
    ...(grace && { secondFactorBy: grace.until.toISOString() }),
    ...answer.json,
  }
  const offer = await host.plugins.passkeyOffer()?.offer(userId, request)
  if (!offer) return { ...answer, json }
  return {
    ...answer,
    json: { ...json, offers: ['passkey'] },
    cookies: [...(answer.cookies ?? []), ...offer],
  }
}
