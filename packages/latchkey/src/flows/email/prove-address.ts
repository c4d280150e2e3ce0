import { formatUuid } from '../../encoding/uuid.ts'
import { Verification } from '../../errors.ts'
import type { Account } from '../../model/account.ts'
import type { AdapterUser } from '../../model/user.ts'
import type { Plan } from '../../plan.ts'
import type { VerifiedIdentity } from '../../provider.ts'
import type { AuthRequest } from '../../request.ts'
import { addressOwner } from '../../sign-in/address-owner.ts'
import type { EmailFlow } from './email-flow.ts'
import { forgetRequest } from './email-request.ts'

/**
 * Uses a token up, and with it the link and the code of one mail: who has it, reads the mail.
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
  const identifier = await takeToken(flow, email, hashes)
  const user = await userAt(flow, request, identifier)
  return {
    admission: 'address',
    user,
    account: accountOf(flow, user, identifier),
    cookies: forgetRequest(flow, request),
  }
}

/** @returns the address that the token was stored for. */
async function takeToken(
  { plan, store }: EmailFlow,
  identifier: string,
  hashes: readonly string[],
): Promise<string> {
  for (const token of hashes) {
    const taken = await store.useVerificationToken({ identifier, token })
    if (!taken) continue
    if (taken.identifier !== identifier) throw new Verification('the mail is for another address')
    // Not `<=`: a date that is none is not in the future.
    if (!(taken.expires.getTime() > plan.ports.now()))
      throw new Verification('the mail has expired')
    return taken.identifier
  }
  throw new Verification('the mail is unknown or was used before')
}

/** Returns the user whom a mail to this address signs in: a stored one, or one who will be created. */
export async function userAt(
  { plan, store }: EmailFlow,
  request: AuthRequest,
  email: string,
): Promise<AdapterUser> {
  const current = (): Promise<AdapterUser | null> => plan.session.currentUser(request)
  return (await addressOwner(email, store, plan, current)).owner ?? provisionalUser(email, plan)
}

function provisionalUser(email: string, { ports }: Plan): AdapterUser {
  return { id: formatUuid(ports.random(16)), email, emailVerified: null }
}

export function accountOf({ config }: EmailFlow, user: AdapterUser, identifier: string): Account {
  return {
    providerAccountId: identifier,
    userId: user.id,
    type: 'email',
    provider: config.id,
  }
}
