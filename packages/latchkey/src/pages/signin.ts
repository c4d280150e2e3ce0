import { colourOf, textOn } from '../http/css-colour.ts'
import { type Html, html, markup, rawHtml, visibleText } from '../http/html.ts'
import type {
  CredentialsConfig,
  OAuth2Config,
  OAuthProviderButtonStyles,
} from '../options/provider-options.ts'
import type { PageOutcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { CompiledProvider } from '../provider.ts'
import { checkbox, csrfField, field } from './form-field.ts'
import { imageSource, layOut } from './layout.ts'
import { compileTemplate, slot, type Template } from './template.ts'

/** What changes from one visit to the next. */
export interface SignInPageValues {
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  readonly host: string
  /** The `error` parameter. */
  readonly error: string | undefined
  /** Fills in the address. */
  readonly email: string | undefined
}

const OTHER_ACCOUNT = 'That did not work. Try to sign in with another account.'

/** Texts for the `error` parameter; any other value gets {@link GENERAL}. */
const texts: ReadonlyMap<string, string> = new Map([
  ['Signin', OTHER_ACCOUNT],
  ['OAuthSignin', OTHER_ACCOUNT],
  ['OAuthCallbackError', OTHER_ACCOUNT],
  ['OAuthCreateAccount', OTHER_ACCOUNT],
  ['EmailCreateAccount', OTHER_ACCOUNT],
  ['Callback', OTHER_ACCOUNT],
  [
    'OAuthAccountNotLinked',
    'This address is already in use. Sign in the way you did the first time.',
  ],
  ['EmailSignin', 'The mail could not be sent. Check the address and try again.'],
  ['CredentialsSignin', 'Sign-in failed. Check that what you entered is correct and try again.'],
  [
    'AccountNotLinked',
    'Signing in failed. This passkey or address belongs to another account; sign in to that one first.',
  ],
  [
    'SessionLimit',
    'You are signed in on as many devices as you may. Sign out on one of them, or wait until a session there ends by itself.',
  ],
  ['SessionRequired', 'Please sign in to see this page.'],
  ['MissingCSRF', 'This form was open for too long or came from another site. Please try again.'],
])

/** What is read out first, and what the tab says. To be asked to sign in is no failure. */
function titleOf(error: string): string {
  return error === 'SessionRequired' ? 'Sign in' : 'Sign-in failed'
}

const GENERAL = 'Signing in failed. Please try again.'

interface Compiled {
  readonly plain: Template
  readonly withError: Template
  readonly policy: string
}

const compiled = new WeakMap<Plan, Promise<Compiled>>()

/** The sign-in page. Its fixed parts are put together once for a configuration. */
export async function signInPage(plan: Plan, values: SignInPageValues): Promise<PageOutcome> {
  let made = compiled.get(plan)
  if (!made) compiled.set(plan, (made = compile(plan)))
  const { plain, withError, policy } = await made
  const { csrfToken = '', callbackUrl, host, error, email = '' } = values
  const filled = { csrfToken, callbackUrl, host, email: visibleText(email) }
  const document = error
    ? withError({ ...filled, error: texts.get(error) ?? GENERAL, title: titleOf(error) })
    : plain(filled)
  return { kind: 'page', policy, html: document }
}

async function compile(plan: Plan): Promise<Compiled> {
  const shown = plan.providers.map((provider, index) => ({ provider, index }))
  const buttons = shown.filter(({ provider }) => isButton(provider))
  const forms = shown.filter(({ provider }) => isForm(provider))
  const further = plan.plugins?.signInFields ?? []
  const separator = html`<div class="or">or</div>`
  const sections = [
    ...(buttons.length > 0
      ? [
          further.length > 0
            ? buttonsOfOneForm(plan, buttons)
            : buttons.map(({ provider, index }) => button(plan, provider, index)).join('\n'),
        ]
      : []),
    ...forms.map(
      ({ provider }) =>
        provider.form?.html(furtherFields(plan, provider.id)) ??
        form(plan, provider, forms.length > 1),
    ),
  ]
  const body = (error: string): Html => html`<h1>Sign in</h1>
<p class="site">to ${slot('host')}</p>
${
  error &&
  markup(html`<p class="bad" role="alert" tabindex="-1" autofocus>${error}</p>
`)
}<div class="stack">
${markup(rawHtml(sections.join(`\n${separator}\n`)))}
</div>`
  // The forms that bring one are of one kind, and share it.
  const brought = forms.find(({ provider }) => provider.form)?.provider.form
  const script = await brought?.script()
  const style = [
    ...buttons.map(({ provider, index }) => markColour(provider, index)),
    ...(brought ? [brought.style] : []),
    ...(further.length > 0 ? [CHECKBOX_STYLE] : []),
  ].join('')
  const images = buttons.map(({ provider }) => styleOf(provider.config).logo)
  const content = { title: 'Sign in', theme: plan.theme, style, script, images }
  const plain = await layOut({ ...content, body: body('') })
  const withError = await layOut({ ...content, title: slot('title'), body: body(slot('error')) })
  return {
    plain: compileTemplate(plain.document),
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

function button(plan: Plan, provider: CompiledProvider, index: number): Html {
  return html`<form action="${actionOf(plan, provider)}" method="post">
${markup(csrfField)}
<input type="hidden" name="callbackUrl" value="${slot('callbackUrl')}">
<button class="button" type="submit">${markup(face(provider, index))}</button>
</form>`
}

/** What plugins ask is asked once for all of them. */
function buttonsOfOneForm(plan: Plan, buttons: readonly Shown[]): Html {
  return html`<form method="post">
${markup(csrfField)}
<input type="hidden" name="callbackUrl" value="${slot('callbackUrl')}">
${markup(furtherFields(plan, 'buttons'))}${buttons.map(({ provider, index }) =>
  markup(
    html`<button class="button" type="submit" formaction="${actionOf(plan, provider)}">${markup(face(provider, index))}</button>\n`,
  ),
)}</form>`
}

function actionOf({ basePath }: Plan, { id }: CompiledProvider): string {
  return `${basePath}/signin/${id}`
}

function face({ id, name = id, config }: CompiledProvider, index: number): Html {
  return html`${markup(mark(styleOf(config), name, index))}Continue with ${name}`
}

const CHECKBOX_STYLE = '.check{display:flex;gap:8px;align-items:center}.check input{margin:0}'

/** Checkboxes of plugins. @param of makes their ids unique */
function furtherFields({ plugins }: Plan, of: string): Html {
  return html`${(plugins?.signInFields ?? []).map(({ name, label }) => markup(checkbox(of, name, label)))}`
}

/** The provider's logo, or its sign in its colour, or else the first letter of its name. */
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

function form(plan: Plan, provider: CompiledProvider, hasSiblings: boolean): Html {
  const { id, name = id, type, config } = provider
  const isMail = type === 'email'
  const fields = isMail
    ? [mailField(id)]
    : Object.entries((config as CredentialsConfig).credentials).map(([key, input]) =>
        field(id, key, input),
      )
  const action = `${plan.basePath}/${isMail ? 'signin' : 'callback'}/${id}`
  const label = isMail
    ? 'Send me a sign-in link'
    : hasSiblings || !fields[0]
      ? `Sign in with ${name}`
      : 'Sign in'
  return html`<form action="${action}" method="post">
${markup(csrfField)}
${fields.map(markup)}${markup(furtherFields(plan, id))}
<button class="button main" type="submit">${label}</button>
</form>`
}

function mailField(id: string): Html {
  const input = `input-email-for-${id}-provider`
  return html`<div class="field">
<label for="${input}">Email address</label>
<input id="${input}" type="email" name="email" value="${slot('email')}" required autocomplete="email" autocapitalize="none" spellcheck="false" placeholder="you@example.com">
</div>
`
}
