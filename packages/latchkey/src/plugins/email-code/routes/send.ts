import * as v from 'valibot'
import {
  type Answer,
  type AnswerPage,
  type Call,
  encodeBase64url,
  Problem,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { type MailedCodes, tellSecurity, withChallenge } from '../../../entries/plugin-accounts.ts'
import { mailCode } from '../mails.ts'
import type { Begun, Own } from '../own.ts'
import { askPage } from '../pages.ts'
import { partsOf } from './parts.ts'

interface Send {
  readonly email?: string | undefined
}

export const input: v.GenericSchema<Send> = v.strictObject({
  email: v.optional(v.pipe(v.string(), v.maxLength(1000))),
})

const ACTION = 'email-code.send'

/** `GET email-code/send` */
export async function show(call: Call, own: Own): Promise<Answer> {
  return { page: await formOf({ email: undefined }, call, own) }
}

/** `POST email-code/send`: the same for every address. */
export async function send(call: Call<Send>, own: Own): Promise<Answer> {
  const { host, settings, cookie } = own
  const { request, input, callbackUrl } = call
  const email = await host.providers.addressOf(input.email ?? '')
  if (email === undefined) {
    throw new Problem('invalid_input', 'the field `email` is not an address', {
      errors: [{ field: 'email', code: 'invalid_address' }],
      page: await formOf(
        { email: input.email?.slice(0, 320), fault: 'emailCode:email.invalid' },
        call,
        own,
      ),
    })
  }
  try {
    await host.attempts.count(ACTION, { request, identifier: email, challenge: true })
  } catch (error) {
    throw await withChallenge(error, () => formOf({ email }, call, own, true))
  }
  if (settings.signUp) await needAccepted(email, call, own)
  const before = await cookie.newest(request)
  const isSame = before?.email === email
  const isFresh = isSame && (await own.codes.isFresh(before))
  if (before && !isFresh) await own.codes.end(before)
  // The value before may be one that somebody else planted in this browser, and has in another one.
  const browser = isFresh ? before.browser : encodeBase64url(host.ports.random(16))
  // A form of the second page has no target of its own.
  const target = isSame ? before.callbackUrl : callbackUrl
  const begun: Begun = { browser, email, callbackUrl: target }
  const sent = await sendCode(begun, request, own)
  const flow = (await host.keys.hash('email-code-flow', browser, email)).slice(0, 16)
  return {
    ...sent,
    json: { ...sent.json, flow },
    to: host.site.path('email-code/verify'),
    cookies: [
      ...(await cookie.end(request)),
      ...(await cookie.keep(begun, request, settings.expiresIn)),
    ],
  }
}

/**
 * Refuses addresses that may not sign up. Also those of users who have one: it must not show who has an account.
 *
 * @throws {Problem} `address_not_accepted`
 */
async function needAccepted(email: string, call: Call<Send>, own: Own): Promise<void> {
  const { host } = own
  if (!(await host.attempts.isDisposable(email))) return
  const reason = 'address_not_accepted'
  await tellSecurity(host, { type: 'signup.refused', outcome: 'refused', reason, typed: email })
  throw new Problem(reason, 'addresses of this service are not accepted', {
    errors: [{ field: 'email', code: 'not_accepted' }],
    page: await formOf({ email, fault: 'emailCode:address_not_accepted' }, call, own),
  })
}

async function formOf(
  typed: Parameters<typeof askPage>[0],
  call: Call<unknown>,
  own: Own,
  isRequired = false,
): Promise<AnswerPage> {
  const challenge = await own.host.attempts.challenge(ACTION, call.request, isRequired)
  return askPage(typed, await partsOf(call, own, challenge))
}

/** Mails a code. @throws {Problem} `mail_unavailable` */
async function sendCode(
  begun: Begun,
  request: SiteRequest,
  own: Own,
): ReturnType<MailedCodes['send']> {
  const { host, settings } = own
  const { email } = begun
  const user = (await host.store?.getUserByEmail(email)) ?? null
  const mayEnter = user !== null || settings.signUp
  return own.codes.send(begun, {
    about: { typed: email },
    isWrong: !mayEnter,
    async mail(code) {
      const mail = async (): Promise<void> => {
        // One limit for all mails that strangers can cause. The answer is the same.
        if (mayEnter && (await host.attempts.mayMail(email, request)))
          await mailCode({ to: email, userId: user?.id }, code, request, own)
      }
      // The time of the response must not show whether there is an account.
      return settings.signUp ? mail() : host.work.afterResponse('email-code', mail)
    },
  })
}
