import { passkeys } from '../base/texts/en.ts'
import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, markup, rawHtml } from '../http/html.ts'
import type { CredentialInput, WebAuthnConfig } from '../options/provider-options.ts'
import type { SignInForm } from '../plan/provider.ts'
import type { PageScript } from '../protocols/webauthn/simple-webauthn.ts'
import { csrfField, field } from './form-field.ts'
import { hashSource } from './layout.ts'

/**
 * Returns the form of a passkey provider. The script shows it if the browser supports passkeys, requests the options
 * with the fields, and sets `action` and `data`. Without the script, the page shows a note.
 */
export function passkeyForm(basePath: string, config: WebAuthnConfig): SignInForm | undefined {
  const { formFields, simpleWebAuthn } = config
  const { pageScript } = simpleWebAuthn
  if (!formFields || !pageScript) return undefined
  return {
    html: (texts, further) => formOf(basePath, config, texts, further),
    style: STYLE,
    script: async (texts) => translated(await pageScript(), texts),
  }
}

function formOf(basePath: string, config: WebAuthnConfig, texts: Texts, further: Html): Html {
  const { id, name, formFields = {}, enableConditionalUI } = config
  const { text } = texts.with({ en: passkeys })
  const fields = Object.entries(formFields)
  const autofill = enableConditionalUI && markup(rawHtml(' data-autofill'))
  return html`<form id="${id}-form" action="${`${basePath}/callback/${id}`}" method="post" novalidate hidden data-passkey="${id}"${autofill}>
${markup(csrfField)}
${fields.map(([key, input]) => markup(field(id, key, { ...ours(input, text), 'data-form-field': true })))}${markup(further)}
<button class="button main" type="submit" id="submitButton-${id}">${text('sign-in.continue', { name })}</button>
${
  'email' in formFields &&
  markup(html`<p class="note">${text('passkey.hint')}</p>
`)
}<p class="note" role="status"></p>
</form>
<p class="note" id="${id}-form-missing">${text('passkey.missing')}</p>`
}

/** Returns a field with the default texts of the provider. */
function ours(input: CredentialInput, text: Texts<keyof typeof passkeys>['text']): CredentialInput {
  const shown = { ...input }
  if (input.label === passkeys['passkey.email']) shown.label = text('passkey.email')
  if (input.placeholder === passkeys['passkey.email.example'])
    shown.placeholder = text('passkey.email.example')
  return shown
}

/** Replaces the English texts in the script, which changes its hash. */
async function translated(
  { text: source, ...rest }: PageScript,
  texts: Texts,
): Promise<PageScript> {
  const { text } = texts.with({ en: passkeys })
  let script = source
  for (const [key, english] of Object.entries(passkeys)) {
    const own = text(key as keyof typeof passkeys)
    // Escaped so that the text is also safe within a script element.
    if (own !== english)
      script = script.replace(`\`${english}\``, () =>
        JSON.stringify(own).replaceAll('<', '\\u003c'),
      )
  }
  return script === source
    ? { text: source, ...rest }
    : { text: script, source: await hashSource(script) }
}

/** CSS rules for these forms. */
const STYLE =
  '[hidden]{display:none}.note{margin:0;color:var(--soft);font-size:14px;text-align:center}.note:empty{margin-top:-12px}.note[role]{color:var(--text)}'
