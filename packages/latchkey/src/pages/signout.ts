import { html } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import { layOut, page } from './layout.ts'

/** Asks before a session is ended. The form goes to the page's own address. */
export async function signOutPage(
  theme: Theme,
  { csrfToken, host, origin }: { csrfToken: string | undefined; host: string; origin: string },
): Promise<PageOutcome> {
  const body = html`<h1>Sign out?</h1>
<p class="site">of ${host}</p>
<div class="stack">
<form method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<button class="button main" type="submit">Sign out</button>
</form>
<a class="button" href="${origin}">Stay signed in</a>
</div>`
  return page(await layOut({ title: 'Sign out', body, theme }))
}
