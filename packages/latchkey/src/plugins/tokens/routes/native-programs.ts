import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { beginApproved } from '../approval.ts'
import { tokenIn } from '../bearer/carried.ts'
import { PREFIX } from '../bearer/prefix.ts'
import { count } from '../limited.ts'
import type { Own } from '../own.ts'
import { oauthError, oauthInput, textOf, tokenAnswer } from './oauth.ts'

export const input: typeof oauthInput = oauthInput

/** `POST native/token`: an app exchanges its code for a session (RFC 6749 section 4.1.3). */
export async function token(
  { request, input }: Call<Readonly<Record<string, unknown>>>,
  own: Own,
): Promise<Answer> {
  const { codes, settings } = await own.native()
  await count(own.host, 'native.token', { request })
  if (input['grant_type'] !== 'authorization_code') return oauthError('unsupported_grant_type')
  const code = textOf(input, 'code')
  const verifier = textOf(input, 'code_verifier')
  const client = textOf(input, 'client_id')
  const redirectUri = textOf(input, 'redirect_uri', 2000)
  if (code === undefined || verifier === undefined) return oauthError('invalid_request')
  if (client === undefined || redirectUri === undefined) return oauthError('invalid_request')
  const { absoluteMaxAge } = settings
  const holder = { via: 'native', absoluteMaxAge } as const
  return tokenAnswer(() =>
    codes.redeem({ code, client, redirectUri, verifier }, (approval, name) =>
      beginApproved(approval, { ...holder, name }, request, own),
    ),
  )
}

/** `POST native/renew`: returns another token for the same session. */
export async function renew({ request }: Call, own: Own): Promise<Answer> {
  const { settings } = await own.native()
  const token = tokenIn(request, PREFIX)
  const renewed = token && (await (await own.bearers()).renew(token, settings))
  if (!renewed) throw new Problem('invalid_token', 'the session has no such token')
  return { json: renewed }
}

/** `POST native/end`: the app signs out. */
export async function end({ request, current }: Call, own: Own): Promise<Answer> {
  const userId = current?.facts.userId
  if (tokenIn(request, PREFIX) === undefined || userId === undefined)
    throw new Problem('invalid_token', 'the request has no token of a session')
  const sid = await current?.facts.sid()
  await own.host.sessions.control()?.end(userId, sid ?? '', { reason: 'sign-out' })
  return { status: 204 }
}
