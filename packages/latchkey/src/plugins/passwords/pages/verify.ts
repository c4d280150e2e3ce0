import { type AnswerPage, html, htmlOf, markup } from '../../../entries/plugin.ts'
import {
  type Content,
  codeField,
  leftToRight,
  linkButton,
  type Markup,
  postForm,
  submitButton,
} from '../../../entries/plugin-pages.ts'
import { daysOf } from '../mails.ts'
import type { PageParts } from '../routes/parts.ts'
import {
  errorOf,
  type Form,
  faultNotice,
  newPasswordField,
  usernameField,
  withLink,
} from './parts.ts'
import { furtherFields, labelsOf, nameField } from './sign-up.ts'

/**
 * The code of a sign-up, in the browser that began it.
 *
 * @param asked `isSignedIn`: the code of a user who signed in before the address is proved.
 */
export function codePage(
  {
    email,
    form,
    mailbox,
    isSignedIn = false,
  }: {
    readonly email: string
    readonly form: Form
    readonly mailbox?: string | undefined
    readonly isSignedIn?: boolean
  },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField } = parts
  const { text } = texts
  const code = codeField(
    {
      label: text('passwords:verify.code'),
      name: 'code',
      value: form.typed['code'],
      error: errorOf('code', form, parts),
      attributes: { autofocus: true },
    },
    6,
  )
  const submit = submitButton(text('passwords:verify.submit'), { kind: 'main' })
  return {
    title: text(isSignedIn ? 'passwords:confirm' : 'passwords:verify'),
    lead: htmlOf(text('passwords:verify.lead'), { email: strong(email) }),
    body: html`${postForm([code, '\n', submit], { csrfField })}
${afterMail(mailbox, parts)}${isSignedIn && untilProved(parts)}`,
    footer: isSignedIn ? undefined : otherAddress(parts),
  }
}

/** What can be done while the mail is on its way. */
function afterMail(
  mailbox: string | undefined,
  { texts: { text }, csrfField, path }: PageParts,
): Markup {
  const again = html`<button class="button quiet" type="submit" data-wait="60" data-waiting="${text('passwords:verify.waiting')}">${text('passwords:verify.again')}</button>`
  return markup(html`${mailbox !== undefined && linkButton(text('passwords:verify.mailbox'), mailbox)}
<div class="stack tight">${postForm(markup(again), { action: path('password/resend'), csrfField })}</div>
<p class="note">${text('passwords:nothing-there')}</p>`)
}

/** What waits for the proof of a user who is signed in, and what happens without it. */
function untilProved({ texts: { text }, settings }: PageParts): Markup {
  const count = daysOf(settings)
  const lines = [
    ...(settings.requireVerified ? [text('passwords:unproved.waits')] : []),
    ...(count === undefined ? [] : [text('passwords:unproved.deleted', { count })]),
  ]
  return markup(
    html`${lines.map((line) =>
      markup(html`
<p class="note">${line}</p>`),
    )}`,
  )
}

function otherAddress({ texts: { text }, path }: PageParts): Content {
  return withLink(
    text('passwords:verify.wrong-address'),
    text('passwords:verify.change'),
    path('password/sign-up'),
  )
}

/** After a sign-up of a site on which people may sign in before they prove the address. */
export function letInPage(
  {
    email,
    mailbox,
    callbackUrl,
  }: {
    readonly email: string
    readonly mailbox?: string | undefined
    /** The page that the visitor wanted. */
    readonly callbackUrl: string
  },
  parts: PageParts,
): AnswerPage {
  const { texts, path } = parts
  const { text } = texts
  return {
    title: text('passwords:verify'),
    lead: htmlOf(text('passwords:let-in'), { email: strong(email) }),
    body: html`<div class="stack">${linkButton(text('sign-in.submit'), path('signin', { callbackUrl }), { kind: 'main' })}</div>
${afterMail(mailbox, parts)}`,
    footer: otherAddress(parts),
  }
}

/** The link of the mail in the browser that began the sign-up: one button, since scanners of mails open links. */
export function confirmPage(
  { email, isSignedIn = false }: { readonly email: string; readonly isSignedIn?: boolean },
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField } = parts
  const { text } = texts
  const submit = submitButton(text('passwords:verify.submit'), { kind: 'main' })
  return {
    title: text('passwords:confirm'),
    lead: isSignedIn
      ? strong(email)
      : htmlOf(text('passwords:confirm.lead'), { email: strong(email) }),
    body: html`${postForm(submit, { csrfField })}`,
  }
}

/** What the link of a mail leads to in another browser. */
export interface Elsewhere {
  readonly email: string
  /** A sentence that says when and with which browser it was asked for. */
  readonly asked: string
  readonly form: Form
  /** The sign-in page, if there is an account already. */
  readonly signIn?: string | undefined
}

/** The link of the mail in another browser: the password is chosen again, since a stranger may have chosen the first one. */
export function elsewherePage(
  { email, asked, form, signIn }: Elsewhere,
  parts: PageParts,
): AnswerPage {
  const { texts, csrfField, settings } = parts
  const { text } = texts
  const isNew = signIn === undefined
  const password = newPasswordField(text('passwords:password'), form, parts)
  const submit = submitButton(
    text(isNew ? 'passwords:sign-up.submit' : 'passwords:verify.submit'),
    { kind: 'main' },
  )
  const fields = [
    settings.name !== false && nameField(form, parts),
    password,
    ...(isNew ? furtherFields(form, parts) : []),
  ]
  const shown = fields.filter(Boolean).map((each) => [each, '\n'])
  return {
    title: text('passwords:confirm'),
    lead: htmlOf(text(isNew ? 'passwords:confirm.elsewhere' : 'passwords:let-in.elsewhere'), {
      email: strong(email),
    }),
    notice: faultNotice(form, labelsOf(parts), parts),
    body: html`${postForm([markup(usernameField(email)), shown, submit], { csrfField })}
<p class="note">${asked}</p>`,
    footer:
      signIn === undefined
        ? undefined
        : withLink(text('passwords:let-in.yours'), text('passwords:let-in.sign-in'), signIn),
  }
}

/** A link or a step that no longer works, with the way to another one. */
export function deadLinkPage(
  kind: 'sign-up' | 'forgot',
  { texts: { text }, path }: PageParts,
): AnswerPage {
  return {
    title: text('passwords:link-dead'),
    lead: text('passwords:link-dead.lead'),
    seal: { icon: 'bang', tone: 'bad' },
    body: html`<div class="stack">${linkButton(text(`passwords:link-dead.${kind}`), path(`password/${kind}`), { kind: 'main' })}${kind === 'sign-up' && linkButton(text('sign-in.submit'), path('signin'))}</div>`,
  }
}

export function strong(email: string): { readonly html: ReturnType<typeof html> } {
  return markup(html`<strong>${leftToRight(email)}</strong>`)
}
