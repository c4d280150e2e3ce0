/**
 * Sign in with a link that Postmark mails.
 *
 * Set `AUTH_POSTMARK_KEY` to the token of your Postmark server, and set `from` to a confirmed sender.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 * @module
 */

import { mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

const postmark: (options?: EmailUserConfig) => EmailConfig = mailService({
  id: 'postmark',
  name: 'Postmark',
  request: ({ to, from, subject, html, text }, { apiKey }) => ({
    url: 'https://api.postmarkapp.com/email',
    headers: { accept: 'application/json', 'x-postmark-server-token': apiKey },
    body: {
      From: from.full,
      To: to,
      Subject: subject,
      TextBody: text,
      HtmlBody: html,
      MessageStream: 'outbound',
    },
  }),
})

export default postmark
