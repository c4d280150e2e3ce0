import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type Call,
  type CurrentSession,
  Problem,
} from '../../../entries/plugin.ts'
import {
  personOf,
  presentSessions,
  readCode,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { endOfOneFactor, endPending } from '../flows/end-others.ts'
import { needOwnLevel } from '../flows/fresh.ts'
import { keysOf, levelOf, mustEnrol } from '../flows/level.ts'
import { PROVED } from '../flows/prove.ts'
import { mailNotice } from '../flows/tell.ts'
import type { Own } from '../own.ts'
import { codesGonePage, codesPage, mustEnrolPage, secretPage, startPage } from '../pages/enrol.ts'
import { hasFactors, NO_FACTORS } from '../records/state.ts'
import type { NewSecret } from '../records/totp.ts'
import { otpauthUri } from '../totp/uri.ts'
import { aCode, aName, anId } from './fields.ts'
import { accountNameOf, partsOf, waitingOf } from './parts.ts'

interface Begin {
  readonly name?: string | undefined
}

interface Confirm {
  readonly id: string
  readonly code: string
}

interface Kept {
  readonly kept: string | boolean
}

export const input: v.GenericSchema<Begin> = v.strictObject({ name: v.optional(aName) })
export const confirmInput: v.GenericSchema<Confirm> = v.strictObject({ id: anId, code: aCode })
export const keptInput: v.GenericSchema<Kept> = v.strictObject({
  kept: v.union([v.literal('1'), v.literal(true)]),
})

/** Seconds for which recovery codes are shown in the browser that made them. */
const SHOWN = 10 * 60

/** Who sets up a factor: somebody who must do so before the session begins, or who is signed in. */
interface Enroller {
  readonly user: AdapterUser
  /** `undefined` while a sign-in waits. */
  readonly session: CurrentSession | undefined
}

/**
 * Returns who sets up a factor. A sign-in that waits may do so only while the user has none.
 *
 * @throws {Problem} `forbidden`, `address_unproved`, `reauthentication_required`
 */
async function enrollerOf(call: Call<unknown>, own: Own): Promise<Enroller> {
  const { site } = own.host
  const waiting = call.pending?.user as AdapterUser | undefined
  if (waiting && (await mustEnrol(waiting, own, call.request)))
    return { user: waiting, session: undefined }
  if (!call.current) {
    throw new Problem('forbidden', 'the second factor must be proved before another is added', {
      next: site.path('two-factor'),
    })
  }
  const { user, session } = await personOf(call, own.host)
  // Not by `proved` of the route, which leaves a sign-in that waits beside this session to the route.
  await own.host.users.needProved(user.id)
  await needOwnLevel(session, site.path('account/two-factor'), own)
  return { user, session }
}

/** `GET two-factor/enrol`: says that a second factor must be set up. */
export async function showMust(call: Call, own: Own): Promise<Answer> {
  const user = waitingOf(call)
  if (!(await mustEnrol(user, own, call.request))) return { to: own.host.site.path('two-factor') }
  const who = await accountNameOf(user, own)
  return { page: mustEnrolPage({ who, isPending: true }, await partsOf(call, own)) }
}

/** `GET two-factor/enrol-totp`: it makes nothing yet. */
export async function show(call: Call, own: Own): Promise<Answer> {
  const { user, session } = await enrollerOf(call, own)
  const who = await accountNameOf(user, own)
  return { page: startPage({ who, isPending: session === undefined }, await partsOf(call, own)) }
}

/** `POST two-factor/enrol-totp`: makes a secret, which counts for nothing until a code of it was typed. */
export async function begin(call: Call<Begin>, own: Own): Promise<Answer> {
  const { host, totp, settings } = own
  const { user, session } = await enrollerOf(call, own)
  await host.attempts.count('two-factor.enrol', { request: call.request, userId: user.id })
  if (!settings.methods.includes('totp')) throw new Problem('not_found', '`methods` has no totp')
  if ((await totp.list(user.id)).length >= settings.totp.most)
    throw new Problem('conflict', 'the user has as many authenticators as `totp.most` allows')
  const { text } = (await partsOf(call, own)).texts
  const enrolment = await totp.begin(user.id, call.input.name ?? text('twoFactor:app.default'))
  return shownSecret(enrolment, { user, session }, call, own)
}

async function shownSecret(
  enrolment: NewSecret,
  { user, session }: Enroller,
  call: Call<unknown>,
  own: Own,
  isWrong = false,
): Promise<Answer> {
  const parts = await partsOf(call, own)
  const who = await accountNameOf(user, own)
  const { id: key, secret } = enrolment
  const uri = otpauthUri({ issuer: parts.name, account: who, secret })
  const { qrCode } = await import('../totp/qr.ts')
  const svg = qrCode(uri, parts.texts.text('twoFactor:app.qr'))
  return {
    json: { id: key, secret, uri, svg },
    page: secretPage(
      { who, isPending: session === undefined, enrolment, uri, svg, isWrong },
      parts,
    ),
  }
}

/** `POST two-factor/confirm-totp` */
export async function confirm(call: Call<Confirm>, own: Own): Promise<Answer> {
  const { host, totp } = own
  const { request, input: fields } = call
  const enroller = await enrollerOf(call, own)
  const { user, session } = enroller
  await host.attempts.count('two-factor.confirm', { request, userId: user.id })
  const enrolment = await totp.enrolment(user.id, fields.id)
  if (!(await totp.confirm(enrolment, user.id, readCode(fields.code, 6) ?? ''))) {
    const { page } = await shownSecret(enrolment, enroller, call, own, true)
    throw new Problem('invalid_code', 'the code is wrong, or the enrolment was confirmed before', {
      errors: [{ field: 'code', code: 'wrong_code' }],
      page,
    })
  }
  if (session) await endOthersIfFirst(user, { session, request }, own)
  const isFirst = await add(user.id, fields.id, session === undefined, own)
  // Again, and first: a sign-in that was under way may have begun a session of one factor.
  if (!session) await host.attempts.forgetBrowsers(user.id, request)
  else if (isFirst) await endOfOneFactor(user.id, { session, request }, own)
  else await endPending(user.id, own)
  await host.attempts.strikes('totp').clear(user.id)
  const codes = await newCodes(user.id, isFirst, own)
  await tellSecurity(host, { type: 'factor.added', outcome: 'success', userId: user.id })
  await mailNotice('factor-added', user, request, own)
  return session
    ? finishSignedIn(codes, { user, session }, call, own)
    : finishWaiting(codes, user, call, own)
}

/** Ends the sessions of one factor before the first second factor counts, so that a fault leaves none of them beside it. */
export async function endOthersIfFirst(
  user: AdapterUser,
  here: Parameters<typeof endOfOneFactor>[1],
  own: Own,
): Promise<void> {
  if (!(await levelOf(user, own, here.request)).hasFactors) await endOfOneFactor(user.id, here, own)
}

/**
 * Makes a confirmed authenticator app a second factor of the user.
 *
 * @returns whether it is the first factor.
 * @throws {Problem} `conflict` if the user has too many, or another one was faster than a sign-in that waits.
 */
async function add(userId: string, key: string, isWaiting: boolean, own: Own): Promise<boolean> {
  const { states, totp, settings } = own
  // Passkeys that are all gone protect nothing any more.
  const hasKeys = (await keysOf(userId, own)) > 0
  let isFirst = false
  const isAdded = await states.upsert(userId, (before = NO_FACTORS) => {
    const { passkeys: _, ...without } = before
    isFirst = !hasFactors(hasKeys ? before : without)
    const isFull = before.totp.length >= settings.totp.most
    if (before.isDamaged || isFull || (isWaiting && !isFirst)) return undefined
    return { data: { ...before, rev: before.rev + 1, totp: [...before.totp, key] }, userId }
  })
  if (isAdded) return isFirst
  await totp.kind.delete(key)
  throw new Problem('conflict', 'the factors of the user were changed meanwhile')
}

/** Makes recovery codes with the first factor, and whenever there is no set of them. */
export async function newCodes(
  userId: string,
  isFirst: boolean,
  own: Own,
): Promise<readonly string[]> {
  if (!isFirst || !own.settings.methods.includes('recovery')) return []
  const codes = await own.recovery.make(userId)
  await own.host.attempts.strikes('recovery').clear(userId)
  await tellSecurity(own.host, { type: 'recovery.made', outcome: 'success', userId })
  return codes
}

/** The session has both factors from now on, and no other one stays that has only the first. */
async function finishSignedIn(
  codes: readonly string[],
  { user, session }: Enroller & { readonly session: CurrentSession },
  call: Call<unknown>,
  own: Own,
): Promise<Answer> {
  const { host } = own
  const { amr = [] } = await session.facts.known()
  const proof = { amr: [...new Set([...amr, ...PROVED.totp])], proved: PROVED.totp }
  const cookies = (await host.sessions.renew(call.request, proof)) ?? []
  const to = host.site.path('account/two-factor')
  return withCodes(
    { json: { status: 'added' }, to, notice: { id: 'added' }, cookies },
    { codes, userId: user.id },
    call,
    own,
  )
}

async function finishWaiting(
  codes: readonly string[],
  user: AdapterUser,
  call: Call<unknown>,
  own: Own,
): Promise<Answer> {
  const present = await presentSessions(user.id, 'factor-changed', own.host)
  await present.before()
  const answer = await own.host.sessions.resume(call, { amr: PROVED.totp })
  await present.after()
  await endPending(user.id, own)
  const json = { status: 'signed_in', ...answer.json }
  return withCodes({ ...answer, json }, { codes, userId: user.id }, call, own)
}

/** Shows recovery codes on a page of their own: a form of this response would have the token of before the sign-in. */
export async function withCodes(
  answer: Answer,
  { codes, userId }: { readonly codes: readonly string[]; readonly userId: string },
  { request }: Pick<Call<unknown>, 'request'>,
  { host, shown }: Own,
): Promise<Answer> {
  if (codes.length === 0) return answer
  const to = answer.to ?? host.site.path('account/two-factor')
  const { notice, ...rest } = answer
  const said = notice && { notice: { id: notice.id, params: [...(notice.params ?? [])] } }
  const data = { codes, to, userId, ...said }
  const kept = await shown.keep(data, request, SHOWN)
  return {
    ...rest,
    json: { ...answer.json, recoveryCodes: codes },
    to: host.site.path('two-factor/recovery-codes'),
    cookies: [...(answer.cookies ?? []), ...kept],
  }
}

/** `GET two-factor/recovery-codes`: the codes that this user has just made in this browser. */
export async function showCodes(call: Call, own: Own): Promise<Answer> {
  const kept = await own.shown.newest(call.request)
  const parts = await partsOf(call, own)
  const isOwn = kept !== undefined && kept.userId === call.current?.user.id
  return { page: isOwn ? codesPage(kept.codes, parts) : codesGonePage(parts) }
}

/** `POST two-factor/kept`: the codes are not shown again. */
export async function keep(call: Call<Kept>, own: Own): Promise<Answer> {
  const { host, shown } = own
  const { request } = call
  const kept = await shown.newest(request)
  const target = kept?.to ?? host.site.path('account/two-factor')
  const to = await host.site.resolveRedirect(target, request.origin)
  return { json: { url: to }, to, notice: kept?.notice, cookies: await shown.end(request) }
}
