import type { MailPart, SiteRequest } from '../../entries/plugin.ts'
import { sendMail } from '../../entries/plugin-accounts.ts'
import { CODE_RULES } from './limits.ts'
import type { Own } from './own.ts'
import type { TwoFactorKey } from './texts.ts'

/** Mails a code that is a second factor. @throws {Problem} `mail_unavailable` */
export function mailCode(to: string, code: string, request: SiteRequest, own: Own): Promise<void> {
  return sendMail<TwoFactorKey>(to, request, own.host, ({ text, name, requested }) => ({
    subject: text('twoFactor:mail.code.subject', { code, name }),
    title: text('twoFactor:mail.code.title'),
    body: [
      text('twoFactor:mail.code.body'),
      { code },
      text('twoFactor:mail.code.once', { count: CODE_RULES.expiresIn / 60 }),
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
  to: string,
  request: SiteRequest,
  own: Own,
  count: number,
): Promise<void> {
  const { site } = own.host
  return sendMail<TwoFactorKey>(to, request, own.host, ({ text, name, requested }) => {
    const few: MailPart[] =
      kind === 'recovery-used' && count <= FEW ? [text('twoFactor:mail.recovery-used.few')] : []
    return {
      subject: text(`twoFactor:mail.${kind}.subject`, { name }),
      title: text(`twoFactor:mail.${kind}.title`),
      body: [
        text(`twoFactor:mail.${kind}.body`, { name, count }),
        ...few,
        text('twoFactor:mail.not-you'),
        {
          button: text('twoFactor:mail.settings'),
          url: `${request.origin}${site.path('account/two-factor')}`,
        },
      ],
      notes: [requested],
    }
  })
}
