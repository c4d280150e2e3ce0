import type { MailPart, SiteRequest } from '../../entries/plugin.ts'
import { type MailAbout, sendMail } from '../../entries/plugin-accounts.ts'
import { CODE_RULES } from './limits.ts'
import type { Own } from './own.ts'
import type { TwoFactorKey } from './texts.ts'

/** The owner of an account, at their address. */
interface Receiver {
  readonly to: string
  readonly userId: string
}

/** Mails a code that is a second factor. @throws {Problem} `mail_unavailable` */
export function mailCode(
  receiver: Receiver,
  code: string,
  request: SiteRequest,
  own: Own,
): Promise<void> {
  const minutes = CODE_RULES.expiresIn / 60
  const values = { code, minutes, purpose: 'second-factor' } as const
  const about = { ...receiver, kind: 'email-code', values } as const
  return sendMail<TwoFactorKey>(about, request, own.host, ({ text, name, requested }) => ({
    subject: text('twoFactor:mail.code.subject', { code, name }),
    title: text('twoFactor:mail.code.title'),
    body: [
      text('twoFactor:mail.code.body'),
      { code },
      text('twoFactor:mail.code.once', { count: minutes }),
      text('twoFactor:mail.code.secret', { name }),
    ],
    notes: [`${requested} ${text('twoFactor:mail.code.ignore')}`],
  }))
}

/** What a notice is about. */
export type NoticeKind =
  | 'factor-added'
  | 'factor-removed'
  | 'factor-disabled'
  | 'recovery-used'
  | 'recovery-made'
  | 'wrong-codes'

/** Codes from which on a mail says that there are few. */
export const FEW = 3

/** Tells the owner of an account what happened. @param count recovery codes that are left */
export function mailAbout(
  kind: NoticeKind,
  receiver: Receiver,
  request: SiteRequest,
  own: Own,
  count: number,
): Promise<void> {
  const url = `${request.origin}${own.host.site.path('account/two-factor')}`
  const about: MailAbout =
    kind === 'recovery-used'
      ? { ...receiver, kind, values: { url, left: count } }
      : { ...receiver, kind, values: { url } }
  return sendMail<TwoFactorKey>(about, request, own.host, ({ text, name, requested }) => {
    const few: MailPart[] =
      kind === 'recovery-used' && count <= FEW ? [text('twoFactor:mail.recovery-used.few')] : []
    return {
      subject: text(`twoFactor:mail.${kind}.subject`, { name }),
      title: text(`twoFactor:mail.${kind}.title`),
      body: [
        text(`twoFactor:mail.${kind}.body`, { name, count }),
        ...few,
        text('twoFactor:mail.not-you'),
        { button: text('twoFactor:mail.settings'), url },
      ],
      notes: [requested],
    }
  })
}
