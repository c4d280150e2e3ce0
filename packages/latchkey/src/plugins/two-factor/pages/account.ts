import {
  type AnswerPage,
  dateText,
  html,
  htmlOf,
  type KindRecord,
  markup,
  timeAgo,
} from '../../../entries/plugin.ts'
import {
  acts,
  type Content,
  empty,
  field,
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
import { FEW } from '../mails.ts'
import type { Authenticator } from '../records/totp.ts'
import type { PageParts } from '../routes/parts.ts'
import type { TrustedBrowser } from '../two-factor-api.ts'

/** What was done before the page was shown. */
export type Done = (typeof DONE)[number]

export const DONE = [
  'added',
  'removed',
  'renamed',
  'forgotten',
  'forgotten-one',
  'codes',
  'used',
  'stopped',
  'mailed',
  'unmailed',
] as const

/** The second factors of an account. */
export interface AccountFactors {
  readonly apps: readonly KindRecord<Authenticator>[]
  /** Passkeys and security keys, and whether they are a second factor. */
  readonly keys: number
  readonly usesKeys: boolean
  /** Whether a security key can be added on a page of the plugin `account`. */
  readonly addsKeys: boolean
  /** Whether codes by mail are a second factor; `undefined` if they cannot be one. */
  readonly email: boolean | undefined
  /** Whether a second factor is on. */
  readonly isOn: boolean
  /** Recovery codes that are left. */
  readonly left: number
  readonly hasCodes: boolean
  readonly browsers: readonly TrustedBrowser[]
  /** Until when one must be set up, in milliseconds. */
  readonly until: number | undefined
  readonly done?: Done | undefined
}

const PAGE = 'account/two-factor'

/** The second factors of the account. */
export function factorsPage(factors: AccountFactors, parts: PageParts): AnswerPage {
  const { apps, keys, email, addsKeys, isOn, until, done } = factors
  const { texts, csrfField, path } = parts
  const { text, lang } = texts
  const addApp = (isSmall: boolean): Markup =>
    linkButton(text('twoFactor:apps.add'), path('two-factor/enrol-totp'), {
      kind: 'main',
      icon: 'plus',
      isSmall,
    })
  const addKey = (isSmall: boolean): Markup =>
    postForm(submitButton(text('twoFactor:key.add'), { icon: 'plus', isSmall }), {
      action: path('account/passkey-options'),
      csrfField,
      hidden: { second: '1' },
    })
  const add = (isSmall: boolean): Markup =>
    addsKeys ? acts(addApp(isSmall), addKey(isSmall)) : addApp(isSmall)
  const list =
    apps.length === 0 && keys === 0 && email === undefined
      ? empty('shield', text('twoFactor:apps.none'), text('twoFactor:apps.none.about'), add(false))
      : section(
          {
            title: text('twoFactor:factors'),
            act: add(true),
          },
          [...apps.map((app) => appRow(app, parts)), ...furtherRows(factors, parts)],
        )
  const date = until === undefined ? '' : dateText(new Date(until).toISOString(), lang)
  return {
    title: text('twoFactor:title'),
    lead: [
      text('twoFactor:about'),
      ' ',
      isOn ? tag(text('twoFactor:on'), 'good') : tag(text('twoFactor:off')),
    ],
    notice: done
      ? notice(text(`twoFactor:done.${done}`), 'good')
      : until !== undefined && !isOn && notice(text('twoFactor:until', { date }), 'warn'),
    body: html`${list}`,
    layout: 'account',
  }
}

function appRow(
  { key: id, data: { name, confirmedAt, lastUsedAt } }: KindRecord<Authenticator>,
  { texts, path }: PageParts,
): Markup {
  const { text, lang } = texts
  const at = (time: number): Markup => markup(html`${timeAgo(new Date(time).toISOString(), lang)}`)
  return row({
    picture: 'phone',
    title: name,
    facts: [
      htmlOf(text('twoFactor:added'), { time: at(confirmedAt) }),
      htmlOf(text('twoFactor:used'), { time: at(lastUsedAt) }),
    ],
    acts: [
      linkButton(text('twoFactor:rename'), path(PAGE, { rename: id }), { isSmall: true, of: name }),
      linkButton(text('twoFactor:remove'), path(PAGE, { remove: id }), {
        kind: 'danger',
        isSmall: true,
        of: name,
      }),
    ],
  })
}

function furtherRows(
  { left, hasCodes, browsers, keys, usesKeys, email, isOn }: AccountFactors,
  parts: PageParts,
): Content[] {
  const { csrfField, path } = parts
  const { text } = parts.texts
  const isFew = left <= FEW
  const codes = row({
    picture: 'data',
    title: text('twoFactor:codes.label'),
    tags: tag(text('twoFactor:left', { count: left }), isFew ? 'warn' : undefined),
    facts: [text(isFew ? 'twoFactor:left.few' : 'twoFactor:left.about')],
    acts: [
      postForm(submitButton(text('twoFactor:codes.new'), { isSmall: true }), {
        action: path('two-factor/recovery-codes'),
        csrfField,
      }),
    ],
  })
  const passkeys = row({
    picture: 'passkey',
    title: text('twoFactor:passkeys', { count: keys }),
    tags: usesKeys && tag(text('twoFactor:on'), 'good'),
    facts: [text(usesKeys ? 'twoFactor:passkeys.on' : 'twoFactor:passkeys.off')],
    acts: [
      postForm(
        submitButton(text(usesKeys ? 'twoFactor:passkeys.stop' : 'twoFactor:passkeys.use'), {
          isSmall: true,
          kind: usesKeys ? 'danger' : undefined,
        }),
        {
          action: path('two-factor/use-passkeys'),
          csrfField,
          hidden: { use: usesKeys ? '0' : '1' },
        },
      ),
    ],
  })
  const mailed = row({
    picture: 'mail',
    title: text('twoFactor:email.factor'),
    tags: email && tag(text('twoFactor:on'), 'good'),
    facts: [text('twoFactor:email.weak')],
    acts: [
      postForm(
        submitButton(text(email ? 'twoFactor:passkeys.stop' : 'twoFactor:passkeys.use'), {
          isSmall: true,
          kind: email ? 'danger' : undefined,
        }),
        { action: path('two-factor/use-email'), csrfField, hidden: { use: email ? '0' : '1' } },
      ),
    ],
  })
  return [
    ...(keys > 0 ? [passkeys] : []),
    ...(email === undefined ? [] : [mailed]),
    ...(hasCodes && isOn ? [codes] : []),
    ...browserRows(browsers, parts),
  ]
}

/** One row for all browsers, if there are several, and one for each. */
function browserRows(browsers: readonly TrustedBrowser[], parts: PageParts): Content[] {
  const { csrfField, path } = parts
  const { text, lang } = parts.texts
  const forget = (of: string, id?: string): Markup =>
    postForm(submitButton(text('twoFactor:browsers.forget'), { isSmall: true, of }), {
      action: path('two-factor/forget-devices'),
      csrfField,
      ...(id !== undefined && { hidden: { id } }),
    })
  const count = text('twoFactor:browsers', { count: browsers.length })
  const about = text('twoFactor:browsers.about')
  const all = row({ picture: 'computer', title: count, facts: [about], acts: [forget(count)] })
  const each = browsers.map(({ id, name, lastUsedAt, thisDevice }) => {
    const title = name ?? text('twoFactor:browser')
    return row({
      picture: 'computer',
      title,
      tags: thisDevice && tag(text('twoFactor:browser.here'), 'good'),
      facts: [
        browsers.length === 1 && about,
        htmlOf(text('twoFactor:used'), { time: timeAgo(lastUsedAt, lang) }),
      ],
      acts: [forget(title, id)],
    })
  })
  return browsers.length > 1 ? [all, ...each] : each
}

/** Asks for another name of an authenticator. */
export function renamePage(
  { key: id, data: { name } }: KindRecord<Authenticator>,
  { texts: { text }, csrfField, path }: PageParts,
): AnswerPage {
  const input = field({
    label: text('twoFactor:rename.name'),
    name: 'name',
    value: name,
    attributes: { maxlength: '64', required: true, autocomplete: 'off' },
  })
  const buttons = acts(
    submitButton(text('twoFactor:save'), { kind: 'main' }),
    linkButton(text('page.cancel'), path(PAGE)),
  )
  return {
    title: text('twoFactor:rename.title', { name }),
    body: html`${pane(postForm([input, '\n', buttons], { action: path('two-factor/rename'), csrfField, hidden: { id } }))}`,
    layout: 'account',
  }
}

/** Asks before an authenticator is removed. */
export function removePage(
  { key: id, data: { name } }: KindRecord<Authenticator>,
  isLast: boolean,
  { texts: { text }, csrfField, path }: PageParts,
): AnswerPage {
  const buttons = acts(
    submitButton(text('twoFactor:remove'), { kind: 'danger main' }),
    linkButton(text('page.cancel'), path(PAGE)),
  )
  return {
    title: text('twoFactor:remove.title', { name }),
    lead: `${text('twoFactor:remove.lead')}${isLast ? ` ${text('twoFactor:remove.last')}` : ''}`,
    body: html`${pane(postForm(buttons, { action: path('two-factor/remove'), csrfField, hidden: { id } }))}`,
    layout: 'account',
  }
}
