import type { Awaitable } from '../../base/awaitable.ts'
import type { Html } from '../../http/html.ts'
import type { MailValues } from './mail-values.ts'

/** What a mail is about. Kinds do not change. Plugins of others have more. */
export type MailKind = keyof MailValues | (string & {})

/** A mail of a plugin, as the plugin writes it. */
export interface Mail {
  /** One email address. */
  to: string
  subject: string
  text: string
  html: Html
  /** @default the name of the plugin */
  kind?: MailKind | undefined
  /** The language of the texts, for example `pt-BR`. @default that of the request */
  locale?: string | undefined
  /** The links, in their order in the mail. @default [] */
  urls?: readonly string[] | undefined
  /** The code to type. */
  code?: string | undefined
  /** The id of the user who receives the mail, if the address has one. */
  userId?: string | undefined
}

/** A mail of a plugin, as `sendMail` of a mail provider receives it. */
export interface SentMail extends Mail {
  kind: MailKind
  locale: string
  urls: readonly string[]
}

/** What a template returns. `html` is sent as it is: escape the values in it, for example with `html` of `latchkey/plugin`. */
export interface TemplateMail {
  readonly subject: string
  readonly text: string
  readonly html: string | Html
}

/**
 * Writes a mail in place of the built-in one.
 *
 * If it throws, returns something else, or takes longer than 10 seconds, the error is logged, and the built-in mail is sent.
 *
 * @param locale the language of the receiver, for example `pt-BR`.
 */
export type MailTemplate<Values> = (values: Values, locale: string) => Awaitable<TemplateMail>

/** The templates of the application, by kind. */
export type MailTemplates = {
  readonly [Kind in keyof MailValues]?: MailTemplate<MailValues[Kind]> | undefined
}

/** Options of the mails of plugins. */
export interface MailOptions {
  /**
   * Functions that write mails in place of the built-in ones, by kind: `(values, locale) => ({ subject, text, html })`.
   *
   * A kind that no plugin of the configuration sends stops the start. Sign-in mails have `sendVerificationRequest` of their
   * provider instead.
   *
   * @default none
   * @see docs/how-to/change-the-texts.md#your-own-mails
   */
  templates?: MailTemplates | undefined
}
