import { type Html, html, markup } from '../http/html.ts'
import { imageSource } from '../http/image-source.ts'
import type { ColouredMark, OAuthProviderButtonStyles } from '../options/provider-options.ts'

/**
 * Returns the mark of a provider, 18 by 18 with the class `mark`: the configured logo, else the mark in the colour of the text or in
 * the colours of its owner, else the first letter of the name.
 */
export function markOf(
  { logo, mark, colouredMark }: OAuthProviderButtonStyles,
  name: string,
): Html {
  if (imageSource(logo)) return html`<img class="mark" src="${logo}" width="18" height="18" alt="">`
  if (colouredMark) return drawing(colouredMark.viewBox, html`${colouredMark.paths.map(path)}`)
  return mark ? drawing('0 0 24 24', html`<path d="${mark}"/>`) : drawing('0 0 18 18', letter(name))
}

function path({ d, fill }: ColouredMark['paths'][number]): { readonly html: Html } {
  return markup(html`<path fill="${fill}" d="${d}"/>`)
}

function drawing(viewBox: string, content: Html): Html {
  return html`<svg class="mark" viewBox="${viewBox}" width="18" height="18" aria-hidden="true">${markup(content)}</svg>`
}

function letter(name: string): Html {
  const first = (Array.from(name.trim())[0] ?? '').toUpperCase()
  return html`<rect x=".75" y=".75" width="16.5" height="16.5" rx="4" fill="none" stroke="currentColor" stroke-width="1.5"/><text x="9" y="13" font-size="11" font-weight="600" text-anchor="middle">${first}</text>`
}

/** Returns the mark of a provider, for pages of plugins. */
export function providerMark({
  name,
  members,
}: {
  readonly name: string
  readonly members: Readonly<Record<string, unknown>>
}): { readonly html: Html } {
  return markup(markOf(members['style'] ?? {}, name))
}
