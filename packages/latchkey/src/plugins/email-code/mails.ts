import type { SiteRequest } from '../../entries/plugin.ts'
import { type CodePurpose, sendMail } from '../../entries/plugin-accounts.ts'
import type { Own } from './own.ts'
import type { EmailCodeKey } from './texts.ts'

/** Mails a code. @throws {Problem} `mail_unavailable` */
export function mailCode(
  receiver: { readonly to: string; readonly userId?: string | undefined },
  code: string,
  request: SiteRequest,
  own: Own,
  purpose: CodePurpose = 'sign-in',
): Promise<void> {
  const isProof = purpose === 'reauthenticate'
  const count = Math.ceil(own.settings.expiresIn / 60)
  const values = { code, minutes: count, purpose }
  const about = { ...receiver, kind: 'email-code', values } as const
  return sendMail<EmailCodeKey>(about, request, own.host, ({ text, name, requested }) => ({
    subject: text(isProof ? 'emailCode:prove.mail.subject' : 'emailCode:mail.subject', {
      code,
      name,
    }),
    title: text(isProof ? 'emailCode:prove.mail.title' : 'emailCode:mail.title', { name }),
    body: [
      text('emailCode:mail.body'),
      { code },
      text('emailCode:mail.once', { count }),
      text('emailCode:mail.secret', { name }),
    ],
    notes: [
      `${requested} ${text(isProof ? 'emailCode:prove.mail.ignore' : 'emailCode:mail.ignore')}`,
    ],
  }))
}
