import { type AnswerPage, html, markup, type Texts } from '../../../entries/plugin.ts'
import type { LogoutKey } from '../texts.ts'

/** Sends the form at once; without scripts there is the button. */
const SCRIPT = 'document.forms[0].submit()'

/** Sends the browser to the provider with a form, where an address would be too long. */
export function continuePage(
  url: URL,
  params: URLSearchParams,
  name: string,
  { text }: Texts<LogoutKey>,
): AnswerPage {
  const title = text('federatedLogout:continue.title', { name })
  const body = html`<h1>${title}</h1>
<div class="stack">
<form action="${url.href}" method="post">
${[...params].map(([field, value]) => markup(html`<input type="hidden" name="${field}" value="${value}">\n`))}<button class="button main" type="submit">${text('federatedLogout:continue')}</button>
</form>
</div>`
  return { title, body, script: SCRIPT, formAction: url.origin }
}
