/** A mail that was not sent. */
export interface KeptMail {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Markup of the author of the mail: never part of a page. */
  readonly html: string
  /** What it is about, for example `verify-address`. */
  readonly kind?: string
  /** Its links. @default those of the text */
  readonly urls?: readonly string[]
  /** @default the one in the text */
  readonly code?: string | undefined
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
export function linkIn(
  { text, urls = [] }: Pick<KeptMail, 'text' | 'urls'>,
  origin: string,
): string | undefined {
  const links = urls.length > 0 ? urls : (text.match(/https?:\/\/[^\s<>"']+/g) ?? [])
  return links.find((link) => URL.canParse(link) && new URL(link).origin === origin)
}

/** Returns the code of a mail, or else digits on a line of their own. */
export function codeIn({ text, code }: Pick<KeptMail, 'text' | 'code'>): string | undefined {
  return code ?? /^\d{6,8}$/m.exec(text)?.[0]
}
