import type { Texts } from '../base/texts/texts.ts'
import { html, htmlOf, markup, visibleText } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { layOut, page } from './layout.ts'

/**
 * Asks for confirmation before a link of a mail is used, since mail scanners open links but submit no forms. The form
 * is sent to the URL of the page, which contains the token.
 */
export async function confirmSignInPage(
  theme: Theme,
  { lang, text }: Texts,
  { csrfToken, host, email }: { csrfToken: string | undefined; host: string; email: string },
): Promise<PageOutcome> {
  const body = html`<h1>${text('confirm.heading', { host })}</h1>
<p class="lead">${htmlOf(text('confirm.lead'), { email: markup(html`<strong>${visibleText(email)}</strong>`) })}</p>
<div class="stack">
<form method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<button class="button main" type="submit">${text('sign-in.submit')}</button>
</form>
</div>`
  return page(await layOut({ lang, title: text('sign-in.title'), body, theme }))
}

/** Asks for confirmation of a sign-in that the provider began, since any page can lead a browser here. */
export async function confirmProviderPage(
  theme: Theme,
  { lang, text }: Texts,
  { action, csrfToken, callbackUrl, host, name }: ProviderPageValues,
): Promise<PageOutcome> {
  const body = html`<h1>${text('confirm.heading', { host })}</h1>
<div class="stack">
<form method="post" action="${action}">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<input type="hidden" name="callbackUrl" value="${callbackUrl}">
<button class="button main" type="submit">${text('sign-in.with', { name })}</button>
</form>
</div>`
  return page(await layOut({ lang, title: text('sign-in.title'), body, theme }))
}

interface ProviderPageValues {
  /** The address of the form. */
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  readonly host: string
  /** The name of the provider. */
  readonly name: string
}
