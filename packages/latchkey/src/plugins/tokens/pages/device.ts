import {
  type AnswerPage,
  type Html,
  html,
  htmlOf,
  markup,
  type SafeUrl,
  type Texts,
  visibleText,
} from '../../../entries/plugin.ts'
import type { TokensKey } from '../texts.ts'

interface FormParts {
  readonly texts: Texts<TokensKey>
  readonly action: SafeUrl
  readonly csrfField: Html
}

/** The field for the code that a device shows. */
export function enterPage({
  texts: { text },
  action,
  csrfField,
  code,
  isWrong,
}: FormParts & { readonly code: string; readonly isWrong: boolean }): AnswerPage {
  const title = text('tokens:device')
  const fault = html`<p id="fault" role="alert">${text('tokens:device.wrong')}</p>\n`
  const field = isWrong
    ? html`<input id="code" type="text" name="user_code" maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="hint fault" aria-invalid="true" required>`
    : html`<input id="code" type="text" name="user_code" value="${code}" maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="hint" required>`
  const body = html`<h1>${title}</h1>
${isWrong && markup(fault)}<form action="${action}" method="post">
${markup(csrfField)}<div class="field">
<label for="code">${text('tokens:device.code')}</label>
${markup(field)}
<p id="hint">${text('tokens:device.hint')}</p>
</div>
<button class="button main" type="submit">${text('tokens:device.next')}</button>
</form>`
  return { title, body }
}

/** Who wants to be let in, in its own words where they are that. No button is focused. */
export function decidePage({
  texts: { text },
  action,
  csrfField,
  device,
  client,
  name,
  address,
  minutes,
  user,
}: FormParts & {
  /** Which one it is, for the decision. */
  readonly device: string
  readonly client: string
  readonly name: string | undefined
  readonly address: string | undefined
  /** Since it asked. */
  readonly minutes: number
  readonly user: string
}): AnswerPage {
  const title = text('tokens:device.title', { client })
  const facts = [
    text('tokens:device.user', { user: visibleText(user) }),
    name !== undefined && text('tokens:device.name', { name: visibleText(name) }),
    address !== undefined && text('tokens:device.address', { address }),
    text('tokens:device.age', { count: minutes }),
  ].filter((fact) => fact !== false)
  const button = (decision: string, label: string, kind: string) =>
    markup(html`<form action="${action}" method="post">
${markup(csrfField)}<input type="hidden" name="device" value="${device}"><input type="hidden" name="decision" value="${decision}">
<button class="${kind}" type="submit">${label}</button>
</form>
`)
  const body = html`<h1>${title}</h1>
<ul>
${facts.map((fact) => markup(html`<li>${fact}</li>\n`))}</ul>
<p class="lead">${htmlOf(text('tokens:device.warning'), {})}</p>
<div class="stack">
${button('allow', text('tokens:device.allow'), 'button main')}${button('deny', text('tokens:device.deny'), 'button')}</div>`
  return { title, body }
}

/** What becomes of it. */
export function donePage(isAllowed: boolean, { text }: Texts<TokensKey>): AnswerPage {
  const title = text(isAllowed ? 'tokens:device.allowed' : 'tokens:device.denied')
  const body = html`<h1>${title}</h1>
<p class="lead" role="status">${text('tokens:device.back')}</p>`
  return { title, body }
}
