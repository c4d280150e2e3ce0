import type { EmailConfig } from '../options/provider-options.ts'

/** A sign-in mail. */
export interface Mail {
  /** The address that it was sent to. */
  readonly to: string
  /** The link that signs in. */
  readonly url: string
  /** The six digits, where the provider mails them: `{ ...mailbox.provider, code: true }`. */
  readonly code: string | undefined
  readonly expires: Date
}

/** Where the sign-in mails of an application end up. */
export interface Mailbox {
  /** For the configuration, instead of the one that sends mails. Its id is `email`. */
  readonly provider: EmailConfig
  /** In the order in which they came. */
  readonly mails: readonly Mail[]
  /** The newest mail, of this address if there is one. @throws when there is none. */
  last(to?: string): Mail
}

export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  return {
    mails,
    provider: {
      id: 'email',
      name: 'Email',
      type: 'email',
      sendVerificationRequest({ identifier, url, code, expires }) {
        mails.push({ to: identifier, url, code, expires })
      },
    },
    last(to) {
      const mail = mails.findLast((each) => to === undefined || each.to === to)
      if (!mail) throw new Error(`no mail came${to === undefined ? '' : ` for ${to}`}`)
      return mail
    },
  }
}
