import { oncePer } from '../../base/once.ts'
import type { TextKey } from '../../base/texts/catalogue.ts'
import type { Texts } from '../../base/texts/texts.ts'
import { html, markup, visibleText } from '../../http/html.ts'
import type { PageOutcome } from '../../http/outcome.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import { type Content, notice, textLink } from '../../page-kit/components.ts'
import { layOut } from '../../page-kit/layout.ts'
import { letterOf, type PageSite } from '../../page-kit/site.ts'
import { compileTemplate, slot, type Template } from '../../page-kit/template.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Composed, compose, type Fault, secondStep, twoSteps } from './compose.ts'
import { isByAddress, type PasswordWay, type Ways, waysOf } from './ways.ts'

/** The values of the page that depend on the request. */
export interface SignInPageValues {
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** The name of the application. */
  readonly name: string
  /** The address of the application. */
  readonly home: string
  /** Links to the page in another language, without the language. */
  readonly languages?: string | undefined
  /** The `error` parameter. */
  readonly error: string | undefined
  /** The name of the provider at which the visitor cancelled. */
  readonly cancelled?: string | undefined
  /** What was typed before, by the name of the field. */
  readonly typed: Readonly<Record<string, string>>
  /** The way with which somebody signed in in this browser. */
  readonly lastUsed?: string | undefined
  /** Minutes and hours until the next attempt, as text. */
  readonly wait?: string | undefined
}

/** Values of the `error` parameter that have a text of their own. */
const OWN_TEXT = [
  'OAuthAccountNotLinked',
  'EmailSignin',
  'CredentialsSignin',
  'AccountNotLinked',
  'SessionLimit',
  'PendingExpired',
  'MissingCSRF',
  'TooManyAttempts',
] as const

/** Values that ask for a sign-in, and report nothing that failed. */
const REQUESTS = ['SessionRequired', 'ReauthenticationRequired'] as const

/** Values for which the page recommends another way. For other values, it recommends to try again. */
const OTHER_WAY: readonly string[] = [
  'Signin',
  'OAuthSignin',
  'OAuthCallbackError',
  'OAuthCreateAccount',
  'EmailCreateAccount',
  'Callback',
]

/** What the page says above the ways to sign in. */
type Message =
  | { readonly kind: 'none' }
  /** A mistake; `fault` is the form in which it was made. */
  | { readonly kind: 'bad'; readonly text: TextKey; readonly fault?: Fault | undefined }
  /** Something to wait for. */
  | { readonly kind: 'warn' }
  /** Why the page was opened. */
  | { readonly kind: 'lead'; readonly text: TextKey }
  | { readonly kind: 'cancelled' }

interface Compiled {
  readonly template: Template
  readonly policy: string
}

/** What is known of a configuration in one language, and the pages that were compiled of it. */
interface Known {
  readonly ways: Ways
  readonly compiled: Map<string, Promise<Compiled>>
}

const known = oncePer(
  (plan: Plan) =>
    oncePer((_texts: Texts): Known => ({ ways: waysOf(plan), compiled: new Map() }), new WeakMap()),
  new WeakMap(),
)

/** Returns the sign-in page. Its constant parts are compiled once for each configuration. */
export async function signInPage(
  plan: Plan,
  texts: Texts,
  values: SignInPageValues,
): Promise<PageOutcome> {
  const { ways, compiled } = known(plan)(texts)
  const lastUsed = knownWay(ways, values.lastUsed)
  const message = messageOf(ways, values)
  // Few keys: kinds of messages, and ways of the configuration.
  const key = [message.kind, 'text' in message ? message.text : '', lastUsed ?? ''].join(' ')
  let made = compiled.get(key)
  if (!made) compiled.set(key, (made = compile(plan, texts, ways, message, lastUsed)))
  const { template, policy } = await made
  return { kind: 'page', policy, html: template({ ...defaultsOf(ways), ...filledIn(values) }) }
}

function filledIn(values: SignInPageValues): Record<string, string> {
  const { csrfToken = '', callbackUrl, name, home, languages = '', typed } = values
  const { cancelled = '', wait = '' } = values
  const fields = Object.entries(typed).flatMap(([key, value]) => [
    [`typed.${key}`, visibleText(value)],
    [`ticked.${key}`, value === '1' ? ' checked' : ''],
  ])
  return {
    csrfToken,
    callbackUrl,
    name,
    letter: letterOf(name),
    home,
    languages,
    cancelled,
    wait,
    ...Object.fromEntries(fields),
  }
}

/** What the application fills in before somebody typed. */
function defaultsOf({ typed }: Ways): Record<string, string> {
  const inputs = typed.flatMap((way) =>
    way.kind === 'fields' ? way.fields : way.kind === 'password' ? [way.identifier] : [],
  )
  const filled = inputs.filter(([, { value }]) => value !== undefined)
  return Object.fromEntries(filled.map(([key, { value }]) => [`typed.${key}`, String(value)]))
}

function messageOf(
  ways: Ways,
  { error, cancelled, wait, typed: { email = '' } }: SignInPageValues,
): Message {
  if (cancelled !== undefined) return { kind: 'cancelled' }
  if (error === undefined) return { kind: 'none' }
  if (error === 'TooManyAttempts' && wait !== undefined) return { kind: 'warn' }
  const asked = REQUESTS.find((code) => code === error)
  if (asked) return { kind: 'lead', text: `sign-in.error.${asked}` }
  const own = OWN_TEXT.find((code) => code === error)
  const way = own === 'CredentialsSignin' && passwordWay(ways)
  if (way) {
    const text = isByAddress(way) ? 'sign-in.wrong.address' : 'sign-in.wrong'
    return { kind: 'bad', text, fault: 'password' }
  }
  const fault = own === 'EmailSignin' ? 'mail' : undefined
  // Nothing was sent that could have failed.
  if (fault && email && !/.@./.test(email))
    return { kind: 'bad', text: 'sign-in.no-address', fault }
  if (own) return { kind: 'bad', text: `sign-in.error.${own}`, fault }
  return {
    kind: 'bad',
    text: OTHER_WAY.includes(error) ? 'sign-in.other-way' : 'sign-in.again',
  }
}

function passwordWay({ typed }: Ways): PasswordWay | undefined {
  return typed.find((way) => way.kind === 'password')
}

/** Returns the way with which somebody signed in, if the configuration still has it, and another one. */
function knownWay({ buttons, typed, passkey }: Ways, id: string | undefined): string | undefined {
  const ids = [...buttons, ...typed, ...(passkey ? [passkey] : [])].map((way) => way.id)
  return ids.length > 1 ? ids.find((each) => each === id) : undefined
}

async function compile(
  plan: Plan,
  texts: Texts,
  ways: Ways,
  message: Message,
  lastUsed: string | undefined,
): Promise<Compiled> {
  const isOpen = message.kind === 'bad'
  const fault = isOpen ? message.fault : undefined
  const composed = compose(plan, texts, ways, { lastUsed, isOpen, fault })
  // With two steps, the password is on the other one.
  const isHere = fault !== undefined && !(fault === 'password' && twoSteps(ways))
  const fieldId = isHere ? fieldOf(ways, fault) : undefined
  return compileWith(plan, texts, ways, message, { ...composed, fieldId })
}

async function compileWith(
  plan: Plan,
  texts: Texts,
  ways: Ways,
  message: Message,
  composed: Composed & { readonly fieldId?: string | undefined },
): Promise<Compiled> {
  const { text } = texts
  const title = text('sign-in.title', { name: slot('name') })
  const isError = message.kind === 'bad' || message.kind === 'warn'
  const page = await layOut({
    site: siteSlots(plan),
    texts,
    title,
    documentTitle: isError ? text('page.error', { title }) : title,
    lead: leadOf(message, texts, composed),
    notice: noticeOf(message, texts, ways, composed.fieldId),
    body: composed.body,
    footer: ways.signUp !== undefined && footerOf(ways.signUp, texts),
    script: await ways.passkey?.form.script(texts),
    images: ways.buttons.map(({ config }) => (config as OAuth2Config<unknown>).style?.logo),
  })
  return { template: compileTemplate(page.document), policy: page.policy }
}

/** Returns the id of the field that was typed wrong. */
function fieldOf({ typed }: Ways, fault: Fault): string | undefined {
  const way = typed.find(({ kind }) => kind === fault)
  if (!way) return undefined
  const key = way.kind === 'password' ? way.password[0] : 'email'
  return `input-${key}-for-${way.id}-provider`
}

/** The site of the request, which may be one of several. */
function siteSlots({ theme }: Plan): PageSite {
  const named = { name: slot('name'), letter: slot('letter'), home: slot('home') }
  return { theme, ...named, languages: slot('languages') }
}

function leadOf(message: Message, { text }: Texts, { lead }: Composed): Content {
  return message.kind === 'lead' ? text(message.text) : lead && text(lead)
}

function noticeOf(
  message: Message,
  { text }: Texts,
  ways: Ways,
  fieldId: string | undefined,
): Content {
  switch (message.kind) {
    case 'cancelled':
      return notice(text('sign-in.cancelled', { provider: slot('cancelled') }))
    case 'warn':
      return notice(text('sign-in.wait', { time: slot('wait') }), 'warn')
    case 'bad':
      return notice(
        fieldId === undefined ? text(message.text) : textLink(text(message.text), `#${fieldId}`),
        'bad',
        furtherOf(message.text, { text }, ways),
      )
    default:
      return undefined
  }
}

const WRONG_PASSWORD: readonly TextKey[] = ['sign-in.wrong', 'sign-in.wrong.address']

/** What to do about a wrong password. */
function furtherOf(key: TextKey, { text }: Pick<Texts, 'text'>, ways: Ways): Content {
  if (!WRONG_PASSWORD.includes(key)) return undefined
  const forgot = passwordWay(ways)?.forgot
  return forgot === undefined
    ? text('sign-in.wrong.check')
    : linked(text('sign-in.wrong.reset'), forgot, text('sign-in.wrong.reset.link'))
}

function footerOf(signUp: string, { text }: Texts): Content {
  return linked(text('sign-in.new', { name: slot('name') }), signUp, text('sign-in.create'))
}

/** Replaces the place `{link}` of a text. */
function linked(text: string, href: string, label: string): Content {
  const [before = '', after = ''] = text.split('{link}')
  return [before, markup(html`<a href="${href}">${label}</a>`), after]
}

/** The step after an address was typed: the ways that are configured, whoever has an account. */
export async function secondStepPage(
  plan: Plan,
  texts: Texts,
  values: SignInPageValues & { readonly identifier: string },
): Promise<PageOutcome> {
  const { compiled, ways } = known(plan)(texts)
  const message = messageOf(ways, values)
  const key = ['second', message.kind, 'text' in message ? message.text : ''].join(' ')
  let made = compiled.get(key)
  if (!made) compiled.set(key, (made = compileSecond(plan, texts, ways, message)))
  const { template, policy } = await made
  const filled = {
    ...filledIn(values),
    identifier: visibleText(values.identifier),
    encoded: encodeURIComponent(values.identifier),
  }
  return { kind: 'page', policy, html: template(filled) }
}

async function compileSecond(
  plan: Plan,
  texts: Texts,
  ways: Ways,
  message: Message,
): Promise<Compiled> {
  const isWrong = message.kind === 'bad'
  const body = secondStep(plan, texts, ways, { isWrong })
  return compileWith(plan, texts, ways, message, { body, fieldId: fieldOf(ways, 'password') })
}

/** Returns whether the page asks for the address first, and for the way in a second step. */
export function asksForAddressFirst(plan: Plan, texts: Texts): boolean {
  return twoSteps(known(plan)(texts).ways) !== undefined
}
