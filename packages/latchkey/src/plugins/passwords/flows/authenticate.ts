import {
  type AdapterUser,
  Problem,
  type ProvenUser,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { inLanguageOf, tellSecurity } from '../../../entries/plugin-accounts.ts'
import { mailBreached, mailDisabled } from '../mails.ts'
import type { Own } from '../own.ts'
import { PROVIDER } from '../provider.ts'
import type { ReadPassword } from '../records/passwords.ts'
import { isBreached } from '../rules/check-password.ts'
import { normalizePassword } from '../rules/normal-form.ts'
import { identifierOf, userOf } from './find-user.ts'

/** What somebody typed to sign in. */
export interface Typed {
  readonly identifier: string
  readonly password: string
}

/**
 * Checks an identifier and a password. The work is the same whether there is such a user, with a password or without one.
 *
 * @throws {Problem} `invalid_credentials` for every reason that concerns the account; `too_many_attempts`,
 *   `challenge_required` or `busy` for everybody alike.
 */
export async function authenticate(
  { identifier, password }: Typed,
  request: SiteRequest,
  own: Own,
): Promise<ProvenUser & { readonly user: AdapterUser }> {
  const { host } = own
  const typed = identifierOf(identifier)
  // Once, whether there is such a user or not; without limits, nothing else looks.
  let looked: ReturnType<typeof userOf> | undefined
  const found = (): ReturnType<typeof userOf> => (looked ??= userOf(typed, own))
  await host.attempts.count('password.sign-in', {
    request,
    identifier: typed,
    challenge: true,
    userId: async () => (await found())?.id,
  })
  // For everybody, so that it takes as long for a known name.
  const nobody = `nobody:${(await host.keys.hash('nobody', typed)).slice(0, 22)}`
  const user = await found()
  // An unknown name has a counter of its own.
  const subject = user?.id ?? nobody
  const before = await host.sessions.beforeProof(subject)
  const strikes = host.attempts.strikes('password')
  const [read, isDisabled, isKnownBrowser] = await Promise.all([
    own.passwords.read(subject),
    strikes.isDisabled(subject, request),
    host.attempts.isKnownBrowser(subject, request),
  ])
  const phc = isDisabled ? undefined : read?.phc
  const hasher = await own.hasher()
  const place = { isKnownBrowser, signal: request.original.signal }
  const isRight = await hasher.verify(password, phc, place)
  if (!isRight || !user || !read) {
    await refuse({ user, subject, typed, read, isDisabled }, request, own)
    throw new Problem('invalid_credentials', 'the name or the password is wrong')
  }
  await strikes.right(user.id, request)
  await rehash(password, read, own)
  if (own.settings.breachedAtSignIn)
    await host.work.afterResponse('breached-password', () =>
      demandChange(password, { user, read }, request, own),
    )
  return { user, amr: ['pwd'], before, provider: PROVIDER }
}

interface Refused {
  readonly user: AdapterUser | undefined
  readonly subject: string
  readonly typed: string
  readonly read: ReadPassword | undefined
  readonly isDisabled: boolean
}

/** Counts a wrong password, and tells the owner once if it is disabled now. */
async function refuse(
  { user, subject, typed, read, isDisabled }: Refused,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host } = own
  const { mustTell } = await host.attempts.strikes('password').wrong(subject, request)
  const isUnreadable = read !== undefined && read.phc === undefined
  if (isUnreadable)
    host.logger.error(
      new Error(
        `the password of the user ${subject} was sealed with a secret that is no longer configured, so nobody can sign in with it; add the secret again, or let the user reset the password (password_unreadable)`,
      ),
    )
  await tellSecurity(host, {
    type: isUnreadable
      ? 'password.unreadable'
      : isDisabled
        ? 'password.disabled'
        : 'password.refused',
    outcome: 'refused',
    reason: 'invalid_credentials',
    ...(user ? { userId: user.id } : { typed }),
  })
  const { id, email } = user ?? {}
  if (!mustTell || id === undefined || !email) return
  await host.work.background('password-disabled', async () =>
    mailDisabled({ to: email, userId: id }, await inLanguageOf(id, request, host), own),
  )
}

/** Looks a right password up among those of breaches. If it is there, another one must be chosen at the next sign-in. */
async function demandChange(
  password: string,
  { user, read }: { readonly user: AdapterUser; readonly read: ReadPassword },
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host, passwords, settings } = own
  const { breached } = settings.rules
  const text = normalizePassword(password)
  if (!breached || text === undefined || !(await isBreached(text, breached, host))) return
  const { rev } = read.record.data
  const noted = await passwords.kind.update(user.id, (data) =>
    data.rev === rev && !data.mustChange ? { data: { ...data, mustChange: true } } : undefined,
  )
  if (noted?.isChanged && user.email)
    await mailBreached({ to: user.email, userId: user.id }, request, own)
}

/**
 * Stores a better hash of a password that was right: one that is stronger, or sealed with the present key. A
 * change of the password meanwhile wins, and a busy process does it at another sign-in.
 */
async function rehash(password: string, read: ReadPassword, own: Own): Promise<void> {
  const { host } = own
  const { phc, record, isSealedNow } = read
  if (phc === undefined) return
  const hasher = await own.hasher()
  const isWeaker = await hasher.isWeaker(phc)
  if (!isWeaker && isSealedNow) return
  try {
    const next = isWeaker ? await hasher.hash(password) : phc
    if (await own.passwords.rehash(read, next))
      await tellSecurity(host, {
        type: 'password.rehashed',
        outcome: 'success',
        userId: record.key,
      })
  } catch (error) {
    // The password was right: nothing about its hash may refuse the sign-in.
    if (!(error instanceof Problem))
      host.logger.error(error instanceof Error ? error : new Error(String(error)))
  }
}
