/**
 * Sign in with a link that SendGrid mails.
 *
 * Authenticate your domain there, set `AUTH_SENDGRID_KEY`, and set `from` to an address of that domain.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 * @module
 */

import { mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

const sendGrid: (options?: EmailUserConfig) => EmailConfig = mailService({
  id: 'sendgrid',
  name: 'SendGrid',
  request: ({ to, from, subject, html, text }, { apiKey }) => ({
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      personalizations: [{ to: [{ email: to }] }],
      from: { email: from.address, ...(from.name ? { name: from.name } : {}) },
      subject,
      // In this order, or the mail is refused.
      content: [
        { type: 'text/plain', value: text },
        { type: 'text/html', value: html },
      ],
    },
  }),
})

export default sendGrid
