import { html } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import { layOut, page } from './layout.ts'

/** Tells that a mail is on its way. */
export async function verifyRequestPage(
  theme: Theme,
  { origin, host }: { origin: string; host: string },
): Promise<PageOutcome> {
  const body = html`<h1>Check your email</h1>
<p class="lead">A sign-in link is on its way to you. Open it on this device to sign in with one click.</p>
<p class="lead">Nothing there? Look into the spam folder, or check the address and ask again.</p>
<p class="site"><a href="${origin}">${host}</a></p>`
  return page(await layOut({ title: 'Check your email', body, theme }))
}
