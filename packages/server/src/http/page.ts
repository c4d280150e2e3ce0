import { createHash } from 'node:crypto'
import { type Html, html, markup } from 'latchkey/plugin'
import { stylesheet } from './stylesheet.ts'

/** A page of the service. */
export interface Page {
  readonly title: string
  readonly content: Html
  readonly status?: number
  /** Wide pages hold lists; the others are a card in the middle. */
  readonly wide?: boolean
  /** Shows frames of our own origin. */
  readonly frames?: boolean
  /** A script of ours, which may ask this site. */
  readonly script?: string
}

const styleSource = sourceOf(stylesheet)

/** What every answer of the service says of itself, also one that is no page. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

/** Headers of a page: nothing is loaded but its own style and script, and nobody may frame it. */
export function pageHeaders({
  frames = false,
  script,
}: Partial<Pick<Page, 'frames' | 'script'>> = {}): Record<string, string> {
  return {
    ...safeHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styleSource}`,
      ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
      ...(frames ? ["frame-src 'self'"] : []),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
  }
}

/** A text as a source in a Content-Security-Policy. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** A page as text. */
export function pageText({ title, content, wide = false, script }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${html`<title>${title}</title>`}
<style>${stylesheet}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
${content}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

export function pageResponse(page: Page): Response {
  return new Response(pageText(page), { status: page.status ?? 200, headers: pageHeaders(page) })
}

/** Where a page leads on to. */
export interface PageLink {
  readonly href: string
  readonly text: string
}

/** A page with nothing to do on it but read one sentence, and go on where there is somewhere to go. */
export function messagePage(status: number, title: string, message: string, link?: PageLink): Page {
  return {
    title,
    status,
    content: html`<div class="card">
<p class="eyebrow">${status}</p>
<h1>${title}</h1>
<p>${message}</p>
${link && markup(html`<div class="actions"><a class="button second" href="${link.href}">${link.text}</a></div>`)}
</div>`,
  }
}
