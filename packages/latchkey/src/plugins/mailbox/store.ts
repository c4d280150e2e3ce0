/** A mail that was not sent. */
export interface KeptMail {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Markup of the author of the mail: never part of a page. */
  readonly html: string
}

/** Mails of this process. */
export interface MailStore<Mail = KeptMail> {
  keep(mail: Mail): void
  /** Returns the mails, the newest first. */
  list(): readonly Mail[]
}

const MOST_MAILS = 100

/** Creates a store for the newest 100 mails. */
export function createMailStore<Mail = KeptMail>(): MailStore<Mail> {
  let mails: readonly Mail[] = []
  return {
    keep(mail) {
      mails = [mail, ...mails].slice(0, MOST_MAILS)
    },
    list: () => mails,
  }
}

/** Returns the first link in a mail that leads to the site itself. */
export function linkIn({ text }: Pick<KeptMail, 'text'>, origin: string): string | undefined {
  const links = text.match(/https?:\/\/[^\s<>"']+/g) ?? []
  return links.find((link) => URL.canParse(link) && new URL(link).origin === origin)
}

/** Returns the code in a mail: digits on a line of their own. */
export function codeIn({ text }: Pick<KeptMail, 'text'>): string | undefined {
  return /^\d{6,8}$/m.exec(text)?.[0]
}
