import type { TextKey } from '../base/texts/catalogue.ts'
import type { problemTexts } from '../base/texts/en.ts'
import type { Texts } from '../base/texts/texts.ts'
import { duration } from '../http/dates.ts'
import { html } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import { linkButton } from '../page-kit/components.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'

/** Returns the page that shows why a request was refused, with the invalid fields. */
export async function problemPage(
  site: PageSite,
  texts: Texts<TextKey | keyof typeof problemTexts>,
  { title: sentence, status, fields, next, wait }: ProblemPageValues,
): Promise<PageOutcome> {
  const { text } = texts
  // The titles of problems are sentences, and headings are not.
  const title =
    wait === undefined ? sentence.replace(/\.$/, '') : text('error.TooManyAttempts.title')
  const named = fields.length > 0 && text('problem.fields', { fields: fields.join(', ') })
  const content = {
    site,
    texts,
    title,
    documentTitle: text('page.error', { title }),
    lead: wait === undefined ? named : text('error.wait', { time: duration(wait, texts) }),
    seal:
      wait === undefined ? ({ icon: 'bang', tone: 'bad' } as const) : ({ icon: 'clock' } as const),
    body: html`<div class="stack">
${next && [linkButton(text(next.label), next.href, { kind: 'main' }), '\n']}${linkButton(text('page.back', { name: site.name, host: site.name }), site.home)}
</div>`,
  }
  return page(await layOut(content), status)
}

interface ProblemPageValues {
  readonly title: string
  readonly status: number
  /** Names of the invalid fields. */
  readonly fields: readonly string[]
  /** Seconds until the next attempt, after too many of them. */
  readonly wait?: number | undefined
  /** What helps, if something does. */
  readonly next?: { readonly label: TextKey; readonly href: string } | undefined
}
