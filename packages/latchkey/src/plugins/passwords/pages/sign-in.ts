import { type AnswerPage, html } from '../../../entries/plugin.ts'
import { passwordField, postForm, submitButton, textLink } from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import {
  challengeIn,
  errorOf,
  type Form,
  faultNotice,
  identifierField,
  identifierLabel,
} from './parts.ts'

/** The sign-in form alone, for an attempt that needs one more check. */
export function signInAgainPage(form: Form, parts: PageParts): AnswerPage {
  const { texts, csrfField, path, name, challenge } = parts
  const { text } = texts
  const who = identifierField(form, parts)
  const secret = passwordField(
    {
      label: text('passwords:password'),
      name: 'password',
      error: errorOf('password', form, parts),
      aside: textLink(text('passwords:change.forgot'), path('password/forgot')),
      attributes: { required: true, autocomplete: 'current-password' },
    },
    text('passwords:show'),
  )
  const submit = submitButton(text('passwords:sign-in'), { kind: 'main' })
  return {
    title: text('passwords:sign-in.title', { name }),
    lead: text('passwords:sign-in.check'),
    notice: faultNotice(
      form,
      { identifier: identifierLabel(parts), password: text('passwords:password') },
      parts,
    ),
    body: html`${postForm([who, '\n', secret, '\n', ...challengeIn(parts), submit], { action: path('password/sign-in'), csrfField })}`,
    challenge,
    footer: textLink(text('passwords:forgot.back'), path('signin')),
  }
}
