import type { Texts } from '../base/texts/texts.ts'
import { type Html, html, htmlOf, markup } from '../http/html.ts'
import type { PageOutcome } from '../http/outcome.ts'
import type { Theme } from '../options/pages.ts'
import { layOut, page } from './layout.ts'

/** The form for the code of the mail. */
export interface CodeForm {
  readonly action: string
  readonly csrfToken: string | undefined
}

export interface VerifyRequestValues {
  readonly origin: string
  readonly host: string
  /** URL of the page that sends another mail. */
  readonly signInUrl: string
  /** `undefined` if the mail has no code, or another browser requested it. */
  readonly codeForm: CodeForm | undefined
  /** The `error` parameter. */
  readonly error: string | undefined
}

/** Values of the `error` parameter with a text; others are ignored. */
const errors = ['WrongCode', 'TooManyAttempts'] as const

/** Returns the page that says that a mail was sent, with a form for its code. */
export async function verifyRequestPage(
  theme: Theme,
  texts: Texts,
  { origin, host, signInUrl, codeForm, error }: VerifyRequestValues,
): Promise<PageOutcome> {
  const { lang, text } = texts
  const known = errors.find((code) => code === error)
  const problem = known && text(`verify-request.error.${known}`)
  // After a wrong code, the focus is in the field; otherwise on the message.
  const atCode = codeForm !== undefined && error === 'WrongCode'
  const alert =
    problem !== undefined &&
    html`<p class="bad" role="alert" id="problem"${!atCode && markup(html` tabindex="-1" autofocus`)}>${problem}</p>
`
  const again = markup(html`<a href="${signInUrl}">${text('verify-request.again')}</a>`)
  const body = html`<h1>${text('verify-request.title')}</h1>
${alert && markup(alert)}<p class="lead">${text(codeForm ? 'verify-request.link-and-code' : 'verify-request.link')}</p>
${codeForm && markup(form(codeForm, texts, problem !== undefined, atCode))}<p class="lead">${htmlOf(text('verify-request.help'), { again })}</p>
<p class="site"><a href="${origin}">${host}</a></p>`
  const title = text(problem === undefined ? 'verify-request.title' : 'sign-in.failed')
  return page(await layOut({ lang, title, body, theme, style: CODE_STYLE }))
}

const CODE_STYLE =
  '.code{font:600 26px/1.25 ui-monospace,monospace;letter-spacing:.3em;text-indent:.3em;text-align:center}.bad+.lead,.stack+.lead{margin-top:20px}'

function form(
  { action, csrfToken }: CodeForm,
  { text }: Texts,
  isWrong: boolean,
  hasFocus: boolean,
): Html {
  const problem = isWrong && html` aria-invalid="true" aria-describedby="problem"`
  return html`<div class="stack">
<form action="${action}" method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<div class="field">
<label for="input-code">${text('verify-request.code')}</label>
<input class="code" id="input-code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required${problem && markup(problem)}${hasFocus && markup(html` autofocus`)}>
</div>
<button class="button main" type="submit">${text('sign-in.submit')}</button>
</form>
</div>
`
}
