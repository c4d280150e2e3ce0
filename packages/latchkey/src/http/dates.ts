import { type Html, html, markup } from './html.ts'

/** A `time` element. @param date ISO 8601. */
export function time(date: string, lang: string): { readonly html: Html } {
  return markup(html`<time datetime="${date}">${dateText(date, lang)}</time>`)
}

/** A date as a page shows it: in UTC, since nobody knows the zone of the browser. */
export function dateText(date: string, lang: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const locale = lang === 'en' ? 'en-GB' : lang
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(date))} UTC`
}
