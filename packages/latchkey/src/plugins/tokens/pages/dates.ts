import { type Html, html, markup } from '../../../plugin-kit.ts'

export function time(date: string, lang: string): { readonly html: Html } {
  return markup(html`<time datetime="${date}">${dateText(date, lang)}</time>`)
}

/** In UTC, since nobody knows the zone of the browser. */
export function dateText(date: string, lang: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const locale = lang === 'en' ? 'en-GB' : lang
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(date))} UTC`
}
