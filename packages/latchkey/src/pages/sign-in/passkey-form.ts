import { passkeys } from '../../base/texts/en.ts'
import type { Texts } from '../../base/texts/texts.ts'
import { type Html, html, markup } from '../../http/html.ts'
import type { CredentialInput, WebAuthnConfig } from '../../options/provider-options.ts'
import { attributesOf, type Content, submitButton } from '../../page-kit/components.ts'
import { csrfSlot, ownField } from '../../page-kit/form-field.ts'
import { hashSource } from '../../page-kit/hash-source.ts'
import type { SignInForm } from '../../plan/provider.ts'
import type { PageScript } from '../../protocols/webauthn/simple-webauthn.ts'

/**
 * Returns the form of a passkey provider. The script shows it if the browser supports passkeys, requests the options
 * with the fields, and sets `action` and `data`. Without the script, the page shows a note, or the other ways alone.
 */
export function passkeyForm(basePath: string, config: WebAuthnConfig): SignInForm | undefined {
  const { id, formFields, simpleWebAuthn, enableConditionalUI } = config
  const { pageScript } = simpleWebAuthn
  if (!formFields || !pageScript) return undefined
  return {
    alone: (texts, further) => aloneOf(basePath, config, texts, further),
    beside: (texts, mark) => besideOf(basePath, config, texts, mark),
    again: (texts, action, fields, options) => againOf(action, fields, config, texts, options),
    takesAddress: Object.keys(formFields).join() === 'email' ? formIdOf(id) : undefined,
    isOffered: enableConditionalUI === true,
    script: async (texts) => translated(await pageScript(), texts),
  }
}

function formIdOf(id: string): string {
  return `${id}-form`
}

function buttonIdOf(id: string): string {
  return `submitButton-${id}`
}

/** The only way on the page: with its fields, and the button that leads on. */
function aloneOf(basePath: string, config: WebAuthnConfig, texts: Texts, further: Html): Html {
  const { id, formFields = {} } = config
  const { text } = texts.with({ en: passkeys })
  const fields = Object.entries(formFields).map(([key, input]) => [
    ownField(id, key, ours(input, text), {
      show: text('page.show'),
      attributes: { 'data-form-field': true },
      ...(key === 'email' && { hint: text('passkey.hint') }),
    }),
    '\n',
  ])
  return html`${formOf(
    basePath,
    config,
    [
      fields,
      markup(further),
      submitButton(text('passkey.use'), { kind: 'main', id: buttonIdOf(id) }),
    ],
    'hidden',
  )}
<p class="notice" id="${formIdOf(id)}-missing">${text('passkey.missing')}</p>`
}

/** One of several ways. What was typed as the address counts here, too. */
function besideOf(basePath: string, config: WebAuthnConfig, texts: Texts, mark: Content): Html {
  const { text } = texts.with({ en: passkeys })
  const button = submitButton([text('passkey.use'), mark], {
    icon: 'passkey',
    id: buttonIdOf(config.id),
  })
  return html`${formOf(basePath, config, button, 'data-script')}`
}

/** The form for a further proof. @param options where the options for it are, if not at their usual place */
function againOf(
  action: string,
  fields: Html,
  { id }: WebAuthnConfig,
  texts: Texts,
  options?: string,
): Html {
  const { text } = texts.with({ en: passkeys })
  const button = submitButton(text('passkey.use'), {
    kind: 'main',
    icon: 'passkey',
    id: buttonIdOf(id),
  })
  return html`<form id="${formIdOf(id)}" action="${action}" method="post" novalidate hidden data-passkey="${id}"${attributesOf({ 'data-options': options })} class="stack">
${markup(fields)}
${button}
<p class="note" role="status" id="${formIdOf(id)}-status"></p>
</form>
<p class="note" id="${formIdOf(id)}-missing">${text('passkey.missing')}</p>`
}

function formOf(
  basePath: string,
  { id, enableConditionalUI }: WebAuthnConfig,
  content: Parameters<typeof html>[1],
  shown: 'hidden' | 'data-script',
): { readonly html: Html } {
  const attributes = attributesOf({
    novalidate: true,
    hidden: true,
    'data-script': shown === 'data-script',
    'data-passkey': id,
    'data-autofill': enableConditionalUI === true,
  })
  return markup(html`<form id="${formIdOf(id)}" action="${`${basePath}/callback/${id}`}" method="post"${attributes} class="stack">
${markup(csrfSlot)}
${content}
<p class="note" role="status" id="${formIdOf(id)}-status"></p>
</form>`)
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
