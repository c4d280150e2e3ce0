import type { Texts } from '../base/texts/texts.ts'
import { html, htmlOf, markup, visibleText } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import {
  codeField,
  leftToRight,
  linkButton,
  notice,
  postForm,
  submitButton,
  textLink,
} from '../page-kit/components.ts'
import { csrfInput } from '../page-kit/form-field.ts'
import { layOut, page } from '../page-kit/layout.ts'
import type { PageSite } from '../page-kit/site.ts'
import type { AskedMail } from '../plan/provider.ts'

export interface VerifyRequestValues {
  /** URL of the page that sends another mail. */
  readonly signInUrl: string
  readonly csrfToken: string | undefined
  /** Where the form for the code is sent; `undefined` if the mail has no code, or another browser requested it. */
  readonly codeAction: string | undefined
  /** The address and where the form for another mail is sent; `undefined` in another browser. */
  readonly sent: (AskedMail & { readonly action: string }) | undefined
  /** The page that shows the mails, in development. */
  readonly mailbox: string | undefined
  /** The `error` parameter. */
  readonly error: string | undefined
}

/** Values of the `error` parameter with a text; others are ignored. */
const errors = ['WrongCode', 'TooManyAttempts'] as const

/** Seconds until the page offers to send another mail. */
const PATIENCE = 30

/** Returns the page that says that a mail was sent, with a form for its code. */
export async function verifyRequestPage(
  site: PageSite,
  texts: Texts,
  { signInUrl, csrfToken, codeAction, sent, mailbox, error }: VerifyRequestValues,
): Promise<PageOutcome> {
  const { text } = texts
  const csrfField = csrfInput(csrfToken)
  const known = errors.find((code) => code === error)
  const problem = known && text(`verify-request.error.${known}`)
  const address = sent && markup(html`<strong>${leftToRight(visibleText(sent.email))}</strong>`)
  const what = codeAction === undefined ? 'verify-request.link' : 'verify-request.link-and-code'
  // After a wrong code, the focus is in the field; otherwise on the message.
  const isAtCode = codeAction !== undefined && known === 'WrongCode'
  const code = codeField(
    {
      label: text('verify-request.code'),
      name: 'code',
      id: 'input-code',
      error: isAtCode ? problem : undefined,
      attributes: { autofocus: known === undefined || isAtCode },
    },
    CODE_LENGTH,
  )
  const form =
    codeAction !== undefined &&
    postForm([code, '\n', submitButton(text('sign-in.submit'), { kind: 'main' })], {
      action: codeAction,
      csrfField,
    })
  const again =
    sent &&
    postForm(
      markup(
        html`<button class="button quiet" type="submit" data-wait="${PATIENCE}" data-waiting="${text('verify-request.resend.wait', { seconds: '%' })}">${text('verify-request.resend')}</button>`,
      ),
      { action: sent.action, csrfField, hidden: { email: sent.email, ...sent.kept } },
    )
  const title = text('verify-request.title')
  const content = {
    site,
    texts,
    title,
    documentTitle: known ? text('page.error', { title }) : title,
    lead: address ? htmlOf(text(what), { email: address }) : text('verify-request.link.unknown'),
    notice: problem !== undefined && !isAtCode && notice(problem, 'bad'),
    body: html`${form}
<div class="stack">
${mailbox !== undefined && linkButton(text('verify-request.mailbox'), mailbox)}${again}
</div>
<p class="note">${text('verify-request.help')}</p>
`,
    footer: textLink(text('verify-request.other'), signInUrl),
  }
  return page(await layOut(content))
}

/** Digits of a code. */
const CODE_LENGTH = 6
