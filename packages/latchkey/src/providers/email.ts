/**
 * The old name of the provider for mail over SMTP, with the id `email`.
 *
 * Set up as `latchkey/providers/nodemailer`. Links in mails that are on their way name the id, so an
 * application that moves keeps it for as long as its links live.
 * @module
 */

import type { EmailConfig } from '../options/provider-options.ts'
import nodemailer, { type NodemailerOptions } from './nodemailer.ts'

export type { EmailProviderId, EmailProviderType } from '../options/provider-ids.ts'
export type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
} from '../options/provider-options.ts'

/** @deprecated Use `latchkey/providers/nodemailer`. */
export default function Email(options: NodemailerOptions): EmailConfig {
  return { ...nodemailer(options), id: 'email', name: 'Email' }
}
