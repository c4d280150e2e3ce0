import { type AnswerPage, type Html, html, htmlOf, markup } from '../../../entries/plugin.ts'
import {
  type Content,
  codeField,
  field,
  type IconName,
  icon,
  leftToRight,
  linkButton,
  notice,
  postForm,
  submitButton,
  textLink,
} from '../../../entries/plugin-pages.ts'
import { inGroups } from '../../../protocols/totp/base32.ts'
import type { NewSecret } from '../records/totp.ts'
import type { PageParts } from '../routes/parts.ts'

/** Whose second factor is set up, and whether a sign-in waits for it. */
export interface EnrolFor {
  readonly who: string
  readonly isPending: boolean
}

const STYLE =
  '.qr{width:11.5rem;max-width:100%;height:auto;border:1px solid var(--line);border-radius:var(--radius);background:#fff;color:#000;forced-color-adjust:none}'

const SHOWN_STYLE = '.mono{font-family:var(--mono)}textarea{resize:none}'

/** Returns a text that people copy or type elsewhere. All of it is visible, in lines if it is long. */
function shown(id: string, label: string, value: string, rows: number): Content {
  return markup(html`<div class="field"><label for="${id}">${label}</label>
<textarea class="mono" id="${id}" dir="ltr" rows="${rows}" readonly spellcheck="false">${value}</textarea></div>`)
}

function footerOf(
  { who: given, isPending }: EnrolFor,
  { texts: { text }, path }: PageParts,
): Content {
  if (!isPending) return textLink(text('page.cancel'), path('account/two-factor'))
  const who = markup(html`${leftToRight(given)}`)
  const cancel = textLink(text('page.cancel'), path('signin'))
  return [text('twoFactor:ends'), ' ', htmlOf(text('twoFactor:as'), { who, cancel })]
}

/** Says that a second factor must be set up before the session begins. */
export function mustEnrolPage(enrolled: EnrolFor, parts: PageParts): AnswerPage {
  const { texts, path, name } = parts
  const { text } = texts
  return {
    title: text('twoFactor:enrol'),
    lead: text('twoFactor:enrol.lead', { name }),
    body: html`<div class="stack">
${linkButton(text('twoFactor:enrol.app'), path('two-factor/enrol-totp'), { kind: 'main', icon: 'phone' })}
</div>
<p class="note">${text('twoFactor:enrol.note')}</p>`,
    footer: footerOf(enrolled, parts),
  }
}

/** Asks what the app is called, before a secret is made. */
export function startPage(enrolled: EnrolFor, parts: PageParts): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const name = field({
    label: text('twoFactor:app.name'),
    name: 'name',
    value: text('twoFactor:app.default'),
    attributes: { maxlength: '64', required: true, autocomplete: 'off' },
  })
  return {
    title: text('twoFactor:app'),
    lead: text('twoFactor:app.start'),
    body: html`${postForm([name, '\n', submitButton(text('twoFactor:app.begin'), { kind: 'main' })], { action: path('two-factor/enrol-totp'), csrfField })}`,
    footer: footerOf(enrolled, parts),
  }
}

/** Shows a secret, and asks for a code of it. */
export function secretPage(
  {
    enrolment: { id, secret },
    uri,
    svg,
    isWrong,
    ...enrolled
  }: EnrolFor & {
    readonly enrolment: NewSecret
    readonly uri: string
    readonly svg: Html
    readonly isWrong?: boolean
  },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const key = shown('key', text('twoFactor:app.key'), inGroups(secret), 2)
  const copy = html`<button class="button small" type="button" data-script hidden data-copy="key" data-done="${text('twoFactor:app.copied')}">${icon('copy')}<span>${text('twoFactor:app.copy')}</span></button>`
  const code = codeField(
    {
      label: text('twoFactor:app.code'),
      name: 'code',
      error: isWrong ? text('twoFactor:wrong') : undefined,
    },
    6,
  )
  return {
    title: text('twoFactor:app'),
    lead: text('twoFactor:app.lead'),
    body: html`<div class="stack">
${markup(svg)}
${key}
${markup(copy)}
<p class="links"><a href="${uri}">${text('twoFactor:app.open')}</a></p>
</div>
${postForm([code, '\n', submitButton(text('twoFactor:app.confirm'), { kind: 'main' })], { action: path('two-factor/confirm-totp'), csrfField, hidden: { id } })}`,
    footer: footerOf(enrolled, parts),
    style: STYLE + SHOWN_STYLE,
  }
}

/** Shows recovery codes, for once. */
export function codesPage(codes: readonly string[], parts: PageParts): AnswerPage {
  const { texts, csrfField, path, name } = parts
  const { text } = texts
  const button = (label: string, attributes: Content, picture: IconName): Content =>
    markup(
      html`<button class="button small" type="button"${attributes}>${icon(picture)}<span>${label}</span></button>`,
    )
  const file = `${name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}-recovery-codes.txt`
  const copied = markup(html` data-copy="codes" data-done="${text('twoFactor:app.copied')}"`)
  const kept = html`<div class="check"><input id="kept" type="checkbox" name="kept" value="1" required><label for="kept">${text('twoFactor:codes.kept')}</label></div>`
  return {
    title: text('twoFactor:codes'),
    lead: text('twoFactor:codes.lead'),
    body: html`<div class="stack">
${shown('codes', text('twoFactor:codes.label'), codes.join('\n'), codes.length)}
<div class="acts" data-script hidden>${button(text('twoFactor:codes.copy'), copied, 'copy')}${button(text('twoFactor:codes.save'), markup(html` data-save="codes" data-name="${file}"`), 'download')}${button(text('twoFactor:codes.print'), markup(html` data-print`), 'print')}</div>
</div>
${postForm([markup(kept), '\n', submitButton(text('twoFactor:codes.finish'), { kind: 'main' })], { action: path('two-factor/kept'), csrfField })}`,
    style: SHOWN_STYLE,
  }
}

/** Says that recovery codes were shown before. */
export function codesGonePage({ texts: { text }, path }: PageParts): AnswerPage {
  return {
    title: text('twoFactor:codes.gone'),
    notice: notice(text('twoFactor:codes.gone.lead')),
    body: html`<div class="stack">${linkButton(text('twoFactor:mail.settings'), path('account/two-factor'))}</div>`,
  }
}
