import { primitives } from '#crypto'
import { type Html, html, markup, rawHtml } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import type { PageScript } from '../protocols/webauthn/simple-webauthn.ts'
import { schemeOf, styleSheet } from './theme.ts'

/** The content of a page. */
export interface PageContent {
  /** The language of the texts. */
  readonly lang: string
  readonly title: string
  readonly body: Html
  readonly theme: Theme
  /** Additional CSS rules, made only from checked values. */
  readonly style?: string
  /** A built-in script at the end of the body, with its hash for the policy. */
  readonly script?: PageScript | undefined
  /** URLs of images in the body. */
  readonly images?: readonly (string | undefined)[]
  /** The only origin to which forms may be sent. */
  readonly formAction?: string | undefined
}

/** The document of a page without its changing values, and its policy. */
export interface Page {
  readonly document: Html
  readonly policy: string
}

/** Returns a page with the common layout. */
export async function layOut(content: PageContent): Promise<Page> {
  const { lang, title, body, theme, style, script, images = [], formAction } = content
  const sheet = styleSheet(theme, style)
  const logo = typeof theme.logo === 'object' ? theme.logo.light : theme.logo
  const document = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="${schemeOf(theme)}">
<title>${title}</title>
<style>${markup(sheet)}</style>
</head>
<body>
<main>
${logo ? markup(html`<img class="logo" src="${logo}" alt="">`) : ''}${markup(body)}
</main>
${script && markup(scriptElement(script.text))}</body>
</html>
`
  const policy = await policyFor(sheet, [logo, ...images], script?.source)
  return { document, policy: formAction ? `${policy}; form-action ${formAction}` : policy }
}

/** Without the template tag, since build tools break a tagged template that contains the end tag of a script. */
function scriptElement(text: string): Html {
  return rawHtml(`<script>${text}</script>\n`)
}

export function page({ document, policy }: Page, status = 200): PageOutcome {
  return { kind: 'page', html: document, policy, status }
}

/**
 * Returns a Content Security Policy that allows only the built-in style sheet, the configured logos, and on some pages
 * a built-in script with requests to this site. It does not restrict forms by default, because a sign-in redirects to
 * the provider, and browsers apply `form-action` to redirects.
 */
async function policyFor(
  sheet: string,
  images: readonly (string | undefined)[],
  scriptSource: string | undefined,
): Promise<string> {
  const named = new Set(images.flatMap((image) => imageSource(image) ?? []))
  const imageSources = named.size > 0 ? [...named].join(' ') : "'self'"
  const scripts = scriptSource ? ` script-src ${scriptSource}; connect-src 'self';` : ''
  return `default-src 'none'; style-src ${await hashSource(sheet)};${scripts} img-src ${imageSources}; base-uri 'none'; frame-ancestors 'none'`
}

/** Returns the hash of a style sheet or a script as a source of a policy. */
export async function hashSource(text: string): Promise<string> {
  const digest = primitives
    .toBase64url(await primitives.sha256(text))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return `'sha256-${digest}='`
}

/** Returns the source of an image for a policy; `undefined` if the URL is not the URL of an image. */
export function imageSource(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!URL.canParse(address)) return "'self'"
  const { protocol, origin } = new URL(address)
  if (protocol === 'data:') return protocol
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}
