import {
  type AnswerPage,
  type Html,
  html,
  markup,
  type SafeUrl,
  type Texts,
  visibleText,
} from '../../../entries/plugin.ts'
import type { TokensKey } from '../texts.ts'

interface ApproveParts {
  readonly texts: Texts<TokensKey>
  readonly action: SafeUrl
  /** Where another account is chosen. */
  readonly other: SafeUrl
  readonly csrfField: Html
  /** The sign-in that the page is about. */
  readonly flow: string | undefined
  readonly client: string
  readonly user: string
  /** Where it leads: a host, or the scheme of an app. */
  readonly place: string
}

/** Which app wants to be signed in, as whom, and where that leads. */
export function approvePage({
  texts: { text },
  action,
  other,
  csrfField,
  flow,
  client,
  user,
  place,
}: ApproveParts): AnswerPage {
  const title = text('tokens:native.title', { client, user: visibleText(user) })
  const hidden = flow === undefined ? '' : html`<input type="hidden" name="flow" value="${flow}">`
  const button = (decision: string, label: string, kind: string) =>
    markup(html`<form action="${action}" method="post">
${markup(csrfField)}<input type="hidden" name="decision" value="${decision}">${hidden && markup(hidden)}
<button class="${kind}" type="submit">${label}</button>
</form>
`)
  const body = html`<h1>${title}</h1>
<p class="lead">${text('tokens:native.place', { place })}</p>
<div class="stack">
${button('allow', text('tokens:native.allow'), 'button main')}<a class="button" href="${other}">${text('tokens:native.other')}</a>
${button('deny', text('tokens:native.deny'), 'button')}</div>`
  return { title, body }
}
