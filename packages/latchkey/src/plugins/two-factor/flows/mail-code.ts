import type { AdapterUser, Answer } from '../../../entries/plugin.ts'
import {
  type CodePlace,
  inLanguageOf,
  placeOfProver,
  waysIn,
} from '../../../entries/plugin-accounts.ts'
import { mailCode } from '../mails.ts'
import type { Own, Prover } from '../own.ts'

const DAY: number = 24 * 60 * 60 * 1000

/** Returns whether mails reach the user and nobody else. */
export function hasMailbox({ email, emailVerified }: AdapterUser): boolean {
  return Boolean(email) && Boolean(emailVerified)
}

/**
 * Returns whether the mailbox was the first factor, so that a code by mail proves nothing more: it let the user in, confirmed the
 * sign-up, or set the password a short time ago.
 *
 * @param amr what was proved before.
 */
export async function isByMailbox(
  userId: string,
  amr: readonly string[],
  { host }: Pick<Own, 'host'>,
): Promise<boolean> {
  // With `mca`, the mailbox was the second factor.
  if (amr.includes('email') && !amr.includes('mca')) return true
  const resetAt = await host.plugins.passwords()?.resetAt(userId)
  return resetAt !== undefined && host.ports.now() - resetAt < DAY
}

/** Returns whether codes by mail can become a second factor of a user: the mailbox must not be the only way in. */
export async function canUseMail(
  user: AdapterUser,
  { host, settings }: Pick<Own, 'host' | 'settings'>,
): Promise<boolean> {
  if (!settings.methods.includes('email') || !hasMailbox(user)) return false
  return (await waysIn(user.id, host)).some(({ kind }) => kind !== 'address')
}

/** A code is for one waiting sign-in or session, and for the address of this moment. */
const placeOf = (prover: Prover, { host }: Pick<Own, 'host'>): Promise<CodePlace> =>
  placeOfProver('second-factor', prover, host)

export async function isCodeSent(prover: Prover, own: Own): Promise<boolean> {
  return own.mailed.isAsked(await placeOf(prover, own))
}

/** Mails a code. @throws {Problem} `mail_unavailable`, `too_many_attempts` */
export async function sendCode(
  prover: Prover,
  own: Own,
): Promise<Required<Pick<Answer, 'status' | 'json'>>> {
  const { user, request, sid } = prover
  const { host, mailed } = own
  const place = await placeOf(prover, own)
  await host.attempts.count('two-factor.send', { request, userId: user.id, sid })
  return mailed.send(place, {
    about: { userId: user.id },
    mail: async (code) =>
      mailCode(
        { to: place.email, userId: user.id },
        code,
        await inLanguageOf(user.id, request, host),
        own,
      ),
  })
}

/** Compares a code, which works once. @throws {Problem} `too_many_attempts` */
export async function isMailedCode(typed: string, prover: Prover, own: Own): Promise<boolean> {
  return own.mailed.isRight(await placeOf(prover, own), typed, prover.request)
}
