import type { AdapterUser, SiteRequest } from '../../../entries/plugin.ts'
import { inLanguageOf } from '../../../entries/plugin-accounts.ts'
import { mailDisabled } from '../mails.ts'
import type { Own } from '../own.ts'
import type { ReadPassword } from '../records/passwords.ts'

/** Returns whether a signed-in user typed the own password. Wrong ones count like those of sign-ins. */
export async function isPasswordOf(
  user: AdapterUser,
  typed: string,
  read: ReadPassword | undefined,
  request: SiteRequest,
  own: Own,
): Promise<boolean> {
  const { host } = own
  const strikes = host.attempts.strikes('password')
  const phc = (await strikes.isDisabled(user.id, request)) ? undefined : read?.phc
  const hasher = await own.hasher()
  const place = { isKnownBrowser: true, signal: request.original.signal }
  if (await hasher.verify(typed, phc, place)) {
    await strikes.right(user.id, request)
    return true
  }
  const { mustTell } = await strikes.wrong(user.id, request)
  const { email } = user
  if (mustTell && email)
    await host.work.background('password-disabled', async () =>
      mailDisabled({ to: email, userId: user.id }, await inLanguageOf(user.id, request, host), own),
    )
  return false
}
