import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import type { SiteRequest } from '../http/request.ts'
import { type MailContent, requestedText, siteNameOf, writeMail } from '../mail/mail-frame.ts'
import type { Host } from '../plugin/host.ts'

/** What a mail is made of. */
export interface MailParts<Key extends string> {
  readonly text: Texts<Key | TextKey>['text']
  /** The name of the site. */
  readonly name: string
  /** A sentence that says when and with which browser the mail was asked for. */
  readonly requested: string
}

/**
 * Writes a mail in the language of a request, and sends it.
 *
 * @throws {Problem} `mail_unavailable`
 */
export async function sendMail<Key extends string>(
  to: string,
  request: SiteRequest,
  host: Pick<Host, 'site' | 'mail' | 'ports'>,
  content: (parts: MailParts<Key>) => MailContent,
): Promise<void> {
  const texts = await host.site.text<Key>(request)
  const site = { theme: host.site.theme, origin: request.origin, texts }
  const requested = requestedText(request.original, new Date(host.ports.now()), texts)
  const parts = { text: texts.text, name: siteNameOf(site), requested }
  await host.mail({ to, ...writeMail(content(parts), site) }, request)
}
