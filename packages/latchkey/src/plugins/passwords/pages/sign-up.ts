import { type AnswerPage, html, markup } from '../../../entries/plugin.ts'
import {
  type Content,
  checkbox,
  field,
  icon,
  type Markup,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import type { SignUpField } from '../settings.ts'
import {
  challengeIn,
  errorOf,
  type Form,
  faultNotice,
  newPasswordField,
  withLink,
} from './parts.ts'

/** The form with which people create an account. */
export function signUpPage(form: Form, parts: PageParts): AnswerPage {
  const { texts, settings, csrfField, path, hasNames } = parts
  const { text } = texts
  const fields: Content[] = [
    settings.name !== false && nameField(form, parts),
    field({
      label: text('passwords:email'),
      name: 'email',
      type: 'email',
      value: form.typed['email'],
      error: errorOf('email', form, parts),
      attributes: {
        required: true,
        autocomplete: 'username',
        autocapitalize: 'none',
        spellcheck: 'false',
        placeholder: text('passwords:email.example'),
      },
    }),
    hasNames && usernameOf(form, parts),
    newPasswordField(text('passwords:password'), form, parts),
    ...furtherFields(form, parts),
  ]
  const submit = submitButton(text('passwords:sign-up.submit'), { kind: 'main' })
  const shown = fields.filter(Boolean).map((each) => [each, '\n'])
  const body = postForm([shown, ...challengeIn(parts), submit], { csrfField })
  return {
    title: text('passwords:sign-up'),
    notice: faultNotice(form, labelsOf(parts), parts),
    body: html`${body}`,
    challenge: parts.challenge,
    footer: withLink(text('passwords:have-account'), text('passwords:sign-in'), path('signin')),
  }
}

/** The labels of all fields of the form, by name. */
export function labelsOf({ texts: { text }, settings }: PageParts): Record<string, string> {
  return {
    name: text('passwords:name'),
    email: text('passwords:email'),
    username: text('passwords:username'),
    password: text('passwords:password'),
    ...Object.fromEntries(settings.fields.map(({ name, label }) => [name, label])),
  }
}

export function nameField(form: Form, parts: PageParts): Markup {
  const { text } = parts.texts
  const isRequired = parts.settings.name === 'required'
  return field({
    label: isRequired
      ? text('passwords:name')
      : `${text('passwords:name')} ${text('passwords:optional')}`,
    name: 'name',
    value: form.typed['name'],
    error: errorOf('name', form, parts),
    attributes: { autocomplete: 'name', maxlength: '200', required: isRequired },
  })
}

function usernameOf(form: Form, parts: PageParts): Markup {
  const { text } = parts.texts
  return field({
    label: `${text('passwords:username')} ${text('passwords:optional')}`,
    name: 'username',
    value: form.typed['username'],
    error: errorOf('username', form, parts),
    // Password managers keep the address, with which people sign in, too.
    attributes: {
      autocomplete: 'nickname',
      autocapitalize: 'none',
      spellcheck: 'false',
      dir: 'ltr',
    },
  })
}

/** The further fields of a sign-up. */
export function furtherFields(form: Form, parts: PageParts): Markup[] {
  return parts.settings.fields.map((each) => further(each, form, parts))
}

function further(
  { name, label, type = 'text', required, maxLength = 200, autocomplete = 'off' }: SignUpField,
  form: Form,
  parts: PageParts,
): Markup {
  if (type === 'checkbox') {
    const error = errorOf(name, form, parts)
    const isWrong = error !== undefined
    const marks = markup(
      html`${required && ' required'}${isWrong && markup(html` aria-invalid="true" aria-describedby="${name}-error"`)}`,
    )
    const box = checkbox({ label, name, isChecked: form.typed[name] === '1', further: marks })
    return isWrong
      ? markup(
          html`<div class="field">${box}<p class="error" id="${name}-error">${icon('alert')}${error}</p></div>`,
        )
      : box
  }
  return field({
    label: required ? label : `${label} ${parts.texts.text('passwords:optional')}`,
    name,
    type,
    value: form.typed[name],
    error: errorOf(name, form, parts),
    attributes: { autocomplete, maxlength: String(maxLength), required },
  })
}
