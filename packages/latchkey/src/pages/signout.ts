import { html } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import type { Texts } from '../texts/texts.ts'
import { layOut, page } from './layout.ts'

/** Asks before a session is ended. The form goes to the page's own address. */
export async function signOutPage(
  theme: Theme,
  { lang, text }: Texts,
  { csrfToken, host, origin }: { csrfToken: string | undefined; host: string; origin: string },
): Promise<PageOutcome> {
  const body = html`<h1>${text('sign-out.heading')}</h1>
<p class="site">${text('sign-out.site', { host })}</p>
<div class="stack">
<form method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<button class="button main" type="submit">${text('sign-out.submit')}</button>
</form>
<a class="button" href="${origin}">${text('sign-out.stay')}</a>
</div>`
  return page(await layOut({ lang, title: text('sign-out.title'), body, theme }))
}
