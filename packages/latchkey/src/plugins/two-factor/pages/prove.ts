import { type AnswerPage, html, htmlOf, markup, type SafeUrl } from '../../../entries/plugin.ts'
import {
  type Content,
  checkbox,
  codeField,
  field,
  leftToRight,
  linkButton,
  notice,
  postForm,
  submitButton,
  textLink,
} from '../../../entries/plugin-pages.ts'
import type { CodeMethod } from '../flows/prove.ts'
import { CODE_RULES } from '../limits.ts'
import type { PageParts } from '../routes/parts.ts'
import type { FactorMethod } from '../settings.ts'

/** What the page that asks for a second factor shows. */
export interface ProvePage {
  readonly method: FactorMethod | undefined
  /** Other ways. */
  readonly others: readonly FactorMethod[]
  /** Who signs in. */
  readonly who: string
  readonly isWrong?: boolean
  /** The form for a passkey, and its script. */
  readonly passkey?: { readonly content: Content; readonly script: string } | undefined
  /** Days for which the box trusts the browser; without a number there is no box. */
  readonly days?: number | undefined
  /** Whether a code was mailed. */
  readonly isSent?: boolean
  /** The page with the mails, in development. */
  readonly mailbox?: SafeUrl | undefined
  /** Whether codes by mail prove nothing here, since the sign-in came by mail, too. */
  readonly isByMailbox?: boolean
}

/** The words of a link to another way. */
const USE = {
  totp: 'twoFactor:totp.use',
  passkey: 'twoFactor:passkey.use',
  recovery: 'twoFactor:recovery',
  email: 'twoFactor:email.send',
} as const

/** Asks for a second factor. */
export function provePage(shown: ProvePage, parts: PageParts): AnswerPage {
  const { method, others, who } = shown
  const { texts, path } = parts
  const { text } = texts
  const links = others.map((other) => [
    textLink(text(USE[other]), path('two-factor', { method: other })),
    '\n',
  ])
  const account = markup(html`${leftToRight(who)}`)
  return {
    ...contentOf(shown, parts),
    ...noticeOf(shown, parts),
    ...(shown.passkey && { script: shown.passkey.script }),
    body: html`${method !== undefined && formOf(shown, parts)}${
      links.length > 0 &&
      markup(html`
<div class="links">
${links}</div>`)
    }`,
    footer: [
      text('twoFactor:ends'),
      ' ',
      htmlOf(text('twoFactor:as'), {
        who: account,
        cancel: textLink(text('page.cancel'), path('signin')),
      }),
    ],
  }
}

function noticeOf(
  { method, isWrong, isByMailbox }: ProvePage,
  { texts: { text } }: PageParts,
): Pick<AnswerPage, 'notice'> {
  if (isByMailbox) return { notice: notice(text('twoFactor:email.refused'), 'warn') }
  if (method === undefined) return { notice: notice(text('twoFactor:none'), 'bad') }
  return method === 'passkey' && isWrong
    ? { notice: notice(text('twoFactor:passkey.wrong'), 'bad') }
    : {}
}

function contentOf(
  { method, isSent }: ProvePage,
  { texts: { text }, name }: PageParts,
): Pick<AnswerPage, 'title' | 'lead'> {
  if (method === 'email')
    return {
      title: text('twoFactor:email'),
      lead: text(isSent ? 'twoFactor:email.sent' : 'twoFactor:email.lead'),
    }
  if (method === 'passkey')
    return { title: text('twoFactor:passkey'), lead: text('twoFactor:passkey.lead') }
  return method === 'recovery'
    ? { title: text('twoFactor:recovery'), lead: text('twoFactor:recovery.lead') }
    : { title: text('twoFactor:totp'), lead: text('twoFactor:totp.lead', { name }) }
}

function formOf(
  { method, isWrong, days, passkey, isSent, mailbox }: ProvePage,
  { texts: { text }, csrfField, path }: PageParts,
): Content {
  const sending = { action: path('two-factor/send'), csrfField, hidden: { method: 'email' } }
  if (method === 'email' && !isSent)
    return postForm(submitButton(text('twoFactor:email.send'), { kind: 'main' }), sending)
  const trust =
    days !== undefined && method !== 'recovery'
      ? [
          checkbox({
            label: text('twoFactor:trust', { count: days }),
            name: 'trust',
            isForAll: method === 'passkey',
          }),
          '\n',
        ]
      : []
  if (method === 'passkey')
    return (
      passkey && [
        markup(html`<div class="stack">
${trust}</div>
`),
        passkey.content,
      ]
    )
  const form = postForm(
    [
      codeInput(method ?? 'totp', isWrong, text),
      '\n',
      ...trust,
      submitButton(text('twoFactor:continue'), { kind: 'main' }),
    ],
    { action: path('two-factor/verify'), csrfField, hidden: { method: method ?? 'totp' } },
  )
  return method === 'email' ? [form, '\n', againForms(sending, mailbox, text)] : form
}

/** Returns the button that mails another code, and the way to the mails in development. */
export function againForms(
  sending: NonNullable<Parameters<typeof postForm>[1]>,
  mailbox: SafeUrl | undefined,
  text: PageParts['texts']['text'],
): Content {
  const isProof = sending.hidden === undefined
  const again = html`<button class="button quiet" type="submit"${isProof && markup(html` name="begin" value="1"`)} data-wait="${CODE_RULES.resendAfter}" data-waiting="${text('twoFactor:email.waiting')}">${text('twoFactor:email.again')}</button>`
  return [
    mailbox !== undefined && linkButton(text('twoFactor:email.mailbox'), mailbox),
    markup(html`
<div class="stack tight">${postForm(markup(again), sending)}</div>
`),
  ]
}

/** Returns the field for a code. */
export function codeInput(
  method: CodeMethod,
  isWrong: boolean | undefined,
  text: PageParts['texts']['text'],
): Content {
  const error = isWrong ? text('twoFactor:wrong') : undefined
  if (method !== 'recovery') {
    const attributes = { autofocus: true }
    const label = text(method === 'totp' ? 'twoFactor:totp.code' : 'twoFactor:email.code')
    return codeField({ label, name: 'code', error, attributes }, 6)
  }
  return field({
    label: text('twoFactor:recovery.code'),
    name: 'code',
    error,
    attributes: {
      class: 'wordy',
      dir: 'ltr',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      required: true,
      autofocus: true,
      placeholder: 'xxxx-xxxx-xxxx',
    },
  })
}
