import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { personOf, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { endOfOneFactor, endOthers, endPending } from '../flows/end-others.ts'
import { needLasting, needOwnLevel } from '../flows/fresh.ts'
import { keysOf, levelOf } from '../flows/level.ts'
import { mailNotice } from '../flows/tell.ts'
import type { Own } from '../own.ts'
import { hasFactors, NO_FACTORS } from '../records/state.ts'
import { endOthersIfFirst, newCodes, withCodes } from './enrol.ts'
import { aBox, isTicked } from './fields.ts'
import { waitingOf } from './parts.ts'
import { purposeOf } from './prove.ts'
import { finish, refuse } from './verify.ts'

interface Proof {
  readonly data: string
  readonly action?: string | undefined
  readonly trust?: string | boolean | undefined
}

interface Use {
  readonly use: string | boolean
}

export const input: v.GenericSchema<Proof> = v.strictObject({
  data: v.pipe(v.string(), v.maxLength(20_000)),
  action: v.optional(v.literal('authenticate')),
  trust: v.optional(aBox),
})

export const useInput: v.GenericSchema<Use> = v.strictObject({ use: aBox })

const PAGE = 'account/two-factor'

/** `POST two-factor/passkey-options`: for the keys of the user whose sign-in waits, or of who proves it again. */
export async function options(call: Call, own: Own): Promise<Answer> {
  const { pending, current } = call
  const { id: userId } = pending ? waitingOf(call) : (await personOf(call, own.host)).user
  const passkeys = await own.passkeys()
  if (!passkeys || (await passkeys.count(userId)) === 0)
    throw new Problem('not_found', 'the user has no passkey')
  const purpose = pending ? (pending.key ?? '') : await purposeOf(current)
  return passkeys.options(call.request, { userId, purpose })
}

/** `POST two-factor/passkey` */
export async function prove(call: Call<Proof>, own: Own): Promise<Answer> {
  const { host } = own
  const { request, pending, input: fields } = call
  const user = waitingOf(call)
  const purpose = pending?.key ?? ''
  await host.attempts.count('two-factor.passkey', { request, userId: user.id, sid: purpose })
  const passkeys = await own.passkeys()
  if (!passkeys) throw new Problem('not_found', 'there is no provider for passkeys')
  const { amr, cookies } = await passkeys.check(request, fields.data, { userId: user.id, purpose })
  // A key without verification of the user is one factor, however often it is used.
  const isSameAgain = pending?.amr.includes('pop') && !amr?.includes('user')
  if (!amr || isSameAgain) {
    await tellSecurity(host, {
      type: 'factor.wrong',
      outcome: 'refused',
      reason: 'invalid_code',
      userId: user.id,
    })
    const problem = new Problem('invalid_code', 'the passkey was refused', { cookies })
    throw await refuse(problem, 'passkey', user, call, own)
  }
  const answer = await finish(
    { method: 'passkey', trust: fields.trust, amr: [...amr, 'mfa'] },
    call,
    own,
  )
  return { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] }
}

/** `POST two-factor/use-passkeys`: makes the passkeys of the user a second factor, or no longer. */
export async function use(call: Call<Use>, own: Own): Promise<Answer> {
  const { host, settings } = own
  const { user, session } = await personOf(call, own.host)
  const back = host.site.path(PAGE)
  const isOn = isTicked(call.input.use)
  if (!isOn) {
    await needLasting(session, back, own)
    await stop(user.id, (await levelOf(user, own, call.request)).until !== undefined, own)
    await endOthers(user.id, session, own)
    await tellSecurity(host, { type: 'factor.removed', outcome: 'success', userId: user.id })
    await mailNotice('factor-removed', user, call.request, own)
    return { json: { status: 'removed' }, to: back, notice: { id: 'stopped' } }
  }
  await needOwnLevel(session, back, own)
  if (!settings.methods.includes('passkey') || (await keysOf(user.id, own)) === 0)
    throw new Problem('not_found', 'the user has no passkey, or `methods` has none')
  const done = { json: { status: 'added' }, to: back, notice: { id: 'used' } }
  const answer = await useKeys(call, done, own)
  await tellSecurity(host, { type: 'factor.added', outcome: 'success', userId: user.id })
  await mailNotice('factor-added', user, call.request, own)
  return answer
}

/** Makes the passkeys of the caller second factors. If they are the first ones, the page shows recovery codes. */
export async function useKeys(call: Call<unknown>, answer: Answer, own: Own): Promise<Answer> {
  const { states } = own
  const { user, session } = await personOf(call, own.host)
  const here = { session, request: call.request }
  await endOthersIfFirst(user, here, own)
  let isFirst = false
  await states.upsert(user.id, (before = NO_FACTORS) => {
    isFirst = !hasFactors(before)
    if (before.isDamaged) throw new Problem('conflict', 'the factors of the user cannot be read')
    return { data: { ...before, rev: before.rev + 1, passkeys: true }, userId: user.id }
  })
  await (isFirst ? endOfOneFactor(user.id, here, own) : endPending(user.id, own))
  const codes = await newCodes(user.id, isFirst, own)
  return withCodes(answer, { codes, userId: user.id }, call, own)
}

/** @throws {Problem} `not_found`, `last_factor` */
async function stop(userId: string, isRequired: boolean, own: Own): Promise<void> {
  const { states, recovery } = own
  const generation = await recovery.generation(userId)
  let isLast = false
  const changed = await states.update(userId, (before) => {
    const { passkeys, ...rest } = before
    if (!passkeys) throw new Problem('not_found', 'the passkeys of the user are no second factor')
    isLast = rest.totp.length === 0 && rest.email === undefined
    if (isLast && isRequired) throw new Problem('last_factor', 'the user must have a second factor')
    return { data: { ...rest, rev: before.rev + 1 } }
  })
  if (!changed) throw new Problem('not_found', 'the user has no second factor')
  if (isLast) await recovery.end(userId, generation)
}
