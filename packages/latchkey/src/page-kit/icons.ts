import { type Html, html, markup, rawHtml } from '../http/html.ts'
import type { IconName } from './icon-names.ts'

/** Icons of the pages: 20 by 20, lines in the colour of the text. */
const ICONS: Readonly<Record<IconName, string>> = {
  account:
    '<circle cx="10" cy="6.8" r="3.2"/><path d="M3.6 17c.6-3.3 3.2-5.2 6.4-5.2s5.8 1.9 6.4 5.2"/>',
  alert: '<circle cx="10" cy="10" r="7.5"/><path d="M10 6.3v4.4m0 2.6v.1"/>',
  app: '<rect x="3" y="3" width="5.5" height="5.5" rx="1.5"/><rect x="11.5" y="3" width="5.5" height="5.5" rx="1.5"/><rect x="3" y="11.5" width="5.5" height="5.5" rx="1.5"/><rect x="11.5" y="11.5" width="5.5" height="5.5" rx="1.5"/>',
  bang: '<path d="M10 4v7.5m0 4v.2"/>',
  check: '<path d="M4 10.5l4 4 8-9"/>',
  clock: '<circle cx="10" cy="10" r="7.5"/><path d="M10 5.8V10l2.8 1.8"/>',
  computer: '<rect x="3.5" y="4" width="13" height="9" rx="1.5"/><path d="M1.5 16h17"/>',
  copy: '<rect x="7.5" y="7.5" width="9.5" height="9.5" rx="2"/><path d="M12.5 7.5V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v5.5a2 2 0 0 0 2 2h2.5"/>',
  data: '<ellipse cx="10" cy="5" rx="6.5" ry="2.5"/><path d="M3.5 5v10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5V5M3.5 10c0 1.4 2.9 2.5 6.5 2.5s6.5-1.1 6.5-2.5"/>',
  download: '<path d="M10 3v9.5M6 8.8l4 4 4-4M3.5 16.5h13"/>',
  down: '<path d="M4.5 7.5L10 13l5.5-5.5"/>',
  back: '<path d="M12.5 4.5L7 10l5.5 5.5"/>',
  globe:
    '<circle cx="10" cy="10" r="7.5"/><path d="M2.5 10h15M10 2.5c2.2 2 3.3 4.6 3.3 7.5s-1.1 5.5-3.3 7.5c-2.2-2-3.3-4.6-3.3-7.5s1.1-5.5 3.3-7.5z"/>',
  home: '<path d="M3.5 9L10 3.2 16.5 9v6.5A1.5 1.5 0 0 1 15 17H5a1.5 1.5 0 0 1-1.5-1.5z"/><path d="M8 17v-4.5h4V17"/>',
  info: '<circle cx="10" cy="10" r="7.5"/><path d="M10 9.3v4.2m0-6.9v.1"/>',
  key: '<circle cx="6.6" cy="13.4" r="3.6"/><path d="M9.2 10.8L17 3m-3.2 3.2l2.4 2.4"/>',
  link: '<path d="M8.6 11.4a3.3 3.3 0 0 0 4.7 0l2.7-2.7a3.3 3.3 0 0 0-4.7-4.7l-1 1M11.4 8.6a3.3 3.3 0 0 0-4.7 0L4 11.3A3.3 3.3 0 0 0 8.7 16l1-1"/>',
  mail: '<rect x="2.5" y="4.5" width="15" height="11" rx="2"/><path d="M3 6.5l7 4.5 7-4.5"/>',
  passkey:
    '<circle cx="7.2" cy="6" r="3.2"/><path d="M1.5 17c0-3.7 2.4-5.9 5.7-5.9 1 0 1.9.2 2.7.6"/><path fill="currentColor" stroke="none" d="M15.2 6.5a3.3 3.3 0 0 0-1.5 6.2v4.7l1.5 1.5 2.2-2.2-1.3-1.3 1.3-1.4-1-1.2a3.3 3.3 0 0 0-1.2-6.3zm0 1.9a1 1 0 1 1 0 2 1 1 0 0 1 0-2z"/>',
  pause: '<path d="M4.5 10h11"/>',
  phone: '<rect x="5.5" y="2" width="9" height="16" rx="2"/><path d="M9 15.3h2"/>',
  plus: '<path d="M10 4v12M4 10h12"/>',
  print: '<path d="M6 7V3h8v4M6 15H3V7h14v8h-3M6 12h8v5H6z"/>',
  shield: '<path d="M10 2.2l6.3 2.3v5c0 3.9-2.6 6.7-6.3 8.3-3.7-1.6-6.3-4.4-6.3-8.3v-5z"/>',
  show: '<path d="M1.8 10S4.7 4.8 10 4.8 18.2 10 18.2 10s-2.9 5.2-8.2 5.2S1.8 10 1.8 10z"/><circle cx="10" cy="10" r="2.4"/>',
  hide: '<path d="M1.8 10S4.7 4.8 10 4.8 18.2 10 18.2 10s-2.9 5.2-8.2 5.2S1.8 10 1.8 10z"/><path d="M3.5 16.5l13-13"/>',
  terminal:
    '<rect x="2" y="3.5" width="16" height="13" rx="2"/><path d="M5.5 7.8L8 10l-2.5 2.2M10 12.4h4"/>',
  warning: '<path d="M10 3.2l7.3 13H2.7z"/><path d="M10 8.2v3.6m0 2.2v.1"/>',
}

/** Icons that point against the direction of the text, and are mirrored with it. */
const MIRRORED: readonly IconName[] = ['back']

/** Returns an icon, which assistive technology skips: the text beside it says what it means. */
export function icon(name: IconName): { readonly html: Html } {
  return markup(
    html`<svg class="i${MIRRORED.includes(name) && ' flip'}" viewBox="0 0 20 20" aria-hidden="true">${markup(rawHtml(ICONS[name]))}</svg>`,
  )
}
