import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type AnswerPage,
  type Call,
  Problem,
} from '../../../entries/plugin.ts'
import {
  type PresentSessions,
  presentSessions,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { endWaiting } from '../flows/end-others.ts'
import { keepFactor, lastFirst } from '../flows/last-factor.ts'
import { methodsOf, mustEnrol } from '../flows/level.ts'
import { isCodeSent, sendCode } from '../flows/mail-code.ts'
import { type CodeMethod, PROVED, proveCode } from '../flows/prove.ts'
import { mailNotice } from '../flows/tell.ts'
import type { Own, Prover } from '../own.ts'
import { provePage } from '../pages/prove.ts'
import { NO_FACTORS } from '../records/state.ts'
import type { FactorMethod } from '../settings.ts'
import { aBox, aCode, isTicked } from './fields.ts'
import { accountNameOf, partsOf, waitingOf } from './parts.ts'

interface Shown {
  readonly method?: FactorMethod | undefined
}

interface Verify {
  readonly method: CodeMethod
  readonly code: string
  readonly trust?: string | boolean | undefined
}

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  method: v.optional(v.picklist(['totp', 'recovery', 'passkey', 'email'])),
})

interface Send {
  readonly method: 'email'
}

export const sendInput: v.GenericSchema<Send> = v.strictObject({ method: v.literal('email') })

export const input: v.GenericSchema<Verify> = v.strictObject({
  method: v.picklist(['totp', 'recovery', 'email']),
  code: aCode,
  trust: v.optional(aBox),
})

const DAY: number = 24 * 60 * 60

/** `GET two-factor`: asks for a second factor of the sign-in that waits in this browser. */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const user = waitingOf(call)
  if (await mustEnrol(user, own, call.request))
    return { to: own.host.site.path('two-factor/enrol') }
  return { page: await pageOf(call.input.method, false, user, call, own) }
}

/** `POST two-factor/send`: mails a code for the sign-in that waits. */
export async function send(call: Call<Send>, own: Own): Promise<Answer> {
  const { request, pending } = call
  const user = waitingOf(call)
  await needMethod('email', user, call, own)
  const sent = await sendCode({ user, request, sid: pending?.key }, own)
  return { ...sent, to: own.host.site.path('two-factor', { method: 'email' }) }
}

/** @throws {Problem} `forbidden` if the mailbox was the first factor, or the user has no such factor. */
async function needMethod(
  method: CodeMethod,
  user: AdapterUser,
  call: Call<unknown>,
  own: Own,
): Promise<void> {
  if ((await methodsOf(user, own, call.pending?.amr)).includes(method)) return
  throw new Problem('forbidden', 'a code by mail is no second factor of this sign-in', {
    page: await pageOf(undefined, false, user, call, own),
  })
}

/** `POST two-factor/verify` */
export async function verify(call: Call<Verify>, own: Own): Promise<Answer> {
  const { request, pending, input: fields } = call
  const user = waitingOf(call)
  const { method, trust } = fields
  if (method === 'email') await needMethod(method, user, call, own)
  // Before the proof, so that another sign-in of this moment is not among them.
  const present =
    method === 'recovery' ? await presentSessions(user.id, 'factor-changed', own.host) : undefined
  const prover = { user, request, sid: pending?.key }
  await countWaiting(prover, own)
  try {
    await proveCode(method, fields.code, prover, own)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_code') throw error
    throw await refuse(error, method, user, call, own)
  }
  return finish({ method, trust, amr: PROVED[method], present }, call, own)
}

/** Counts a code of a sign-in that waits. After too many, it ends. @throws {Problem} `unauthenticated` */
async function countWaiting({ user, request, sid }: Prover, own: Own): Promise<void> {
  const { attempts, site } = own.host
  try {
    await attempts.count('two-factor.waiting', { request, userId: user.id, sid })
  } catch (error) {
    const isOver = error instanceof Problem && error.code === 'too_many_attempts'
    if (!isOver || sid === undefined) throw error
    await endWaiting(sid, own)
    throw new Problem('unauthenticated', 'too many codes were typed for this sign-in', {
      next: site.path('signin', { error: 'PendingExpired' }),
    })
  }
}

/** A second factor that was proved. */
interface Proved {
  readonly method: FactorMethod
  readonly trust: string | boolean | undefined
  readonly amr: readonly string[]
  /** Sessions that end with it. */
  readonly present?: PresentSessions | undefined
}

/** Continues the sign-in that waits. */
export async function finish(
  { method, trust, amr, present }: Proved,
  call: Call<unknown>,
  own: Own,
): Promise<Answer> {
  const { host, settings, browsers, states } = own
  const user = waitingOf(call)
  const { trustDevice } = settings
  const isTrusted = trustDevice !== false && isTicked(trust) && method !== 'recovery'
  const state = (await states.get(user.id))?.data ?? NO_FACTORS
  const browser = isTrusted
    ? await browsers.mark(user, state, trustDevice, call.request)
    : undefined
  await present?.before()
  const answer = await host.sessions.resume(call, { amr, browser })
  if (isTrusted)
    await tellSecurity(host, { type: 'device.trusted', outcome: 'success', userId: user.id })
  if (present) {
    await present.after()
    const left = await own.recovery.left(user.id)
    await tellSecurity(host, { type: 'recovery.used', outcome: 'success', userId: user.id })
    await mailNotice('recovery-used', user, call.request, own, left)
  }
  const last = keepFactor(method, call.request, host.ports.now())
  const cookies = [...(answer.cookies ?? []), ...last]
  return { ...answer, cookies, json: { status: 'signed_in', ...answer.json } }
}

/** Adds the form to the refusal of a wrong proof. */
export async function refuse(
  { code, message, cookies }: Problem,
  method: FactorMethod,
  user: AdapterUser,
  call: Call<unknown>,
  own: Own,
): Promise<Problem> {
  const field = method === 'passkey' ? 'data' : 'code'
  return new Problem(code, message, {
    errors: [{ field, code: 'wrong_code' }],
    cookies,
    page: await pageOf(method, true, user, call, own),
  })
}

async function pageOf(
  asked: FactorMethod | undefined,
  isWrong: boolean,
  user: AdapterUser,
  call: Call<unknown>,
  own: Own,
): Promise<AnswerPage> {
  const { pending, request } = call
  const { amr } = pending ?? {}
  const methods = lastFirst(await methodsOf(user, own, amr), request)
  const method = asked && methods.includes(asked) ? asked : methods[0]
  const { trustDevice } = own.settings
  const parts = await partsOf(call, own)
  const passkeys = method === 'passkey' ? await own.passkeys() : undefined
  const urls = {
    action: parts.path('two-factor/passkey'),
    options: parts.path('two-factor/passkey-options'),
  }
  return provePage(
    {
      method,
      passkey: await passkeys?.form(request, urls, call.csrfField),
      others: methods.filter((each) => each !== method),
      isSent:
        method === 'email' &&
        (isWrong || (await isCodeSent({ user, request, sid: pending?.key }, own))),
      mailbox: own.host.site.mailbox(request),
      isByMailbox: !methods.includes('email') && (await methodsOf(user, own)).includes('email'),
      who: await accountNameOf(user, own),
      isWrong,
      days: trustDevice === false ? undefined : Math.max(1, Math.round(trustDevice / DAY)),
    },
    parts,
  )
}
