import { isAuthError, Verification } from '../../base/errors.ts'
import type { AuthRequest } from '../../http/request.ts'
import type { Account } from '../../model/account.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { VerifiedIdentity } from '../../plan/provider.ts'
import { userAt } from '../../sign-in/address-owner.ts'
import { Interrupted } from '../../sign-in/interrupted.ts'
import { useOnce } from '../../sign-in/used-once.ts'
import type { EmailFlow } from './email-flow.ts'
import {
  forgetRequest,
  keepUnfinished,
  type RecalledRequest,
  recallRequest,
} from './email-request.ts'

/**
 * Takes a token, and with it the link and the code of one mail. A person who has the token can read the mail.
 *
 * The user is read first: if the store fails, the token stays. If a store fails while or after the token is
 * taken, the browser receives a proof of that, and can complete the sign-in once while the mail is valid.
 *
 * @param hashes the possible stored hashes of the token.
 * @throws {Verification} if the token is unknown, used, expired or belongs to another address.
 */
export async function proveAddress(
  flow: EmailFlow,
  request: AuthRequest,
  email: string,
  hashes: readonly string[],
): Promise<VerifiedIdentity> {
  const user = await userAt(email, request, flow)
  const asked = await recallRequest(flow, request)
  const isOurs = asked?.identifier === email && hashes.includes(asked.value)
  const taken = await takeToken(flow, email, hashes).catch(async (error: unknown) => {
    // The store may have taken the token although its response was lost.
    if (!isOurs || !isAuthError(error) || error.type !== 'AdapterError') throw error
    throw new Interrupted(error, [await keepUnfinished(flow, request, asked, asked.expires)])
  })
  const { value, expires } = taken ?? (await takeUp(flow, isOurs ? asked : undefined))
  const { code, kept, context } = asked?.value === value ? asked : NOWHERE
  return {
    proven: 'address',
    user,
    account: accountOf(flow, user, email),
    kept,
    context,
    cookies: forgetRequest(flow, request),
    whenInterrupted: () =>
      keepUnfinished(flow, request, { value, identifier: email, code, kept, context }, expires),
  }
}

/** The mail was requested in another browser. */
const NOWHERE = { code: undefined, kept: undefined, context: undefined }

/** A used token: its stored hash, and the expiry of its mail. */
interface Taken {
  readonly value: string
  readonly expires: Date
}

/** @returns `undefined` if there is no such token, or it was used. */
async function takeToken(
  { plan, store }: EmailFlow,
  identifier: string,
  hashes: readonly string[],
): Promise<Taken | undefined> {
  for (const token of hashes) {
    const taken = await store.useVerificationToken({ identifier, token })
    if (!taken) continue
    if (taken.identifier !== identifier) throw new Verification('the mail is for another address')
    // Not `<=`, so that an invalid date counts as expired.
    if (!(taken.expires.getTime() > plan.ports.now()))
      throw new Verification('the mail has expired')
    return { value: token, expires: taken.expires }
  }
  return undefined
}

/** Continues a sign-in of this browser after a store failed and the token was used. @param asked the request for this mail. */
async function takeUp({ plan }: EmailFlow, asked: RecalledRequest | undefined): Promise<Taken> {
  if (!asked?.unfinished || !(await useOnce(plan, asked.unfinished))) {
    throw new Verification('the link or code is unknown or was already used')
  }
  return asked
}

export function accountOf({ config }: EmailFlow, user: AdapterUser, identifier: string): Account {
  return {
    providerAccountId: identifier,
    userId: user.id,
    type: 'email',
    provider: config.id,
  }
}
