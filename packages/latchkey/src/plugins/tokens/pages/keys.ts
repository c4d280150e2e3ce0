import {
  type AnswerPage,
  dateText,
  type Html,
  html,
  htmlOf,
  markup,
  type SafeUrl,
  type Texts,
  time,
} from '../../../entries/plugin.ts'
import type { ApiKey } from '../api-keys/key-record.ts'
import type { TokensKey } from '../texts.ts'

/** What the page of keys shows besides them. */
export interface KeysPageParts {
  readonly texts: Texts<TokensKey>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly isEnded: boolean
  readonly create: SafeUrl
  readonly end: SafeUrl
  readonly replace: SafeUrl
  readonly csrfField: Html
  readonly scopes: readonly { readonly scope: string; readonly field: string }[]
  /** Days. */
  readonly ages: readonly number[]
  readonly usual: number
  readonly mayBeEndless: boolean
}

const STYLE = `
.keys{list-style:none;margin:24px 0;padding:0;display:grid;gap:16px}
.keys>li{padding:16px;border:1px solid var(--line);border-radius:10px;display:grid;gap:12px}
.keys h2{margin:0;font-size:16px;overflow-wrap:anywhere}
.keys p{margin:0;font-size:14px;color:var(--soft)}
.keys form{display:inline}
.again{margin:0 0 16px;font-size:18px}
.field select{width:100%;min-height:44px;padding:0 12px;border:1px solid var(--line);border-radius:10px;background:transparent;color:inherit;font:inherit}
fieldset{border:1px solid var(--line);border-radius:10px;margin:0 0 16px;padding:12px 16px}
`

/** The keys of a user, a form to end and to replace each, and one to make another. */
export function keysPage(keys: readonly ApiKey[], parts: KeysPageParts): AnswerPage {
  const { text } = parts.texts
  const title = text('tokens:keys')
  const notice =
    parts.isEnded &&
    html`<p role="status" tabindex="-1" autofocus>${text('tokens:key.ended')}</p>\n`
  const list =
    keys.length === 0
      ? html`<p>${text('tokens:keys.none')}</p>`
      : html`<ul class="keys">\n${keys.map((key) => markup(item(key, parts)))}</ul>`
  const body = html`<h1>${title}</h1>
${notice && markup(notice)}<p class="lead">${text('tokens:keys.lead')}</p>
${markup(list)}
${markup(form(parts))}`
  return { title, body, style: STYLE }
}

function item(key: ApiKey, { texts, now, end, replace, csrfField }: KeysPageParts): Html {
  const { text, lang } = texts
  const { id, name, hint, scopes, created, expires, used } = key
  const isOver = expires !== null && Date.parse(expires) <= now
  const until =
    expires === null
      ? text('tokens:key.endless')
      : htmlOf(text(isOver ? 'tokens:key.expired' : 'tokens:key.expires'), {
          time: time(expires, lang),
        })
  const use =
    used === undefined
      ? text('tokens:key.unused')
      : htmlOf(text('tokens:key.used'), { time: time(used, lang) })
  const button = (action: SafeUrl, label: string, full: string) =>
    markup(html`<form action="${action}" method="post">
${markup(csrfField)}<input type="hidden" name="id" value="${id}">
<button class="button" type="submit" aria-label="${full}">${label}</button>
</form>
`)
  return html`<li>
<h2>${name} <code>${hint}…</code></h2>
<p>${htmlOf(text('tokens:key.created'), { time: time(created, lang) })}</p>
<p>${until}</p>
<p>${use}</p>
${scopes.length > 0 && markup(html`<p>${text('tokens:key.scopes', { scopes: scopes.join(', ') })}</p>\n`)}${!isOver && button(replace, text('tokens:key.replace'), text('tokens:key.replace-it', { name }))}${button(end, text('tokens:key.end'), text('tokens:key.end-it', { name }))}</li>
`
}

function form({
  texts,
  create,
  csrfField,
  scopes,
  ages,
  usual,
  mayBeEndless,
}: KeysPageParts): Html {
  const { text } = texts
  const boxes = scopes.map(({ scope, field }) =>
    markup(html`<label><input type="checkbox" name="${field}" value="1"> ${scope}</label>\n`),
  )
  const options = ages.map((days) => {
    const label = text('tokens:key.days', { count: days })
    return days === usual
      ? markup(html`<option value="${days}" selected>${label}</option>\n`)
      : markup(html`<option value="${days}">${label}</option>\n`)
  })
  return html`<h2 class="again">${text('tokens:key.new')}</h2>
<form action="${create}" method="post">
${markup(csrfField)}<div class="field">
<label for="name">${text('tokens:key.name')}</label>
<input id="name" type="text" name="name" maxlength="60" autocomplete="off" required>
</div>
${scopes.length > 0 && markup(html`<fieldset>\n<legend>${text('tokens:key.may')}</legend>\n${boxes}</fieldset>\n`)}<div class="field">
<label for="age">${text('tokens:key.age')}</label>
<select id="age" name="age">
${options}${mayBeEndless && markup(html`<option value="never">${text('tokens:key.never')}</option>\n`)}</select>
</div>
<button class="button main" type="submit">${text('tokens:key.make')}</button>
</form>`
}

/** A key that was just made, for once. */
export function madePage(
  { name, expires }: ApiKey,
  token: string,
  { texts, page }: Pick<KeysPageParts, 'texts'> & { readonly page: SafeUrl },
): AnswerPage {
  const { text, lang } = texts
  const title = text('tokens:key.made', { name })
  const end =
    expires === null
      ? text('tokens:key.endless')
      : text('tokens:key.expires', { time: dateText(expires, lang) })
  const body = html`<h1>${title}</h1>
<p class="lead" role="status">${text('tokens:key.once')}</p>
<div class="field">
<label for="key">${text('tokens:key.text')}</label>
<input id="key" type="text" value="${token}" readonly autocomplete="off" spellcheck="false">
</div>
<p>${end}</p>
<div class="stack">
<a class="button main" href="${page}">${text('tokens:key.done')}</a>
</div>`
  return { title, body }
}
