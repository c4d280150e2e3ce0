import { type AnswerPage, html, htmlOf, markup, type SafeUrl } from '../../../entries/plugin.ts'
import {
  acts,
  codeField,
  field,
  leftToRight,
  linkButton,
  type Markup,
  notice,
  pane,
  postForm,
  submitButton,
  textLink,
} from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import { EMPTY, errorOf, type Form, messageOf } from './parts.ts'

/** What was done before the page was shown. */
export type AddressesDone = (typeof DONE)[number]

export const DONE = ['changed', 'kept'] as const

interface Shown {
  readonly email?: string | undefined
  /** The new address that is not confirmed. */
  readonly to?: string | undefined
  readonly done?: AddressesDone | undefined
  /** The page on which an address that nobody has proved is proved. */
  readonly prove?: SafeUrl | undefined
  readonly form?: Form | undefined
}

/** The address of the account, and how to change it. @param mailbox the page with the mails of development */
export function addressesPage(
  { email, to, done, prove, form = EMPTY }: Shown,
  parts: PageParts,
  mailbox: SafeUrl | undefined,
): AnswerPage {
  const { texts, settings } = parts
  const { text } = texts
  const labels = { email: text('account:addresses.new'), code: text('account:addresses.code') }
  const change =
    to === undefined ? newForm(form, labels.email, parts) : codeForms(to, email, form, parts)
  return {
    title: text('account:addresses'),
    lead:
      email === undefined
        ? text('account:addresses.none')
        : htmlOf(text('account:addresses.lead'), { address: leftToRight(email) }),
    notice:
      form.faults.length > 0
        ? messageOf(form, labels, parts)
        : to === undefined
          ? (doneNotice(email, done, parts) ?? unprovedNotice(prove, parts))
          : notice(
              text('account:addresses.sent'),
              undefined,
              htmlOf(text('account:addresses.sent.about'), { address: leftToRight(to) }),
            ),
    body: html`${settings.changeAddress && pane(change)}${
      to !== undefined &&
      mailbox !== undefined &&
      markup(html`<p class="section">${textLink(text('account:mailbox'), mailbox)}</p>`)
    }`,
    layout: 'account',
    section: 'account/addresses',
  }
}

function unprovedNotice(
  prove: SafeUrl | undefined,
  { texts: { text } }: PageParts,
): Markup | undefined {
  if (prove === undefined) return undefined
  const link = textLink(text('account:addresses.prove'), prove)
  return notice(text('account:addresses.unproved'), 'warn', link)
}

function doneNotice(
  email: string | undefined,
  done: AddressesDone | undefined,
  { texts: { text } }: PageParts,
): Markup | undefined {
  if (done === 'kept') return notice(text('account:addresses.undone'), 'good')
  if (done === undefined || email === undefined) return undefined
  const address = leftToRight(email)
  return notice(htmlOf(text('account:addresses.done'), { address }), 'good')
}

function newForm(form: Form, label: string, parts: PageParts): Markup {
  const { texts, csrfField, path } = parts
  const fields = [
    field({
      label,
      name: 'email',
      type: 'email',
      value: form.typed['email'] ?? '',
      error: errorOf('email', form, parts),
      attributes: { autocomplete: 'email', required: true, dir: 'ltr', maxlength: '320' },
    }),
    acts(
      submitButton(texts.text('account:addresses.submit'), { kind: 'main' }),
      linkButton(texts.text('page.cancel'), path('account')),
    ),
  ]
  return postForm(fields, { action: path('account/change-address'), csrfField })
}

function codeForms(to: string, email: string | undefined, form: Form, parts: PageParts): Markup {
  const { texts, csrfField, path } = parts
  const { text } = texts
  const fields = [
    codeField(
      {
        label: text('account:addresses.code'),
        name: 'code',
        error: errorOf('code', form, parts),
        attributes: { autofocus: true },
      },
      6,
    ),
    acts(submitButton(text('account:addresses.confirm'), { kind: 'main' })),
  ]
  const confirm = postForm(fields, { action: path('account/confirm-address'), csrfField })
  const again = postForm(
    acts(
      markup(
        html`<button class="button" type="submit" data-wait="30" data-waiting="${text('account:addresses.waiting')}">${text('account:addresses.again')}</button>`,
      ),
      submitButton(
        email === undefined
          ? text('account:addresses.cancel')
          : markup(
              html`<span>${htmlOf(text('account:addresses.keep'), { address: leftToRight(email) })}</span>`,
            ),
        { kind: 'quiet', action: path('account/cancel-address') },
      ),
    ),
    { action: path('account/change-address'), csrfField, hidden: { email: to } },
  )
  return markup(html`${confirm}\n${again}`)
}

/** Asks in another browser whether the new address is used. */
export function confirmPage(
  to: string,
  { texts, settings, csrfField, path }: PageParts,
): AnswerPage {
  const { text } = texts
  const buttons = acts(
    submitButton(text('account:addresses.confirm'), { kind: 'main' }),
    linkButton(text('page.cancel'), path(settings.pages ? 'account/addresses' : 'signin')),
  )
  return {
    title: text('account:addresses.confirm.title'),
    lead: htmlOf(text('account:addresses.confirm.lead'), { address: leftToRight(to) }),
    body: html`${pane(postForm(buttons, { action: path('account/confirm-address'), csrfField }))}`,
    layout: 'account',
    section: 'account/addresses',
  }
}
