/**
 * Sign in with a link that Forward Email mails.
 *
 * Verify your domain there, set `AUTH_FORWARDEMAIL_KEY`, and set `from` to an address of that domain.
 *
 * @see https://forwardemail.net/en/email-api
 * @module
 */

import { basic, mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

const forwardEmail: (options?: EmailUserConfig) => EmailConfig = mailService({
  id: 'forwardemail',
  name: 'Forward Email',
  request: ({ to, from, subject, html, text }, { apiKey }) => ({
    url: 'https://api.forwardemail.net/v1/emails',
    // The key is the user, and the password is empty.
    headers: { authorization: basic(apiKey, '') },
    body: { from: from.full, to, subject, html, text },
  }),
})

export default forwardEmail
