import {
  type AnswerPage,
  type Html,
  html,
  type SafeUrl,
  type TextKey,
  type Texts,
} from '../../../entries/plugin.ts'
import { linkButton, postForm, submitButton } from '../../../entries/plugin-pages.ts'
import type { LogoutKey } from '../texts.ts'

interface Values {
  readonly texts: Texts<LogoutKey | TextKey>
  /** Of the provider. */
  readonly name: string
  readonly action: SafeUrl
  readonly csrfField: Html
  readonly callbackUrl: string
  readonly origin: string
  /** The name of the site. */
  readonly site: string
}

/** Says that the visitor is signed out, and lets them sign in again. */
export function signedOutPage({
  texts: { text },
  name,
  action,
  csrfField,
  callbackUrl,
  origin,
  site,
}: Values): AnswerPage {
  const submit = submitButton(text('federatedLogout:again', { name }), { kind: 'main' })
  return {
    title: text('federatedLogout:signed-out'),
    lead: text('signed-out.lead'),
    seal: { icon: 'check', tone: 'good' },
    body: html`<div class="stack">
${postForm(submit, { action, csrfField, hidden: { callbackUrl } })}
${linkButton(text('federatedLogout:home', { host: site }), origin)}
</div>`,
  }
}
