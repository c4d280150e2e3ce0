import * as v from 'valibot'
import {
  type Answer,
  type Call,
  isPrefetch,
  Problem,
  requestedText,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import { wordsAbout } from '../flows/known-words.ts'
import { type OpenReset, openReset, useReset } from '../flows/reset.ts'
import type { Own } from '../own.ts'
import { resetDonePage, resetPage } from '../pages/reset.ts'
import { deadLinkPage } from '../pages/verify.ts'
import { PROVIDER } from '../provider.ts'
import { RESET_AGE } from '../records/resets.ts'
import { type Fault, faultsOf } from '../refusals.ts'
import { checkPassword } from '../rules/check-password.ts'
import { typed } from './fields.ts'
import { type PageParts, partsOf } from './parts.ts'

interface Link {
  readonly token?: string | undefined
}

interface NewPassword extends Link {
  readonly password?: string | undefined
}

const token = v.optional(v.pipe(v.string(), v.maxLength(200)))

export const linkInput: v.GenericSchema<Link> = v.strictObject({ token })

export const input: v.GenericSchema<NewPassword> = v.strictObject({
  token,
  password: v.optional(typed),
  username: v.optional(typed),
})

const HIDDEN = { 'referrer-policy': 'no-referrer' }

/** `GET password/reset`: keeps the token of the link in the browser, and asks for the password. */
export async function show(call: Call<Link>, own: Own): Promise<Answer> {
  const { request, input: link } = call
  const { host, cookies } = own
  if (link.token !== undefined) {
    const { method, headers } = request.original
    if (method === 'HEAD' || isPrefetch(headers)) return { headers: HIDDEN }
    return {
      to: host.site.path('password/reset'),
      headers: HIDDEN,
      cookies: await cookies.reset.keep({ token: link.token }, request, RESET_AGE),
    }
  }
  const parts = await partsOf(call, own)
  const open = await openReset((await cookies.reset.newest(request))?.token ?? '', own)
  if (!open) return { status: 400, page: deadLinkPage('forgot', parts), headers: HIDDEN }
  return { page: formOf(open, [], call, parts), headers: HIDDEN }
}

/** `GET password/reset-done`: only after a reset in this browser. */
export async function showDone(call: Call, own: Own): Promise<Answer> {
  if (call.notice?.id !== 'reset') return { to: own.host.site.path('signin') }
  return { page: resetDonePage(await partsOf(call, own)) }
}

/** `POST password/reset` */
export async function send(call: Call<NewPassword>, own: Own): Promise<Answer> {
  const { request, input: fields } = call
  const { host, settings, cookies } = own
  const kept = fields.token ?? (await cookies.reset.newest(request))?.token ?? ''
  await host.attempts.count('password.reset', { request, identifier: kept })
  const open = await openReset(kept, own)
  const parts = await partsOf(call, own)
  const dead = async (): Promise<Problem> => {
    await tellRefused('invalid_code', open, own)
    return new Problem('invalid_code', 'the link is used or too old', {
      page: deadLinkPage('forgot', parts),
      headers: HIDDEN,
    })
  }
  if (!open) throw await dead()
  const { user } = open
  const { password = '' } = fields
  const reasons =
    password === ''
      ? []
      : await checkPassword(password, await wordsAbout(user, request, own), settings.rules, host)
  const faults: Fault[] =
    password === '' ? [{ field: 'password', code: 'required' }] : faultsOf(reasons)
  if (reasons.length > 0) await tellRefused('password_refused', open, own)
  if (faults.length > 0)
    throw new Problem(password === '' ? 'invalid_input' : 'password_refused', undefined, {
      errors: faults,
      page: formOf(open, faults, call, parts),
      headers: HIDDEN,
    })
  const hasher = await own.hasher()
  const phc = await hasher.hash(password, { signal: request.original.signal })
  await useReset(open, phc, request, own).catch(async (error: unknown) => {
    throw error instanceof Problem && error.code === 'invalid_code' ? await dead() : error
  })
  const ended = await cookies.reset.end(request)
  const json = { status: 'changed', next: String(host.site.path('signin')) }
  if (!settings.resetSignsIn)
    return {
      json,
      to: host.site.path('password/reset-done'),
      notice: { id: 'reset' },
      headers: HIDDEN,
      cookies: ended,
    }
  const before = await host.sessions.beforeProof(user.id)
  const proved = { ...user, emailVerified: user.emailVerified ?? new Date(host.ports.now()) }
  const answer = await host.sessions.establish(call, {
    user: proved,
    amr: ['pwd', 'email'],
    before,
    provider: PROVIDER,
  })
  return {
    ...answer,
    json: { ...json, status: 'signed_in', ...answer.json },
    headers: HIDDEN,
    cookies: [...(answer.cookies ?? []), ...ended],
  }
}

/** Emits the event about a refused reset. A link that is used or too old has no user. */
async function tellRefused(
  reason: string,
  open: OpenReset | undefined,
  { host }: Own,
): Promise<void> {
  await tellSecurity(host, {
    type: 'password.reset',
    outcome: 'refused',
    reason,
    ...(open && { userId: open.user.id }),
  })
}

function formOf(
  { record }: OpenReset,
  faults: readonly Fault[],
  { request }: Pick<Call<unknown>, 'request'>,
  parts: PageParts,
): ReturnType<typeof resetPage> {
  const { address, asked } = record.data
  const isHere = asked.agent === (request.original.headers.get('user-agent') ?? '').slice(0, 300)
  const headers = new Headers({ 'user-agent': asked.agent })
  const requested = requestedText({ headers }, new Date(asked.at), parts.texts)
  const elsewhere = isHere ? {} : { asked: requested }
  return resetPage({ address, ...elsewhere, form: { typed: {}, faults } }, parts)
}
