/**
 * Sign in with a link that Mailgun mails.
 *
 * Verify your domain there, set `AUTH_MAILGUN_KEY`, and set `from` to an address of that domain, which
 * also selects the sending domain. Set `region: 'EU'` if the domain is in that region.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 * @module
 */

import { basic, mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

/** What an application may say about Mailgun. */
export type MailgunOptions = EmailUserConfig & {
  /** Where the domain is kept. @default 'US' */
  region?: 'US' | 'EU' | undefined
}

const mailgun: (options?: MailgunOptions) => EmailConfig = mailService<MailgunOptions>({
  id: 'mailgun',
  name: 'Mailgun',
  requires: ['from'],
  request: ({ to, from, subject, html, text }, { apiKey, region, name }) => {
    const host = region === 'EU' ? 'api.eu.mailgun.net' : 'api.mailgun.net'
    const domain = from.address.slice(from.address.indexOf('@') + 1)
    const body = new FormData()
    body.set('from', from.name ? from.full : `${name} <${from.address}>`)
    for (const [field, value] of Object.entries({ to, subject, html, text })) body.set(field, value)
    return {
      url: `https://${host}/v3/${encodeURIComponent(domain)}/messages`,
      headers: { authorization: basic('api', apiKey) },
      body,
    }
  },
})

export default mailgun
