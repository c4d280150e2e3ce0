import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup } from '../http/html.ts'
import {
  avatar,
  foreign,
  leftToRight,
  linkButton,
  type Markup,
  type Person,
  postForm,
  row,
  section,
  submitButton,
} from '../page-kit/components.ts'
import type { IconName } from '../page-kit/icon-names.ts'
import type { AccountFrame, AccountLink } from '../page-kit/layout.ts'

/** A section of the account page, with its texts in the language of the visitor. */
export interface AccountSectionLink extends AccountLink {
  /** What it is for, in one sentence. */
  readonly about: string
}

/** What the frame of an account page is made of. */
export interface FrameParts {
  readonly base: string
  readonly texts: Texts
  readonly person: Person
  readonly sections: readonly AccountSectionLink[]
  /** The path of the page. */
  readonly current: string
  readonly csrfField: Html
}

/** Returns the frame of an account page: its navigation, who it is about, and the way out. */
export function accountFrame(parts: FrameParts): AccountFrame {
  const { base, texts, person, sections, current, csrfField } = parts
  const { text } = texts
  const overview = {
    href: `${base}/account`,
    label: text('account.overview'),
    icon: 'home',
  } as const
  return {
    person,
    sections: [overview, ...sections],
    current,
    signOut: postForm(submitButton(text('sign-out.submit'), { isSmall: true }), {
      action: `${base}/signout`,
      csrfField,
    }),
  }
}

/** Returns the overview of an account: who it belongs to, and its sections, which are the navigation on a phone. */
export function accountOverview(
  { text }: Texts,
  { name, email }: Person,
  sections: readonly AccountSectionLink[],
  offer?: Markup,
): Html {
  const who = name ?? email ?? ''
  const rows = sections.map(({ href, label, icon, about }) =>
    row({
      picture: icon satisfies IconName,
      title: label,
      below: markup(html`<p>${about}</p>`),
      acts: [linkButton(text('account.open'), href, { isSmall: true, of: label })],
    }),
  )
  const profile = markup(
    html`<div class="pane"><div class="row">${avatar(who, true)}<div><strong>${foreign(who)}</strong>${name && email && markup(html`<p>${leftToRight(email)}</p>`)}</div></div></div>`,
  )
  return html`${offer}${section({ title: text('account.profile') }, [], profile)}<div class="section wideonly">${section({ title: text('account.sections') }, rows)}</div>`
}
