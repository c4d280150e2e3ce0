import type { Texts } from '../base/texts/texts.ts'
import { html, htmlOf, markup } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import { checkbox, foreign, linkButton, postForm, submitButton } from '../page-kit/components.ts'
import { csrfInput } from '../page-kit/form-field.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'

/** Returns the page that asks for confirmation of the sign-out. Its form is sent to the URL of the page. */
export async function signOutPage(
  site: PageSite,
  texts: Texts,
  { csrfToken, person, additions }: SignOutPageValues,
): Promise<PageOutcome> {
  const { text } = texts
  const who = person === undefined ? undefined : markup(html`<strong>${foreign(person)}</strong>`)
  const notes = additions.flatMap(({ note }) =>
    note === undefined ? [] : [markup(html`<p class="note">${note}</p>\n`)],
  )
  const boxes = additions.flatMap(({ field }) => (field ? [checkbox(field), '\n'] : []))
  const buttons = html`<div class="stack">
${submitButton(text('sign-out.submit'), { kind: 'main' })}
${linkButton(text('sign-out.stay'), site.home)}
</div>`
  const content = {
    site,
    texts,
    title: text('sign-out.heading', { name: site.name, host: site.name }),
    lead: who && htmlOf(text('sign-out.as'), { person: who }),
    body: html`${postForm([boxes, markup(buttons)], { csrfField: csrfInput(csrfToken) })}
${notes}`,
  }
  return page(await layOut(content))
}

interface SignOutPageValues {
  readonly csrfToken: string | undefined
  /** The name or the address of who is signed in. */
  readonly person: string | undefined
  /** Texts and fields of plugins. */
  readonly additions: readonly {
    readonly field?: { readonly name: string; readonly label: string } | undefined
    readonly note?: string | undefined
  }[]
}

/** Returns the page that says that nobody is signed in any more in this browser. */
export async function signedOutPage(
  site: PageSite,
  texts: Texts,
  { signInUrl }: { readonly signInUrl: string },
): Promise<PageOutcome> {
  const { text } = texts
  const content = {
    site,
    texts,
    title: text('signed-out.title'),
    lead: text('signed-out.lead'),
    seal: { icon: 'check', tone: 'good' } as const,
    body: html`<div class="stack">
${linkButton(text('signed-out.again'), signInUrl, { kind: 'main' })}
${linkButton(text('page.back', { name: site.name, host: site.name }), site.home)}
</div>`,
  }
  return page(await layOut(content))
}
