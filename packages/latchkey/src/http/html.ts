import { fillIn } from '../texts/texts.ts'

declare const safe: unique symbol

/** Markup in which every inserted text was escaped. */
export type Html = string & { readonly [safe]: true }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in an element or in a quoted attribute. */
export function escapeHtml(text: string): Html {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string) as Html
}

/**
 * Text of a stranger as it may stand beside ours: what turns the direction of writing around, ends
 * lines or cannot be seen is shown as a mark of its own.
 */
export function visibleText(text: string): string {
  // Not as a literal: its tables of Unicode would be read whenever the file is loaded.
  return text.replace(new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'), '\ufffd')
}

/** Markup that is known to be safe: our own, never a visitor's. */
export function rawHtml(markup: string): Html {
  return markup as Html
}

/** A text that is no markup: this one says by its type that it would be escaped once more. */
type Text = string & { readonly [safe]?: never }

type Part = Text | number | undefined | null | false | { readonly html: Html } | readonly Part[]

/** Marks markup for insertion, since a bare string is always taken for text. */
export function markup(html: Html): { readonly html: Html } {
  return { html }
}

/** A template whose inserted values are escaped; nothing is shown for `undefined`, `null` and `false`. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] as string
  for (let i = 0; i < parts.length; i++) text += show(parts[i]) + (strings[i + 1] as string)
  return text as Html
}

/** A text with markup, or text that is escaped, in its places. */
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
