import type { AdapterUser, SiteRequest } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import { type FactorState, hasFactors, NO_FACTORS } from '../records/state.ts'
import type { FactorMethod } from '../settings.ts'
import { hasMailbox, isByMailbox } from './mail-code.ts'

/** What an account needs, and what it has. */
export interface Level {
  readonly state: FactorState
  /** Whether there is a confirmed second factor. */
  readonly hasFactors: boolean
  /** Until when a user who must have a second factor can do without, in milliseconds; `undefined` if none is required. */
  readonly until: number | undefined
}

/** @param request the one that needs it, if there is one. */
export async function levelOf(user: AdapterUser, own: Own, request?: SiteRequest): Promise<Level> {
  const [record, until] = await Promise.all([
    own.states.get(user.id),
    own.enforcement.untilOf(user, request),
  ])
  const state = record?.data ?? NO_FACTORS
  return { state, hasFactors: await isProtected(user.id, state, own), until }
}

/**
 * Returns whether every sign-in of a user needs a second factor. Passkeys that are all gone protect nothing any more, nor does
 * one that is added later, until its owner says so again.
 */
async function isProtected(
  userId: string,
  state: FactorState,
  own: Pick<Own, 'passkeys' | 'states'>,
): Promise<boolean> {
  if (!hasOnlyPasskeys(state)) return hasFactors(state)
  if ((await keysOf(userId, own)) > 0) return true
  await own.states.update(userId, (before) => {
    const { passkeys: _, ...rest } = before
    return hasOnlyPasskeys(before) ? { data: { ...rest, rev: before.rev + 1 } } : undefined
  })
  return false
}

const hasOnlyPasskeys = ({ passkeys, totp, email, isDamaged }: FactorState): boolean =>
  passkeys === true && totp.length === 0 && email === undefined && !isDamaged

/**
 * Returns how many factors a step of this account needs. Whoever must have two has them as soon as something serves as the second
 * one, for example a passkey that is only a way in. Without any there is nothing to ask for: the next sign-in has it set up.
 */
export async function factorsOfAccount(user: AdapterUser, own: Own): Promise<1 | 2> {
  const { hasFactors: has, until } = await levelOf(user, own)
  if (has) return 2
  const isDue = until !== undefined && until <= own.host.ports.now()
  return isDue && (await methodsOf(user, own)).length > 0 ? 2 : 1
}

/**
 * Returns whether a user must set up a second factor before the session begins: there is none at all. Otherwise whoever
 * knows the password could set up a factor of his own.
 */
export async function mustEnrol(
  user: AdapterUser,
  own: Own,
  request: SiteRequest,
): Promise<boolean> {
  const { hasFactors: has, until } = await levelOf(user, own, request)
  if (has || until === undefined || until > own.host.ports.now()) return false
  return (await methodsOf(user, own)).length === 0
}

/**
 * Returns the ways in which a user can prove a second factor: the usual one first.
 *
 * @param amr what was proved before: a mailbox that was the first factor is not the second one, too.
 */
export async function methodsOf(
  user: AdapterUser,
  own: Own,
  amr: readonly string[] = [],
): Promise<FactorMethod[]> {
  const { totp, email, isDamaged } = (await own.states.get(user.id))?.data ?? NO_FACTORS
  if (isDamaged) return []
  const hasTotp = totp.length > 0
  const hasKeys = (await keysOf(user.id, own)) > 0
  const isMailed = email !== undefined
  const takesMail = isMailed && hasMailbox(user) && !(await isByMailbox(user.id, amr, own))
  const hasCodes = (hasTotp || hasKeys || isMailed) && (await own.recovery.left(user.id)) > 0
  const all = { totp: hasTotp, passkey: hasKeys, email: takesMail, recovery: hasCodes }
  return (['totp', 'passkey', 'email', 'recovery'] as const).filter((method) => all[method])
}

/** Returns how many passkeys and security keys a user has. Any of them serves as a second factor. */
export async function keysOf(userId: string, own: Pick<Own, 'passkeys'>): Promise<number> {
  return (await (await own.passkeys())?.count(userId)) ?? 0
}
