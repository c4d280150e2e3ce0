import { type AnswerPage, html, htmlOf, markup } from '../../../entries/plugin.ts'
import { linkButton, postForm, submitButton, textLink } from '../../../entries/plugin-pages.ts'
import type { PageParts } from '../routes/parts.ts'
import { challengeIn, type Form, identifierField } from './parts.ts'
import { strong } from './verify.ts'

/** Asks for the address of an account whose password was forgotten. */
export function forgotPage(form: Form, parts: PageParts): AnswerPage {
  const { texts, csrfField, path, hasNames } = parts
  const { text } = texts
  const input = identifierField(form, parts, {
    placeholder: hasNames ? undefined : text('passwords:email.example'),
  })
  const submit = submitButton(text('passwords:forgot.submit'), { kind: 'main' })
  return {
    title: text('passwords:forgot'),
    lead: text('passwords:forgot.lead'),
    challenge: parts.challenge,
    body: html`${postForm([input, '\n', ...challengeIn(parts), submit], { csrfField })}`,
    footer: textLink(text('passwords:forgot.back'), path('signin')),
  }
}

/** The same for every address. */
export function forgotSentPage(
  { identifier, mailbox }: { readonly identifier: string; readonly mailbox?: string | undefined },
  { texts, csrfField, path }: PageParts,
): AnswerPage {
  const { text } = texts
  const again = html`<button class="button quiet" type="submit" data-wait="60" data-waiting="${text('passwords:forgot.waiting')}">${text('passwords:forgot.again')}</button>`
  const form = postForm(markup(again), {
    action: path('password/forgot'),
    csrfField,
    hidden: { identifier },
  })
  return {
    title: text('passwords:verify'),
    lead: htmlOf(text('passwords:forgot.sent'), { email: strong(identifier) }),
    body: html`${mailbox !== undefined && linkButton(text('passwords:verify.mailbox'), mailbox)}
<div class="stack tight">${form}</div>
<p class="note">${text('passwords:nothing-there')}</p>`,
    footer: textLink(text('passwords:forgot.back'), path('signin')),
  }
}
