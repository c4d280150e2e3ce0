import { fillIn } from '../base/texts/texts.ts'

declare const safe: unique symbol

/** Markup in which all inserted text is escaped. */
export type Html = string & { readonly [safe]: true }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): Html {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string) as Html
}

/** Replaces invisible characters, line breaks and direction marks in untrusted text by visible marks. */
export function visibleText(text: string): string {
  // Not a literal, because the engine would load its Unicode tables with the file.
  return text.replace(new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'), '\ufffd')
}

/** Marks trusted markup as safe. Never use it for input. */
export function rawHtml(markup: string): Html {
  return markup as Html
}

/** A string that is not markup. The type prevents that markup is escaped twice. */
type Text = string & { readonly [safe]?: never }

/** Something that a template inserts: text, which is escaped, markup, or a list. */
export type Part =
  | Text
  | number
  | undefined
  | null
  | false
  | { readonly html: Html }
  | readonly Part[]

/** Marks markup for insertion into a template, since a plain string is escaped. */
export function markup(html: Html): { readonly html: Html } {
  return { html }
}

/** A template that escapes inserted values. `undefined`, `null` and `false` insert nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] as string
  for (let i = 0; i < parts.length; i++) text += show(parts[i]) + (strings[i + 1] as string)
  return text as Html
}

/** Replaces the placeholders of a text by markup, or by escaped text. */
export function htmlOf(
  text: string,
  values: Readonly<Record<string, Part>>,
): { readonly html: Html } {
  const shown = Object.entries(values).map(([name, part]) => [name, show(part)] as const)
  return markup(fillIn(escapeHtml(text), Object.fromEntries(shown)) as Html)
}

function show(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if ('html' in part) return part.html
  return part.map(show).join('')
}
