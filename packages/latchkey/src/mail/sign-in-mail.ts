import type { TextKey } from '../base/texts/catalogue.ts'
import { mails } from '../base/texts/en.ts'
import { ENGLISH, type Texts } from '../base/texts/texts.ts'
import { colourOf, textOn } from '../http/css-colour.ts'
import { type Html, html, htmlOf, markup, rawHtml } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'

/** The content of a sign-in mail. */
export interface SignInMail {
  readonly subject: string
  readonly text: string
  readonly html: Html
}

type MailTexts = Texts<TextKey | keyof typeof mails>

/** Seconds in a minute. */
const MINUTE = 60

/**
 * Returns the content of a sign-in mail: the link, its expiry, and a note that the mail can be ignored. It does not
 * contain the email address, and thus no text that somebody else entered.
 *
 * @param maxAge seconds until the link and the code expire.
 * @param code six digits to enter where the sign-in started.
 * @param given the texts; English without a request.
 */
export function signInMail(
  url: string,
  maxAge: number,
  theme: Theme,
  code?: string,
  given: Texts = ENGLISH,
): SignInMail {
  const { host } = new URL(url)
  const texts = given.with({ en: mails })
  const { text } = texts
  const time = inWords(maxAge, texts)
  const subject = text('mail.subject', { host })
  return {
    subject,
    text: `${subject}

${text('mail.open', { time })}

${url}
${code === undefined ? '' : textOfCode(code, texts)}
${text('mail.ignore')}
`,
    html: document({ host, url, time, code }, theme, texts),
  }
}

function textOfCode(code: string, { text }: MailTexts): string {
  return `
${text('mail.type')}

${code}
`
}

function inWords(seconds: number, { text }: MailTexts): string {
  const minutes = Math.max(1, Math.round(seconds / MINUTE))
  return minutes < 120
    ? text('time.minutes', { count: minutes })
    : text('time.hours', { count: Math.round(minutes / 60) })
}

interface Content {
  readonly host: string
  readonly url: string
  readonly time: string
  readonly code: string | undefined
}

function document({ host, url, time, code }: Content, theme: Theme, texts: MailTexts): Html {
  const { text, lang } = texts
  const brand = colourOf(theme.brandColor) ?? '#4f46e5'
  const onBrand = colourOf(theme.buttonText) ?? textOn(brand)
  const name = markup(unlinked(host))
  const button = `display:inline-block;padding:12px 24px;border-radius:10px;background:${brand};color:${onBrand};font-weight:600;text-decoration:none`
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text('mail.title')}</title>
</head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#16181d;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="box-sizing:border-box;max-width:480px;margin:0 auto;background:#ffffff;border:1px solid #d5d9e0;border-radius:16px">
<tr><td style="padding:32px;text-align:center;color:#16181d">
<h1 style="margin:0 0 8px;font-size:22px;line-height:1.25">${htmlOf(text('mail.subject'), { host: name })}</h1>
<p style="margin:0 0 24px;color:#5b6270">${text('mail.once', { time })}</p>
<a href="${url}" style="${button}">${text('mail.submit')}</a>
${code !== undefined && markup(htmlOfCode(code, texts))}<p style="margin:24px 0 0;font-size:14px;color:#5b6270">${text('mail.ignore')}</p>
</td></tr>
</table>
</body>
</html>
`
}

/** The code is one word, so that it can be selected with one tap. */
function htmlOfCode(code: string, { text }: MailTexts): Html {
  const style =
    'margin:0;padding:12px 0;border-radius:10px;background:#f4f5f7;font:600 30px/1.25 ui-monospace,Menlo,Consolas,monospace;letter-spacing:0.2em;text-indent:0.2em;user-select:all;-webkit-user-select:all'
  return html`<p style="margin:24px 0 8px;color:#5b6270">${text('mail.code')}</p>
<p style="${style}">${code}</p>
<p style="margin:8px 0 0;font-size:14px;color:#5b6270">${text('mail.secret')}</p>
`
}

/** Returns a host that mail programs do not turn into a link. */
function unlinked(host: string): Html {
  return rawHtml(html`${host}`.replaceAll('.', '&#8203;.'))
}
