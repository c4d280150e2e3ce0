/**
 * Sign in with a link that is mailed over SMTP, with the `nodemailer` package. With `code: true`, the
 * mail also has a code of six digits.
 *
 * Set `server` (a connection URL such as `smtp://user:password@mail.your.site:587`, or nodemailer's
 * transport options) and `from`. It needs an adapter, which stores the hashes of the links.
 *
 * @see https://nodemailer.com/smtp/
 * @module
 */

import { type Requirement, unmet } from '../base/needs.ts'
import { MAX_AGE, signInMail } from '../mail/sign-in-mail.ts'
import type { Mail } from '../options/mail/mail-options.ts'
import type {
  EmailConfig,
  EmailProviderSendVerificationRequestParams,
  EmailUserConfig,
  SendMailParams,
} from '../options/provider-options.ts'
import { email } from './define.ts'

/** What an application may say about mail over SMTP. */
export type NodemailerOptions = Omit<EmailUserConfig, 'server' | 'from'> &
  (
    | {
        /** A connection URL, or options of nodemailer's `createTransport`. */
        server: string | object | undefined
        /** The sender, for example `Your site <no-reply@your.site>`. */
        from: string | undefined
      }
    // An application that sends the mail itself knows the sender and the server.
    | ({ server?: string | object | undefined; from?: string | undefined } & Required<
        Pick<EmailUserConfig, 'sendVerificationRequest'>
      >)
  )

/** As Auth.js calls them. */
export type { EmailConfig as NodemailerConfig, NodemailerOptions as NodemailerUserConfig }

const library: Requirement = { what: 'mail over SMTP', name: 'nodemailer', from: '6' }

export default function Nodemailer(options: NodemailerOptions): EmailConfig {
  const isOwn = options?.sendVerificationRequest !== undefined
  const requires = isOwn ? [] : ['server', 'from']
  const description = { id: 'nodemailer', name: 'Email', maxAge: MAX_AGE, requires }
  const sending = isOwn && options.server === undefined ? {} : { sendMail }
  return { ...email({ ...description, sendVerificationRequest: sendSignIn, ...sending }), options }
}

const sendMail = ({ mail, provider }: SendMailParams): Promise<void> => send(mail, provider)

async function sendSignIn(params: EmailProviderSendVerificationRequestParams): Promise<void> {
  await send({ to: params.identifier, ...signInMail(params) }, params.provider)
}

async function send(
  { to: address, subject, text, html }: Mail,
  { server, from }: EmailConfig,
): Promise<void> {
  const { createTransport } = await import('nodemailer').catch((error: unknown) => {
    throw new Error(unmet(library, 'none'), { cause: error })
  })
  const transport = createTransport(server)
  const to = { name: '', address }
  try {
    const { rejected = [], pending = [] } = (await transport.sendMail({
      to,
      from,
      subject,
      text,
      html,
    })) as { rejected?: unknown[]; pending?: unknown[] }
    if (rejected.length + pending.length > 0)
      throw new Error('the mail server did not accept the mail')
  } finally {
    transport.close()
  }
}
