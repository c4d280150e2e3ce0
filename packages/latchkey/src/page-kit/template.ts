import { escapeHtml, type Html } from '../http/html.ts'

/** Returns a placeholder for a value. Escaping does not change it, and it occurs in no text. */
export function slot(name: string): string {
  return `\u0000${name}\u0000`
}

/** A page with compiled constant parts. */
export type Template = (values: Readonly<Record<string, string>>) => Html

/** Compiles markup with slots. The values are escaped when they are inserted. */
export function compileTemplate(markup: Html): Template {
  const parts = markup.split('\u0000')
  const names = [...new Set(parts.filter((_, index) => index % 2 === 1))]
  return (values) => {
    const escaped: Record<string, string> = {}
    for (const name of names) escaped[name] = escapeHtml(values[name] ?? '')
    let text = parts[0] as string
    for (let i = 1; i < parts.length; i += 2) {
      text += (escaped[parts[i] as string] as string) + (parts[i + 1] as string)
    }
    return text as Html
  }
}
