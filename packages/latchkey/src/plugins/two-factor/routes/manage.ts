import * as v from 'valibot'
import {
  type Answer,
  type Call,
  type KindRecord,
  noticeIn,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { type Person, personOf, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { endOthers } from '../flows/end-others.ts'
import { raiseRevision } from '../flows/end-trust.ts'
import { needLasting, needSecond } from '../flows/fresh.ts'
import { keysOf, levelOf } from '../flows/level.ts'
import { canUseMail } from '../flows/mail-code.ts'
import { mailNotice } from '../flows/tell.ts'
import type { Own } from '../own.ts'
import { DONE, factorsPage, removePage, renamePage } from '../pages/account.ts'
import { findBrowser } from '../records/browsers.ts'
import { hasFactors, heldKeys, NO_FACTORS } from '../records/state.ts'
import type { Authenticator } from '../records/totp.ts'
import { statusOf } from '../status.ts'
import { withCodes } from './enrol.ts'
import { aName, anId } from './fields.ts'
import { partsOf } from './parts.ts'

interface Shown {
  readonly rename?: string | undefined
  readonly remove?: string | undefined
}

interface Rename {
  readonly id: string
  readonly name: string
}

interface Remove {
  readonly id?: string | undefined
  readonly all?: true | '1' | undefined
}

interface Forget {
  readonly id?: string | undefined
}

export const forgetInput: v.GenericSchema<Forget> = v.strictObject({ id: v.optional(anId) })
export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  rename: v.optional(anId),
  remove: v.optional(anId),
})
export const renameInput: v.GenericSchema<Rename> = v.strictObject({ id: anId, name: aName })
export const removeInput: v.GenericSchema<Remove> = v.pipe(
  v.strictObject({
    id: v.optional(anId),
    all: v.optional(v.union([v.literal(true), v.literal('1')])),
  }),
  v.check(({ id: one, all }) => (one === undefined) !== (all === undefined)),
)

const PAGE = 'account/two-factor'

/** `GET account/two-factor` */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const { rename, remove } = call.input
  const { user } = await personOf(call, own.host)
  const parts = await partsOf(call, own)
  if (rename !== undefined) return { page: renamePage(await found(rename, user.id, own), parts) }
  const apps = await own.totp.list(user.id)
  const { state, hasFactors: isOn, until } = await levelOf(user, own, call.request)
  const hasMail = state.email !== undefined
  if (remove !== undefined) {
    const isLast = apps.length === 1 && !state.passkeys && !hasMail
    return { page: removePage(await found(remove, user.id, own), isLast, parts) }
  }
  const factors = {
    apps,
    keys: own.settings.methods.includes('passkey') ? await keysOf(user.id, own) : 0,
    usesKeys: state.passkeys === true,
    addsKeys: await canAddKeys(own),
    email: hasMail || (await canUseMail(user, own)) ? hasMail : undefined,
    isOn,
    left: await own.recovery.left(user.id),
    hasCodes: own.settings.methods.includes('recovery'),
    browsers: (await own.browsers.list(user, state, call.request)).map(({ shown }) => shown),
    until,
    done: noticeIn(call, DONE),
  }
  return { page: factorsPage(factors, parts) }
}

/** Returns whether there is a page for new keys, which the plugin `account` has. */
async function canAddKeys({ host, settings, passkeys }: Own): Promise<boolean> {
  const isThere = host.plugins.passkeyOffer() !== undefined && settings.methods.includes('passkey')
  return isThere && (await passkeys()) !== undefined
}

/** `GET two-factor/status` */
export async function status(call: Call, own: Own): Promise<Answer> {
  const { user } = await personOf(call, own.host)
  return { json: await statusOf(user, own, call.request) }
}

/** Returns an authenticator of the caller. @throws {Problem} `not_found` also for one of another user. */
async function found(key: string, userId: string, own: Own): Promise<KindRecord<Authenticator>> {
  const all = await own.totp.list(userId)
  const record = all.find((each) => each.key === key)
  if (!record) throw new Problem('not_found', 'the user has no such authenticator')
  return record
}

/** `POST two-factor/rename` */
export async function rename(call: Call<Rename>, own: Own): Promise<Answer> {
  const { host, totp } = own
  const { user } = await personOf(call, own.host)
  const record = await found(call.input.id, user.id, own)
  const { name: next } = call.input
  const changed = await totp.kind.update(record, (data) => ({ data: { ...data, name: next } }))
  if (!changed) throw new Problem('not_found', 'the authenticator was removed meanwhile')
  await tellSecurity(host, { type: 'factor.renamed', outcome: 'success', userId: user.id })
  return { status: 204, to: host.site.path(PAGE), notice: { id: 'renamed' } }
}

/** `POST two-factor/remove`: one authenticator, or all second factors. */
export async function remove(call: Call<Remove>, own: Own): Promise<Answer> {
  const { host } = own
  const caller = await personOf(call, own.host)
  const { user, session } = caller
  await needLasting(session, host.site.path(PAGE), own)
  await take(call.input.id, caller, call.request, own)
  await endOthers(user.id, session, own)
  await tellSecurity(host, { type: 'factor.removed', outcome: 'success', userId: user.id })
  await mailNotice('factor-removed', user, call.request, own)
  return { status: 204, to: host.site.path(PAGE), notice: { id: 'removed' } }
}

/**
 * Removes from what counts first, so of two calls at once that would leave none, one is refused.
 *
 * @param key `undefined` for all.
 * @throws {Problem} `not_found`, `last_factor`
 */
async function take(
  key: string | undefined,
  { user }: Person,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { states, totp, recovery } = own
  const { until } = await levelOf(user, own, request)
  const generation = await recovery.generation(user.id)
  let isLast = false
  let removed: readonly string[] = []
  const changed = await states.update(user.id, async (before) => {
    // Read with the record: one that is being removed counts no more.
    const held = Object.keys(heldKeys(before, own.host.ports.now())).length
    const hasKeys = (await keysOf(user.id, own)) - held > 0
    if (key !== undefined && !before.totp.includes(key))
      throw new Problem('not_found', 'the user has no such authenticator')
    if (key === undefined && !hasFactors(before))
      throw new Problem('not_found', 'the user has no second factor')
    const rest = key === undefined ? [] : before.totp.filter((each) => each !== key)
    removed = before.totp.filter((each) => !rest.includes(each))
    const hasOther = (before.passkeys && hasKeys) || before.email !== undefined
    isLast = rest.length === 0 && (key === undefined || !hasOther)
    if (isLast && until !== undefined)
      throw new Problem('last_factor', 'the user must have a second factor')
    const { passkeys: _, email: __, ...others } = before
    return { data: { ...(isLast ? others : before), rev: before.rev + 1, totp: rest } }
  })
  if (!changed) throw new Problem('not_found', 'the user has no second factor')
  // Not those that are added at this moment.
  await totp.remove(removed)
  if (isLast) await recovery.end(user.id, generation)
}

/** `POST two-factor/recovery-codes`: makes a new set. */
export async function renewCodes(call: Call, own: Own): Promise<Answer> {
  const { host, recovery, settings } = own
  const { user, session } = await personOf(call, own.host)
  await needSecond(session, host.site.path(PAGE), own)
  await host.attempts.count('two-factor.enrol', { request: call.request, userId: user.id })
  const level = await levelOf(user, own, call.request)
  if (!level.hasFactors || !settings.methods.includes('recovery'))
    throw new Problem('not_found', 'recovery codes stand in for a second factor, and there is none')
  const codes = await recovery.make(user.id)
  // Guesses at the codes before do not count against the new ones.
  await host.attempts.strikes('recovery').clear(user.id)
  await tellSecurity(host, { type: 'recovery.made', outcome: 'success', userId: user.id })
  await mailNotice('recovery-made', user, call.request, own)
  const answer = { json: { codes }, to: host.site.path(PAGE), notice: { id: 'codes' } }
  return withCodes(answer, { codes, userId: user.id }, call, own)
}

/** `POST two-factor/forget-devices`: asks for the second factor again in one browser, or in all. */
export async function forgetBrowsers(call: Call<Forget>, own: Own): Promise<Answer> {
  const { host, browsers, states } = own
  const { user } = await personOf(call, own.host)
  const { id } = call.input
  if (id === undefined) {
    // Also for a sign-in that waits at another gate, and has its mark already.
    await raiseRevision(user.id, own)
    await browsers.forget(user.id)
  } else {
    const state = (await states.get(user.id))?.data ?? NO_FACTORS
    const browser = await findBrowser(id, await browsers.list(user, state), host)
    if (!browser) throw new Problem('not_found', 'the user has no such trusted browser')
    await browsers.forgetOne(user.id, browser.pool, await raiseRevision(user.id, own))
  }
  await tellSecurity(host, { type: 'device.forgotten', outcome: 'success', userId: user.id })
  const done = id === undefined ? 'forgotten' : 'forgotten-one'
  return { status: 204, to: host.site.path(PAGE), notice: { id: done } }
}
