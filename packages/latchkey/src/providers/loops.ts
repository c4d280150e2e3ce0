/**
 * Sign in with a link that Loops mails.
 *
 * The mail is a template of yours there: it gets the variable `url`, and `code` where codes are mailed.
 * Set `AUTH_LOOPS_KEY` and give `transactionalId`, the template's id. Sender and texts are those of the
 * template.
 *
 * @see https://loops.so/docs/api-reference/send-transactional-email
 * @module
 */

import { mailService } from '../mail/mail-service.ts'
import type { EmailConfig, EmailUserConfig } from '../options/provider-options.ts'

/** What an application may say about Loops. */
export type LoopsOptions = EmailUserConfig & {
  /** The template. */
  transactionalId: string
}

/** As Auth.js calls them. */
export type { EmailConfig as LoopsConfig, LoopsOptions as LoopsUserConfig }

const loops: (options: LoopsOptions) => EmailConfig = mailService<LoopsOptions>({
  id: 'loops',
  name: 'Loops',
  requires: ['transactionalId'],
  isTemplate: true,
  request: ({ to, url, code }, { apiKey, transactionalId }) => ({
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { transactionalId, email: to, dataVariables: { url, ...(code ? { code } : {}) } },
  }),
})

export default loops
