import type { Texts } from '../base/texts/texts.ts'
import { html, htmlOf, markup, visibleText } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import { leftToRight, linkButton, postForm, submitButton } from '../page-kit/components.ts'
import { csrfInput } from '../page-kit/form-field.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'

/**
 * Asks for confirmation before a link of a mail is used, since mail scanners open links but submit no forms. The form
 * is sent to the URL of the page, which contains the token.
 */
export async function confirmSignInPage(
  site: PageSite,
  texts: Texts,
  { csrfToken, email }: { csrfToken: string | undefined; email: string },
): Promise<PageOutcome> {
  const { text } = texts
  const address = markup(html`<strong>${leftToRight(visibleText(email))}</strong>`)
  const submit = submitButton(text('confirm.submit'), { kind: 'main' })
  const content = {
    site,
    texts,
    title: text('confirm.heading', { name: site.name, host: site.name }),
    lead: htmlOf(text('confirm.lead'), { email: address }),
    body: html`<div class="stack">
${postForm(submit, { csrfField: csrfInput(csrfToken) })}
${linkButton(text('page.cancel'), site.home)}
</div>
<p class="note">${text('confirm.note')}</p>`,
  }
  return page(await layOut(content))
}

/** Asks for confirmation of a sign-in that the provider began, since any page can lead a browser here. */
export async function confirmProviderPage(
  site: PageSite,
  texts: Texts,
  { action, csrfToken, callbackUrl, name }: ProviderPageValues,
): Promise<PageOutcome> {
  const { text } = texts
  const form = postForm(submitButton(text('sign-in.continue', { name }), { kind: 'main' }), {
    action,
    csrfField: csrfInput(csrfToken),
    hidden: { callbackUrl },
  })
  const content = {
    site,
    texts,
    title: text('confirm.heading', { name: site.name, host: site.name }),
    lead: text('confirm.provider', { provider: name }),
    body: html`<div class="stack">
${form}
${linkButton(text('page.cancel'), site.home)}
</div>`,
  }
  return page(await layOut(content))
}

interface ProviderPageValues {
  /** The address of the form. */
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** The name of the provider. */
  readonly name: string
}
