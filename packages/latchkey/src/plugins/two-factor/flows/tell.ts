import { type AdapterUser, type SiteRequest } from '../../../entries/plugin.ts'
import { inLanguageOf, tellSecurity } from '../../../entries/plugin-accounts.ts'
import type { NoticeKind } from '../mails.ts'
import type { Own } from '../own.ts'

/** Wrong codes from which on the owner is told: whoever types them has proved the first factor. */
const TOLD_FROM = 3
const DAY: number = 24 * 60 * 60 * 1000

/** Mails a notice to the owner of an account, after what it is about is done. */
export async function mailNotice(
  kind: NoticeKind,
  { id: userId, email: to }: AdapterUser,
  request: SiteRequest,
  own: Own,
  count = 0,
): Promise<void> {
  const { host } = own
  const canMail = host.hasMail || host.site.mailbox(request) !== undefined
  if (!to || !canMail) return
  await host.work.background(kind, async () => {
    const { mailAbout } = await import('../mails.ts')
    const theirs = await inLanguageOf(userId, request, host)
    await mailAbout(kind, { to, userId }, theirs, own, count)
  })
}

/** Tells the owner of an account about wrong codes, once a day, and about an authenticator that is disabled by them. */
export async function tellOfWrong(
  { count, mustTell }: { readonly count: number; readonly mustTell: boolean },
  user: AdapterUser,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const { host } = own
  const userId = user.id
  if (mustTell) {
    await tellSecurity(host, { type: 'factor.disabled', outcome: 'success', userId })
    await mailNotice('factor-disabled', user, request, own)
  }
  if (count < TOLD_FROM) return
  const expires = new Date(host.ports.now() + DAY)
  const isFirst = await host.records.create({
    kind: 'wrong-codes',
    key: userId,
    userId,
    data: {},
    expires,
  })
  if (isFirst) await mailNotice('wrong-codes', user, request, own)
}
