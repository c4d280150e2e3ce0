import { html, visibleText } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import { layOut, page } from './layout.ts'

/**
 * Asks before a mailed link is used up: programs that scan mail open links too, but press no buttons.
 * The form goes to the page's own address, which holds the token.
 */
export async function confirmSignInPage(
  theme: Theme,
  { csrfToken, host, email }: { csrfToken: string | undefined; host: string; email: string },
): Promise<PageOutcome> {
  const body = html`<h1>Sign in to ${host}?</h1>
<p class="lead">You opened a sign-in link for <strong>${visibleText(email)}</strong>. If you did not ask for it, close this page.</p>
<div class="stack">
<form method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<button class="button main" type="submit">Sign in</button>
</form>
</div>`
  return page(await layOut({ title: 'Sign in', body, theme }))
}
