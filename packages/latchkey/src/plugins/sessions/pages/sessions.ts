import { type AnswerPage, type Html, html, markup, type SafeUrl } from '../../../plugin-kit.ts'
import type { SessionInfo } from '../session-info.ts'

/** What was done before the page was shown. */
export type Done = 'one' | 'others' | 'name'

/** What is asked about before it is done. */
export type Question = 'others' | 'all'

/** Addresses and the hidden field of forms. */
export interface PageParts {
  readonly page: SafeUrl
  readonly end: SafeUrl
  readonly rename: SafeUrl
  readonly endOthers: SafeUrl
  readonly endAll: SafeUrl
  readonly csrfField: Html
}

const STYLE = `
.sessions{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:16px}
.sessions>li{padding:16px;border:1px solid var(--line);border-radius:10px;display:grid;gap:12px}
.sessions h2{margin:0;font-size:16px;overflow-wrap:anywhere}
.sessions summary{cursor:pointer;font-size:14px}
.sessions details form{margin-top:12px}
.sessions p{margin:0;font-size:14px;color:var(--soft)}
`

const NOTICES: Readonly<Record<Done, string>> = {
  one: 'The session was ended.',
  others: 'All other sessions were ended.',
  name: 'The name was saved.',
}

/** Where somebody is signed in, with a form to end each. */
export function sessionsPage(
  sessions: readonly SessionInfo[],
  done: Done | undefined,
  parts: PageParts,
): AnswerPage {
  const notice = done && html`<p role="status" tabindex="-1" autofocus>${NOTICES[done]}</p>\n`
  const hasOthers = sessions.some(({ current }) => !current)
  const body = html`<h1>Where you are signed in</h1>
${notice && markup(notice)}<ul class="sessions">
${sessions.map((session) => markup(item(session, parts)))}</ul>
<div class="stack">
${hasOthers && markup(html`<a class="button" href="${parts.page}?confirm=others">End all others</a>\n`)}<a class="button" href="${parts.page}?confirm=all">Sign out everywhere</a>
</div>`
  return { title: 'Where you are signed in', body, style: STYLE }
}

function item(session: SessionInfo, { end, rename, csrfField }: PageParts): Html {
  const { id, current, begun, seen, provider } = session
  const field = `name-of-${id}`
  const name = nameOf(session)
  const act = current ? 'Sign out' : 'End'
  const label = `${act}: ${name}${seen === undefined ? '' : `, last seen ${dateText(seen)}`}`
  return html`<li>
<h2>${name}</h2>
${current && markup(html`<p>This browser</p>\n`)}${begun !== undefined && markup(html`<p>Signed in on ${markup(time(begun))}${provider !== undefined && ` with ${provider}`}</p>\n`)}${seen !== undefined && markup(html`<p>Last seen on ${markup(time(seen))}</p>\n`)}<form action="${end}" method="post">
${markup(csrfField)}<input type="hidden" name="id" value="${id}">
<button class="button" type="submit" aria-label="${label}">${act}</button>
</form>
${
  isNamed(session) &&
  markup(html`<details>
<summary aria-label="Rename: ${name}">Rename</summary>
<form action="${rename}" method="post">
${markup(csrfField)}<input type="hidden" name="id" value="${id}">
<div class="field">
<label for="${field}">Name of this session</label>
<input id="${field}" type="text" name="name" value="${session.name ?? ''}" maxlength="60" autocomplete="off">
</div>
<button class="button" type="submit" aria-label="Save the name of: ${name}">Save</button>
</form>
</details>
`)
}</li>
`
}

/** Asks before more than one session is ended. */
export function questionPage(
  question: Question,
  { page, endOthers, endAll, csrfField }: PageParts,
): AnswerPage {
  const [title, lead, act, action] =
    question === 'others'
      ? ['End all others?', 'You stay signed in here alone.', 'End all others', endOthers]
      : ['Sign out everywhere?', 'This browser is signed out, too.', 'Sign out everywhere', endAll]
  const body = html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<div class="stack">
<form action="${action}" method="post">
${markup(csrfField)}<button class="button main" type="submit">${act}</button>
</form>
<a class="button" href="${page}">Back to the list</a>
</div>`
  return { title, body }
}

/** One without a record cannot be given a name. */
function isNamed({ begun }: SessionInfo): boolean {
  return begun !== undefined
}

/** What its user calls it, or `Firefox on Linux`, as far as that is known. */
function nameOf({ name, device }: SessionInfo): string {
  if (name !== undefined) return name
  const { browser, system, kind } = device ?? {}
  if (kind === 'program') return 'A program'
  const family = browser ?? 'Unknown browser'
  return system === undefined ? family : `${family} on ${system}`
}

function time(date: string): Html {
  return html`<time datetime="${date}">${dateText(date)}</time>`
}

/** In UTC, since nobody knows the zone of the browser. */
function dateText(date: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', format).format(new Date(date))} UTC`
}
