import { oncePer } from '../base/once.ts'
import type { TextKey } from '../base/texts/catalogue.ts'
import type { Texts } from '../base/texts/texts.ts'
import { colourOf, textOn } from '../http/css-colour.ts'
import { type Html, html, markup, rawHtml, visibleText } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type {
  CredentialsConfig,
  OAuth2Config,
  OAuthProviderButtonStyles,
} from '../options/provider-options.ts'
import type { Plan } from '../plan/plan.ts'
import type { CompiledProvider } from '../plan/provider.ts'
import { CHECKBOX_STYLE, checkbox, csrfField, field } from './form-field.ts'
import { imageSource, layOut } from './layout.ts'
import { compileTemplate, slot, type Template } from './template.ts'

/** The values of the page that depend on the request. */
export interface SignInPageValues {
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  readonly host: string
  /** The `error` parameter. */
  readonly error: string | undefined
  /** The name of the provider at which the visitor cancelled. */
  readonly cancelled?: string | undefined
  /** The initial value of the email field. */
  readonly email: string | undefined
}

/** Values of the `error` parameter that have a text of their own. */
const OWN_TEXT = [
  'OAuthAccountNotLinked',
  'EmailSignin',
  'CredentialsSignin',
  'AccountNotLinked',
  'SessionLimit',
  'SessionRequired',
  'ReauthenticationRequired',
  'MissingCSRF',
] as const

/** Values for which the page recommends another account. For other values, it recommends to try again. */
const OTHER_ACCOUNT: readonly string[] = [
  'Signin',
  'OAuthSignin',
  'OAuthCallbackError',
  'OAuthCreateAccount',
  'EmailCreateAccount',
  'Callback',
]

function keyOf(error: string): TextKey {
  const own = OWN_TEXT.find((code) => code === error)
  if (own) return `sign-in.error.${own}`
  return OTHER_ACCOUNT.includes(error) ? 'sign-in.other-account' : 'sign-in.again'
}

/** Returns the title, which screen readers read first. A required sign-in is not an error. */
function titleOf(error: string): TextKey {
  const isRequired = error === 'SessionRequired' || error === 'ReauthenticationRequired'
  return isRequired ? 'sign-in.title' : 'sign-in.failed'
}

interface Compiled {
  readonly plain: Template
  readonly withError: Template
  readonly withNote: Template
  readonly policy: string
}

/** The compiled page, by plan and texts. */
const compiledFor = oncePer(
  (plan: Plan) => oncePer((texts: Texts) => compile(plan, texts), new WeakMap()),
  new WeakMap(),
)

/** Returns the sign-in page. Its constant parts are compiled once for each configuration. */
export async function signInPage(
  plan: Plan,
  texts: Texts,
  values: SignInPageValues,
): Promise<PageOutcome> {
  const { text } = texts
  const { plain, withError, withNote, policy } = await compiledFor(plan)(texts)
  const { csrfToken = '', callbackUrl, host, error, cancelled, email = '' } = values
  const filled = { csrfToken, callbackUrl, host, email: visibleText(email) }
  if (cancelled !== undefined) {
    const note = text('sign-in.cancelled', { provider: cancelled })
    return { kind: 'page', policy, html: withNote({ ...filled, note }) }
  }
  const document = error
    ? withError({ ...filled, error: text(keyOf(error)), title: text(titleOf(error)) })
    : plain(filled)
  return { kind: 'page', policy, html: document }
}

async function compile(plan: Plan, texts: Texts): Promise<Compiled> {
  const { lang, text } = texts
  const shown = plan.providers.map((provider, index) => ({ provider, index }))
  const buttons = shown.filter(({ provider }) => isButton(provider))
  const forms = shown.filter(({ provider }) => isForm(provider))
  const further = plan.plugins?.actions.signInFields ?? []
  const separator = html`<div class="or">${text('sign-in.or')}</div>`
  const sections = [
    ...(buttons.length > 0
      ? [
          further.length > 0
            ? buttonsOfOneForm(plan, texts, buttons)
            : buttons.map(({ provider, index }) => button(plan, texts, provider, index)).join('\n'),
        ]
      : []),
    ...forms.map(
      ({ provider }) =>
        provider.form?.html(texts, furtherFields(plan, texts, provider.id)) ??
        form(plan, texts, provider, forms.length > 1),
    ),
  ]
  const body = (error: string, note = ''): Html => html`<h1>${text('sign-in.title')}</h1>
<p class="site">${text('sign-in.site', { host: slot('host') })}</p>
${
  error &&
  markup(html`<p class="bad" role="alert" tabindex="-1" autofocus>${error}</p>
`)
}${
  note &&
  markup(html`<p class="lead" role="status">${note}</p>
`)
}<div class="stack">
${markup(rawHtml(sections.join(`\n${separator}\n`)))}
</div>`
  // All forms with a script are of one kind, and share it.
  const brought = forms.find(({ provider }) => provider.form)?.provider.form
  const script = await brought?.script(texts)
  const style = [
    ...buttons.map(({ provider, index }) => markColour(provider, index)),
    ...(brought ? [brought.style] : []),
    ...(further.length > 0 ? [CHECKBOX_STYLE] : []),
  ].join('')
  const images = buttons.map(({ provider }) => styleOf(provider.config).logo)
  const content = { lang, title: text('sign-in.title'), theme: plan.theme, style, script, images }
  const plain = await layOut({ ...content, body: body('') })
  const withError = await layOut({ ...content, title: slot('title'), body: body(slot('error')) })
  const withNote = await layOut({ ...content, body: body('', slot('note')) })
  return {
    plain: compileTemplate(plain.document),
    withNote: compileTemplate(withNote.document),
    withError: compileTemplate(withError.document),
    policy: plain.policy,
  }
}

function isButton({ type }: CompiledProvider): boolean {
  return type === 'oauth' || type === 'oidc'
}

function isForm({ type, config, form }: CompiledProvider): boolean {
  const { credentials } = config as CredentialsConfig
  return Boolean(type === 'email' || (type === 'credentials' && credentials) || form)
}

function styleOf(config: CompiledProvider['config']): OAuthProviderButtonStyles {
  return (config as OAuth2Config<unknown>).style ?? {}
}

function markColour({ config }: CompiledProvider, index: number): string {
  const { brandColor, bg } = styleOf(config)
  const colour = colourOf(brandColor ?? bg)
  return colour ? `.p${index}{--mark:${colour};--on-mark:${textOn(colour)}}` : ''
}

interface Shown {
  readonly provider: CompiledProvider
  readonly index: number
}

function button(plan: Plan, texts: Texts, provider: CompiledProvider, index: number): Html {
  return html`<form action="${actionOf(plan, provider)}" method="post">
${markup(csrfField)}
<input type="hidden" name="callbackUrl" value="${slot('callbackUrl')}">
<button class="button" type="submit">${markup(face(texts, provider, index))}</button>
</form>`
}

/** Returns one form for several buttons, so that the fields of plugins appear only once. */
function buttonsOfOneForm(plan: Plan, texts: Texts, buttons: readonly Shown[]): Html {
  return html`<form method="post">
${markup(csrfField)}
<input type="hidden" name="callbackUrl" value="${slot('callbackUrl')}">
${markup(furtherFields(plan, texts, 'buttons'))}${buttons.map(({ provider, index }) =>
  markup(
    html`<button class="button" type="submit" formaction="${actionOf(plan, provider)}">${markup(face(texts, provider, index))}</button>\n`,
  ),
)}</form>`
}

function actionOf({ basePath }: Plan, { id }: CompiledProvider): string {
  return `${basePath}/signin/${id}`
}

function face({ text }: Texts, { id, name = id, config }: CompiledProvider, index: number): Html {
  return html`${markup(mark(styleOf(config), name, index))}${text('sign-in.continue', { name })}`
}

/**
 * Returns the checkboxes of plugins.
 *
 * @param of makes their ids unique.
 */
function furtherFields({ plugins }: Plan, texts: Texts, of: string): Html {
  const fields = plugins?.actions.signInFields ?? []
  return html`${fields.map(({ name, label, texts: own }) =>
    markup(checkbox(of, name, texts.with(own).text(label))),
  )}`
}

/** Returns the logo of the provider, or its mark in its colour, or the first letter of its name. */
function mark({ logo, mark: path }: OAuthProviderButtonStyles, name: string, index: number): Html {
  if (imageSource(logo)) return html`<img class="mark plain" src="${logo}" alt="">`
  const sign = path
    ? html`<svg viewBox="0 0 24 24" width="16" height="16" fill="currentColor"><path d="${path}"/></svg>`
    : html`${initial(name)}`
  return html`<span class="mark p${index}" aria-hidden="true">${markup(sign)}</span>`
}

function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase()
}

function form(plan: Plan, texts: Texts, provider: CompiledProvider, hasSiblings: boolean): Html {
  const { text } = texts
  const { id, name = id, type, config } = provider
  const isMail = type === 'email'
  const fields = isMail
    ? [mailField(id, text('sign-in.email'), text('sign-in.email.example'))]
    : Object.entries((config as CredentialsConfig).credentials).map(([key, input]) =>
        field(id, key, input),
      )
  const action = `${plan.basePath}/${isMail ? 'signin' : 'callback'}/${id}`
  const label = isMail
    ? text('sign-in.send')
    : hasSiblings || !fields[0]
      ? text('sign-in.with', { name })
      : text('sign-in.submit')
  return html`<form action="${action}" method="post">
${markup(csrfField)}
${fields.map(markup)}${markup(furtherFields(plan, texts, id))}
<button class="button main" type="submit">${label}</button>
</form>`
}

function mailField(id: string, label: string, example: string): Html {
  const input = `input-email-for-${id}-provider`
  return html`<div class="field">
<label for="${input}">${label}</label>
<input id="${input}" type="email" name="email" value="${slot('email')}" required autocomplete="email" autocapitalize="none" spellcheck="false" placeholder="${example}">
</div>
`
}
