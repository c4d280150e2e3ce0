import {
  type AnswerPage,
  type Html,
  html,
  type SafeUrl,
  type TextKey,
  type Texts,
  visibleText,
} from '../../../entries/plugin.ts'
import {
  identity,
  type Person,
  postForm,
  submitButton,
  textLink,
} from '../../../entries/plugin-pages.ts'
import type { TokensKey } from '../texts.ts'

interface ApproveParts {
  readonly texts: Texts<TokensKey | TextKey>
  readonly action: SafeUrl
  /** Where another account is chosen. */
  readonly other: SafeUrl
  readonly csrfField: Html
  /** The sign-in that the page is about. */
  readonly flow: string | undefined
  readonly client: string
  readonly user: Person
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
  const shown = {
    name: user.name && visibleText(user.name),
    email: user.email && visibleText(user.email),
  }
  const buttons = [
    submitButton(text('tokens:native.deny'), { name: 'decision', value: 'deny' }),
    '\n',
    submitButton(text('tokens:native.allow'), { kind: 'main', name: 'decision', value: 'allow' }),
  ]
  const form = postForm(buttons, { action, csrfField, hidden: { flow }, className: 'pair' })
  return {
    title: text('tokens:native.title', { client: visibleText(client) }),
    lead: text('tokens:native.lead'),
    body: html`<div class="stack">
${identity(shown, textLink(text('sign-in.change'), other))}
${form}
</div>
<p class="note">${text('tokens:native.place', { place })}</p>`,
  }
}
