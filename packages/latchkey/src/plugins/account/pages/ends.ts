import { type AnswerPage, html, htmlOf, markup } from '../../../entries/plugin.ts'
import {
  type Content,
  icon,
  leftToRight,
  linkButton,
  type Markup,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { AddressUndo } from '../records/addresses.ts'
import type { SecureLink } from '../records/secure-links.ts'
import type { PageParts } from '../routes/parts.ts'

/** The page for a link that was used, replaced or is too old. */
export function deadLinkPage({ texts: { text }, settings, path }: PageParts): AnswerPage {
  const account = path(settings.pages ? 'account' : 'signin')
  return {
    title: text('account:link-dead'),
    lead: text('account:link-dead.lead'),
    body: html`<div class="stack">${linkButton(text('account:link-dead.account'), account, { kind: 'main' })}</div>`,
    seal: { icon: 'bang', tone: 'warn' },
  }
}

/** Asks before a change of address is undone. */
export function undoPage(
  { from, to }: Pick<AddressUndo, 'from' | 'to'>,
  isMailed: boolean,
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const addresses = { from: leftToRight(from), to: leftToRight(to) }
  const list = [
    htmlOf(text('account:undo.back'), { from: leftToRight(from) }),
    text('account:undo.remove'),
    text('account:acts.sessions'),
    isMailed && text('account:acts.reset'),
  ]
  const submit = submitButton(text('account:undo.submit'), { kind: 'danger main' })
  return {
    title: text('account:undo'),
    lead: htmlOf(text('account:undo.lead'), addresses),
    body: html`<div class="stack">${actsAtOnce(list, parts)}${postForm(submit, { action: path('account/undo-address'), csrfField })}</div>`,
  }
}

/** Asks before an account is secured. */
export function securePage(
  { what, account }: Pick<SecureLink, 'what' | 'account'>,
  isMailed: boolean,
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const list = [
    account && text('account:acts.account'),
    text('account:acts.sessions'),
    isMailed && text('account:acts.reset'),
  ]
  const submit = submitButton(text('account:secure.submit'), { kind: 'danger main' })
  return {
    title: text('account:secure'),
    lead: text('account:secure.lead', { what }),
    body: html`<div class="stack">${actsAtOnce(list, parts)}${postForm(submit, { action: path('account/secure'), csrfField })}</div>`,
  }
}

function actsAtOnce(list: readonly Content[], { texts: { text } }: PageParts): Markup {
  const items = list
    .filter(Boolean)
    .map((each) => markup(html`<li>${icon('check')}<span>${each}</span></li>\n`))
  return markup(
    html`<div class="box"><p class="labels">${text('account:acts')}</p><ul class="grants">\n${items}</ul></div>`,
  )
}

/** Says that the account is secured, or that a change of address was undone. */
export function donePage(
  what: 'undo' | 'secure',
  { from, isMailed }: { readonly from?: string; readonly isMailed: boolean },
  { texts: { text }, path }: PageParts,
): AnswerPage {
  const lead =
    from === undefined
      ? text('account:secure.done.lead')
      : htmlOf(text('account:undo.done.lead'), { from: leftToRight(from) })
  return {
    title: text(`account:${what}.done`),
    lead: isMailed ? markup(html`${lead} ${text('account:done.mailed')}`) : lead,
    body: html`<div class="stack">${linkButton(text('account:done.sign-in'), path('signin'), { kind: 'main' })}</div>`,
    seal: { icon: 'check', tone: 'good' },
  }
}

/** Says that the former address has another account by now. */
export function takenPage({ texts: { text } }: PageParts): AnswerPage {
  return {
    title: text('account:undo.taken'),
    lead: text('account:undo.taken.lead'),
    body: html``,
    seal: { icon: 'bang', tone: 'bad' },
  }
}
