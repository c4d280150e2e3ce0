import { createHash } from 'node:crypto'
import { type Html, html } from 'latchkey/plugin'
import {
  type Content,
  type DrawnPage,
  drawPage,
  ENGLISH,
  letterOf,
  linkButton,
  type PageContent,
  type Part,
} from 'latchkey/plugin/pages'
import type { AuthConfig } from 'latchkey/types'

/** A page of the service. */
export interface Page {
  readonly title: string
  /** One or two sentences below the heading. */
  readonly lead?: Content
  readonly content: Html
  /** The last line of a card. */
  readonly footer?: Content
  readonly seal?: PageContent['seal']
  readonly status?: number
  /** Wide pages hold lists; the others are a card. */
  readonly wide?: boolean
  /** Further rules of its style. */
  readonly style?: string
  /** Shows frames of our own origin. */
  readonly frames?: boolean
  /** A script of ours, which may ask this site. */
  readonly script?: string
  /** The look of the site. @default that of Latchkey */
  readonly theme?: AuthConfig['theme']
}

/** What every answer of the service says of itself, also one that is no page. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

/** A page as text, and its headers. */
export interface SentPage {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Draws a page: nothing is loaded but its own style and script, and nobody may frame it. */
export function draw(page: Page): SentPage {
  const { theme = {}, title, lead, content, footer, seal, wide, style, script } = page
  const name = theme.name ?? 'Latchkey'
  const drawn = drawPage({
    site: { theme, name, letter: letterOf(name), home: '/' },
    texts: ENGLISH,
    title,
    lead,
    body: content,
    footer,
    seal,
    style,
    script: script === undefined ? undefined : { text: script },
    account: wide ? { sections: [] } : undefined,
  })
  return { text: drawn.document, headers: headersOf(drawn, page) }
}

function headersOf(
  { styles, scripts }: DrawnPage,
  { frames, script, theme }: Page,
): SentPage['headers'] {
  return {
    ...safeHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${styles.map(sourceOf).join(' ')}`,
      ...(scripts.length > 0 ? [`script-src ${scripts.map(sourceOf).join(' ')}`] : []),
      ...(script === undefined ? [] : ["connect-src 'self'"]),
      ...(frames ? ["frame-src 'self'"] : []),
      ...(theme?.logo === undefined ? [] : ["img-src 'self' https: data:"]),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
  }
}

const known = new WeakMap<Part, string>()

/** A style sheet or a script as a source in a Content-Security-Policy. */
function sourceOf(part: Part): string {
  let source = known.get(part)
  if (source === undefined) {
    source = `'sha256-${createHash('sha256').update(part.text).digest('base64')}'`
    known.set(part, source)
  }
  return source
}

export function pageResponse(page: Page): Response {
  const { text, headers } = draw(page)
  return new Response(text, { status: page.status ?? 200, headers })
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
    lead: message,
    seal: status < 400 ? { icon: 'check', tone: 'good' } : { icon: 'pause' },
    content: link
      ? html`<div class="stack">
${linkButton(link.text, link.href, { kind: 'main' })}
</div>`
      : html``,
  }
}
