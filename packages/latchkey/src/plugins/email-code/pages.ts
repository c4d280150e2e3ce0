import {
  type AnswerPage,
  type ChallengePart,
  duration,
  html,
  htmlOf,
  markup,
  type SafeUrl,
} from '../../entries/plugin.ts'
import type { PageParts as Parts } from '../../entries/plugin-accounts.ts'
import {
  codeField,
  field,
  leftToRight,
  linkButton,
  notice,
  postForm,
  submitButton,
  textLink,
} from '../../entries/plugin-pages.ts'
import type { Settings } from './settings.ts'
import type { EmailCodeKey } from './texts.ts'

/** What both pages are made with. */
export interface PageParts extends Parts<EmailCodeKey> {
  readonly settings: Settings
  /** What the form needs for a challenge, if its visitor has to solve one. */
  readonly challenge: ChallengePart | undefined
}

/** The text that says what is wrong with an address. */
type AddressFault = Extract<
  EmailCodeKey,
  'emailCode:email.invalid' | 'emailCode:address_not_accepted'
>

/** Asks for the address. */
export function askPage(
  { email, fault }: { readonly email: string | undefined; readonly fault?: AddressFault },
  { texts: { text }, csrfField, challenge, path }: PageParts,
): AnswerPage {
  const address = field({
    label: text('emailCode:email'),
    name: 'email',
    type: 'email',
    value: email,
    error: fault && text(fault),
    attributes: {
      required: true,
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  })
  const submit = submitButton(text('emailCode:send'), { kind: 'main' })
  const proof = challenge ? [markup(challenge.field), '\n'] : []
  return {
    title: text('emailCode:ask'),
    lead: text('emailCode:ask.lead'),
    challenge,
    body: html`${postForm([address, '\n', ...proof, submit], { action: path('email-code/send'), csrfField })}`,
  }
}

/** Asks for the code. */
export function codePage(
  {
    email,
    isWrong,
    wait,
    mailbox,
  }: {
    readonly email: string
    readonly isWrong?: boolean
    /** Seconds until another code helps, after too many attempts. */
    readonly wait?: number | undefined
    /** The page with the mails, in development. */
    readonly mailbox: SafeUrl | undefined
  },
  { texts, csrfField, settings, path }: PageParts,
): AnswerPage {
  const { text } = texts
  const code = codeField(
    {
      label: text('emailCode:code'),
      name: 'code',
      error: isWrong ? text('emailCode:code.wrong') : undefined,
      attributes: { autofocus: wait === undefined },
    },
    settings.length,
  )
  const submit = submitButton(text('emailCode:submit'), { kind: 'main' })
  const again = html`<button class="button quiet" type="submit" data-wait="${settings.resendAfter}" data-waiting="${text('emailCode:waiting')}">${text('emailCode:again')}</button>`
  return {
    title: text('emailCode:title'),
    lead: htmlOf(text('emailCode:lead'), {
      email: markup(html`<strong>${leftToRight(email)}</strong>`),
    }),
    ...(wait !== undefined && {
      notice: notice(text('emailCode:code.too-many', { time: duration(wait, texts) }), 'bad'),
    }),
    body: html`${postForm([code, '\n', submit], { action: path('email-code/verify'), csrfField })}
${mailbox !== undefined && linkButton(text('emailCode:mailbox'), mailbox)}
<div class="stack tight">${postForm(markup(again), { action: path('email-code/send'), csrfField, hidden: { email } })}</div>
<p class="note">${text('emailCode:help')}</p>`,
    footer: textLink(text('emailCode:other'), path('signin')),
  }
}
