import type { TextKey } from '../base/texts/catalogue.ts'
import type { problemTexts } from '../base/texts/en.ts'
import type { Texts } from '../base/texts/texts.ts'
import { html } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { layOut, page } from './layout.ts'

/** Returns the page that shows why a request was refused, with the invalid fields. */
export async function problemPage(
  theme: Theme,
  { lang, text }: Texts<TextKey | keyof typeof problemTexts>,
  { title, status, fields, origin, host }: ProblemPageValues,
): Promise<PageOutcome> {
  const body = html`<h1>${title}</h1>
${fields.length > 0 && { html: html`<p class="lead">${text('problem.fields', { fields: fields.join(', ') })}</p>\n` }}<div class="stack">
<a class="button" href="${origin}">${text('page.back', { host })}</a>
</div>`
  return page(await layOut({ lang, title, body, theme }), status)
}

interface ProblemPageValues {
  readonly title: string
  readonly status: number
  /** Names of the invalid fields. */
  readonly fields: readonly string[]
  readonly origin: string
  readonly host: string
}
