/**
 * Sign in with a link that Loops mails.
 *
 * The mail is a template in Loops. It receives the variable `url` and, if codes are sent, `code`. Set
 * `AUTH_LOOPS_KEY` and `transactionalId`, the id of the template. The template has the sender and the
 * texts.
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
