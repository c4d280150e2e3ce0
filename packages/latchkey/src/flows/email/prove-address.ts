import { Verification } from '../../errors.ts'
import type { Account } from '../../model/account.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { VerifiedIdentity } from '../../provider.ts'
import type { AuthRequest } from '../../request.ts'
import { userAt } from '../../sign-in/address-owner.ts'
import { useOnce } from '../../sign-in/used-once.ts'
import type { EmailFlow } from './email-flow.ts'
import { type EmailRequest, forgetRequest, keepUnfinished, recallRequest } from './email-request.ts'

/**
 * Uses a token up, and with it the link and the code of one mail: whoever has it reads the mail.
 *
 * The store of users is asked first: if it is away, the token stays. If a store fails after the token was
 * used, the browser keeps a proof of that, and can finish the sign-in once, as long as the mail is valid.
 *
 * @param hashes what may be stored instead of the token.
 * @throws {Verification} when it is unknown, used, expired or another address's.
 */
export async function proveAddress(
  flow: EmailFlow,
  request: AuthRequest,
  email: string,
  hashes: readonly string[],
): Promise<VerifiedIdentity> {
  const user = await userAt(email, request, flow)
  const asked = await recallRequest(flow, request)
  const { value, expires } =
    (await takeToken(flow, email, hashes)) ?? (await takeUp(flow, asked, email, hashes))
  const { code, kept } = asked?.value === value ? asked : NOWHERE
  return {
    proven: 'address',
    user,
    account: accountOf(flow, user, email),
    kept,
    cookies: forgetRequest(flow, request),
    whenInterrupted: () =>
      keepUnfinished(flow, request, { value, identifier: email, code, kept }, expires),
  }
}

/** Another browser asked for the mail. */
const NOWHERE = { code: undefined, kept: undefined }

/** A token that was used: what was stored instead of it, and when its mail expires. */
interface Taken {
  readonly value: string
  readonly expires: Date
}

/** @returns `undefined` when there is no such token, or no more. */
async function takeToken(
  { plan, store }: EmailFlow,
  identifier: string,
  hashes: readonly string[],
): Promise<Taken | undefined> {
  for (const token of hashes) {
    const taken = await store.useVerificationToken({ identifier, token })
    if (!taken) continue
    if (taken.identifier !== identifier) throw new Verification('the mail is for another address')
    // Not `<=`: a date that is none is not in the future.
    if (!(taken.expires.getTime() > plan.ports.now()))
      throw new Verification('the mail has expired')
    return { value: token, expires: taken.expires }
  }
  return undefined
}

/** Goes on with a sign-in of this browser that a store interrupted after the token was used. */
async function takeUp(
  { plan }: EmailFlow,
  asked: EmailRequest | undefined,
  identifier: string,
  hashes: readonly string[],
): Promise<Taken> {
  const { value, unfinished } = asked ?? {}
  const isOurs = asked?.identifier === identifier && value !== undefined && hashes.includes(value)
  if (!isOurs || !unfinished || !(await useOnce(plan, unfinished))) {
    throw new Verification('the mail is unknown or was used before')
  }
  return { value, expires: new Date(Number(unfinished.exp) * 1000) }
}

export function accountOf({ config }: EmailFlow, user: AdapterUser, identifier: string): Account {
  return {
    providerAccountId: identifier,
    userId: user.id,
    type: 'email',
    provider: config.id,
  }
}
