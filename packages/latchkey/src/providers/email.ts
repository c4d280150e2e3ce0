/**
 * The former name of the provider for mail over SMTP, with the id `email`.
 *
 * Its options are those of `latchkey/providers/nodemailer`. Links in sent mails contain the id, so an
 * application that moves must keep it until these links have expired.
 *
 * @module
 */

import type { EmailConfig } from '../options/provider-options.ts'
import nodemailer, { type NodemailerOptions } from './nodemailer.ts'

export type { EmailProviderId, EmailProviderType } from '../option-checks/provider-ids.ts'
export type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from '../options/provider-options.ts'

/** @deprecated Use `latchkey/providers/nodemailer`. */
export default function Email(options: NodemailerOptions): EmailConfig {
  return { ...nodemailer(options), id: 'email', name: 'Email' }
}
