import type { TextKey } from '../../base/texts/catalogue.ts'
import type { Texts } from '../../base/texts/texts.ts'
import { type Html, html, markup } from '../../http/html.ts'
import type { OAuth2Config } from '../../options/provider-options.ts'
import {
  type Content,
  checkbox,
  type FieldOptions,
  field,
  leftToRight,
  linkButton,
  type Markup,
  postForm,
  submitButton,
  tag,
} from '../../page-kit/components.ts'
import { csrfSlot, type FieldParts, ownField } from '../../page-kit/form-field.ts'
import { icon } from '../../page-kit/icons.ts'
import { markOf } from '../../page-kit/provider-mark.ts'
import { slot } from '../../page-kit/template.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CompiledProvider, SignInForm } from '../../plan/provider.ts'
import { isByAddress, type MailWay, type PasswordWay, type TypedWay, type Ways } from './ways.ts'

/** The ways to sign in, as the page shows them. */
export interface Composed {
  readonly body: Html
  /** A sentence for a page that has few words of its own. */
  readonly lead?: TextKey | undefined
}

/** What every part of the page is made with. */
interface Parts {
  readonly plan: Plan
  readonly texts: Texts
  readonly ways: Ways
  readonly lastUsed: string | undefined
  readonly fault?: Fault | undefined
}

/** The kind of the form in which a mistake was made. */
export type Fault = 'mail' | 'password'

/** Of a field with a mistake, which the message at the top names. */
const WRONG = { 'aria-invalid': 'true', 'aria-describedby': 'problem' } as const

/** Buttons of providers that are shown beside a form, and without one; the others are folded. */
const BESIDE_A_FORM = 3
const ALONE = 5

/**
 * Composes the page of what is configured: providers first, then one way with something to type, then the passkey; the
 * others are behind "More ways".
 *
 * @param isOpen whether the folded forms are shown.
 */
export function compose(
  plan: Plan,
  texts: Texts,
  ways: Ways,
  { lastUsed, isOpen, fault }: Pick<Parts, 'lastUsed' | 'fault'> & { readonly isOpen: boolean },
): Composed {
  const parts: Parts = { plan, texts, ways, lastUsed, fault }
  const { text } = texts
  const arranged = arrange(parts)
  const { typed, passkey } = arranged
  const sections = arranged.isOneForm
    ? inOneForm(parts, arranged, isOpen)
    : inSeveralForms(parts, arranged, isOpen)
  const hasForm = typed !== undefined || passkey !== undefined
  const isMailAlone =
    ways.typed.length === 1 && ways.typed[0]?.kind === 'mail' && ways.buttons.length === 0
  const shown = sections.filter(Boolean)
  const back = linkButton(text('page.back', { name: slot('name') }), slot('home'))
  return {
    body: html`<div class="stack">
${(shown.length > 0 ? shown : [back]).map((section) => [section, '\n'])}</div>`,
    lead: isMailAlone ? mailLead(ways) : leadWithoutForm(hasForm, arranged),
  }
}

function mailLead({ typed: [way] }: Ways): TextKey {
  return way?.kind === 'mail' && way.isCode ? 'sign-in.mail-code' : 'sign-in.mail'
}

function leadWithoutForm(hasForm: boolean, { shown }: Arranged): TextKey | undefined {
  if (hasForm) return undefined
  return shown.length > 0 ? 'sign-in.choose' : 'sign-in.nothing'
}

/** Where each way stands on the page. */
interface Arranged {
  readonly shown: readonly CompiledProvider[]
  readonly folded: readonly CompiledProvider[]
  /** The one form with something to type. */
  readonly typed: TypedForm | undefined
  /** Further forms, which are folded. */
  readonly others: readonly TypedForm[]
  readonly passkey: SignInForm | undefined
  /** Whether the passkey is a button beside the form, which asks for the address. */
  readonly isPasskeyBeside: boolean
  /** Whether one form holds all ways, so that a box of a plugin is there once. */
  readonly isOneForm: boolean
}

function arrange(parts: Parts): Arranged {
  const { plan, ways, lastUsed } = parts
  const steps = twoSteps(ways)
  const [first, ...rest] = ways.typed
  const typed = steps ? addressFirst(parts, steps) : first && wayForm(parts, first)
  const others = steps ? ways.typed.filter(({ id }) => !isStep(steps, id)) : rest
  const passkey = ways.passkey?.form
  const buttons = usedFirst(ways.buttons, lastUsed)
  const shown = buttons.slice(0, typed || passkey ? BESIDE_A_FORM : ALONE)
  return {
    shown,
    folded: buttons.slice(shown.length),
    typed,
    others: others.map((way) => wayForm(parts, way)),
    passkey,
    // Its own field is needed if no other one asks for an address.
    isPasskeyBeside: passkey?.takesAddress !== undefined && typed?.asksForAddress === true,
    isOneForm: pluginFields(plan).length > 0 && shown.length > 0 && typed !== undefined,
  }
}

function inSeveralForms(parts: Parts, arranged: Arranged, isOpen: boolean): readonly Content[] {
  const { texts } = parts
  const { shown, folded, typed, passkey } = arranged
  const forms = foldedForms(parts, arranged)
  const isOpenNow = isOpen && arranged.others.length > 0
  const more =
    folded.length > 0 &&
    moreWays(texts, [providerButtons(parts, folded, true), ...forms], isOpenNow)
  return [
    shown.length > 0 && providerButtons(parts, shown),
    more,
    shown.length > 0 && (typed || passkey) && or(texts),
    typed ? typedForm(parts, typed, true) : passkeyAlone(parts, passkey),
    passkeyBeside(parts, arranged),
    !more && moreWays(texts, forms, isOpenNow),
  ]
}

function inOneForm(parts: Parts, arranged: Arranged, isOpen: boolean): readonly Content[] {
  const { texts } = parts
  const { shown, folded, typed, others } = arranged
  return [
    typed && oneForm(parts, shown, folded, typed),
    moreWays(texts, foldedForms(parts, arranged), isOpen && others.length > 0),
    passkeyBeside(parts, arranged),
  ]
}

function foldedForms(
  parts: Parts,
  { others, typed, passkey, isPasskeyBeside }: Arranged,
): readonly Content[] {
  return [
    ...others.map((form) => typedForm(parts, form, false)),
    typed && !isPasskeyBeside && passkeyAlone(parts, passkey),
  ]
}

/** The script counts the boxes of other forms, too. */
function passkeyAlone({ plan, texts, ways }: Parts, passkey: SignInForm | undefined): Content {
  const isOnly = ways.buttons.length === 0 && ways.typed.length === 0
  const boxes = isOnly ? pluginBoxes(plan, texts, 'passkey') : html``
  return passkey && markup(passkey.alone(texts, boxes))
}

function passkeyBeside(
  { texts, ways, lastUsed }: Parts,
  { passkey, isPasskeyBeside }: Arranged,
): Content {
  const mark = used(texts, ways.passkey?.id === lastUsed)
  return isPasskeyBeside && passkey && markup(passkey.beside(texts, mark))
}

/** A way with something to type: where its form is sent, its fields, and the label of its button. */
interface TypedForm {
  readonly id: string
  readonly action: string
  readonly content: Content
  readonly label: string
  /** Whether a field asks for an email address, which passkeys use, too. */
  readonly asksForAddress: boolean
}

/** The mail and the password of the same address, of which a second step offers both. */
interface Steps {
  readonly mail: MailWay
  readonly password: PasswordWay
}

/** Returns the ways for which the page asks for the address first. */
export function twoSteps({ typed }: Ways): Steps | undefined {
  const mail = typed.find((way) => way.kind === 'mail')
  const password = typed.find((way) => way.kind === 'password')
  return mail && password && isByAddress(password) ? { mail, password } : undefined
}

function isStep({ mail, password }: Steps, id: string): boolean {
  return id === mail.id || id === password.id
}

function addressFirst(parts: Parts, { mail, password }: Steps): TypedForm {
  const { plan, texts, lastUsed } = parts
  const names = password.takesNames
    ? {
        type: 'text',
        label: texts.text('sign-in.email-or-name'),
        attributes: { placeholder: undefined },
      }
    : {}
  return {
    // The mark of the way that was used last is on the step that leads to it.
    id: lastUsed === password.id ? password.id : mail.id,
    action: `${plan.basePath}/signin`,
    content: addressField(parts, mail.id, true, names),
    label: texts.text('sign-in.next'),
    asksForAddress: true,
  }
}

/** The second step: the password, the mail, and a passkey, whatever the address is. */
export function secondStep(
  plan: Plan,
  texts: Texts,
  ways: Ways,
  { isWrong }: { readonly isWrong: boolean },
): Html {
  const { text } = texts
  const steps = twoSteps(ways)
  if (!steps) return html``
  const { mail, password } = steps
  const [name] = password.identifier
  const [key, input] = password.password
  const address = slot('identifier')
  const change = html`<a href="${plan.basePath}/signin?email=${slot('encoded')}">${text('sign-in.change')}</a>`
  const who = html`<div class="who">${icon('account')}${leftToRight(address)}${markup(change)}</div>
<input class="sr" type="${password.takesNames ? 'text' : 'email'}" name="${name}" value="${address}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">`
  const secret = ownField(password.id, key, input, {
    ...passwordParts(texts, password),
    attributes: { required: true, ...(isWrong ? WRONG : { autofocus: true }) },
  })
  const form = [
    markup(who),
    '\n',
    secret,
    '\n',
    capsHint(texts, password.id, key),
    markup(pluginBoxes(plan, texts, password.id)),
    submitButton(text('sign-in.submit'), { kind: 'main' }),
  ]
  const passkey = ways.passkey && markup(ways.passkey.form.beside(texts, undefined))
  // Under another name, the mail needs the address, too, and so does this page after a mistake.
  const hidden = name === 'email' ? {} : { email: address }
  const send = text(mail.isCode ? 'sign-in.send-code-instead' : 'sign-in.send-instead')
  if (pluginFields(plan).length > 0) {
    // One form, so that the box counts for the mail, too.
    const byMail = html`<button class="button" type="submit" formaction="${mail.action}" formnovalidate>${icon('mail')}${send}</button>`
    const all = [form, '\n', or(texts), '\n', markup(byMail)]
    return html`<div class="stack">
${postForm(all, { action: password.action, csrfField: csrfSlot, hidden })}
${passkey}
</div>`
  }
  const byMail = postForm(submitButton(send, { icon: 'mail' }), {
    action: mail.action,
    csrfField: csrfSlot,
    hidden: { email: address },
  })
  return html`${postForm(form, { action: password.action, csrfField: csrfSlot, hidden })}
<div class="stack">
${or(texts)}
${byMail}
${passkey}
</div>`
}

function wayForm(parts: Parts, way: TypedWay): TypedForm {
  const { texts, ways } = parts
  const { text } = texts
  const { id, name, action } = way
  const isFirst = way === ways.typed[0]
  if (way.kind === 'mail') {
    const content = addressField(parts, id, isFirst)
    return {
      id,
      action,
      content,
      label: text(way.isCode ? 'sign-in.send-code' : 'sign-in.send'),
      asksForAddress: true,
    }
  }
  const isNamed = ways.typed.length > 1 && !isFirst
  const label = isNamed ? text('sign-in.with', { name }) : text('sign-in.submit')
  if (way.kind === 'password') {
    const asksForAddress = way.identifier[0] === 'email'
    return { id, action, content: passwordFields(parts, way), label, asksForAddress }
  }
  const fields = way.fields.map(([key, input]) => [
    ownField(id, key, input, { ...typedValue(key, input.type), show: text('page.show') }),
    '\n',
  ])
  // A way without fields says at least what it is.
  const own = fields.length === 0 ? text('sign-in.with', { name }) : label
  return { id, action, content: fields, label: own, asksForAddress: false }
}

function passwordFields({ texts, ways, fault }: Parts, way: PasswordWay): Content {
  const wrong = fault === 'password' ? WRONG : {}
  const { id, identifier, password } = way
  const [name, input] = identifier
  const [key, secret] = password
  const { text } = texts
  const who = ownField(id, name, input, {
    show: text('page.show'),
    ...typedValue(name, input.type),
    ...(input.label === undefined && labelOf(way, text)),
    ...(way.takesNames && { type: 'text' }),
    attributes: {
      autocomplete: usernameOf(ways),
      autocapitalize: 'none',
      spellcheck: 'false',
      'data-form-field': name === 'email' ? ways.passkey?.form.takesAddress : undefined,
      ...wrong,
    },
  })
  return [
    who,
    '\n',
    ownField(id, key, secret, { ...passwordParts(texts, way), attributes: wrong }),
    '\n',
    capsHint(texts, id, key),
  ]
}

function labelOf(way: PasswordWay, text: Texts['text']): { readonly label?: string } {
  if (way.takesNames) return { label: text('sign-in.email-or-name') }
  return isByAddress(way) ? { label: text('sign-in.email') } : {}
}

function passwordParts(
  { text }: Texts,
  { password: [key, input], forgot }: PasswordWay,
): FieldParts {
  return {
    show: text('page.show'),
    ...(input.label === undefined && key === 'password' && { label: text('sign-in.password') }),
    ...(forgot !== undefined && {
      aside: markup(html`<a href="${forgot}">${text('sign-in.forgot')}</a>`),
    }),
  }
}

function capsHint({ text }: Texts, id: string, key: string): Markup {
  const input = `input-${key}-for-${id}-provider`
  return markup(html`<p class="note" data-caps="${input}" hidden>${text('page.caps')}</p>
`)
}

/** Fields whose value is shown again after a mistake; a password is typed again. */
const TEXT_TYPES: readonly string[] = ['text', 'email', 'tel', 'url', 'search', 'number']

function typedValue(key: string, type = 'text'): { readonly value?: string } {
  return TEXT_TYPES.includes(type) ? { value: slot(`typed.${key}`) } : {}
}

function addressField(
  { texts, ways, fault }: Parts,
  id: string,
  isFirst = true,
  { attributes, ...more }: Partial<FieldOptions> = {},
): Markup {
  const { text } = texts
  return field({
    label: text('sign-in.email'),
    name: 'email',
    id: `input-email-for-${id}-provider`,
    type: 'email',
    value: slot('typed.email'),
    ...more,
    attributes: {
      required: true,
      autocomplete: isFirst ? usernameOf(ways) : 'email',
      autocapitalize: 'none',
      spellcheck: 'false',
      placeholder: text('sign-in.email.example'),
      'data-form-field': isFirst ? ways.passkey?.form.takesAddress : undefined,
      ...(fault === 'mail' && WRONG),
      ...attributes,
    },
  })
}

/** Browsers offer passkeys in a field with `webauthn`. */
function usernameOf({ passkey }: Ways): string {
  return passkey?.form.isOffered ? 'username webauthn' : 'username'
}

function typedForm({ plan, texts, lastUsed }: Parts, form: TypedForm, isMain: boolean): Markup {
  const { id, action, content, label } = form
  const boxes = markup(pluginBoxes(plan, texts, id))
  const button = submitButton([label, used(texts, id === lastUsed)], isMain ? { kind: 'main' } : {})
  return postForm([content, '\n', boxes, button], { action, csrfField: csrfSlot })
}

/** One form for all ways, so that a box of a plugin is there once. Enter takes the way with something to type. */
function oneForm(
  parts: Parts,
  shown: readonly CompiledProvider[],
  folded: readonly CompiledProvider[],
  typed: TypedForm,
): Markup {
  const { plan, texts, lastUsed } = parts
  const { id, action, content, label } = typed
  const enter = html`<button class="sr" type="submit" tabindex="-1" aria-hidden="true"></button>`
  const main = submitButton([label, used(texts, id === lastUsed)], { kind: 'main' })
  const all = [
    markup(enter),
    '\n',
    markup(html`<div class="stack">
${shown.map((each) => [providerButton(parts, each, actionOf(plan, each)), '\n'])}${folded.length > 0 && moreWays(texts, [pairOf(parts, folded)], false)}${or(texts)}
</div>
`),
    content,
    '\n',
    markup(pluginBoxes(plan, texts, id)),
    main,
  ]
  return postForm(all, {
    action,
    csrfField: csrfSlot,
    hidden: { callbackUrl: slot('callbackUrl') },
  })
}

/** Buttons of providers: each in a form of its own, unless a box of a plugin counts for all of them. */
function providerButtons(
  parts: Parts,
  buttons: readonly CompiledProvider[],
  isPair = false,
): Content {
  const { plan, texts } = parts
  const options = { csrfField: csrfSlot, hidden: { callbackUrl: slot('callbackUrl') } }
  if (pluginFields(plan).length > 0) {
    const boxes = markup(pluginBoxes(plan, texts, 'buttons'))
    const all = buttons.map((each) => [
      providerButton(parts, each, actionOf(plan, each), isPair),
      '\n',
    ])
    return postForm([all, boxes], { ...options, className: isPair ? 'pair' : 'stack' })
  }
  const forms = buttons.map((each) => [
    postForm(providerButton(parts, each, undefined, isPair), {
      ...options,
      action: actionOf(plan, each),
    }),
    '\n',
  ])
  return isPair
    ? markup(html`<div class="pair">
${forms}</div>`)
    : forms
}

function pairOf(parts: Parts, buttons: readonly CompiledProvider[]): Markup {
  const all = buttons.map((each) => [
    providerButton(parts, each, actionOf(parts.plan, each), true),
    '\n',
  ])
  return markup(html`<div class="pair">${all}</div>`)
}

function actionOf({ basePath }: Plan, { id }: CompiledProvider): string {
  return `${basePath}/signin/${id}`
}

/** Providers that forbid to shorten "Continue with …". */
const IN_FULL: readonly string[] = ['google', 'apple']

function providerButton(
  { texts, lastUsed }: Parts,
  { id, name = id, config }: CompiledProvider,
  action: string | undefined,
  isPair = false,
): Markup {
  const { style } = config as OAuth2Config<unknown>
  const full = texts.text('sign-in.continue', { name })
  const [before = '', after = ''] = texts
    .text('sign-in.continue', { name: '\u0000' })
    .split('\u0000')
  const isShort = isPair && !IN_FULL.includes(id)
  const hidden = (part: string): Content => part && markup(html`<span class="sr">${part}</span>`)
  const label = isShort ? [hidden(before), name, hidden(after)] : full
  const target = action === undefined ? '' : html` formaction="${action}" formnovalidate`
  return markup(
    html`<button class="button" type="submit"${target && markup(target)}>${markup(markOf(style ?? {}, name))}<span>${label}</span>${used(texts, id === lastUsed)}</button>`,
  )
}

function used({ text }: Texts, isUsed: boolean): Markup | undefined {
  return isUsed ? tag(text('sign-in.last-used')) : undefined
}

function usedFirst(
  buttons: readonly CompiledProvider[],
  lastUsed: string | undefined,
): readonly CompiledProvider[] {
  const first = buttons.find(({ id }) => id === lastUsed)
  return first ? [first, ...buttons.filter((each) => each !== first)] : buttons
}

function moreWays({ text }: Texts, content: readonly Content[], isOpen: boolean): Content {
  const ways = content.filter(Boolean)
  if (ways.length === 0) return undefined
  return markup(html`<details class="more"${isOpen && markup(html` open`)}><summary class="button quiet">${text('sign-in.more')} ${icon('down')}</summary>
${ways.map((each) => [each, '\n'])}</details>`)
}

function or({ text }: Texts): Markup {
  return markup(html`<div class="or">${text('sign-in.or')}</div>`)
}

type PluginField = NonNullable<Plan['plugins']>['actions']['signInFields'][number]

function pluginFields({ plugins }: Plan): readonly PluginField[] {
  return plugins?.actions.signInFields ?? []
}

/**
 * Returns the checkboxes of plugins.
 *
 * @param of makes their ids unique.
 */
function pluginBoxes(plan: Plan, texts: Texts, of: string): Html {
  return html`${pluginFields(plan).map(({ name, label, texts: own }) => [
    checkbox({
      id: `input-${name}-for-${of}`,
      name,
      label: texts.with(own).text(label),
      isForAll: true,
      // Ticked again on the next step, and after a mistake.
      further: slot(`ticked.${name}`),
    }),
    '\n',
  ])}`
}
