import { type AnswerPage, html, markup } from '../../../entries/plugin.ts'
import {
  icon,
  leftToRight,
  linkButton,
  notice,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import { type Form, faultNotice, newPasswordField, usernameField } from './parts.ts'

/** The new password, after the link of the mail was opened. @param asked when and where it was asked for, in another browser */
export function resetPage(
  {
    address,
    asked,
    form,
  }: { readonly address: string; readonly asked?: string | undefined; readonly form: Form },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField } = parts
  const { text } = texts
  const label = text('passwords:password.new')
  const who = html`${markup(usernameField(address))}
<div class="who">${icon('account')}${leftToRight(address)}</div>`
  const fields = [
    markup(who),
    '\n',
    newPasswordField(label, form, parts),
    '\n',
    notice(text('passwords:reset.all-devices')),
    submitButton(text('passwords:save'), { kind: 'main' }),
  ]
  return {
    title: text('passwords:reset'),
    notice: faultNotice(form, { password: label }, parts),
    body: html`${postForm(fields, { csrfField })}${
      asked !== undefined &&
      markup(html`
<p class="note">${asked}</p>`)
    }`,
  }
}

/** A reset is done. */
export function resetDonePage({ texts: { text }, path }: PageParts): AnswerPage {
  return {
    title: text('passwords:reset.done'),
    lead: text('passwords:reset.done.lead'),
    seal: { icon: 'check', tone: 'good' },
    body: html`<div class="stack">${linkButton(text('passwords:sign-in'), path('signin'), { kind: 'main' })}</div>`,
  }
}
