import {
  type AnswerPage,
  type Html,
  html,
  markup,
  type SafeUrl,
  type Texts,
} from '../../../entries/plugin.ts'
import type { LogoutKey } from '../texts.ts'

interface Values {
  readonly texts: Texts<LogoutKey>
  /** Of the provider. */
  readonly name: string
  readonly action: SafeUrl
  readonly csrfField: Html
  readonly callbackUrl: string
  readonly origin: string
}

/** Says that the visitor is signed out, and lets them sign in again. */
export function signedOutPage({
  texts: { text },
  name,
  action,
  csrfField,
  callbackUrl,
  origin,
}: Values): AnswerPage {
  const title = text('federatedLogout:signed-out')
  const body = html`<h1>${title}</h1>
<div class="stack">
<form action="${action}" method="post">
${markup(csrfField)}<input type="hidden" name="callbackUrl" value="${callbackUrl}">
<button class="button main" type="submit">${text('federatedLogout:again', { name })}</button>
</form>
<a class="button" href="${origin}">${text('federatedLogout:home', { host: new URL(origin).host })}</a>
</div>`
  return { title, body }
}
