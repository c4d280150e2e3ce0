import { directionOf } from '../base/texts/direction.ts'
import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup, rawHtml } from '../http/html.ts'
import { imageSource } from '../http/image-source.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { forScheme } from '../options/theme/theme-values.ts'
import {
  avatar,
  type Content,
  foreign,
  leftToRight,
  linkButton,
  type Person,
  type Tone,
} from './components.ts'
import { type Part, sourceOf } from './hash-source.ts'
import type { IconName } from './icon-names.ts'
import { icon } from './icons.ts'
import { scriptFor, timesScriptFor } from './page-scripts.ts'
import { sheetsOf } from './sheet/sheet.ts'
import { browserColours, schemeOf } from './sheet/tokens.ts'
import type { PageSite } from './site.ts'

/** The content of a page. */
export interface PageContent {
  readonly site: PageSite
  readonly texts: Texts
  /** The heading, and with the name of the site the title of the document. */
  readonly title: string
  /** The title of the document, if it is another one. That of a form with a mistake says so. */
  readonly documentTitle?: string | undefined
  /** One or two sentences below the heading. */
  readonly lead?: Content
  /** Messages below the heading. */
  readonly notice?: Content
  /** What follows the heading. If it has an `h1`, that takes the place of the heading. */
  readonly body: Html
  /** The last line of a card: the other road. */
  readonly footer?: Content
  /** A mark on the tile that says how something ended. */
  readonly seal?: { readonly icon: IconName; readonly tone?: Tone } | undefined
  /** Whether the card is wider than that of a form. */
  readonly isWide?: boolean | undefined
  /** The frame of an account page; without it, the page is a card. */
  readonly account?: AccountFrame | undefined
  /** Additional CSS rules, made only from checked values. */
  readonly style?: string | undefined
  /** A built-in script at the end of the body, which may ask this site. */
  readonly script?: Part | undefined
  /** URLs of images in the body. */
  readonly images?: readonly (string | undefined)[]
  /** What the challenge of a form needs. */
  readonly challenge?: PageChallenge | undefined
  /** The only origin to which forms may be sent. */
  readonly formAction?: string | undefined
}

/** What the challenge of a form needs from its page. */
export interface PageChallenge {
  readonly script?: string | undefined
  /** Sources of another site. */
  readonly sources?:
    | {
        readonly scripts?: readonly string[]
        readonly frames?: readonly string[]
        readonly styles?: readonly string[]
        readonly connects?: readonly string[]
      }
    | undefined
}

/** What surrounds the sections of an account. */
export interface AccountFrame {
  /** Whose account it is; without it, the page has no navigation. */
  readonly person?: Person | undefined
  /** The links of the navigation. The first one leads to the overview. */
  readonly sections: readonly AccountLink[]
  /** The address of the section that is shown. */
  readonly current?: string | undefined
  /** What is at the end of the bar: the form that signs out. */
  readonly signOut?: Content
}

/** A section of the account in the navigation. */
export interface AccountLink {
  readonly href: string
  readonly label: string
  readonly icon: IconName
}

/** The document of a page without its changing values, and its policy. */
export interface Page {
  readonly document: Html
  readonly policy: string
}

/** Returns a page with the common layout. */
export async function layOut(content: PageContent): Promise<Page> {
  const { document, styles, scripts } = drawPage(content)
  const { site, script, challenge, formAction, images = [] } = content
  const { scripts: more = [], styles: moreStyles = [], frames, connects } = challenge?.sources ?? {}
  const policy = policyFor({
    styles: [...(await Promise.all(styles.map(sourceOf))), ...moreStyles],
    scripts: [...(await Promise.all(scripts.map(sourceOf))), ...more],
    frames,
    connects,
    images: [...logosOf(site.theme), ...images],
    isAsking: script !== undefined || challenge?.script !== undefined,
  })
  return { document, policy: formAction ? `${policy}; form-action ${formAction}` : policy }
}

/** A document, and what its policy must allow. */
export interface DrawnPage {
  readonly document: Html
  readonly styles: readonly Part[]
  readonly scripts: readonly Part[]
}

/** Returns the document of a page with the common layout. */
export function drawPage(content: PageContent): DrawnPage {
  const { site, texts, title, account, style } = content
  const { theme, name } = site
  const { lang } = texts
  const main = account ? inAccount(content, account) : inCard(content)
  const isWrong = main.includes(' aria-invalid="true"')
  const named = isWrong ? texts.text('page.error', { title }) : title
  const { documentTitle = named } = content
  const styles = [
    ...sheetsOf(theme, account ? 'account' : 'card'),
    ...(style ? [{ text: style }] : []),
  ]
  const times = timesScriptFor(main)
  const own = scriptFor(main)
  const { script, challenge } = content
  const scripts = [
    // Before the script of all forms, which does not send a form twice.
    ...(challenge?.script ? [{ text: challenge.script }] : []),
    ...(own ? [own] : []),
    ...(script ? [script] : []),
  ]
  const direction = directionOf(lang) === 'rtl' && markup(html` dir="rtl"`)
  const bodyClass = account
    ? markup(html` class="shell${isOverview(account) && ' home'}"`)
    : theme.background === 'split' && markup(html` class="split"`)
  const document = html`<!doctype html>
<html lang="${lang}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="${schemeOf(theme)}">
${browserColours(theme).map(([media, colour]) => markup(html`<meta name="theme-color" content="${colour}"${media && markup(html` media="${media}"`)}>\n`))}<title>${documentTitle}${!documentTitle.includes(name) && ` – ${name}`}</title>
${styles.map(({ text }) => markup(html`<style>${markup(rawHtml(text))}</style>\n`))}</head>
<body${bodyClass}>
${times && markup(scriptElement(times.text))}${markup(main)}
${main.includes(' data-copy="') && markup(rawHtml('<p class="sr" id="live" role="status"></p>\n'))}${scripts.map(({ text }) => markup(scriptElement(text)))}</body>
</html>
`
  return { document, styles, scripts: times ? [times, ...scripts] : scripts }
}

function isOverview({ current, sections }: AccountFrame): boolean {
  return current !== undefined && current === sections[0]?.href
}

/** One step: the brand, the heading, messages, the content, the other road. */
function inCard(content: PageContent): Html {
  const { site, texts, isWide, body, footer, seal } = content
  const { background, panel } = site.theme
  const beside =
    background === 'split' &&
    markup(html`<header class="panel">${brand(site, true)}${panel?.text ? markup(html`<p>${panel.text}</p>`) : ''}</header>
`)
  const sign =
    seal &&
    markup(html`<span class="seal${seal.tone && ` ${seal.tone}`}">${icon(seal.icon)}</span>`)
  return html`${beside}<main class="card${isWide && ' wide'}">
${brand(site, false, sign)}
${heading(content)}${body.trim() === '' ? back(content) : markup(body)}
${
  footer &&
  markup(html`<footer>${footer}</footer>
`)
}</main>
${foot(site, texts)}`
}

/** A page that only says something leads back. */
function back({ site: { name, home }, texts }: PageContent): Content {
  const link = linkButton(texts.text('page.back', { name, host: name }), home)
  return markup(html`<div class="stack">${link}</div>`)
}

/** The sections of an account. */
function inAccount(content: PageContent, account: AccountFrame): Html {
  const { site, texts, body } = content
  const { text } = texts
  const { person, sections, signOut } = account
  const [overview] = sections
  const up =
    person &&
    overview &&
    markup(html`<a class="up" href="${overview.href}">${icon('back')}${text('account.title')}</a>
`)
  return html`<a class="skip" href="#main">${text('account.skip')}</a>
<header class="bar">
${brand(site, true)}
${person && markup(html`<a class="button small quiet wideonly" href="${site.home}">${text('page.back', { name: site.name })}</a>\n`)}${signOut}
</header>
<div class="frame${!person && ' only'}">
${person && markup(navigation(person, account, texts))}<main id="main">
${up}${heading(content)}${markup(body)}
</main>
</div>
${foot(site, texts)}`
}

function navigation(
  { name, email }: Person,
  { sections, current }: AccountFrame,
  { text }: Texts,
): Html {
  const shown = name ?? email ?? ''
  const links = sections.map(({ href, label, icon: picture }) =>
    markup(
      html`<li><a href="${href}"${href === current && markup(html` aria-current="page"`)}>${icon(picture)}<span>${label}</span></a></li>\n`,
    ),
  )
  return html`<nav class="side" aria-label="${text('account.navigation')}">
<div class="me">${avatar(shown)}<div><strong><span>${foreign(shown)}</span></strong>${name && email && markup(html`<span class="note">${leftToRight(email)}</span>`)}</div></div>
<ul>
${links}</ul>
</nav>
`
}

function heading({ title, lead, notice, body, account }: PageContent): Content {
  const text = lead && markup(html`<p class="lead">${lead}</p>\n`)
  if (body.includes('<h1')) return [text, notice]
  const title1 = markup(html`<h1>${title}</h1>\n`)
  if (account) return [markup(html`<header>${title1}${text}</header>\n`), notice]
  return [title1, text, notice]
}

/** The logo or the first letter, as a link to the application. */
function brand({ theme, name, letter, home }: PageSite, isNamed: boolean, seal?: Content): Content {
  const picture =
    pictureOf(theme) ?? markup(html`<span class="tile" aria-hidden="true">${letter}</span>`)
  return markup(
    html`<a class="brand" href="${home}"${!isNamed && markup(html` aria-label="${name}"`)}>${picture}${isNamed && markup(html`<span>${name}</span>`)}${seal}</a>`,
  )
}

function pictureOf(theme: Theme): Content | undefined {
  const [light, dark] = logosOf(theme)
  if (!light) return undefined
  const image = html`<img src="${light}" alt="" height="32">`
  if (!dark || dark === light || schemeOf(theme).indexOf(' ') < 0) return markup(image)
  return markup(
    html`<picture><source srcset="${dark}" media="(prefers-color-scheme:dark)">${markup(image)}</picture>`,
  )
}

/** The logos that a browser may load, the first one without a preference. */
function logosOf(theme: Theme): readonly (string | undefined)[] {
  const light = forScheme(theme.logo, 'light')
  const dark = forScheme(theme.logo, 'dark')
  return schemeOf(theme) === 'dark' ? [dark, dark] : [light, dark]
}

/** Links of the application, in the order in which people look for them. */
function foot({ theme, languages }: PageSite, { text, lang, choices = [] }: Texts): Content {
  const { footer = {} } = theme
  const links = (['terms', 'privacy', 'imprint', 'support'] as const).flatMap((name) => {
    const href = footer[name]
    return href ? [markup(html`<a href="${href}">${text(`page.${name}`)}</a>\n`)] : []
  })
  const others = choices.filter((each) => each !== lang)
  const picker =
    others.length > 0 &&
    languages !== undefined &&
    markup(html`<details class="languages"><summary>${icon('globe')}${nameOfLanguage(lang)}</summary>
<div>${others.map((each) => markup(html`<a href="${languages}${each}" lang="${each}" hreflang="${each}"${directionOf(each) === 'rtl' && markup(html` dir="rtl"`)}>${nameOfLanguage(each)}</a>\n`))}</div></details>\n`)
  return (
    (links.length > 0 || picker) && markup(html`<footer class="foot">\n${links}${picker}</footer>`)
  )
}

/** Returns the name of a language in this language. */
export function nameOfLanguage(lang: string): string {
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1)
}

/** Without the template tag, since build tools break a tagged template that contains the end tag of a script. */
function scriptElement(text: string): Html {
  return rawHtml(`<script>${text}</script>\n`)
}

export function page({ document, policy }: Page, status = 200): PageOutcome {
  return { kind: 'page', html: document, policy, status }
}

/**
 * Returns a Content Security Policy that allows only the built-in style sheet, the configured logos, and the built-in
 * scripts. It does not restrict forms by default, because a sign-in redirects to the provider, and browsers apply
 * `form-action` to redirects.
 */
function policyFor({
  styles,
  scripts,
  images,
  isAsking,
  frames = [],
  connects = [],
}: Allowed): string {
  const named = new Set(images.flatMap((image) => imageSource(image) ?? []))
  const imageSources = named.size > 0 ? [...named].join(' ') : "'self'"
  const asked = [...(isAsking ? ["'self'"] : []), ...connects]
  const asks = asked.length > 0 ? ` connect-src ${asked.join(' ')};` : ''
  const framed = frames.length > 0 ? ` frame-src ${frames.join(' ')};` : ''
  const scriptSources = scripts.length > 0 ? ` script-src ${scripts.join(' ')};${asks}` : ''
  return `default-src 'none'; style-src ${styles.join(' ')};${scriptSources}${framed} img-src ${imageSources}; base-uri 'none'; frame-ancestors 'none'`
}

interface Allowed {
  /** Sources of style sheets and scripts. */
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  /** Addresses of images. */
  readonly images: readonly (string | undefined)[]
  /** Whether a script may ask this site. */
  readonly isAsking: boolean
  /** Sources of frames, and further ones that scripts may ask. */
  readonly frames?: readonly string[] | undefined
  readonly connects?: readonly string[] | undefined
}
