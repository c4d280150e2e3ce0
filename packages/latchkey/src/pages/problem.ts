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
  const [title, further] =
    wait === undefined
      ? headingOf(sentence)
      : [text('error.TooManyAttempts.title'), text('error.wait', { time: duration(wait, texts) })]
  const named = fields.length > 0 && text('problem.fields', { fields: fields.join(', ') })
  const content = {
    site,
    texts,
    title,
    documentTitle: text('page.error', { title }),
    lead: further || named,
    seal:
      wait === undefined ? ({ icon: 'bang', tone: 'bad' } as const) : ({ icon: 'clock' } as const),
    body: html`<div class="stack">
${next && [linkButton(text(next.label), next.href, { kind: 'main' }), '\n']}${linkButton(text('page.back', { name: site.name, host: site.name }), site.home)}
</div>`,
  }
  return page(await layOut(content), status)
}

/** The titles of problems are sentences, and a heading is not: the first one without its stop, and the others. */
function headingOf(title: string): [string, string] {
  const end = /\.(?:\s|$)|。/.exec(title)?.index ?? title.length
  return [title.slice(0, end), title.slice(end + 1).trim()]
}

interface ProblemPageValues {
  /** One sentence or more. */
  readonly title: string
  readonly status: number
  /** Names of the invalid fields. */
  readonly fields: readonly string[]
  /** Seconds until the next attempt, after too many of them. */
  readonly wait?: number | undefined
  /** What helps, if something does. */
  readonly next?: { readonly label: TextKey; readonly href: string } | undefined
}
