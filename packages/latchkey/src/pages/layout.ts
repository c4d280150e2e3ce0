import { primitives } from '#crypto'
import { type Html, html, markup, rawHtml } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import type { PageScript } from '../webauthn/simple-webauthn.ts'
import { schemeOf, styleSheet } from './theme.ts'

/** What a page shows. */
export interface PageContent {
  /** Of its texts. */
  readonly lang: string
  readonly title: string
  readonly body: Html
  readonly theme: Theme
  /** Further rules, made from judged values only. */
  readonly style?: string
  /** A script of ours at the end of the body, and its hash as a source of a policy. */
  readonly script?: PageScript | undefined
  /** Addresses of images in the body. */
  readonly images?: readonly (string | undefined)[]
  /** The only origin to which forms may lead. */
  readonly formAction?: string | undefined
}

/** A page without its changing values: the document and the policy that goes with it. */
export interface Page {
  readonly document: Html
  readonly policy: string
}

/** Puts content into the shell that all pages share. */
export async function layOut(content: PageContent): Promise<Page> {
  const { lang, title, body, theme, style, script, images = [], formAction } = content
  const sheet = styleSheet(theme, style)
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
${theme.logo ? markup(html`<img class="logo" src="${theme.logo}" alt="">`) : ''}${markup(body)}
</main>
${script && markup(scriptElement(script.text))}</body>
</html>
`
  const policy = await policyFor(sheet, [theme.logo, ...images], script?.source)
  return { document, policy: formAction ? `${policy}; form-action ${formAction}` : policy }
}

/** Not with the tag: build tools take a tagged template apart that holds the end of a script. */
function scriptElement(text: string): Html {
  return rawHtml(`<script>${text}</script>\n`)
}

export function page({ document, policy }: Page, status = 200): PageOutcome {
  return { kind: 'page', html: document, policy, status }
}

/**
 * Nothing but our own style sheet and the logos that are configured, and on pages that need it a script
 * of ours that may ask this site. Forms may lead elsewhere: a sign-in goes on to the provider, and
 * browsers apply `form-action` to that redirect.
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

/** The source in a policy of a sheet or a script that has this hash. */
export async function hashSource(text: string): Promise<string> {
  const digest = primitives
    .toBase64url(await primitives.sha256(text))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return `'sha256-${digest}='`
}

/** Source of an image in a policy, or nothing for an address that is not one of an image. */
export function imageSource(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!URL.canParse(address)) return "'self'"
  const { protocol, origin } = new URL(address)
  if (protocol === 'data:') return protocol
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}
