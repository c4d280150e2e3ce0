import * as v from 'valibot'
import {
  type Answer,
  type Call,
  equal,
  isPrefetch,
  type KindRecord,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { readAddress, readCode, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { sendAgain } from '../flows/begin-sign-up.ts'
import { finishSignUp } from '../flows/finish-sign-up.ts'
import { unprovedHere } from '../flows/prove-address.ts'
import { mailAgain } from '../flows/unproved-users.ts'
import type { Own } from '../own.ts'
import { codePage, confirmPage, deadLinkPage, letInPage } from '../pages/verify.ts'
import { MOST_TRIES, type PendingSignUp } from '../records/sign-ups.ts'
import type { Fault } from '../refusals.ts'
import { choose, deadProblem, elsewhere, HIDDEN, type Proof } from './elsewhere.ts'
import { typed, unknownFields } from './fields.ts'
import { partsOf } from './parts.ts'
import { proveByCode, proveByLink, showUnproved } from './prove-address.ts'
import { signedIn } from './signed-in.ts'

interface Link {
  readonly token?: string | undefined
  readonly email?: string | undefined
}

export const linkInput: v.GenericSchema<Link> = v.strictObject({
  token: v.optional(v.pipe(v.string(), v.maxLength(200))),
  email: v.optional(v.pipe(v.string(), v.maxLength(320))),
})

export const input: v.GenericSchema<Proof> = v.objectWithRest(
  { code: v.optional(typed), password: v.optional(typed), name: v.optional(typed) },
  typed,
)

/** The fields besides the further ones of a sign-up. */
const KNOWN = ['code', 'password', 'name', 'username']

/** Seconds for which an opened link is kept in the browser. */
const LINK_AGE = 30 * 60

/** `GET password/verify`: the field for the code, or, after a link was opened, its confirmation. */
export async function show(call: Call<Link>, own: Own): Promise<Answer> {
  const { request, input: link } = call
  if (link.token !== undefined) return openLink(link, request, own)
  const parts = await partsOf(call, own)
  const form = { typed: {}, faults: [] }
  const opened = await own.cookies.link.newest(request)
  if (opened) {
    const found = await byToken(opened, own)
    const shown = found ? undefined : await showUnproved(opened, call, own)
    if (shown) return { page: shown, headers: HIDDEN }
    if (!found) {
      const cookies = await own.cookies.link.end(request)
      return { status: 400, page: deadLinkPage('sign-up', parts), headers: HIDDEN, cookies }
    }
    const { email } = opened
    if (await isOwn(found.data, email, request, own))
      return { page: confirmPage({ email }, parts), headers: HIDDEN }
    return {
      page: await elsewhere({ email, asked: found.data.asked }, form, call, own),
      headers: HIDDEN,
    }
  }
  const mailbox = own.host.site.mailbox(request)
  const here = await unprovedHere(call, own)
  if (here)
    return { page: codePage({ email: here.user.email, form, mailbox, isSignedIn: true }, parts) }
  const began = await own.cookies.signUp.newest(request)
  if (!began) return { to: own.host.site.path('password/sign-up') }
  const { email } = began
  const isLetIn = own.settings.verify === 'after'
  return {
    page: isLetIn
      ? letInPage({ email, mailbox, callbackUrl: began.callbackUrl }, parts)
      : codePage({ email, form, mailbox }, parts),
  }
}

/** Keeps the link in the browser. Nothing is used up: scanners of mails and prefetching browsers open links, too. */
async function openLink(
  { token = '', email = '' }: Link,
  request: SiteRequest,
  own: Own,
): Promise<Answer> {
  const address = readAddress(email)
  if (request.original.method === 'HEAD' || isPrefetch(request.original.headers))
    return { headers: HIDDEN }
  const cookies = address
    ? await own.cookies.link.keep({ token, email: address }, request, LINK_AGE)
    : []
  return { to: own.host.site.path('password/verify'), headers: HIDDEN, cookies }
}

/** `POST password/verify` */
export async function verify(call: Call<Proof>, own: Own): Promise<Answer> {
  const { request, input: proof } = call
  const errors = unknownFields(proof, KNOWN, own.settings.fields)
  if (errors.length > 0)
    throw new Problem('invalid_input', 'the form has no such fields', { errors })
  const began = await own.cookies.signUp.newest(request)
  const opened = proof.code === undefined ? await own.cookies.link.newest(request) : undefined
  const step = opened?.token ?? began?.flow
  await own.host.attempts.count('password.verify', { request, identifier: step })
  if (opened) return byLink(opened, call, own)
  const here = await unprovedHere(call, own)
  const isLetIn = own.settings.verify === 'after'
  if (here || (began && isLetIn)) return proveByCode(here ?? began?.email ?? '', call, own)
  if (!began) throw await deadProblem(call, own)
  await own.host.attempts.count('password.verify-code', { request, identifier: began.email })
  const { signUp, email } = await byCode(began, call, own)
  const phc = await own.passwords.open(signUp.hash, await own.host.keys.hash('sign-up', email))
  if (phc === undefined) throw await deadProblem(call, own)
  return finish({ email, signUp, phc, target: began.callbackUrl }, call, own)
}

/** `POST password/resend` */
export async function resend(call: Call, own: Own): Promise<Answer> {
  const { request } = call
  const here = await unprovedHere(call, own)
  const began = await own.cookies.signUp.newest(request)
  const identifier = here?.user.email ?? began?.email
  await own.host.attempts.count('password.resend', { request, identifier })
  if (here) await mailAgain(here.user, request, own)
  else if (began) await sendAgain(began, request, own)
  return { status: 202, json: { status: 'mail_sent' }, to: own.host.site.path('password/verify') }
}

interface Finished {
  readonly email: string
  readonly signUp: PendingSignUp
  readonly phc: string
  /** The page that the visitor wanted. */
  readonly target: string | undefined
}

async function finish(
  { target, ...proven }: Finished,
  call: Call<Proof>,
  own: Own,
): Promise<Answer> {
  const { request } = call
  const { site } = own.host
  const callbackUrl =
    target === undefined ? call.callbackUrl : await site.resolveRedirect(target, request.origin)
  let finished: Awaited<ReturnType<typeof finishSignUp>>
  try {
    finished = await finishSignUp({ ...proven, callbackUrl }, call, own)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_code')
      throw await deadProblem(call, own)
    throw error
  }
  const { answer, userId } = finished
  const cookies = [
    ...(answer.cookies ?? []),
    ...(await own.cookies.signUp.end(request)),
    ...(await own.cookies.link.end(request)),
  ]
  return signedIn({ ...answer, cookies }, userId, request, own)
}

/** Takes the sign-up by its code, in the browser that began it. */
async function byCode(
  { flow, email }: { readonly flow: string; readonly email: string },
  call: Call<Proof>,
  own: Own,
): Promise<{ readonly email: string; readonly signUp: PendingSignUp }> {
  const { host, signUps } = own
  const key = await host.keys.hash('sign-up', email)
  const code = readCode(call.input.code ?? '') ?? ''
  const expected = await host.keys.hashes('sign-up-code', email, flow, code)
  // Counted before the comparison, so that parallel guesses gain nothing.
  const counted = await signUps.update(key, (data) =>
    data.flow !== flow || data.tries >= MOST_TRIES
      ? undefined
      : { data: { ...data, tries: data.tries + 1 } },
  )
  const isRight =
    counted?.isChanged === true &&
    !counted.record.data.existing &&
    code !== '' &&
    expected.some((each) => equal(each, counted.record.data.code))
  const taken = isRight ? await signUps.take(key) : null
  // A newer sign-up for the address may have replaced it in between.
  if (taken && taken.data.code === counted?.record.data.code) return { email, signUp: taken.data }
  await tellSecurity(host, {
    type: 'code.wrong',
    outcome: 'refused',
    reason: 'invalid_code',
    typed: email,
  })
  throw await codeProblem(email, call, own)
}

/** Finishes a sign-up by its link: with its own password where it began, with another one elsewhere. */
async function byLink(
  opened: { readonly email: string; readonly token: string },
  call: Call<Proof>,
  own: Own,
): Promise<Answer> {
  const { host, signUps, passwords } = own
  const { email } = opened
  const key = await host.keys.hash('sign-up', email)
  const found = await byToken(opened, own)
  const proved = found ? undefined : await proveByLink(opened, call, own)
  if (proved) return proved
  if (!found) throw await deadProblem(call, own)
  const isHere = await isOwn(found.data, email, call.request, own)
  const chosen = isHere ? undefined : await choose({ email, asked: found.data.asked }, call, own)
  const phc = chosen ? chosen.phc : await passwords.open(found.data.hash, key)
  if (phc === undefined) throw await deadProblem(call, own)
  const taken = await signUps.take(key)
  if (!taken || taken.data.token !== found.data.token) throw await deadProblem(call, own)
  const { name: _, username: __, extra: ___, ...rest } = taken.data
  const name = call.input.name?.trim()
  // A stranger who began it elsewhere says nothing about the owner of the address.
  const signUp = chosen ? { ...rest, ...(name && { name }), extra: chosen.fields } : taken.data
  const began = isHere ? await own.cookies.signUp.newest(call.request) : undefined
  return finish({ email, signUp, phc, target: began?.callbackUrl }, call, own)
}

/** Returns the sign-up that the token of a link names. */
async function byToken(
  { email, token }: { readonly email: string; readonly token: string },
  { host, signUps }: Own,
): Promise<KindRecord<PendingSignUp> | undefined> {
  const found = await signUps.get(await host.keys.hash('sign-up', email))
  const hashes = await host.keys.hashes('sign-up-token', email, token)
  const fits = found && !found.data.existing && hashes.some((each) => equal(each, found.data.token))
  return fits ? found : undefined
}

/** Returns whether the sign-up began in this browser. */
async function isOwn(
  { flow }: PendingSignUp,
  email: string,
  request: SiteRequest,
  { cookies }: Own,
): Promise<boolean> {
  const began = await cookies.signUp.newest(request)
  return began !== undefined && began.email === email && began.flow === flow
}

async function codeProblem(email: string, call: Call<Proof>, own: Own): Promise<Problem> {
  const errors: Fault[] = [{ field: 'code', code: 'wrong_code' }]
  const form = { typed: { code: call.input.code }, faults: errors }
  const parts = await partsOf(call, own)
  const mailbox = own.host.site.mailbox(call.request)
  return new Problem('invalid_code', 'the code is wrong, used or too old', {
    page: codePage({ email, form, mailbox }, parts),
  })
}
