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
  timeAgo,
} from '../../../entries/plugin.ts'
import {
  acts,
  type Content,
  type IconName,
  leftToRight,
  linkButton,
  type Markup,
  notice,
  pane,
  postForm,
  row,
  section,
  submitButton,
  tag,
} from '../../../entries/plugin-pages.ts'
import type { SessionInfo } from '../session-info.ts'
import type { SessionsKey } from '../texts.ts'

/** What was done before the page was shown. */
export type Done = (typeof DONE)[number]

export const DONE = ['one', 'others', 'name'] as const

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

type SessionsTexts = Texts<SessionsKey | TextKey>

/** Where somebody is signed in, with a form to end each. */
export function sessionsPage(
  sessions: readonly SessionInfo[],
  done: Done | undefined,
  parts: ListParts,
): AnswerPage {
  const { text } = parts.texts
  const hasOthers = sessions.some(({ current }) => !current)
  const act = hasOthers
    ? linkButton(text('sessions:others'), `${parts.page}?confirm=others`, {
        kind: 'danger',
        isSmall: true,
      })
    : undefined
  const list = section(
    { title: text('sessions:count', { count: sessions.length }), act },
    sessions.map((session) => item(session, parts)),
  )
  const everywhere = linkButton(text('sessions:all'), `${parts.page}?confirm=all`, {
    isSmall: true,
  })
  return {
    title: text('sessions:title'),
    lead: text('sessions:lead'),
    notice: done && notice(text(`sessions:ended.${done}`), 'good'),
    body: html`${list}${section({ title: text('sessions:all'), text: text('sessions:all.about'), act: everywhere }, [])}`,
    layout: 'account',
  }
}

function item(session: SessionInfo, parts: ListParts): Markup {
  const { texts, end, csrfField, providerNames } = parts
  const { id, current, begun, seen, provider, methods, address: network } = session
  const { text, lang } = texts
  const name = nameOf(session, texts)
  const when = seen === undefined ? name : `${name}, ${dateText(seen, lang)}`
  const first =
    (provider && providerNames.get(provider)) ??
    (methods.includes('pwd') ? text('sessions:password') : provider)
  const ways = first === undefined ? [] : [first, ...secondOf(methods).map((key) => text(key))]
  const submit = submitButton(text('sessions:sign-out'), { isSmall: true, of: when })
  return row({
    picture: pictureOf(session),
    title: name,
    tags: current && tag(text('sessions:this-browser'), 'good'),
    facts: [
      network !== undefined && leftToRight(network),
      current
        ? text('sessions:seen.now')
        : seen !== undefined && htmlOf(text('sessions:seen'), { time: timeAgo(seen, lang) }),
      begun !== undefined && htmlOf(text('sessions:begun'), { time: timeAgo(begun, lang) }),
      ways.length > 0 &&
        text('sessions:with', { provider: new Intl.ListFormat(lang, UNIT).format(ways) }),
    ],
    below: isNamed(session) && renameForm(session, name, parts),
    // This device signs out at the top of the page.
    acts: [!current && postForm(submit, { action: end, csrfField, hidden: { id } })],
    isCurrent: current,
  })
}

/** Without a word between them. */
const UNIT = { type: 'unit', style: 'short' } as const

/** Returns the texts of the second factors among the methods of a session. */
function secondOf(methods: readonly string[]): readonly SessionsKey[] {
  // Without another method, a passkey was the way in.
  const hasFirst = ['pwd', 'fed', 'email'].some((method) => methods.includes(method))
  const names = Object.entries(SECOND).filter(([method]) => methods.includes(method))
  return hasFirst ? names.map(([, key]) => key) : []
}

const SECOND: Readonly<Record<string, SessionsKey>> = {
  otp: 'sessions:app',
  mca: 'sessions:mailed',
  recovery: 'sessions:recovery',
  pop: 'sessions:key',
}

function renameForm(
  { id, name = '' }: SessionInfo,
  shown: string,
  { texts: { text }, rename, csrfField }: ListParts,
): Content {
  const input = html`<div class="field"><label for="${`name-of-${id}`}">${text('sessions:name')}</label>
<input id="${`name-of-${id}`}" type="text" name="name" value="${name}" maxlength="60" autocomplete="off"></div>`
  const save = submitButton(text('sessions:save'), {
    isSmall: true,
    of: text('sessions:save-it', { name: shown }),
  })
  const form = postForm([markup(input), save], { action: rename, csrfField, hidden: { id } })
  return markup(html`<details class="rename"><summary>${text('sessions:rename')}<span class="sr"> ${shown}</span></summary>
${form}
</details>`)
}

/** Asks before more than one session is ended. @param count of the sessions that end */
export function questionPage(
  question: Question,
  count: number,
  { texts, page, endOthers, endAll, csrfField }: PageParts,
): AnswerPage {
  const { text } = texts
  const action = question === 'others' ? endOthers : endAll
  const buttons = acts(
    submitButton(text(`sessions:${question}.submit`, { count }), { kind: 'danger main' }),
    linkButton(text('page.cancel'), page),
  )
  return {
    title: text(`sessions:${question}.title`),
    lead: text(`sessions:${question}.lead`),
    body: html`${pane(postForm(buttons, { action, csrfField }))}`,
    layout: 'account',
  }
}

/** One without a record cannot be given a name. */
function isNamed({ begun }: SessionInfo): boolean {
  return begun !== undefined
}

function pictureOf({ device }: SessionInfo): IconName {
  const kind = device?.kind
  if (kind === 'program') return 'terminal'
  return kind === 'mobile' || kind === 'tablet' ? 'phone' : 'computer'
}

/** What its user calls it, or `Firefox on Linux`, as far as that is known. */
function nameOf({ name, device }: SessionInfo, { text }: SessionsTexts): string {
  if (name !== undefined) return name
  const { browser, system, kind } = device ?? {}
  if (kind === 'program') return text('sessions:program')
  const family = browser ?? text('sessions:unknown-browser')
  return system === undefined ? family : text('sessions:browser-on', { browser: family, system })
}
