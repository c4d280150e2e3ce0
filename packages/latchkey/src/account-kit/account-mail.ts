import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { SiteRequest } from '../http/request.ts'
import { type MailContent, requestedText, siteNameOf, writeMail } from '../mail/mail-frame.ts'
import { fromTemplate } from '../mail/mail-template.ts'
import type { MailValues, SiteMailValues } from '../options/mail/mail-values.ts'
import type { Host } from '../plugin/host.ts'

/** What a mail is made of. */
export interface MailParts<Key extends string> {
  readonly text: Texts<Key | TextKey>['text']
  /** The language of the mail. */
  readonly lang: string
  /** The name of the site. */
  readonly name: string
  /** A sentence that says when and with which browser the mail was asked for. */
  readonly requested: string
}

/** To whom a mail is, and what it is about. */
export type MailAbout = {
  readonly [Kind in keyof MailValues]: {
    readonly to: string
    /** The user who has the address. */
    readonly userId?: string | undefined
    readonly kind: Kind
    /** Its values for a template of the application, without those that every mail has. */
    readonly values: Omit<MailValues[Kind], keyof SiteMailValues>
  }
}[keyof MailValues]

/**
 * Writes a mail in the language of a request, and sends it. A template of the application may write it instead.
 *
 * @param about an address alone is for mails that have no template.
 * @throws {Problem} `mail_unavailable`
 */
export async function sendMail<Key extends string>(
  about: string | MailAbout,
  request: SiteRequest,
  host: Pick<Host, 'site' | 'mail' | 'ports' | 'logger'>,
  content: (parts: MailParts<Key>) => MailContent,
): Promise<void> {
  const texts = await host.site.text<Key>(request)
  const { origin } = request
  const site = { theme: host.site.theme, origin, texts }
  const name = siteNameOf(site)
  const requested = requestedText(request.original, new Date(host.ports.now()), texts)
  const mail = writeMail(content({ text: texts.text, lang: texts.lang, name, requested }), site)
  if (typeof about === 'string') return host.mail({ to: about, ...mail }, request)
  const { to, kind, userId, values } = about
  const whole = { ...mail, to, kind, ...(userId !== undefined && { userId }) }
  const written = await fromTemplate(
    whole,
    { ...values, site: name, origin, requested },
    { templates: host.site.mailTemplates ?? {}, logger: host.logger },
  )
  await host.mail({ ...whole, ...written }, request)
}
