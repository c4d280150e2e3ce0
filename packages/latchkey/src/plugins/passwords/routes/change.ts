import * as v from 'valibot'
import {
  type AdapterUser,
  type Answer,
  type Call,
  noticeIn,
  Problem,
} from '../../../entries/plugin.ts'
import {
  endSessions,
  personOf,
  presentSessions,
  removeWayIn,
  tellSecurity,
} from '../../../entries/plugin-accounts.ts'
import { endResets } from '../flows/end-resets.ts'
import { isPasswordOf } from '../flows/is-password-of.ts'
import { wordsAbout } from '../flows/known-words.ts'
import { mailChanged } from '../mails.ts'
import type { Own } from '../own.ts'
import { DONE, type Done, mustChangePage, passwordPage, removePage } from '../pages/change.ts'
import type { ReadPassword } from '../records/passwords.ts'
import { type Fault, faultsOf } from '../refusals.ts'
import { checkPassword } from '../rules/check-password.ts'
import { typed } from './fields.ts'
import { partsOf } from './parts.ts'

interface Shown {
  readonly confirm?: 'remove' | undefined
}

interface Change {
  readonly current?: string | undefined
  readonly password?: string | undefined
  readonly endOthers?: string | boolean | undefined
  /** Whether it is the form of the page, whose empty box is not sent. */
  readonly form?: string | undefined
}

export const shownInput: v.GenericSchema<Shown> = v.strictObject({
  confirm: v.optional(v.literal('remove')),
})

export const input: v.GenericSchema<Change> = v.strictObject({
  current: v.optional(typed),
  password: v.optional(typed),
  endOthers: v.optional(v.union([v.boolean(), v.pipe(v.string(), v.maxLength(10))])),
  form: v.optional(v.literal('1')),
  username: v.optional(typed),
})

export const newInput: v.GenericSchema<Pick<Change, 'password'>> = v.strictObject({
  password: v.optional(typed),
  username: v.optional(typed),
})

/** Seconds since the last proof of identity within which a password may be set or removed. */
const FRESH = 600

/** `GET password/change`: the password of the account. */
export async function show(call: Call<Shown>, own: Own): Promise<Answer> {
  const { confirm } = call.input
  if (confirm === 'remove') return { page: removePage(await partsOf(call, own)) }
  const { user } = await personOf(call, own.host)
  return { page: await pageOf(call, user, own, { typed: {}, faults: [] }, noticeIn(call, DONE)) }
}

/** `POST password/change` */
export async function change(call: Call<Change>, own: Own): Promise<Answer> {
  const { request, input: fields } = call
  const { host, passwords } = own
  const { user, session } = await personOf(call, own.host)
  const sid = await session.facts.sid()
  await host.attempts.count('password.change', { request, sid, userId: user.id })
  const read = await passwords.read(user.id)
  const { current = '', password = '', form } = fields
  const refuse = (code: string, errors: readonly Fault[]): Promise<Problem> =>
    formProblem(code, errors, call, user, own)
  if (current === '' || password === '') {
    const missing = [current === '' ? 'current' : [], password === '' ? 'password' : []].flat()
    throw await refuse(
      'invalid_input',
      missing.map((field) => ({ field, code: 'required' })),
    )
  }
  await needCurrent(current, user, read, call, own)
  const phc = await newHash(password, { ...user, current }, call, own)
  const isWritten = read && (await passwords.write(user.id, read, { phc, by: 'user' }))
  if (!isWritten) throw new Problem('conflict', 'the password was changed meanwhile')
  const endsOthers =
    form === '1' ? fields.endOthers === '1' : fields.endOthers !== false && fields.endOthers !== '0'
  const ended = endsOthers ? await endSessions(user.id, 'password-changed', host, session.facts) : 0
  // Whoever signed in with the former password has no guesses of their own at the new one.
  if (endsOthers) await host.attempts.forgetBrowsers(user.id, request)
  const { amr = ['pwd'] } = await session.facts.known()
  const proof = { amr: [...new Set([...amr, 'pwd'])], proved: ['pwd'] }
  const cookies = (await host.sessions.renew(request, proof)) ?? []
  await afterChange('password.changed', user, call, own)
  return {
    json: { status: 'changed', ended },
    to: host.site.path('password/change'),
    notice: { id: 'change' },
    cookies,
  }
}

/** `POST password/set`: the first password of a user who signs in in another way. */
export async function set(call: Call<Pick<Change, 'password'>>, own: Own): Promise<Answer> {
  const { host, passwords } = own
  const { user, session } = await personOf(call, own.host)
  await host.sessions.needFresh(session, FRESH, host.site.path('password/change'))
  if (await passwords.kind.get(user.id))
    throw new Problem('conflict', 'there is a password already')
  const { password = '' } = call.input
  if (password === '')
    throw await formProblem(
      'invalid_input',
      [{ field: 'password', code: 'required' }],
      call,
      user,
      own,
    )
  const phc = await newHash(password, user, call, own)
  if (!(await passwords.write(user.id, undefined, { phc, by: 'user' })))
    throw new Problem('conflict', 'there is a password already')
  await afterChange('password.set', user, call, own)
  const to = host.site.path('password/change')
  return { json: { status: 'changed' }, to, notice: { id: 'set' } }
}

/** `POST password/remove` */
export async function remove(call: Call, own: Own): Promise<Answer> {
  const { host, passwords } = own
  const { user, session } = await personOf(call, own.host)
  await host.sessions.needFresh(session, FRESH, host.site.path('password/change'))
  await removeWayIn(user.id, 'password', host, async () => {
    if (!(await passwords.kind.delete(user.id)))
      throw new Problem('not_found', 'there is no password')
  })
  await afterChange('password.removed', user, call, own)
  const to = host.site.path('password/change')
  return { status: 204, to, notice: { id: 'remove' } }
}

/** `GET password/renew`: the password that must be changed before the session begins. */
export async function showRenew(call: Call, own: Own): Promise<Answer> {
  const { user } = call.pending ?? {}
  const form = { typed: {}, faults: [] }
  const who = { email: user?.email ?? '', name: user?.name ?? '' }
  return { page: mustChangePage({ ...who, form }, await partsOf(call, own)) }
}

/** `POST password/renew` */
export async function renew(call: Call<Pick<Change, 'password'>>, own: Own): Promise<Answer> {
  const { host, passwords } = own
  const user = call.pending?.user as AdapterUser | undefined
  if (!user) throw new Problem('unauthenticated')
  await host.attempts.count('password.change', { request: call.request, userId: user.id })
  const read = await passwords.read(user.id)
  // Without it, no gate of this plugin holds the sign-in.
  if (!read?.record.data.mustChange)
    throw new Problem('invalid_code', 'no password must be changed')
  const { password = '' } = call.input
  const about = await wordsAbout(user, call.request, own)
  const hasher = await own.hasher()
  const isCurrent = async (text: string): Promise<boolean> => hasher.verify(text, read?.phc)
  const reasons =
    password === ''
      ? []
      : await checkPassword(
          password,
          { ...about, current: isCurrent },
          own.settings.rules,
          own.host,
        )
  const faults: Fault[] =
    password === '' ? [{ field: 'password', code: 'required' }] : faultsOf(reasons)
  if (faults.length > 0) {
    const form = { typed: {}, faults }
    throw new Problem('password_refused', undefined, {
      errors: faults,
      page: mustChangePage(
        { email: user.email ?? '', name: user.name ?? '', form },
        await partsOf(call, own),
      ),
    })
  }
  const phc = await hasher.hash(password, { signal: call.request.original.signal })
  // Somebody else may know the password that must be changed, and be signed in with it.
  const present = await presentSessions(user.id, 'password-changed', host)
  if (!read || !(await passwords.write(user.id, read, { phc, by: 'user' })))
    throw new Problem('conflict', 'the password was changed meanwhile')
  await present.before()
  await afterChange('password.changed', user, call, own)
  const answer = await host.sessions.resume(call)
  await present.after()
  return answer
}

/** Checks the current password. Wrong ones count like those of sign-ins. */
async function needCurrent(
  current: string,
  user: AdapterUser,
  read: ReadPassword | undefined,
  call: Call<Change>,
  own: Own,
): Promise<void> {
  const { host } = own
  const { request } = call
  if (await isPasswordOf(user, current, read, request, own)) return
  await tellSecurity(host, {
    type: 'password.refused',
    outcome: 'refused',
    reason: 'invalid_credentials',
    userId: user.id,
  })
  throw await formProblem(
    'invalid_credentials',
    [{ field: 'current', code: 'wrong' }],
    call,
    user,
    own,
  )
}

async function newHash(
  password: string,
  { current, ...user }: AdapterUser & { readonly current?: string },
  call: Call<Change>,
  own: Own,
): Promise<string> {
  const about = { ...(await wordsAbout(user, call.request, own)), current }
  const reasons = await checkPassword(password, about, own.settings.rules, own.host)
  if (reasons.length > 0)
    throw await formProblem('password_refused', faultsOf(reasons), call, user, own)
  const hasher = await own.hasher()
  return hasher.hash(password, { signal: call.request.original.signal, isKnownBrowser: true })
}

async function afterChange(
  type: 'password.changed' | 'password.set' | 'password.removed',
  user: AdapterUser,
  { request, pending }: Pick<Call<unknown>, 'request' | 'pending'>,
  own: Own,
): Promise<void> {
  const { host } = own
  await endResets(user.id, own)
  // A sign-in that waited for the new password goes on, and others of the user end.
  const sid = pending?.key
  await tellSecurity(host, {
    type,
    outcome: 'success',
    userId: user.id,
    ...(sid !== undefined && { sid }),
  })
  const { id: userId, email: to } = user
  if (to)
    await host.work.background('password-changed', () => mailChanged({ to, userId }, request, own))
}

async function formProblem(
  code: string,
  errors: readonly Fault[],
  call: Call<Change>,
  user: AdapterUser,
  own: Own,
): Promise<Problem> {
  const { endOthers } = call.input
  const kept = { password: '', endOthers: endOthers === '1' || endOthers === true ? '1' : '0' }
  const page = await pageOf(call, user, own, { typed: kept, faults: errors })
  return new Problem(code, undefined, { errors, page })
}

async function pageOf(
  call: Call<unknown>,
  user: AdapterUser,
  own: Own,
  form: Parameters<typeof passwordPage>[0]['form'],
  done?: Done,
): Promise<ReturnType<typeof passwordPage>> {
  const hasPassword = (await own.passwords.kind.get(user.id)) !== null
  return passwordPage(
    { email: user.email ?? '', hasPassword, done, form },
    await partsOf(call, own),
  )
}
