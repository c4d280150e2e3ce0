import { type Content, notice, problemList, textLink } from '../../../entries/plugin-pages.ts'
import type { Fault } from '../refusals.ts'
import type { PageParts } from '../routes/parts.ts'

/** What was typed, and what is wrong with it. */
export interface Form {
  readonly typed: Readonly<Record<string, string | undefined>>
  readonly faults: readonly Fault[]
}

export const EMPTY: Form = { typed: {}, faults: [] }

/** Returns the message above a form: what was done, or a link to each field that needs another look. */
export function messageOf(
  { faults }: Form,
  labels: Readonly<Record<string, string>>,
  { texts: { text } }: Pick<PageParts, 'texts'>,
  done?: string,
): Content {
  if (faults.length === 0) return done !== undefined && notice(done, 'good')
  const items = faults.map(({ field, code }) =>
    textLink(
      text('account:fault', { field: labels[field] ?? field, text: text(`account:${code}`) }),
      `#${field}`,
    ),
  )
  return problemList(text('account:faults', { count: faults.length }), items)
}

/** Returns the error of a field, with a capital letter. */
export function errorOf(
  name: string,
  { faults }: Form,
  { texts: { text, lang } }: Pick<PageParts, 'texts'>,
): string | undefined {
  const fault = faults.find(({ field }) => field === name)
  if (!fault) return undefined
  const line = text(`account:${fault.code}`)
  return line.slice(0, 1).toLocaleUpperCase(lang) + line.slice(1)
}
