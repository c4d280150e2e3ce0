import {
  type AnswerPage,
  dateText,
  type Html,
  html,
  htmlOf,
  markup,
  type SafeUrl,
  type TextKey,
  type Texts,
  time,
  timeAgo,
} from '../../../entries/plugin.ts'
import {
  acts,
  checkbox,
  empty,
  field,
  icon,
  leftToRight,
  linkButton,
  type Markup,
  notice,
  pane,
  postForm,
  row,
  section,
  selectField,
  submitButton,
  tag,
} from '../../../entries/plugin-pages.ts'
import type { ApiKey } from '../api-keys/key-record.ts'
import { KEYS_PAGE } from '../own.ts'
import type { TokensKey } from '../texts.ts'

/** What the page of keys shows besides them. */
export interface KeysPageParts {
  readonly texts: Texts<TokensKey | TextKey>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly isEnded: boolean
  readonly page: SafeUrl
  /** The page with the form for another key. */
  readonly another: SafeUrl
  readonly end: SafeUrl
  readonly replace: SafeUrl
  readonly csrfField: Html
}

/** What the form for another key offers. */
export interface NewKeyParts {
  readonly texts: Texts<TokensKey | TextKey>
  readonly page: SafeUrl
  readonly create: SafeUrl
  readonly csrfField: Html
  readonly scopes: readonly { readonly scope: string; readonly field: string }[]
  /** Days. */
  readonly ages: readonly number[]
  readonly usual: number
  readonly mayBeEndless: boolean
}

/** The keys of a user, a form to replace each, and links to make another and to delete one. */
export function keysPage(keys: readonly ApiKey[], parts: KeysPageParts): AnswerPage {
  const { texts, isEnded, another } = parts
  const { text } = texts
  const make = (isSmall: boolean): Markup =>
    linkButton(text('tokens:key.new'), another, { kind: 'main', icon: 'plus', isSmall })
  const list =
    keys.length === 0
      ? empty('key', text('tokens:keys.none'), text('tokens:keys.none.about'), make(false))
      : section(
          { title: text('tokens:keys.count', { count: keys.length }), act: make(true) },
          keys.map((key) => item(key, parts)),
        )
  return {
    title: text('tokens:keys'),
    lead: text('tokens:keys.lead'),
    notice: isEnded && notice(text('tokens:key.ended'), 'good'),
    body: html`${list}`,
    layout: 'account',
    section: KEYS_PAGE,
  }
}

function item(key: ApiKey, { texts, now, page, replace, csrfField }: KeysPageParts): Markup {
  const { text, lang } = texts
  const { id, name, hint, scopes, created, expires, used } = key
  const isOver = expires !== null && Date.parse(expires) <= now
  const until =
    expires === null
      ? text('tokens:key.endless')
      : htmlOf(text(isOver ? 'tokens:key.expired' : 'tokens:key.expires'), {
          time: time(expires, lang),
        })
  const start = markup(html`<code class="note">${leftToRight(`${hint}…`)}</code>`)
  const again = submitButton(text('tokens:key.replace'), { isSmall: true, of: name })
  const remove = linkButton(text('tokens:key.end'), `${page}?confirm=${id}`, {
    kind: 'danger',
    isSmall: true,
    of: name,
  })
  return row({
    picture: 'key',
    title: name,
    tags: [start, isOver && [' ', tag(text('tokens:key.over'), 'bad')]],
    facts: [
      scopes.length > 0 && text('tokens:key.scopes', { scopes: scopes.join(', ') }),
      used === undefined
        ? text('tokens:key.unused')
        : htmlOf(text('tokens:key.used'), { time: timeAgo(used, lang) }),
      until,
      htmlOf(text('tokens:key.created'), { time: timeAgo(created, lang) }),
    ],
    acts: [!isOver && postForm(again, { action: replace, csrfField, hidden: { id } }), remove],
  })
}

/** Asks before a key is deleted. */
export function questionPage(
  { id, name }: ApiKey,
  { texts: { text }, page, end, csrfField }: KeysPageParts,
): AnswerPage {
  const buttons = acts(
    submitButton(text('tokens:key.question.submit'), { kind: 'danger main' }),
    linkButton(text('page.cancel'), page),
  )
  return {
    title: text('tokens:key.question', { name }),
    lead: text('tokens:key.question.lead'),
    body: html`${pane(postForm(buttons, { action: end, csrfField, hidden: { id } }))}`,
    layout: 'account',
    section: KEYS_PAGE,
  }
}

/** The form for another key. */
export function newKeyPage(parts: NewKeyParts): AnswerPage {
  const { texts, page, create, csrfField, scopes, ages, usual, mayBeEndless } = parts
  const { text } = texts
  const name = field({
    label: text('tokens:key.name'),
    name: 'name',
    hint: text('tokens:key.name.hint'),
    attributes: { maxlength: '60', autocomplete: 'off', required: true },
  })
  const boxes = scopes.map((each) => [checkbox({ label: each.scope, name: each.field }), '\n'])
  const permissions =
    scopes.length > 0 &&
    markup(html`<fieldset>
<legend>${text('tokens:key.may')}</legend>
${boxes}</fieldset>
`)
  const age = selectField({
    label: text('tokens:key.age'),
    name: 'age',
    value: String(usual),
    options: [
      ...ages.map((days) => ({
        value: String(days),
        text: text('tokens:key.days', { count: days }),
      })),
      ...(mayBeEndless ? [{ value: 'never', text: text('tokens:key.never') }] : []),
    ],
  })
  const buttons = acts(
    submitButton(text('tokens:key.make'), { kind: 'main' }),
    linkButton(text('page.cancel'), page),
  )
  return {
    title: text('tokens:key.new'),
    lead: text('tokens:key.new.lead'),
    body: html`${pane(postForm([name, '\n', permissions, age, '\n', buttons], { action: create, csrfField }))}`,
    layout: 'account',
    section: KEYS_PAGE,
  }
}

/** Shows a key after it was made. No later page shows it. */
export function madePage(
  { name, expires }: ApiKey,
  token: string,
  { texts, page }: Pick<KeysPageParts, 'texts' | 'page'>,
): AnswerPage {
  const { text, lang } = texts
  const end =
    expires === null
      ? text('tokens:key.endless')
      : text('tokens:key.expires', { time: dateText(expires, lang) })
  const key = field({
    label: text('tokens:key.text'),
    name: 'key',
    value: token,
    attributes: {
      class: 'mono',
      dir: 'ltr',
      readonly: true,
      autocomplete: 'off',
      spellcheck: 'false',
    },
  })
  const copy = markup(
    html`<button class="button main" type="button" data-script hidden data-copy="key" data-done="${text('tokens:key.copied')}">${icon('copy')}<span>${text('tokens:key.copy')}</span></button>`,
  )
  return {
    title: text('tokens:key.made'),
    lead: text('tokens:key.once', { name }),
    body: html`${pane([key, '\n', acts(copy, linkButton(text('tokens:key.done'), page)), markup(html`\n<p class="note">${text('tokens:key.keep')} ${end}</p>`)])}`,
    layout: 'account',
    section: KEYS_PAGE,
  }
}
