import type { MailKind, SentMail } from '../options/mail/mail-options.ts'
import type { EmailConfig } from '../options/provider-options.ts'

/** A sign-in mail. */
export interface Mail {
  /** The address of the recipient. */
  readonly to: string
  /** The link that signs in. */
  readonly url: string
  /** The six digits, if the provider sends them: `{ ...mailbox.provider, code: true }`. */
  readonly code: string | undefined
  readonly expires: Date
}

/** Receives the mails of an application. */
export interface Mailbox {
  /** The provider for the configuration, instead of the one that sends mails. Its id is `email`. */
  readonly provider: EmailConfig
  /** The sign-in mails, oldest first. */
  readonly mails: readonly Mail[]
  /** The mails of plugins, oldest first. */
  readonly sent: readonly SentMail[]
  /** Returns the newest sign-in mail, or the newest one to this address. @throws if there is none. */
  last(to?: string): Mail
  /** Returns the newest mail of a plugin of this kind, or the newest one to this address. @throws if there is none. */
  lastOf(kind: MailKind, to?: string): SentMail
}

export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  const sent: SentMail[] = []
  const newest = <Each extends { readonly to: string }>(
    all: readonly Each[],
    to: string | undefined,
    what = '',
  ): Each => {
    const mail = all.findLast((each) => to === undefined || each.to === to)
    if (!mail) throw new Error(`no mail${what} was sent${to === undefined ? '' : ` to ${to}`}`)
    return mail
  }
  return {
    mails,
    sent,
    provider: {
      id: 'email',
      name: 'Email',
      type: 'email',
      sendVerificationRequest({ identifier, url, code, expires }) {
        mails.push({ to: identifier, url, code, expires })
      },
      sendMail({ mail }) {
        sent.push(mail)
      },
    },
    last: (to) => newest(mails, to),
    lastOf: (kind, to) =>
      newest(
        sent.filter((mail) => mail.kind === kind),
        to,
        ` ${kind}`,
      ),
  }
}
