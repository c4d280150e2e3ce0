import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { Begun, Own } from '../own.ts'
import { askPage, codePage } from '../pages.ts'
import { partsOf } from './parts.ts'

interface Verify {
  readonly code: string
}

export const input: v.GenericSchema<Verify> = v.strictObject({
  code: v.pipe(v.string(), v.maxLength(100)),
})

/** `GET email-code/verify` */
export async function show(call: Call, own: Own): Promise<Answer> {
  const { host, cookie } = own
  const begun = await cookie.newest(call.request)
  if (!begun) return { to: host.site.path('email-code/send') }
  const mailbox = host.site.mailbox(call.request)
  return { page: codePage({ email: begun.email, mailbox }, await partsOf(call, own)) }
}

/** `POST email-code/verify` */
export async function verify(call: Call<Verify>, own: Own): Promise<Answer> {
  const { host, settings, cookie } = own
  const { request } = call
  const begun = await cookie.newest(request)
  if (!begun) {
    throw new Problem('invalid_code', 'this browser asked for no code, or it has expired', {
      page: askPage({ email: undefined }, await partsOf(call, own)),
    })
  }
  await host.attempts.count('email-code.verify', { request })
  const isRight = await own.codes
    .isRight(begun, call.input.code, request)
    .catch(async (error: unknown) => {
      throw isLimited(error) ? await refusal(begun, call, own, error) : error
    })
  if (!isRight) throw await refusal(begun, call, own)
  const { email, callbackUrl } = begun
  const user = (await host.store?.getUserByEmail(email)) ?? undefined
  if (!settings.signUp && !user) throw await refusal(begun, call, own)
  const target = await host.site.resolveRedirect(callbackUrl, request.origin)
  const answer = await host.sessions.establish(
    { request, callbackUrl: target },
    { address: email, amr: ['email'] },
  )
  // The sign-in may have created the user, or wait at a gate.
  const signedIn = user ?? (await host.store?.getUserByEmail(email))
  const isWaiting = answer.json?.['status'] !== undefined
  const factors = isWaiting ? undefined : host.plugins.factors()
  const grace = signedIn && (await factors?.grace?.(signedIn.id, request))
  return {
    ...answer,
    json: {
      status: 'signed_in',
      ...(grace && { secondFactorBy: grace.until.toISOString() }),
      ...answer.json,
    },
    cookies: [...(answer.cookies ?? []), ...(await cookie.end(request))],
  }
}

const isLimited = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'too_many_attempts'

/** @param limited why the code was not compared. */
async function refusal(
  { email }: Begun,
  call: Call<Verify>,
  own: Own,
  limited?: Problem,
): Promise<Problem> {
  const { host } = own
  const code = limited?.code ?? 'invalid_code'
  await tellSecurity(host, { type: 'code.wrong', outcome: 'refused', reason: code, typed: email })
  const mailbox = host.site.mailbox(call.request)
  const wait = limited && Number(limited.members['retryAfter'])
  const page = codePage({ email, isWrong: !limited, wait, mailbox }, await partsOf(call, own))
  if (!limited)
    return new Problem(code, 'the code is wrong, used or too old', {
      errors: [{ field: 'code', code: 'wrong_code' }],
      page,
    })
  const { message, headers, members } = limited
  return new Problem(code, message, { headers, members, page })
}
