/**
 * The parts of which all pages are made, those of plugins too. Each returns markup for a template of `html`.
 *
 * @module
 */

import { type Html, html, markup, type Part, rawHtml } from '../http/html.ts'
import type { IconName } from './icon-names.ts'
import { icon } from './icons.ts'

/** Markup for a template of `html`. */
export interface Markup {
  readonly html: Html
}

/** Text, which is escaped, or markup. */
export type Content = Part

/** What a button is for. There is at most one `main` button on a page. */
export type ButtonKind = 'main' | 'danger' | 'danger main' | 'quiet'

/** How a button or a link that looks like one is drawn. */
export interface ButtonOptions {
  /** @default a button between `main` and `quiet` */
  readonly kind?: ButtonKind | undefined
  readonly icon?: IconName | undefined
  /** Whether it is one of several in a list. */
  readonly isSmall?: boolean | undefined
  /** Words after the label that only assistive technology reads, for example what the button deletes. */
  readonly of?: string | undefined
}

/** A button of a form. */
export interface SubmitOptions extends ButtonOptions {
  /** Name and value that the form sends with this button. */
  readonly name?: string | undefined
  readonly value?: string | undefined
  /** Another address than that of the form. */
  readonly action?: string | undefined
  readonly id?: string | undefined
}

/** Returns a button that sends its form. */
export function submitButton(label: Content, options: SubmitOptions = {}): Markup {
  const { name, value, action, id } = options
  return markup(
    html`<button class="${classOf(options)}" type="submit"${attribute('id', id)}${attribute('name', name)}${attribute('value', value)}${attribute('formaction', action)}>${face(label, options)}</button>`,
  )
}

/** Returns a link that looks like a button. It must change nothing. */
export function linkButton(label: Content, href: string, options: ButtonOptions = {}): Markup {
  return markup(html`<a class="${classOf(options)}" href="${href}">${face(label, options)}</a>`)
}

function classOf({ kind, isSmall }: ButtonOptions): string {
  return ['button', ...(kind ? [kind] : []), ...(isSmall ? ['small'] : [])].join(' ')
}

function face(label: Content, { icon: name, of }: ButtonOptions): Content {
  return [
    name && icon(name),
    label,
    of !== undefined && markup(html`<span class="sr"> ${of}</span>`),
  ]
}

/** A form. */
export interface FormOptions {
  /** @default the address of the page */
  readonly action?: string | undefined
  /** The hidden field with the CSRF token. */
  readonly csrfField?: Html | undefined
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string | undefined>> | undefined
  /** Class of the form: `stack`, or `pair` for two buttons beside each other. */
  readonly className?: 'stack' | 'pair' | undefined
}

/** Returns a form with the POST method. */
export function postForm(content: Content, options: FormOptions = {}): Markup {
  const { action, csrfField, hidden = {}, className } = options
  const fields = Object.entries(hidden).map(
    ([name, value]) =>
      value !== undefined && markup(html`<input type="hidden" name="${name}" value="${value}">`),
  )
  return markup(
    html`<form${attribute('action', action)} method="post"${attribute('class', className)}>
${csrfField && markup(csrfField)}${fields}
${content}
</form>`,
  )
}

/** A text field with its label, hint and error. */
export interface FieldOptions {
  readonly label: string
  readonly name: string
  /** @default the name */
  readonly id?: string | undefined
  /** @default 'text' */
  readonly type?: string | undefined
  readonly value?: string | undefined
  /** What is wrong with the value. The field has the focus. */
  readonly error?: string | undefined
  readonly hint?: Content
  /** A link beside the label. */
  readonly aside?: Content
  /** Further attributes by name; `true` for one without a value. */
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>> | undefined
}

/** Returns a field of a form. */
export function field(options: FieldOptions): Markup {
  return fieldIn(options, '', (input) => input)
}

/** Returns a field for a password, with a button that shows what was typed. */
export function passwordField(options: FieldOptions, show: string): Markup {
  const { name, id = name } = options
  const button = html`<button type="button" data-show="${id}" data-script hidden aria-pressed="false" aria-label="${show}"><span data-off>${icon('show')}</span><span data-on>${icon('hide')}</span></button>`
  return fieldIn(
    { ...options, type: 'password' },
    '',
    (input) => html`<div class="with">${markup(input)}${markup(button)}</div>`,
  )
}

/**
 * Returns a field for a code of digits. It looks like boxes, and takes a code that is pasted with spaces.
 *
 * @param length digits, 6 or 8.
 */
export function codeField(options: FieldOptions, length: 6 | 7 | 8): Markup {
  const attributes = {
    class: length === 6 ? 'code' : 'code eight',
    dir: 'ltr',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    required: true,
    'data-length': String(length),
    ...options.attributes,
  }
  return fieldIn({ ...options, attributes }, ' digits', (input) => input)
}

function fieldIn(options: FieldOptions, more: string, around: (input: Html) => Html): Markup {
  const { label, name, id = name, type = 'text', value, error, hint, aside } = options
  const described = [error !== undefined && `${id}-error`, hint && `${id}-hint`].filter(Boolean)
  const attributes = {
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    ...(error !== undefined && { 'aria-invalid': 'true', autofocus: true }),
    ...options.attributes,
  }
  const input = html`<input id="${id}" type="${type}" name="${name}"${attribute('value', value)}${attributesOf(attributes)}>`
  const title = html`<label for="${id}">${label}</label>`
  return markup(
    html`<div class="field${more}">
${markup(aside ? html`<div class="labels">${markup(title)}${aside}</div>` : title)}
${markup(around(input))}${
  error !== undefined &&
  markup(html`
<p class="error" id="${id}-error">${icon('alert')}${error}</p>`)
}${
  hint &&
  markup(html`
<p class="note" id="${id}-hint">${hint}</p>`)
}
</div>`,
  )
}

/** A checkbox with its label. */
export interface CheckboxOptions {
  readonly label: string
  readonly name: string
  /** @default the name */
  readonly id?: string | undefined
  readonly hint?: string | undefined
  readonly isChecked?: boolean | undefined
  /** Whether it counts for every way to sign in of the page, passkeys too. */
  readonly isForAll?: boolean | undefined
  /** Further attributes, as markup. */
  readonly further?: Content
}

/** Returns a checkbox, whose value is `1`. */
export function checkbox(options: CheckboxOptions): Markup {
  const { label, name, id = name, hint, isChecked, isForAll, further } = options
  const attributes = attributesOf({ checked: isChecked, 'data-for-all': isForAll })
  return markup(
    html`<div class="check"><input id="${id}" type="checkbox" name="${name}" value="1"${attributes}${further}><label for="${id}">${label}${hint && markup(html`<span class="note">${hint}</span>`)}</label></div>`,
  )
}

/** A list of values of which one is chosen. */
export interface SelectOptions {
  readonly label: string
  readonly name: string
  /** The value that is chosen already. @default the first one */
  readonly value?: string | undefined
  readonly options: readonly {
    readonly value: string
    readonly text: string
    /** The language of the text, if it is not that of the page. */
    readonly lang?: string
  }[]
}

/** Returns a field in which one of several values is chosen. */
export function selectField({ label, name, value, options }: SelectOptions): Markup {
  const lines = options.map((each) => {
    const attributes = attributesOf({ selected: each.value === value, lang: each.lang })
    return markup(html`<option value="${each.value}"${attributes}>${each.text}</option>\n`)
  })
  return markup(html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${lines}</select>
</div>`)
}

/** The colour of a message or of a mark: done, look here, failed. */
export type Tone = 'good' | 'warn' | 'bad'

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  warn: 'warning',
  bad: 'alert',
}

/**
 * Returns a message at the top of a page. Screen readers read it when the page opens; errors have the focus.
 *
 * @param tone without it, the message is a fact that matters now.
 * @param further what the visitor can do.
 */
export function notice(content: Content, tone?: Tone, further?: Content): Markup {
  const focus = tone === undefined ? '' : ' tabindex="-1" autofocus'
  const role = isProblem(tone) ? ` role="alert" id="problem"${focus}` : ` role="status"${focus}`
  return markup(
    html`<div class="notice${tone && ` ${tone}`}"${markup(rawHtml(role))}>${icon(tone ? TONE_ICONS[tone] : 'info')}<div><p>${content}</p>${further && markup(html`<p>${further}</p>`)}</div></div>
`,
  )
}

/** Returns a message about several fields: links to each of them. It has the focus. */
export function problemList(title: string, items: Content[]): Markup {
  const list = items.map((item) => markup(html`<li>${item}</li>`))
  return markup(
    html`<div class="notice bad" role="alert" id="problem" tabindex="-1" autofocus>${icon(TONE_ICONS.bad)}<div><p>${title}</p><ul>${list}</ul></div></div>
`,
  )
}

function isProblem(tone: Tone | undefined): boolean {
  return tone === 'bad' || tone === 'warn'
}

/** Returns a short mark beside a name, for example that something has expired. */
export function tag(text: string, tone?: Tone): Markup {
  return markup(html`<span class="tag${tone && ` ${tone}`}">${text}</span>`)
}

/** Returns text from outside whose direction is not known, such as a name. */
export function foreign(text: string): Markup {
  return markup(html`<bdi>${harmless(text)}</bdi>`)
}

/** Most characters of a text from outside: as many as a name may have. */
const LONGEST = 200

/** Shortens a text from outside, and removes controls and marks that change the direction of text. */
function harmless(text: string): string {
  // Not a literal, because the engine would load its Unicode tables with the file. Letters join with others of \p{Cf}.
  const marks = new RegExp(
    '[\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+',
    'gu',
  )
  const characters = Array.from(text.replace(marks, ' '))
  if (characters.length <= LONGEST) return characters.join('')
  return `${characters.slice(0, LONGEST - 1).join('')}…`
}

/** Returns text that always runs from left to right, such as an address or a code. */
export function leftToRight(text: string): Markup {
  return markup(html`<bdi dir="ltr">${text}</bdi>`)
}

/** The picture of a person: the first letters of the name. */
export function avatar(name: string, isBig = false): Markup {
  const letters = harmless(name)
    .split(/[\s@._-]+/u)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
  return markup(html`<span class="avatar${isBig && ' big'}" aria-hidden="true">${letters}</span>`)
}

/** Somebody who is signed in. */
export interface Person {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Returns who is meant, with a link to choose somebody else. */
export function identity({ name, email }: Person, change?: Content): Markup {
  const first = name ?? email ?? ''
  const second =
    name && email ? markup(html`<br><span class="note">${leftToRight(email)}</span>`) : ''
  return markup(
    html`<div class="who">${avatar(first)}<div><strong>${foreign(first)}</strong>${second}</div>${change}</div>`,
  )
}

/** Returns names and their values below each other. */
export function facts(all: readonly (readonly [string, Content])[]): Markup {
  const items = all.map(([term, value]) => markup(html`<dt>${term}</dt><dd>${value}</dd>\n`))
  return markup(html`<dl class="box facts">\n${items}</dl>`)
}

/** One line of a list. */
export interface RowOptions {
  /** An icon, or the mark of a provider. */
  readonly picture?: IconName | Markup | undefined
  readonly title: Content
  /** Marks beside the title. */
  readonly tags?: Content
  /** Facts after each other. */
  readonly facts?: readonly Content[] | undefined
  /** Further markup below the facts. */
  readonly below?: Content
  /** Buttons at the end of the line. */
  readonly acts?: readonly Content[] | undefined
  /** Whether the line is what the visitor uses now. */
  readonly isCurrent?: boolean | undefined
}

/** Returns a line of a {@link section}. */
export function row(options: RowOptions): Markup {
  const { picture, title, tags, facts: bits = [], below, acts = [], isCurrent } = options
  const shown = bits.filter(Boolean).map((bit) => markup(html`<span>${bit}</span>`))
  const buttons = acts.filter(Boolean)
  const classes = ['row', ...(buttons.length < 2 ? ['keep'] : []), ...(isCurrent ? ['mine'] : [])]
  return markup(
    html`<li class="${classes.join(' ')}">${typeof picture === 'string' ? icon(picture) : picture}<div><strong>${title}</strong>${tags && [' ', tags]}${shown.length > 0 && markup(html`<p class="bits">${shown}</p>`)}${below}</div>${buttons.length > 0 && markup(html`<div class="acts">${buttons}</div>`)}</li>
`,
  )
}

/** A part of an account page, with a title of its own. */
export interface SectionOptions {
  readonly title: string
  readonly text?: Content
  /** A button beside the title. */
  readonly act?: Content
}

/** Returns a section of an account page. @param rows lines of {@link row}; `content` for something else */
export function section(
  { title, text, act }: SectionOptions,
  rows: readonly Content[],
  content?: Content,
): Markup {
  return markup(
    html`<section class="section"><header><div><h2>${title}</h2>${text && markup(html`<p>${text}</p>`)}</div>${act}</header>
${
  rows.length > 0 &&
  markup(html`<ul class="pane">
${rows}</ul>
`)
}${content}</section>
`,
  )
}

/** Returns a frame around content of an account page. */
export function pane(content: Content): Markup {
  return markup(html`<div class="pane"><div class="inside">
${content}
</div></div>`)
}

/** Returns what a list shows while there is nothing in it: what will be here, and how. */
export function empty(name: IconName, title: string, text: Content, act?: Content): Markup {
  return markup(
    html`<div class="pane"><div class="empty">${icon(name)}<strong>${title}</strong><p>${text}</p>${act}</div></div>`,
  )
}

/** Returns buttons beside each other. */
export function acts(...buttons: Content[]): Markup {
  return markup(html`<div class="acts">${buttons}</div>`)
}

/** Returns a table that scrolls within the page. */
export function table(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly Content[])[],
): Markup {
  const head = heads.map((each) => markup(html`<th scope="col">${each}</th>`))
  const body = rows.map(([first, ...cells]) =>
    markup(
      html`<tr><th scope="row">${first}</th>${cells.map((cell) => markup(html`<td>${cell}</td>`))}</tr>\n`,
    ),
  )
  return markup(
    html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>`,
  )
}

/** Returns an attribute with a leading space; nothing without a value. */
function attribute(name: string, value: string | undefined): Content {
  return value !== undefined && markup(html` ${name}="${value}"`)
}

/** Returns attributes by name; `true` is one without a value. */
export function attributesOf(all: Readonly<Record<string, string | boolean | undefined>>): Content {
  return Object.entries(all).map(([name, value]) =>
    value === true ? markup(html` ${name}`) : attribute(name, value || undefined),
  )
}

/** Returns a link within text. */
export function textLink(label: Content, href: string): Markup {
  return markup(html`<a href="${href}">${label}</a>`)
}
