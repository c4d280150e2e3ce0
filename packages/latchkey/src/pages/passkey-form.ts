import { type Html, html, markup, rawHtml } from '../http/html.ts'
import type { WebAuthnConfig } from '../options/provider-options.ts'
import type { SignInForm } from '../provider.ts'
import { csrfField, field } from './form-field.ts'

/**
 * The form of a passkey provider. The script shows it where the browser can use passkeys, sends the
 * fields away for the options, and fills in `action` and `data`; without it a sentence stands there.
 */
export function passkeyForm(basePath: string, config: WebAuthnConfig): SignInForm | undefined {
  const { formFields, simpleWebAuthn } = config
  const { pageScript } = simpleWebAuthn
  if (!formFields || !pageScript) return undefined
  return {
    html: (further) => formOf(basePath, config, further),
    style: STYLE,
    script: pageScript,
  }
}

function formOf(basePath: string, config: WebAuthnConfig, further: Html): Html {
  const { id, name, formFields = {}, enableConditionalUI } = config
  const fields = Object.entries(formFields)
  const autofill = enableConditionalUI && markup(rawHtml(' data-autofill'))
  return html`<form id="${id}-form" action="${`${basePath}/callback/${id}`}" method="post" novalidate hidden data-passkey="${id}"${autofill}>
${markup(csrfField)}
${fields.map(([key, input]) => markup(field(id, key, { ...input, 'data-form-field': true })))}${markup(further)}
<button class="button main" type="submit" id="submitButton-${id}">Continue with ${name}</button>
${'email' in formFields && markup(HINT)}<p class="note" role="status"></p>
</form>
<p class="note" id="${id}-form-missing">Passkeys need a browser that knows them, with scripts turned on.</p>`
}

const HINT = html`<p class="note">Leave the field empty to choose one of your passkeys. A new address makes a new account.</p>
`

/** Rules for what only these forms have. */
const STYLE =
  '[hidden]{display:none}.note{margin:0;color:var(--soft);font-size:14px;text-align:center}.note:empty{margin-top:-12px}.note[role]{color:var(--text)}'
