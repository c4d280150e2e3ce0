import {
  type Answer,
  type AnswerPage,
  type Call,
  type Cookie,
  Problem,
  type SafeUrl,
} from '../../../entries/plugin.ts'
import { tellSecurity } from '../../../entries/plugin-accounts.ts'
import {
  fitsCode,
  fitsToken,
  proveElsewhere,
  proveHere,
  type Unproved,
  unprovedAt,
  unprovedHere,
} from '../flows/prove-address.ts'
import type { Own } from '../own.ts'
import type { Form } from '../pages/parts.ts'
import { codePage, confirmPage, letInPage } from '../pages/verify.ts'
import { PROVIDER } from '../provider.ts'
import type { Fault } from '../refusals.ts'
import {
  type Chosen,
  choose,
  deadProblem,
  elsewhere,
  type Proof,
  type ProvedElsewhere,
} from './elsewhere.ts'
import { partsOf } from './parts.ts'
import { signedIn } from './signed-in.ts'

interface OpenedLink {
  readonly email: string
  readonly token: string
}

const EMPTY: Form = { typed: {}, faults: [] }

/** Returns the page for a link that was opened; `undefined` if it is none of a user who has to prove the address. */
export async function showUnproved(
  opened: OpenedLink,
  call: Call<unknown>,
  own: Own,
): Promise<AnswerPage | undefined> {
  const found = await byLink(opened, own)
  if (!found) return undefined
  if (await isHere(found, call, own))
    return confirmPage({ email: found.user.email, isSignedIn: true }, await partsOf(call, own))
  return elsewhere(shownElsewhere(found, call, own), EMPTY, call, own)
}

/** Proves the address with an opened link; `undefined` if it is none of a user who has to prove it. */
export async function proveByLink(
  opened: OpenedLink,
  call: Call<Proof>,
  own: Own,
): Promise<Answer | undefined> {
  const found = await byLink(opened, own)
  if (!found) return undefined
  return (await isHere(found, call, own)) ? here(found, call, own) : takeOver(found, call, own)
}

/**
 * Proves the address with a code.
 *
 * @param whose the user who is signed in, or the address with which somebody signed up in this browser.
 * @throws {Problem} `invalid_code`
 */
export async function proveByCode(
  whose: Unproved | string,
  call: Call<Proof>,
  own: Own,
): Promise<Answer> {
  const { request, input } = call
  const isSignedIn = typeof whose !== 'string'
  const email = isSignedIn ? whose.user.email : whose
  await own.host.attempts.count('password.verify-code', { request, identifier: email })
  const found = isSignedIn ? whose : await unprovedAt(email, own)
  // The same for an address that has nobody to prove it, so that nobody learns about it.
  const chosen = isSignedIn
    ? undefined
    : await choose(shownElsewhere(found ?? { email }, call, own), call, own)
  if (found && (await fitsCode(found, input.code ?? '', own)))
    return isSignedIn ? here(found, call, own) : takeOver(found, call, own, chosen)
  await tellSecurity(own.host, {
    type: 'code.wrong',
    outcome: 'refused',
    reason: 'invalid_code',
    ...(found ? { userId: found.user.id } : { typed: email }),
  })
  const errors: Fault[] = [{ field: 'code', code: 'wrong_code' }]
  const parts = await partsOf(call, own)
  const mailbox = own.host.site.mailbox(request)
  const form = { typed: { code: input.code }, faults: errors }
  throw new Problem('invalid_code', 'the code is wrong, used or too old', {
    page: isSignedIn
      ? codePage({ email, form, mailbox, isSignedIn }, parts)
      : letInPage({ email, mailbox, callbackUrl: call.callbackUrl }, parts),
  })
}

async function byLink({ email, token }: OpenedLink, own: Own): Promise<Unproved | undefined> {
  const found = await unprovedAt(email, own)
  return found && (await fitsToken(found, token, own)) ? found : undefined
}

/** Returns whether the user is signed in in this browser. */
async function isHere({ user }: Unproved, call: Call<unknown>, own: Own): Promise<boolean> {
  return (await unprovedHere(call, own))?.user.id === user.id
}

/** The user is signed in: everything stays. */
async function here(found: Unproved, call: Call<Proof>, own: Own): Promise<Answer> {
  await unlessFaster(proveHere(found, own), call, own)
  const { callbackUrl } = call
  const { sessions } = own.host
  const written =
    sessions.strategy() === 'jwt' && (await sessions.describe(call.request, found.user))
  return {
    json: { status: 'signed_in', url: callbackUrl },
    to: callbackUrl,
    cookies: [...(written || []), ...(await ended(call, own))],
  }
}

/** Nobody is signed in as the user: what was in the account is removed, and a password is chosen. */
async function takeOver(
  found: Unproved,
  call: Call<Proof>,
  own: Own,
  already?: Chosen,
): Promise<Answer> {
  const { host, settings } = own
  const { request, callbackUrl } = call
  const { phc } = already ?? (await choose(shownElsewhere(found, call, own), call, own))
  const name = settings.name === false ? undefined : call.input.name?.trim() || null
  const user = await unlessFaster(proveElsewhere(found, { phc, name }, request, own), call, own)
  const before = await host.sessions.beforeProof(user.id)
  const answer = await host.sessions.establish(
    { request, callbackUrl },
    { user, amr: ['pwd', 'email'], before, provider: PROVIDER },
  )
  const cookies = [...(answer.cookies ?? []), ...(await ended(call, own))]
  return signedIn({ ...answer, cookies }, user.id, request, own)
}

/** @throws {Problem} with the page of a dead link, if another call used the mail. */
async function unlessFaster<Result>(
  work: Promise<Result>,
  call: Call<Proof>,
  own: Own,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const isLate = error instanceof Problem && error.code === 'invalid_code'
    throw isLate ? await deadProblem(call, own) : error
  }
}

function shownElsewhere(
  found: Unproved | { readonly email: string },
  { request }: Call<unknown>,
  { host }: Own,
): ProvedElsewhere {
  const callbackUrl = `${request.origin}${host.site.path('password/verify')}`
  const signIn: SafeUrl = host.site.path('signin', { callbackUrl })
  if ('email' in found) {
    const agent = request.original.headers.get('user-agent') ?? ''
    return { email: found.email, asked: { at: host.ports.now(), agent }, signIn }
  }
  return { email: found.user.email, asked: found.record.data.asked, signIn }
}

/** Returns the cookies that end the steps of the sign-up. */
async function ended({ request }: Call<Proof>, { cookies }: Own): Promise<readonly Cookie[]> {
  return [...(await cookies.signUp.end(request)), ...(await cookies.link.end(request))]
}
