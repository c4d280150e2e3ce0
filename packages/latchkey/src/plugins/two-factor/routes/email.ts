import * as v from 'valibot'
import { type Answer, type Call, Problem } from '../../../entries/plugin.ts'
import { personOf, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { endOfOneFactor, endOthers, endPending } from '../flows/end-others.ts'
import { needLasting, needOwnLevel } from '../flows/fresh.ts'
import { keysOf, levelOf } from '../flows/level.ts'
import { canUseMail } from '../flows/mail-code.ts'
import { mailNotice } from '../flows/tell.ts'
import type { Own } from '../own.ts'
import { hasFactors, heldKeys, NO_FACTORS } from '../records/state.ts'
import { endOthersIfFirst, newCodes, withCodes } from './enrol.ts'
import { aBox, isTicked } from './fields.ts'

interface Use {
  readonly use: string | boolean
}

export const useInput: v.GenericSchema<Use> = v.strictObject({ use: aBox })

const PAGE = 'account/two-factor'

/** `POST two-factor/use-email`: makes codes by mail a second factor, or no longer. */
export async function use(call: Call<Use>, own: Own): Promise<Answer> {
  return isTicked(call.input.use) ? start(call, own) : stop(call, own)
}

async function start(call: Call<unknown>, own: Own): Promise<Answer> {
  const { host, states } = own
  const { user, session } = await personOf(call, own.host)
  const to = host.site.path(PAGE)
  await needOwnLevel(session, to, own)
  if (!(await canUseMail(user, own)))
    throw new Problem(
      'not_found',
      '`methods` has no email, the address is not proved, or the mailbox is the only way in',
    )
  const here = { session, request: call.request }
  await endOthersIfFirst(user, here, own)
  let isFirst = false
  await states.upsert(user.id, (before = NO_FACTORS) => {
    isFirst = !hasFactors(before)
    if (before.isDamaged) throw new Problem('conflict', 'the factors of the user cannot be read')
    const email = before.email ?? host.ports.now()
    return { data: { ...before, rev: before.rev + 1, email }, userId: user.id }
  })
  await (isFirst ? endOfOneFactor(user.id, here, own) : endPending(user.id, own))
  await host.attempts.strikes('email').clear(user.id)
  const codes = await newCodes(user.id, isFirst, own)
  await tellSecurity(host, { type: 'factor.added', outcome: 'success', userId: user.id })
  await mailNotice('factor-added', user, call.request, own)
  const done = { json: { status: 'added' }, to, notice: { id: 'mailed' } }
  return withCodes(done, { codes, userId: user.id }, call, own)
}

/** @throws {Problem} `not_found`, `last_factor` */
async function stop(call: Call<unknown>, own: Own): Promise<Answer> {
  const { host, states, recovery } = own
  const { user, session } = await personOf(call, own.host)
  const to = host.site.path(PAGE)
  await needLasting(session, to, own)
  const { until } = await levelOf(user, own, call.request)
  const generation = await recovery.generation(user.id)
  let isLast = false
  const changed = await states.update(user.id, async (before) => {
    const { email, ...rest } = before
    if (email === undefined) throw new Problem('not_found', 'codes by mail are no second factor')
    // Read with the record: one that is being removed counts no more.
    const held = Object.keys(heldKeys(before, host.ports.now())).length
    const hasKeys = rest.passkeys === true && (await keysOf(user.id, own)) - held > 0
    isLast = rest.totp.length === 0 && !hasKeys
    if (isLast && until !== undefined)
      throw new Problem('last_factor', 'the user must have a second factor')
    const { passkeys: _, ...none } = rest
    return { data: { ...(isLast ? none : rest), rev: before.rev + 1 } }
  })
  if (!changed) throw new Problem('not_found', 'the user has no second factor')
  if (isLast) await recovery.end(user.id, generation)
  await endOthers(user.id, session, own)
  await tellSecurity(host, { type: 'factor.removed', outcome: 'success', userId: user.id })
  await mailNotice('factor-removed', user, call.request, own)
  return { json: { status: 'removed' }, to, notice: { id: 'unmailed' } }
}
