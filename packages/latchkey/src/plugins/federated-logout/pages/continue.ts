import { type AnswerPage, html, type TextKey, type Texts } from '../../../entries/plugin.ts'
import { postForm, submitButton } from '../../../entries/plugin-pages.ts'
import type { LogoutKey } from '../texts.ts'

/** Sends the form at once; without scripts there is the button. */
const SCRIPT = 'document.forms[0].requestSubmit()'

/** Sends the browser to the provider with a form, where an address would be too long. */
export function continuePage(
  url: URL,
  params: URLSearchParams,
  name: string,
  { text }: Texts<LogoutKey | TextKey>,
): AnswerPage {
  const form = postForm(submitButton(text('federatedLogout:continue'), { kind: 'main' }), {
    action: url.href,
    hidden: Object.fromEntries(params),
  })
  return {
    title: text('federatedLogout:continue.title', { name }),
    body: html`${form}`,
    script: SCRIPT,
    formAction: url.origin,
  }
}
