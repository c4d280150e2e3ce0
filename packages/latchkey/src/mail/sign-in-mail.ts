import { mails } from '../base/texts/en.ts'
import { ENGLISH, type Texts } from '../base/texts/texts.ts'
import type { EmailProviderSendVerificationRequestParams } from '../options/provider-options.ts'
import { requestedText, siteNameOf, type WrittenMail, writeMail } from './mail-frame.ts'

/** Seconds until a link expires, by default. */
export const MAX_AGE = 600

/** Seconds in a minute. */
const MINUTE = 60

/** The request for a sign-in mail. */
export type SignInMailParams = Pick<
  EmailProviderSendVerificationRequestParams,
  'url' | 'code' | 'theme' | 'texts'
> & {
  readonly expires?: Date | undefined
  readonly request?: Request | undefined
  readonly provider: { readonly maxAge?: number | undefined }
}

/**
 * Returns a sign-in mail: the link, the code if there is one, how long they work, and when and where the mail was requested. It does
 * not contain the email address, and thus no text that somebody else entered.
 */
export function signInMail(params: SignInMailParams): WrittenMail {
  const { url, code, theme, expires, request, provider, texts: given = ENGLISH } = params
  const { maxAge = MAX_AGE } = provider
  const { host, origin } = new URL(url)
  const site = { theme, origin, texts: given }
  const name = siteNameOf(site)
  const texts = given.with({ en: mails })
  const { text } = texts
  const values = { name, host, code: code ?? '', time: inWords(maxAge, texts) }
  const requested = expires && new Date(expires.getTime() - maxAge * 1000)
  return writeMail(
    {
      subject: text(code === undefined ? 'mail.subject' : 'mail.subject.code', values),
      title: text('mail.title', values),
      body: [
        text('mail.open', values),
        { button: text('mail.submit', values), url },
        ...(code === undefined
          ? [text('mail.once', values)]
          : [
              text('mail.code', values),
              { code },
              `${text('mail.once.code', values)} ${text('mail.secret', values)}`,
            ]),
      ],
      notes: [
        `${requested ? `${requestedText(request, requested, given)} ` : ''}${text('mail.ignore', values)}`,
      ],
    },
    site,
  )
}

function inWords(seconds: number, { text }: Texts): string {
  const minutes = Math.max(1, Math.round(seconds / MINUTE))
  return minutes < 120
    ? text('time.minutes', { count: minutes })
    : text('time.hours', { count: Math.round(minutes / 60) })
}
