import { directionOf } from '../base/texts/direction.ts'
import { mails } from '../base/texts/en.ts'
import { ENGLISH, type Texts } from '../base/texts/texts.ts'
import { agentNameOf } from '../http/agent-name.ts'
import { contrastOf } from '../http/css-colour.ts'
import { dateText } from '../http/dates.ts'
import { escapeHtml, type Html, html, markup, rawHtml } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import { accentOf, nameOf, onAccentOf } from '../options/theme/theme-values.ts'

/** The site in whose name a mail is sent. */
export interface MailSite {
  readonly theme: Theme
  /** The origin of the site, for example `https://app.example`. */
  readonly origin: string
  /** English without it. */
  readonly texts?: Texts | undefined
}

/** A part of a mail: a paragraph, a button that leads to a URL, a code to enter, or a list of facts. */
export type MailPart =
  | string
  | { readonly button: string; readonly url: string }
  | { readonly code: string }
  | { readonly facts: readonly string[] }

/** The content of a mail. All texts are plain text. */
export interface MailContent {
  readonly subject: string
  /** The heading. */
  readonly title: string
  readonly body: readonly MailPart[]
  /** Small print below a line: who asked for the mail, and what to do if it was somebody else. */
  readonly notes?: readonly string[]
}

/** A written mail. Both parts have the same words. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: Html
  /** The language of the texts. */
  readonly locale: string
  /** The links of the buttons. */
  readonly urls: readonly string[]
  readonly code?: string | undefined
}

/** Returns the name of the site in mails: the configured one, or the host. */
export function siteNameOf({ theme, origin }: MailSite): string {
  return nameOf(theme) ?? new URL(origin).host
}

/** Writes a mail. It loads nothing, and can be read without its styles. */
export function writeMail(content: MailContent, site: MailSite): WrittenMail {
  const { subject, body } = content
  const code = codeOf(content)
  return {
    subject,
    text: textOf(content, site),
    html: htmlOf(content, site),
    locale: (site.texts ?? ENGLISH).lang,
    urls: body.flatMap((part) => (typeof part === 'object' && 'url' in part ? part.url : [])),
    ...(code !== undefined && { code }),
  }
}

/**
 * Returns the sentence that says when and where a mail was requested: the time, and the browser and its system where they are
 * known.
 */
export function requestedText(
  request: Pick<Request, 'headers'> | undefined,
  at: Date,
  texts: Texts = ENGLISH,
): string {
  const { lang, text } = texts.with({ en: mails })
  const time = dateText(at.toISOString(), lang)
  const { browser, system } = request ? agentNameOf(request.headers) : {}
  const device = browser && system ? text('mail.device', { browser, system }) : browser || system
  return device ? text('mail.requested.in', { time, device }) : text('mail.requested', { time })
}

/** The address, with the name if there is one. */
function siteLine(site: MailSite, address: string): string {
  const name = nameOf(site.theme)
  if (name === undefined) return address
  return (site.texts ?? ENGLISH).with({ en: mails }).text('mail.site', { name, address })
}

function codeOf({ body }: MailContent): string | undefined {
  return body.flatMap((part) => (typeof part === 'object' && 'code' in part ? part.code : []))[0]
}

/** The line by which mail programs offer a code only on its site. */
function codeLine(content: MailContent, { origin }: MailSite): string | undefined {
  const code = codeOf(content)
  return code === undefined ? undefined : `@${new URL(origin).hostname} #${code}`
}

function textOf(content: MailContent, site: MailSite): string {
  const { title, body, notes = [] } = content
  const paragraphs = [title, ...body].map((part) => {
    if (typeof part === 'string') return `\n${part}`
    if ('button' in part) return part.url
    return 'code' in part ? part.code : part.facts.map((fact) => `  ${fact}`).join('\n')
  })
  const line = codeLine(content, site)
  const end = ['', ...notes, siteLine(site, site.origin), ...(line ? ['', line] : [])]
  return `${[...paragraphs, ...end].join('\n').trimStart()}\n`
}

const SMALL = 'margin:0 0 12px;font-size:13px;line-height:1.5;opacity:.8'

function htmlOf(content: MailContent, site: MailSite): Html {
  const { subject, title, body, notes = [] } = content
  const { lang } = site.texts ?? ENGLISH
  const { origin } = site
  const { host } = new URL(origin)
  const line = codeLine(content, site)
  const name = siteNameOf(site)
  // A plain text cannot contain the place, since `fillIn` is done with it.
  const [before = '', after = ''] = siteLine(site, '\0').split('\0')
  const address = html`${before}<a href="${origin}" style="color:inherit;padding:5px 0">${host}</a>${after}`
  const small = [
    ...notes.map((note) => shown(note, host)),
    address,
    ...(line ? [html`${line}`] : []),
  ]
  return html`<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:0">
<main style="max-width:480px;margin:0 auto;padding:32px 20px;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<p style="margin:0 0 24px;font-weight:600">${markup(shown(name, host))}</p>
<h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:600">${markup(shown(title, host))}</h1>
${body.map((part) => markup(partOf(part, site)))}<div style="margin-top:28px;padding-top:16px;border-top:1px solid #8b8c95">
${small.map((each) => markup(html`<p style="${SMALL}">${markup(each)}</p>\n`))}</div>
</main>
</body>
</html>
`
}

function partOf(part: MailPart, site: MailSite): Html {
  const { host } = new URL(site.origin)
  if (typeof part === 'string')
    return html`<p style="margin:0 0 16px">${markup(shown(part, host))}</p>\n`
  if ('button' in part)
    return html`<p style="margin:0 0 16px"><a href="${part.url}" style="${buttonStyle(site.theme)}">${markup(shown(part.button, host))}</a></p>\n`
  if ('code' in part) return html`<p dir="ltr" style="${CODE}">${part.code}</p>\n`
  const rows = part.facts.map((fact) => markup(html`<li>${markup(shown(fact, host))}</li>\n`))
  return html`<ul style="margin:0 0 16px;padding:0;list-style:none">\n${rows}</ul>\n`
}

/** The code is one word, so that it can be selected with one tap. */
const CODE =
  'margin:0 0 16px;font:600 28px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.16em;user-select:all;-webkit-user-select:all'

/** Mail programs know fewer kinds of colours than browsers, so the accent counts only if its contrast can be computed. */
function buttonStyle(theme: Theme): string {
  const accent = accentOf(theme, 'light')
  const [colour, text] =
    accent && contrastOf(accent, '#fff') !== undefined
      ? [accent, onAccentOf(theme, 'light')]
      : ['#17171a', '#fff']
  return `display:inline-block;padding:11px 20px;border:1px solid #6d6e78;border-radius:8px;background-color:${colour};color:${text};font-weight:600;text-decoration:none`
}

/** Escapes a text. The host is written so that mail programs do not make a link of it. */
function shown(text: string, host: string): Html {
  const escaped = escapeHtml(text)
  const name = escapeHtml(host)
  return rawHtml(escaped.replaceAll(name, name.replaceAll('.', '&#8203;.')))
}
