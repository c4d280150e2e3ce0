import { type Html, html, markup } from '../http/html.ts'
import type { CredentialInput } from '../options/provider-options.ts'
import { slot } from './template.ts'

/** The field with the CSRF token. */
export const csrfField: Html = html`<input type="hidden" name="csrfToken" value="${slot('csrfToken')}">`

/** The same with its value. There is no token if the framework protects its forms itself. */
export function csrfInput(token: string | undefined): Html {
  return token === undefined
    ? html``
    : html`<input type="hidden" name="csrfToken" value="${token}">`
}

/** Rules for {@link checkbox}. */
export const CHECKBOX_STYLE =
  '.check{display:flex;gap:8px;align-items:center}.check input{margin:0}'

/**
 * Returns an unchecked checkbox.
 *
 * @param of makes its id unique.
 */
export function checkbox(of: string, name: string, label: string): Html {
  const input = `input-${name}-for-${of}`
  return html`<div class="check">
<input id="${input}" type="checkbox" name="${name}" value="1">
<label for="${input}">${label}</label>
</div>
`
}

/**
 * Returns a field that an application describes, with its label.
 *
 * @param id the id of the provider.
 */
export function field(
  id: string,
  key: string,
  { label, type = 'text', ...rest }: CredentialInput,
): Html {
  const input = `input-${key}-for-${id}-provider`
  const attributes = Object.entries({ ...defaultAttributes(key, type), ...rest })
    .filter(([name, value]) => ATTRIBUTE.test(name) && value !== false && value !== undefined)
    .map(([name, value]) =>
      value === true ? markup(html` ${name}`) : markup(html` ${name}="${String(value)}"`),
    )
  return html`<div class="field">
<label for="${input}">${label ?? key}</label>
<input id="${input}" type="${type}" name="${key}"${attributes}>
</div>
`
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
