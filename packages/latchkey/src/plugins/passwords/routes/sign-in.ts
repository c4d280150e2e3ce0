import * as v from 'valibot'
import {
  type Answer,
  type AuthRequest,
  type Call,
  CredentialsSignin,
  formText,
  Problem,
  type ProvenUser,
  TooManyAttempts,
} from '../../../entries/plugin.ts'
import { authenticate, type Typed } from '../flows/authenticate.ts'
import type { Own } from '../own.ts'
import { signInAgainPage } from '../pages/sign-in.ts'
import type { Fault } from '../refusals.ts'
import { typed } from './fields.ts'
import { partsOf } from './parts.ts'
import { signedIn } from './signed-in.ts'

interface SignIn extends Typed {
  readonly remember?: string | boolean | undefined
}

export const input: v.GenericSchema<SignIn> = v.strictObject({
  identifier: typed,
  password: typed,
  remember: v.optional(v.union([v.boolean(), v.pipe(v.string(), v.maxLength(10))])),
})

/** Seconds for which the identifier is kept for the form that asks again. */
const KEPT = 15 * 60

/** `GET password/sign-in`: the form alone, after an attempt that needs one more check. */
export async function show(call: Call, own: Own): Promise<Answer> {
  const kept = await own.cookies.signIn.newest(call.request)
  const form = { typed: { identifier: kept?.identifier }, faults: [] }
  const challenged = { action: 'password.sign-in', isRequired: kept !== undefined } as const
  return { page: signInAgainPage(form, await partsOf(call, own, challenged)) }
}

/** `POST password/sign-in` */
export async function send(call: Call<SignIn>, own: Own): Promise<Answer> {
  const { request, input: fields } = call
  try {
    const user = await authenticate(fields, request, own)
    const kept = await own.cookies.signIn.newest(request)
    const { site } = own.host
    const callbackUrl =
      kept === undefined
        ? call.callbackUrl
        : await site.resolveRedirect(kept.callbackUrl, request.origin)
    const answer = await own.host.sessions.establish({ request, callbackUrl }, user)
    const cookies = [...(answer.cookies ?? []), ...(await own.cookies.signIn.end(request))]
    return signedIn({ ...answer, cookies }, user.user.id, request, own)
  } catch (error) {
    throw await withForm(error, call, own)
  }
}

/** Adds the form to a refusal that the visitor can do something about. */
async function withForm(error: unknown, call: Call<SignIn>, own: Own): Promise<unknown> {
  const isWrong = error instanceof Problem && error.code === 'invalid_credentials'
  const isChallenged = error instanceof Problem && error.code === 'challenge_required'
  if (!isWrong && !isChallenged) return error
  const faults: Fault[] = isWrong ? [{ field: 'password', code: 'wrong_credentials' }] : []
  const form = { typed: { identifier: call.input.identifier }, faults }
  const challenged = { action: 'password.sign-in', isRequired: isChallenged } as const
  const { code, message, headers, members, errors } = error
  return new Problem(code, message, {
    headers,
    members,
    ...(errors && { errors }),
    page: signInAgainPage(form, await partsOf(call, own, challenged)),
  })
}

/** Checks the fields of the sign-in page, which sends them to the provider. */
export async function authorize(request: AuthRequest, own: Own): Promise<ProvenUser> {
  const { host, cookies } = own
  // Forms of credentials often call it so.
  const identifier = formText(request.form, 'identifier') ?? formText(request.form, 'email') ?? ''
  const password = formText(request.form, 'password') ?? ''
  try {
    return await authenticate({ identifier, password }, request, own)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'too_many_attempts') {
      const { headers, members } = error
      throw new TooManyAttempts(error.message, {
        retryAfter: Number(members['retryAfter']),
        headers,
      })
    }
    if (error.code === 'invalid_credentials')
      throw new CredentialsSignin('the name or the password is wrong')
    if (error.code !== 'challenge_required') throw error
    const { message, members, headers } = error
    const callbackUrl = formText(request.form, 'callbackUrl') ?? request.origin
    throw new Problem(error.code, message, {
      headers,
      members,
      next: host.site.path('password/sign-in'),
      cookies: await cookies.signIn.keep({ identifier, callbackUrl }, request, KEPT),
    })
  }
}
