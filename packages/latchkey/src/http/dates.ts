import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup } from './html.ts'

/**
 * Returns a `time` element.
 *
 * @param date ISO 8601.
 */
export function time(date: string, lang: string): { readonly html: Html } {
  return markup(html`<time datetime="${date}">${dateText(date, lang)}</time>`)
}

/** Returns a `time` element that the script of the page turns into "2 hours ago"; the exact time without a script. */
export function timeAgo(date: string, lang: string): { readonly html: Html } {
  return markup(html`<time datetime="${date}" data-relative>${dateText(date, lang)}</time>`)
}

/** Returns a date for a page, in UTC, since the time zone of the browser is not known. */
export function dateText(date: string, lang: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const locale = lang === 'en' ? 'en-GB' : lang
  return `${new Intl.DateTimeFormat(locale, format).format(new Date(date))} UTC`
}

/** Returns a duration in minutes, hours or days, rounded up. */
export function duration(seconds: number, { text }: Pick<Texts, 'text'>): string {
  const minutes = Math.ceil(seconds / 60)
  const hours = Math.ceil(minutes / 60)
  if (minutes <= 90) return text('time.minutes', { count: minutes })
  return hours <= 48
    ? text('time.hours', { count: hours })
    : text('time.days', { count: Math.ceil(hours / 24) })
}
