import { type Html, html, markup } from '../http/html.ts'
import type { Theme } from '../options/pages.ts'
import type { PageOutcome } from '../outcome.ts'
import { layOut, page } from './layout.ts'

/** Where the code of the mail is sent to. */
export interface CodeForm {
  readonly action: string
  readonly csrfToken: string | undefined
}

export interface VerifyRequestValues {
  readonly origin: string
  readonly host: string
  /** Where another mail can be asked for. */
  readonly signInUrl: string
  /** `undefined` when there is no code, or this browser asked for none. */
  readonly codeForm: CodeForm | undefined
  /** The `error` parameter. */
  readonly error: string | undefined
}

/** Texts for the `error` parameter; any other value shows none. */
const texts: ReadonlyMap<string, string> = new Map([
  ['WrongCode', 'That is not the code of the last mail. Check it and try again.'],
  [
    'TooManyAttempts',
    'There were too many attempts with codes. Open the link in the mail to sign in.',
  ],
])

/** Tells that a mail is on its way, and takes the code in it. */
export async function verifyRequestPage(
  theme: Theme,
  { origin, host, signInUrl, codeForm, error }: VerifyRequestValues,
): Promise<PageOutcome> {
  const problem = texts.get(error ?? '')
  // A wrong code is typed again; everything else is read first.
  const atCode = codeForm !== undefined && error === 'WrongCode'
  const alert =
    problem !== undefined &&
    html`<p class="bad" role="alert" id="problem"${!atCode && markup(html` tabindex="-1" autofocus`)}>${problem}</p>
`
  const lead = codeForm
    ? 'A sign-in link and a code are on their way to you. Open the link on this device, or type the code here.'
    : 'A sign-in link is on its way to you. Open it on this device to sign in with one click.'
  const body = html`<h1>Check your email</h1>
${alert && markup(alert)}<p class="lead">${lead}</p>
${codeForm && markup(form(codeForm, problem !== undefined, atCode))}<p class="lead">Nothing there? Look into the spam folder, or check the address and <a href="${signInUrl}">ask again</a>.</p>
<p class="site"><a href="${origin}">${host}</a></p>`
  const title = problem === undefined ? 'Check your email' : 'Sign-in failed'
  return page(await layOut({ title, body, theme, style: CODE_STYLE }))
}

const CODE_STYLE =
  '.code{font:600 26px/1.25 ui-monospace,monospace;letter-spacing:.3em;text-indent:.3em;text-align:center}.bad+.lead,.stack+.lead{margin-top:20px}'

function form({ action, csrfToken }: CodeForm, isWrong: boolean, hasFocus: boolean): Html {
  const problem = isWrong && html` aria-invalid="true" aria-describedby="problem"`
  return html`<div class="stack">
<form action="${action}" method="post">
<input type="hidden" name="csrfToken" value="${csrfToken}">
<div class="field">
<label for="input-code">Code from the mail</label>
<input class="code" id="input-code" type="text" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required${problem && markup(problem)}${hasFocus && markup(html` autofocus`)}>
</div>
<button class="button main" type="submit">Sign in</button>
</form>
</div>
`
}
