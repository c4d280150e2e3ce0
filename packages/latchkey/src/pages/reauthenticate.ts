import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup } from '../http/html.ts'
import {
  type Content,
  identity,
  linkButton,
  notice,
  type Person,
  postForm,
  submitButton,
} from '../page-kit/components.ts'
import type { IconName } from '../page-kit/icon-names.ts'

/** The form of one way. */
export interface ReauthenticateForm {
  readonly content: Content
  readonly submit?: string | undefined
  readonly begins?: boolean | undefined
  readonly further?: Content
  readonly lead?: Content
  /** Replaces the form. */
  readonly instead?: Content
}

/** Another way, as a link. */
export interface OtherWay {
  readonly label: string
  readonly icon: IconName | undefined
  readonly href: string
}

/** What the page shows. */
export interface Reauthenticate {
  readonly texts: Texts
  readonly person: Person
  /** The address to which forms are sent. */
  readonly action: string
  /** The hidden fields of every form. */
  readonly hidden: Html
  /** `undefined` if the user has no way. */
  readonly form: ReauthenticateForm | undefined
  readonly others: readonly OtherWay[]
  /** What somebody does who has no way. */
  readonly next:
    | { readonly text: string; readonly label: string; readonly href: string }
    | undefined
}

/** Returns the body of the page on which users prove their identity again. */
export function reauthenticateBody(page: Reauthenticate): Html {
  const { person, form, next, others, texts } = page
  return html`${identity(person)}
${form && formOf(form, page)}${next && [notice(next.text), linkButton(next.label, next.href, { kind: 'main' })]}
${
  others.length > 0 &&
  markup(html`<div class="stack">
<div class="or">${texts.text('reauthenticate.or')}</div>
${others.map(({ label, icon, href }) => [linkButton(label, href, { icon }), '\n'])}</div>`)
}`
}

function formOf(form: ReauthenticateForm, { texts, action, hidden }: Reauthenticate): Content {
  const { content, submit, begins, further, lead, instead } = form
  const label = submit ?? texts.text('reauthenticate.submit')
  const button = submitButton(label, {
    kind: 'main',
    ...(begins && { name: 'begin', value: '1' }),
  })
  return [
    lead && markup(html`<p class="note">${lead}</p>\n`),
    instead ?? postForm([content, '\n', button], { action, csrfField: hidden }),
    further,
  ]
}
