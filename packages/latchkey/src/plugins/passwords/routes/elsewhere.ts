import { type AnswerPage, type Call, Problem, requestedText } from '../../../entries/plugin.ts'
import { siteNames } from '../flows/known-words.ts'
import type { Own } from '../own.ts'
import type { Form } from '../pages/parts.ts'
import { deadLinkPage, type Elsewhere, elsewherePage } from '../pages/verify.ts'
import type { Asked } from '../records/sign-ups.ts'
import { type Fault, faultsOf } from '../refusals.ts'
import { checkPassword } from '../rules/check-password.ts'
import { checkFurther, type FurtherForm } from './fields.ts'
import { partsOf } from './parts.ts'

/** What proves an address, and what is chosen with it: also the further fields of a sign-up. */
export interface Proof extends FurtherForm {
  readonly code?: string | undefined
  readonly password?: string | undefined
  readonly name?: string | undefined
}

/** What was chosen in another browser than the one that signed up. */
export interface Chosen {
  /** The hash of the password. */
  readonly phc: string
  readonly fields: Readonly<Record<string, string>>
}

/** No page that a link leads to tells others its address. */
export const HIDDEN = { 'referrer-policy': 'no-referrer' } as const

/** A proof in another browser than the one that asked for it. */
export interface ProvedElsewhere extends Pick<Elsewhere, 'email' | 'signIn'> {
  readonly asked: Asked
}

/** Returns the page on which the password is chosen again. */
export async function elsewhere(
  { asked, ...shown }: ProvedElsewhere,
  form: Form,
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  own: Own,
): Promise<AnswerPage> {
  const parts = await partsOf(call, own)
  const headers = new Headers({ 'user-agent': asked.agent })
  const when = requestedText({ headers }, new Date(asked.at), parts.texts)
  return elsewherePage({ ...shown, asked: when, form }, parts)
}

/** Returns what was chosen in another browser. @throws {Problem} with the page again. */
export async function choose(
  proved: ProvedElsewhere,
  call: Call<Proof>,
  own: Own,
): Promise<Chosen> {
  const { password = '', name = '' } = call.input
  // An account that exists has them from the sign-up.
  const asked = proved.signIn === undefined ? own.settings.fields : []
  const further = await checkFurther(call.input, asked)
  const isNamed = own.settings.name !== 'required' || name.trim() !== ''
  const about = { email: proved.email, name, siteNames: siteNames(call.request, own) }
  const reasons =
    password === '' ? [] : await checkPassword(password, about, own.settings.rules, own.host)
  const errors: Fault[] = [
    ...(isNamed && name.length <= 200 ? [] : [{ field: 'name', code: 'required' }]),
    ...(password === '' ? [{ field: 'password', code: 'required' }] : faultsOf(reasons)),
    ...further.faults,
  ]
  if (errors.length > 0)
    throw new Problem('password_refused', 'the password must be chosen here', {
      errors,
      page: await elsewhere(proved, { typed: call.input, faults: errors }, call, own),
    })
  const hasher = await own.hasher()
  const phc = await hasher.hash(password, { signal: call.request.original.signal })
  return { phc, fields: further.fields }
}

export async function deadProblem(
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  own: Own,
): Promise<Problem> {
  return new Problem('invalid_code', 'the link or the step is used or too old', {
    page: deadLinkPage('sign-up', await partsOf(call, own)),
    headers: HIDDEN,
  })
}
