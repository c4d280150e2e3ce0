import { type AnswerPage, html, markup } from '../../../entries/plugin.ts'
import {
  acts,
  type Content,
  checkbox,
  foreign,
  icon,
  leftToRight,
  linkButton,
  notice,
  pane,
  passwordField,
  postForm,
  section,
  submitButton,
  textLink,
} from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import { errorOf, type Form, faultNotice, newPasswordField, usernameField } from './parts.ts'

/** What was done before the page was shown. */
export type Done = (typeof DONE)[number]

export const DONE = ['change', 'set', 'remove'] as const

/** The password of the account: how to change, set or remove it. */
export function passwordPage(
  {
    email,
    hasPassword,
    done,
    form,
  }: {
    readonly email: string
    readonly hasPassword: boolean
    readonly done?: Done | undefined
    readonly form: Form
  },
  parts: PageParts,
): AnswerPage {
  const { texts, path } = parts
  const { text } = texts
  const labels = {
    current: text('passwords:password.current'),
    password: text('passwords:password.new'),
  }
  const remove = section(
    {
      title: text('passwords:remove'),
      text: text('passwords:remove.about'),
      act: linkButton(text('passwords:remove'), path('password/change', { confirm: 'remove' }), {
        kind: 'danger',
        isSmall: true,
      }),
    },
    [],
  )
  return {
    title: text(hasPassword ? 'passwords:change' : 'passwords:set'),
    ...(!hasPassword && { lead: text('passwords:set.lead') }),
    notice: done
      ? notice(text(`passwords:${done}.done`), 'good')
      : faultNotice(form, labels, parts),
    body: html`${pane(hasPassword ? changeForm(email, form, parts) : setForm(email, form, parts))}${hasPassword && remove}`,
    layout: 'account',
  }
}

function changeForm(email: string, form: Form, parts: PageParts): Content {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const current = passwordField(
    {
      label: text('passwords:password.current'),
      name: 'current',
      error: errorOf('current', form, parts),
      aside: textLink(text('passwords:change.forgot'), path('password/forgot')),
      attributes: { autocomplete: 'current-password', required: true },
    },
    text('passwords:show'),
  )
  const others = checkbox({
    label: text('passwords:change.end-others'),
    name: 'endOthers',
    isChecked: form.typed['password'] === undefined || form.typed['endOthers'] === '1',
  })
  const fields = [
    markup(usernameField(email)),
    current,
    '\n',
    newPasswordField(text('passwords:password.new'), form, parts),
    '\n',
    others,
    acts(
      submitButton(text('passwords:save'), { kind: 'main' }),
      linkButton(text('page.cancel'), path('account')),
    ),
  ]
  return postForm(fields, { action: path('password/change'), csrfField, hidden: { form: '1' } })
}

function setForm(email: string, form: Form, parts: PageParts): Content {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const fields = [
    markup(usernameField(email)),
    newPasswordField(text('passwords:password.new'), form, parts),
    '\n',
    acts(
      submitButton(text('passwords:save'), { kind: 'main' }),
      linkButton(text('page.cancel'), path('account')),
    ),
  ]
  return postForm(fields, { action: path('password/set'), csrfField })
}

/** Asks before the password is removed. */
export function removePage({ texts, csrfField, path }: PageParts): AnswerPage {
  const { text } = texts
  const buttons = acts(
    submitButton(text('passwords:remove'), { kind: 'danger main' }),
    linkButton(text('page.cancel'), path('password/change')),
  )
  return {
    title: text('passwords:remove.title'),
    lead: text('passwords:remove.about'),
    body: html`${pane(postForm(buttons, { action: path('password/remove'), csrfField }))}`,
    layout: 'account',
  }
}

/** The password that somebody has to choose before the session begins. */
export function mustChangePage(
  { email, name, form }: { readonly email: string; readonly name: string; readonly form: Form },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const label = text('passwords:password.new')
  // The sign-in that waits may have been planted: nobody ends in an account that the page does not name.
  const who = html`<div class="who">${icon('account')}${email === '' ? foreign(name) : leftToRight(email)}</div>`
  const fields = [
    markup(usernameField(email)),
    markup(who),
    '\n',
    newPasswordField(label, form, parts),
    '\n',
    submitButton(text('passwords:save'), { kind: 'main' }),
  ]
  return {
    title: text('passwords:reset'),
    lead: text('passwords:change.must'),
    notice: faultNotice(form, { password: label }, parts),
    body: html`${postForm(fields, { action: path('password/renew'), csrfField })}`,
  }
}
