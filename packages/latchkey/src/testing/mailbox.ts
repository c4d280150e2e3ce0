import type { EmailConfig, SendMailParams } from '../options/provider-options.ts'

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
  /** The mails with a link to sign in, oldest first. */
  readonly mails: readonly Mail[]
  /** The mails of plugins, oldest first. */
  readonly sent: readonly SendMailParams['mail'][]
  /** Returns the newest mail with a link to sign in, or the newest one to this address. @throws if there is none. */
  last(to?: string): Mail
}

export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  const sent: SendMailParams['mail'][] = []
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
    last(to) {
      const mail = mails.findLast((each) => to === undefined || each.to === to)
      if (!mail) throw new Error(`no mail was sent${to === undefined ? '' : ` to ${to}`}`)
      return mail
    },
  }
}
