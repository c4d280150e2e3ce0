import * as v from 'valibot'
import {
  type Answer,
  type AnswerPage,
  type Call,
  encodeBase64url,
  Problem,
} from '../../../entries/plugin.ts'
import { readAddress, withChallenge } from '../../../entries/plugin-accounts.ts'
import { beginSignUp, needSignUp, tellRefused } from '../flows/begin-sign-up.ts'
import { identifierOf } from '../flows/find-user.ts'
import { siteNames } from '../flows/known-words.ts'
import { letIn } from '../flows/let-in.ts'
import type { Own } from '../own.ts'
import { signUpPage } from '../pages/sign-up.ts'
import { SIGN_UP_AGE } from '../records/sign-ups.ts'
import { type Fault, faultsOf } from '../refusals.ts'
import { checkPassword } from '../rules/check-password.ts'
import type { SignUpInput } from '../settings.ts'
import { checkFurther, type FurtherForm, typed, unknownFields } from './fields.ts'
import { partsOf } from './parts.ts'

export const input: v.GenericSchema<FurtherForm> = v.objectWithRest(
  {
    email: v.optional(typed),
    password: v.optional(typed),
    name: v.optional(typed),
    username: v.optional(typed),
  },
  typed,
)

/** `GET password/sign-up` */
export async function show(call: Call, own: Own): Promise<Answer> {
  needOpen(own)
  const parts = await partsOf(call, own, { action: 'password.sign-up' })
  return { page: signUpPage({ typed: {}, faults: [] }, parts) }
}

/** `POST password/sign-up` */
export async function send(call: Call<FurtherForm>, own: Own): Promise<Answer> {
  needOpen(own)
  const { host, cookies } = own
  const { request } = call
  const checked = await checkForm(call, own)
  const { email, password, fields } = checked
  await countSignUp(email, call, own)
  await needUnbreached(checked, call, own)
  await needSignUp(checked, request.original, own)
  await needAcceptedAddress(email, call, own)
  const hasher = await own.hasher()
  const phc = await hasher.hash(password, { signal: request.original.signal })
  const before = await cookies.signUp.newest(request)
  const flow = before?.email === email ? before.flow : encodeBase64url(host.ports.random(16))
  const { username } = checked
  if (username !== undefined && host.userNames()) {
    const expires = new Date(host.ports.now() + SIGN_UP_AGE * 1000)
    if (!(await host.userNames()?.reserve(username, flow, expires)))
      throw await formProblem('username_taken', [{ field: 'username', code: 'taken' }], call, own)
  }
  const begin = own.settings.verify === 'after' ? letIn : beginSignUp
  await begin({ ...checked, fields, phc, flow }, request, own)
  const kept = { flow, email, callbackUrl: String(call.callbackUrl) }
  return {
    status: 202,
    json: { status: 'mail_sent', flow },
    to: host.site.path('password/verify'),
    cookies: await cookies.signUp.keep(kept, request, SIGN_UP_AGE),
  }
}

async function countSignUp(email: string, call: Call<FurtherForm>, own: Own): Promise<void> {
  const { request, input: typedFields } = call
  try {
    const identifier = identifierOf(email)
    await own.host.attempts.count('password.sign-up', { request, identifier, challenge: true })
  } catch (error) {
    throw await withChallenge(error, async () => {
      const parts = await partsOf(call, own, { action: 'password.sign-up', isRequired: true })
      return signUpPage({ typed: { ...typedFields, password: undefined }, faults: [] }, parts)
    })
  }
}

function needOpen({ settings }: Own): void {
  if (settings.signUp === false) throw new Problem('not_found', 'sign-up is turned off')
}

interface Checked extends SignUpInput {
  readonly password: string
}

/** @throws {Problem} with the form again, and what is wrong with each field. */
async function checkForm(call: Call<FurtherForm>, own: Own): Promise<Checked> {
  const { settings } = own
  const { email: typedEmail = '', password = '', name, username } = call.input
  const email = readAddress(typedEmail)
  const extra = await checkFurther(call.input, settings.fields)
  const shownName = name?.trim() || undefined
  const faults: Fault[] = [
    ...(typedEmail === '' ? [{ field: 'email', code: 'required' }] : []),
    ...(typedEmail !== '' && email === undefined
      ? [{ field: 'email', code: 'invalid_address' }]
      : []),
    ...nameFaults(shownName, settings.name),
    ...usernameFaults(username, own),
    ...unknownFields(call.input, KNOWN, settings.fields),
    ...extra.faults,
  ]
  const isTyped = password !== ''
  const reasons = isTyped
    ? await checkPassword(
        password,
        { email, username, name: shownName, siteNames: siteNames(call.request, own) },
        // A list of breaches may be a service: it is asked after the limits.
        { ...settings.rules, breached: undefined },
      )
    : []
  const ofPassword = isTyped ? faultsOf(reasons) : [{ field: 'password', code: 'required' }]
  if (faults.length > 0)
    throw await formProblem('invalid_input', [...faults, ...ofPassword], call, own)
  if (!isTyped) throw await formProblem('invalid_input', ofPassword, call, own)
  if (ofPassword.length > 0) throw await formProblem('password_refused', ofPassword, call, own)
  return {
    email: email ?? '',
    password,
    name: shownName,
    username: username || undefined,
    fields: extra.fields,
  }
}

async function needUnbreached(
  { password }: Checked,
  call: Call<FurtherForm>,
  own: Own,
): Promise<void> {
  const { rules } = own.settings
  if (!rules.breached) return
  const reasons = await checkPassword(password, {}, rules, own.host)
  if (reasons.length > 0) throw await formProblem('password_refused', faultsOf(reasons), call, own)
}

/** Characters of a name. */
const LONGEST_NAME = 200

function nameFaults(name: string | undefined, asked: Own['settings']['name']): Fault[] {
  if (asked === 'required' && name === undefined) return [{ field: 'name', code: 'required' }]
  const isBad =
    name !== undefined && (asked === false || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
  return isBad ? [{ field: 'name', code: 'invalid' }] : []
}

function usernameFaults(username: string | undefined, { host }: Own): Fault[] {
  if (!username) return []
  const names = host.userNames()
  if (!names) return [{ field: 'username', code: 'invalid' }]
  const fault = names.faultOf(username)
  return fault === undefined ? [] : [{ field: 'username', ...fault }]
}

const KNOWN = ['email', 'password', 'name', 'username']

async function needAcceptedAddress(
  email: string,
  call: Call<FurtherForm>,
  own: Own,
): Promise<void> {
  if (!(await own.host.attempts.isDisposable(email))) return
  throw await formProblem(
    'address_not_accepted',
    [{ field: 'email', code: 'not_accepted' }],
    call,
    own,
  )
}

/**
 * Returns the problem with the form as it was typed, without the password. A refusal of more than a mistake in the form is an
 * event.
 */
async function formProblem(
  code: string,
  errors: readonly Fault[],
  call: Call<FurtherForm>,
  own: Own,
): Promise<Problem> {
  const { password: _, ...kept } = call.input
  if (code !== 'invalid_input') await tellRefused(code, readAddress(kept['email'] ?? ''), own)
  const { username = '' } = kept
  const parts = await partsOf(call, own, { action: 'password.sign-up' })
  const nameFault = await own.host.userNames()?.faultText(username, call.request)
  const page: AnswerPage = signUpPage({ typed: kept, faults: errors }, { ...parts, nameFault })
  const fields = errors.map(({ field }) => field).join(', ')
  return new Problem(code, `fields to correct: ${fields}`, { errors, page })
}
