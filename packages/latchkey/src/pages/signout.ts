import type { Texts } from '../base/texts/texts.ts'
import { html, markup } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { CHECKBOX_STYLE, checkbox } from './form-field.ts'
import { layOut, page } from './layout.ts'

/** Returns the page that asks for confirmation of the sign-out. Its form is sent to the URL of the page. */
export async function signOutPage(
  theme: Theme,
  { lang, text }: Texts,
  { csrfToken, host, origin, additions }: SignOutPageValues,
): Promise<PageOutcome> {
  const notes = additions.flatMap(({ note }) => (note === undefined ? [] : [note]))
  const fields = additions.flatMap(({ field }) => field ?? [])
  const body = html`<h1>${text('sign-out.heading')}</h1>
<p class="site">${text('sign-out.site', { host })}</p>
${notes.map((note) => markup(html`<p class="lead">${note}</p>\n`))}<div class="stack">
<form method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
${fields.map(({ name, label }) => markup(checkbox('sign-out', name, label)))}<button class="button main" type="submit">${text('sign-out.submit')}</button>
</form>
<a class="button" href="${origin}">${text('sign-out.stay')}</a>
</div>`
  const title = text('sign-out.title')
  const style = fields.length > 0 && { style: CHECKBOX_STYLE }
  return page(await layOut({ lang, title, body, theme, ...style }))
}

interface SignOutPageValues {
  readonly csrfToken: string | undefined
  readonly host: string
  readonly origin: string
  /** Texts and fields of plugins. */
  readonly additions: readonly {
    readonly field?: { readonly name: string; readonly label: string } | undefined
    readonly note?: string | undefined
  }[]
}
