import { type Html, html } from '../http/html.ts'
import type { CredentialInput } from '../options/provider-options.ts'
import { type FieldOptions, field, type Markup, passwordField } from './components.ts'
import { slot } from './template.ts'

/** The field with the CSRF token. */
export const csrfSlot: Html = html`<input type="hidden" name="csrfToken" value="${slot('csrfToken')}">`

/** The same with its value. There is no token if the framework protects its forms itself. */
export function csrfInput(token: string | undefined): Html {
  return token === undefined
    ? html``
    : html`<input type="hidden" name="csrfToken" value="${token}">`
}

/** What a page adds to a field that an application describes. */
export interface FieldParts extends Partial<FieldOptions> {
  /** The label of the button that shows a password. */
  readonly show: string
}

/**
 * Returns a field that an application describes, with its label.
 *
 * @param id the id of the provider.
 */
export function ownField(
  id: string,
  key: string,
  input: CredentialInput,
  { show, ...parts }: FieldParts,
): Markup {
  const { label = key, type = 'text', value, ...rest } = input
  const given = Object.entries(rest).filter(([name]) => ATTRIBUTE.test(name))
  const attributes = Object.fromEntries(
    given.map(([name, each]) => [name, typeof each === 'number' ? String(each) : each]),
  )
  const options: FieldOptions = {
    label,
    name: key,
    id: `input-${key}-for-${id}-provider`,
    type,
    value: value === undefined ? undefined : String(value),
    ...parts,
    attributes: { ...defaultAttributes(key, type), ...parts.attributes, ...attributes },
  }
  return type === 'password' ? passwordField(options, show) : field(options)
}

/** Attributes of an `<input>` that an application may set; none that runs a script. */
const ATTRIBUTE = /^(?!on)[a-z][a-z0-9-]*$/i

/** Returns attributes for password managers. */
function defaultAttributes(key: string, type: string): Record<string, string> {
  if (type === 'password') return { autocomplete: 'current-password' }
  if (type === 'email') return { autocomplete: 'email' }
  if (/^(user(name)?|login)$/i.test(key)) {
    return { autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' }
  }
  return {}
}
