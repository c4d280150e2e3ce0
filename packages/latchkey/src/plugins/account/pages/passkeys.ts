import {
  type AnswerPage,
  html,
  htmlOf,
  type JsonObject,
  markup,
  timeAgo,
} from '../../../entries/plugin.ts'
import {
  acts,
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
import type { AccountPasskey } from '../client.ts'
import type { PageParts } from '../routes/parts.ts'
import { createPasskey, signalPasskeys, upgradeToPasskey } from './passkey-scripts.ts'

/** What was done before the page was shown. */
export interface PasskeysDone {
  readonly id: (typeof DONE)[number]
  /** The name of the passkey. */
  readonly name: string
}

export const DONE = ['added', 'renamed', 'removed'] as const

interface Listed {
  readonly passkeys: readonly AccountPasskey[]
  /** Which passkeys the browser may offer from now on. */
  readonly accepted: {
    readonly rpId: string
    readonly userId: string
    readonly ids: readonly string[]
  }
  readonly done?: PasskeysDone | undefined
}

/** The passkeys of the account. */
export function passkeysPage({ passkeys, accepted, done }: Listed, parts: PageParts): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const add = (kind: { isSmall?: boolean }): Markup =>
    postForm(submitButton(text('account:passkeys.add'), { kind: 'main', icon: 'plus', ...kind }), {
      action: path('account/passkey-options'),
      csrfField,
    })
  const list =
    passkeys.length === 0
      ? empty(
          'passkey',
          text('account:passkeys.none'),
          text('account:passkeys.none.about'),
          add({}),
        )
      : section(
          {
            title: text('account:passkeys.count', { count: passkeys.length }),
            act: add({ isSmall: true }),
          },
          passkeys.map((passkey) => item(passkey, parts)),
        )
  const ids = JSON.stringify(accepted)
  return {
    title: text('account:passkeys'),
    lead: text('account:passkeys.about'),
    notice: done && notice(text(`account:passkeys.${done.id}`, { name: done.name }), 'good'),
    body: html`${list}<template data-accepted="${ids}"></template>`,
    script: signalPasskeys,
    layout: 'account',
    section: 'account/passkeys',
  }
}

function item(passkey: AccountPasskey, parts: PageParts): Markup {
  const { id, name, deviceBound, firstFactor, createdAt, lastUsedAt, thisDevice } = passkey
  const { texts, path } = parts
  const { text, lang } = texts
  return row({
    picture: deviceBound ? 'key' : 'passkey',
    title: name,
    tags: [
      tag(
        text(
          firstFactor
            ? `account:passkeys.${deviceBound ? 'device' : 'synced'}`
            : 'account:passkeys.second',
        ),
      ),
      thisDevice && [' ', tag(text('account:passkeys.here'), 'good')],
    ],
    facts: [
      createdAt !== null &&
        htmlOf(text('account:passkeys.since'), { time: timeAgo(createdAt, lang) }),
      lastUsedAt === null
        ? text('account:passkeys.unused')
        : htmlOf(text('account:passkeys.used'), { time: timeAgo(lastUsedAt, lang) }),
    ],
    below: renameForm(passkey, parts),
    acts: [
      linkButton(text('account:passkeys.remove'), path('account/passkeys', { confirm: id }), {
        kind: 'danger',
        isSmall: true,
        of: name,
      }),
    ],
  })
}

function renameForm({ id, name }: AccountPasskey, { texts, csrfField, path }: PageParts): Markup {
  const { text } = texts
  const form = postForm(
    [
      field({
        label: text('account:passkeys.new-name'),
        name: 'name',
        id: `name-${id}`,
        value: name,
        attributes: { maxlength: '64', required: true, autocomplete: 'off' },
      }),
      submitButton(text('account:save'), { isSmall: true, kind: 'main' }),
    ],
    { action: path('account/rename-passkey'), csrfField, hidden: { id } },
  )
  return markup(
    html`<details class="rename"><summary>${text('account:passkeys.rename')}<span class="sr"> ${name}</span></summary>${form}</details>`,
  )
}

/**
 * Returns the offer on the overview of the account.
 *
 * @param isUpgrade whether a browser that can makes the passkey without a question.
 */
export function offeredPasskey(
  isUpgrade: boolean,
  { texts, csrfField, path }: PageParts,
): { readonly content: Markup; readonly script?: string } {
  const { text } = texts
  const form = (label: string, action: string, isMain: boolean): Markup =>
    postForm(submitButton(label, { isSmall: true, ...(isMain && { kind: 'main' }) }), {
      action: path(action),
      csrfField,
    })
  const buttons = acts(
    form(text('account:passkeys.add'), 'account/passkey-options', true),
    form(text('account:passkeys.later'), 'account/refuse-passkey', false),
  )
  const paths = {
    options: path('account/passkey-options'),
    add: path('account/add-passkey'),
    added: path('account/passkeys'),
  }
  const mark = isUpgrade && markup(html` data-passkey-upgrade="${JSON.stringify(paths)}"`)
  const content = section(
    { title: text('account:passkeys.offer'), text: text('account:passkeys.offer.about') },
    [],
    markup(html`<div${mark}>${pane(buttons)}</div>`),
  )
  return { content, ...(isUpgrade && { script: upgradeToPasskey }) }
}

/**
 * The page on which the browser creates a passkey, which needs a script.
 *
 * @param isSecond whether it will be a security key that is only a second factor.
 */
export function addPasskeyPage(
  options: JsonObject,
  isSecond: boolean,
  { texts, csrfField, path }: PageParts,
): AnswerPage {
  const { text } = texts
  const buttons = acts(
    submitButton(text('account:passkeys.continue'), { kind: 'main' }),
    linkButton(text('page.cancel'), path(isSecond ? 'account/two-factor' : 'account/passkeys')),
  )
  const form = postForm(buttons, {
    action: path('account/add-passkey'),
    csrfField,
    hidden: { data: '' },
  })
  const said = (key: 'script' | 'unsupported' | 'failed'): Markup =>
    markup(
      html`<p class="note" data-passkey-${key}${key === 'script' ? '' : markup(html` hidden role="alert"`)}>${text(`account:passkeys.${key}`)}</p>`,
    )
  const parts = [said('script'), said('unsupported'), said('failed')]
  return {
    title: text(isSecond ? 'account:passkeys.add-key' : 'account:passkeys.add'),
    lead: text(isSecond ? 'account:passkeys.add-key.lead' : 'account:passkeys.add.lead'),
    body: html`${pane(markup(html`${parts}<div data-passkey-options="${JSON.stringify(options)}" hidden>${form}</div>`))}`,
    script: createPasskey,
    layout: 'account',
    section: 'account/passkeys',
  }
}

/** Asks before a passkey is removed. */
export function removePasskeyPage(
  { id, name }: Pick<AccountPasskey, 'id' | 'name'>,
  { texts, csrfField, path }: PageParts,
): AnswerPage {
  const { text } = texts
  const buttons = acts(
    submitButton(text('account:passkeys.remove'), { kind: 'danger main', of: name }),
    linkButton(text('page.cancel'), path('account/passkeys')),
  )
  return {
    title: text('account:passkeys.question', { name }),
    lead: text('account:passkeys.question.lead'),
    body: html`${pane(postForm(buttons, { action: path('account/remove-passkey'), csrfField, hidden: { id } }))}`,
    layout: 'account',
    section: 'account/passkeys',
  }
}
