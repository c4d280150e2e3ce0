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
import type { SessionInfo } from '../session-info.ts'
import type { SessionsKey } from '../texts.ts'

/** What was done before the page was shown. */
export type Done = 'one' | 'others' | 'name'

/** What is asked about before it is done. */
export type Question = 'others' | 'all'

/** Texts, addresses and the hidden field of forms. */
export interface PageParts {
  readonly texts: SessionsTexts
  readonly page: SafeUrl
  readonly end: SafeUrl
  readonly rename: SafeUrl
  readonly endOthers: SafeUrl
  readonly endAll: SafeUrl
  readonly csrfField: Html
}

interface ListParts extends PageParts {
  /** The names of providers, by id. */
  readonly providerNames: ReadonlyMap<string, string>
}

const STYLE = `
.sessions{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:16px}
.sessions>li{padding:16px;border:1px solid var(--line);border-radius:10px;display:grid;gap:12px}
.sessions h2{margin:0;font-size:16px;overflow-wrap:anywhere}
.sessions summary{cursor:pointer;font-size:14px}
.sessions details form{margin-top:12px}
.sessions p{margin:0;font-size:14px;color:var(--soft)}
`

type SessionsTexts = Texts<SessionsKey>

/** Where somebody is signed in, with a form to end each. */
export function sessionsPage(
  sessions: readonly SessionInfo[],
  done: Done | undefined,
  parts: ListParts,
): AnswerPage {
  const { text } = parts.texts
  const notice =
    done && html`<p role="status" tabindex="-1" autofocus>${text(`sessions:ended.${done}`)}</p>\n`
  const hasOthers = sessions.some(({ current }) => !current)
  const body = html`<h1>${text('sessions:title')}</h1>
${notice && markup(notice)}<ul class="sessions">
${sessions.map((session) => markup(item(session, parts)))}</ul>
<div class="stack">
${hasOthers && markup(html`<a class="button" href="${parts.page}?confirm=others">${text('sessions:others')}</a>\n`)}<a class="button" href="${parts.page}?confirm=all">${text('sessions:all')}</a>
</div>`
  return { title: text('sessions:title'), body, style: STYLE }
}

function item(
  session: SessionInfo,
  { texts, end, rename, csrfField, providerNames }: ListParts,
): Html {
  const { id, current, begun, seen, provider, address: network } = session
  const { text, lang } = texts
  const field = `name-of-${id}`
  const name = nameOf(session, texts)
  const act = text(current ? 'sessions:sign-out' : 'sessions:end')
  const label =
    seen === undefined
      ? text('sessions:act', { act, name })
      : text('sessions:act-seen', { act, name, time: dateText(seen, lang) })
  const providerName = provider && (providerNames.get(provider) ?? provider)
  const beganWith = text(provider === undefined ? 'sessions:begun' : 'sessions:begun-with')
  return html`<li>
<h2>${name}</h2>
${current && markup(html`<p>${text('sessions:this-browser')}</p>\n`)}${begun !== undefined && markup(html`<p>${htmlOf(beganWith, { time: time(begun, lang), provider: providerName })}</p>\n`)}${seen !== undefined && markup(html`<p>${htmlOf(text('sessions:seen'), { time: time(seen, lang) })}</p>\n`)}${network !== undefined && markup(html`<p>${text('sessions:network', { network })}</p>\n`)}<form action="${end}" method="post">
${markup(csrfField)}<input type="hidden" name="id" value="${id}">
<button class="button" type="submit" aria-label="${label}">${act}</button>
</form>
${
  isNamed(session) &&
  markup(html`<details>
<summary aria-label="${text('sessions:rename-it', { name })}">${text('sessions:rename')}</summary>
<form action="${rename}" method="post">
${markup(csrfField)}<input type="hidden" name="id" value="${id}">
<div class="field">
<label for="${field}">${text('sessions:name')}</label>
<input id="${field}" type="text" name="name" value="${session.name ?? ''}" maxlength="60" autocomplete="off">
</div>
<button class="button" type="submit" aria-label="${text('sessions:save-it', { name })}">${text('sessions:save')}</button>
</form>
</details>
`)
}</li>
`
}

/** Asks before more than one session is ended. */
export function questionPage(
  question: Question,
  { texts, page, endOthers, endAll, csrfField }: PageParts,
): AnswerPage {
  const { text } = texts
  const title = text(`sessions:${question}.title`)
  const action = question === 'others' ? endOthers : endAll
  const body = html`<h1>${title}</h1>
<p class="lead">${text(`sessions:${question}.lead`)}</p>
<div class="stack">
<form action="${action}" method="post">
${markup(csrfField)}<button class="button main" type="submit">${text(`sessions:${question}`)}</button>
</form>
<a class="button" href="${page}">${text('sessions:back')}</a>
</div>`
  return { title, body }
}

/** One without a record cannot be given a name. */
function isNamed({ begun }: SessionInfo): boolean {
  return begun !== undefined
}

/** What its user calls it, or `Firefox on Linux`, as far as that is known. */
function nameOf({ name, device }: SessionInfo, { text }: SessionsTexts): string {
  if (name !== undefined) return name
  const { browser, system, kind } = device ?? {}
  if (kind === 'program') return text('sessions:program')
  const family = browser ?? text('sessions:unknown-browser')
  return system === undefined ? family : text('sessions:browser-on', { browser: family, system })
}
