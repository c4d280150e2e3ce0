import { type Html, html, htmlOf, markup } from '../../../entries/plugin.ts'
import {
  type Content,
  type FieldOptions,
  field,
  type Markup,
  passwordField,
  problemList,
  textLink,
} from '../../../entries/plugin-pages.ts'
import type { Fault } from '../refusals.ts'
import type { PageParts } from '../routes/parts.ts'
import type { PasswordsKey } from '../texts.ts'

/** What was typed, and what is wrong with it. */
export interface Form {
  readonly typed: Readonly<Record<string, string | undefined>>
  readonly faults: readonly Fault[]
}

/** Codes that have a text of this plugin. */
const OWN_TEXTS: readonly string[] = [
  'required',
  'invalid',
  'invalid_address',
  'taken',
  'not_accepted',
  'wrong',
  'wrong_credentials',
  'wrong_code',
  'too_short',
  'too_long',
  'common',
  'expected',
  'breached',
  'unchanged',
  'not_text',
]

/** Returns what is wrong with a field, in the words of people. A code of the application is its own text. */
function faultText(
  { field: name, code, params }: Fault,
  { texts: { text }, settings, nameFault }: PageParts,
): string {
  if (name === 'username' && nameFault !== undefined) return nameFault
  const isBox = settings.fields.some((each) => each.name === name && each.type === 'checkbox')
  if (isBox && code === 'required') return text('passwords:required.box')
  return OWN_TEXTS.includes(code) ? text(`passwords:${code}` as PasswordsKey, params) : code
}

/** Returns the message above a form, with a link to each field that needs another look. */
export function faultNotice(
  { faults }: Form,
  labels: Readonly<Record<string, string>>,
  parts: PageParts,
): Content {
  if (faults.length === 0) return undefined
  const { text } = parts.texts
  // In the order of the page.
  const names = Object.keys(labels)
  const inOrder = faults.toSorted((a, b) => names.indexOf(a.field) - names.indexOf(b.field))
  const items = inOrder.map((fault) => {
    const line = text('passwords:fault', {
      field: labels[fault.field] ?? fault.field,
      text: faultText(fault, parts),
    })
    return labels[fault.field] === undefined ? line : textLink(line, `#${fault.field}`)
  })
  return problemList(text('passwords:faults', { count: faults.length }), items)
}

/** Returns the error of a field, with a capital letter. */
export function errorOf(name: string, { faults }: Form, parts: PageParts): string | undefined {
  const fault = faults.find(({ field }) => field === name)
  if (!fault) return undefined
  const line = faultText(fault, parts)
  return line.slice(0, 1).toLocaleUpperCase(parts.texts.lang) + line.slice(1)
}

/** Returns the field for a new password, with its rule and a meter. */
export function newPasswordField(
  label: string,
  form: Form,
  parts: PageParts,
  further: Partial<FieldOptions> = {},
): Markup {
  const { settings, texts } = parts
  const { minLength: min, maxLength: max } = settings.rules
  const words = ([1, 2, 3, 4] as const).map((step) => texts.text(`passwords:meter.${step}`))
  const { attributes, ...rest } = further
  const meter = html`<div class="meter" data-meter="password" data-text="password-hint" data-words="${JSON.stringify(words)}" data-least="${min}" data-script hidden aria-hidden="true"><i></i><i></i><i></i><i></i></div>`
  const input = passwordField(
    {
      label,
      name: 'password',
      error: errorOf('password', form, parts),
      hint: texts.text('passwords:hint', { min }),
      ...rest,
      attributes: {
        autocomplete: 'new-password',
        required: true,
        minlength: String(min),
        passwordrules: `minlength: ${min}; maxlength: ${max};`,
        ...attributes,
      },
    },
    texts.text('passwords:show'),
  )
  return markup(html`${input}
${markup(meter)}`)
}

/** Returns the field for the address or the user name of an account. */
export function identifierField(
  form: Form,
  parts: PageParts,
  attributes: FieldOptions['attributes'] = {},
): Markup {
  const { hasNames } = parts
  return field({
    label: identifierLabel(parts),
    name: 'identifier',
    type: hasNames ? 'text' : 'email',
    value: form.typed['identifier'],
    error: errorOf('identifier', form, parts),
    attributes: {
      required: true,
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
      ...attributes,
    },
  })
}

export function identifierLabel({ texts: { text }, hasNames }: PageParts): string {
  return text(hasNames ? 'sign-in.email-or-name' : 'passwords:email')
}

/** Returns a sentence with a link in the place of `{link}`. */
export function withLink(sentence: string, label: string, href: string): Markup {
  return htmlOf(sentence, { link: textLink(label, href) })
}

/** Returns a field that password managers read, and people do not see. */
export function usernameField(value: string): Html {
  return html`<input class="sr" type="text" name="username" value="${value}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">`
}

/** Returns what a form needs for its challenge. */
export function challengeIn({ challenge }: PageParts): Content[] {
  return challenge ? [markup(challenge.field), '\n'] : []
}
