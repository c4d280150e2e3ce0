import * as v from 'valibot'
import {
  type Answer,
  type Call,
  encodeBase64url,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import {
  inLanguageOf,
  readAddress,
  tellSecurity,
  waysIn,
  withChallenge,
} from '../../../entries/plugin-accounts.ts'
import { askedBy } from '../flows/begin-sign-up.ts'
import { identifierOf, userOf } from '../flows/find-user.ts'
import { mailNoAccount, mailReset, type ResetLink } from '../mails.ts'
import type { Own } from '../own.ts'
import { forgotPage, forgotSentPage } from '../pages/forgot.ts'
import { RESET_AGE } from '../records/resets.ts'
import type { Fault } from '../refusals.ts'
import { typed } from './fields.ts'
import { partsOf } from './parts.ts'

interface Forgot {
  readonly identifier?: string | undefined
}

export const input: v.GenericSchema<Forgot> = v.strictObject({
  identifier: v.optional(typed),
})

const FORM = { action: 'password.forgot' } as const

/** `GET password/forgot` */
export async function show(call: Call, own: Own): Promise<Answer> {
  const email = call.current?.user.email ?? undefined
  return {
    page: forgotPage({ typed: { identifier: email }, faults: [] }, await partsOf(call, own, FORM)),
  }
}

/** `GET password/forgot-sent` */
export async function showSent(call: Call, own: Own): Promise<Answer> {
  const kept = await own.cookies.forgot.newest(call.request)
  if (!kept) return { to: own.host.site.path('password/forgot') }
  const { identifier } = kept
  const mailbox = own.host.site.mailbox(call.request)
  return { page: forgotSentPage({ identifier, mailbox }, await partsOf(call, own)) }
}

/** `POST password/forgot`: the same for every identifier. */
export async function send(call: Call<Forgot>, own: Own): Promise<Answer> {
  const { host, cookies } = own
  const { request } = call
  const identifier = identifierOf(call.input.identifier ?? '')
  const isAddress = readAddress(identifier) !== undefined
  if (!isAddress && (identifier === '' || identifier.includes('@') || !host.userNames())) {
    const errors: Fault[] = [
      { field: 'identifier', code: identifier === '' ? 'required' : 'invalid_address' },
    ]
    const form = { typed: { identifier: call.input.identifier }, faults: errors }
    throw new Problem('invalid_input', 'the identifier is no address', {
      errors,
      page: forgotPage(form, await partsOf(call, own, FORM)),
    })
  }
  try {
    await host.attempts.count('password.forgot', { request, identifier, challenge: true })
  } catch (error) {
    throw await withChallenge(error, async () => {
      const parts = await partsOf(call, own, { ...FORM, isRequired: true })
      return forgotPage({ typed: { identifier: call.input.identifier }, faults: [] }, parts)
    })
  }
  // The time of the response must not show whether there is an account.
  await host.work.afterResponse('password-reset', () => mailLink(identifier, request, own))
  return {
    status: 202,
    json: { status: 'mail_sent' },
    to: host.site.path('password/forgot-sent'),
    cookies: await cookies.forgot.keep({ identifier }, request, RESET_AGE),
  }
}

async function mailLink(identifier: string, request: SiteRequest, own: Own): Promise<void> {
  const { host, settings } = own
  const user = await userOf(identifier, own)
  await tellSecurity(host, {
    type: 'password.reset-asked',
    outcome: 'success',
    ...(user ? { userId: user.id } : { typed: identifier }),
  })
  const address = user?.email ?? (identifier.includes('@') ? identifier : undefined)
  if (!address || !(await host.attempts.mayMail(address, request))) return
  if (user) {
    const link = await createLink(user.id, address, request, own)
    const receiver = { to: address, userId: user.id }
    await mailReset(receiver, link, await inLanguageOf(user.id, request, host), own)
  } else if (settings.mailUnknown) await mailNoAccount(address, request, own)
  else host.logger.debug('password-reset', () => ({ why: 'no account has this identifier' }))
}

/** Stores a reset. @returns the link, and whether there is a password to replace */
export async function createLink(
  userId: string,
  address: string,
  request: Pick<SiteRequest, 'origin' | 'original'>,
  own: Own,
  seconds: number = RESET_AGE,
): Promise<ResetLink & { readonly expires: Date }> {
  const { host, passwords, resets } = own
  const token = encodeBase64url(host.ports.random(32))
  const now = host.ports.now()
  const record = await passwords.kind.get(userId)
  const expires = new Date(now + seconds * 1000)
  await resets.create({
    key: await host.keys.hash('password-reset', token),
    userId,
    data: { address, rev: record?.data.rev ?? 0, asked: askedBy(request, now) },
    expires,
  })
  const url = `${request.origin}${host.site.path('password/reset', { token })}`
  const link = { url, expires, expiresIn: seconds }
  if (record) return { ...link, hasPassword: true }
  return { ...link, hasPassword: false, ...(await otherWays(userId, own)) }
}

/** Returns how a user without a password signs in. */
async function otherWays(
  userId: string,
  { host }: Own,
): Promise<Pick<ResetLink, 'passkeys' | 'providers' | 'isFirst'>> {
  const ways = await waysIn(userId, host)
  const accounts = ways.flatMap((way) => ('account' in way ? [way.account] : []))
  const ids = new Set(
    accounts.filter(({ type }) => type !== 'webauthn').map(({ provider }) => provider),
  )
  const providers = await Promise.all(
    [...ids].map(async (id) => (await host.providers.client(id))?.name ?? id),
  )
  const passkeys = accounts.filter(({ type }) => type === 'webauthn').length
  return { passkeys, providers, isFirst: ways.length === 0 }
}
