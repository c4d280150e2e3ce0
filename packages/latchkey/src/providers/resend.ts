/**
 * Sign in with a link that Resend mails.
 *
 * Verify your domain there, set `AUTH_RESEND_KEY`, and set `from` to an address of that domain.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 * @module
 */

import { mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

const resend: (options?: EmailUserConfig) => EmailConfig = mailService({
  id: 'resend',
  name: 'Resend',
  request: ({ to, from, subject, html, text }, { apiKey }) => ({
    url: 'https://api.resend.com/emails',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { from: from.full, to, subject, html, text },
  }),
})

export default resend
