import { html, markup } from 'latchkey/plugin'
import { field, postForm, submitButton } from 'latchkey/plugin/pages'
import type { Page } from '../http/page.ts'

const shared: Readonly<Record<string, string>> = {
  profile: 'Your name',
  email: 'Your email address',
}

/** The look of the development identity provider, so that it is not taken for the site. */
const theme = { name: 'Development account', accent: '#7c3aed' }

/** The sign-in and consent page of the development identity provider, in one. */
export function askPage({
  name,
  scopes,
  wrong = false,
}: {
  name: string
  scopes: readonly string[]
  wrong?: boolean
}): Page {
  const items = scopes.filter((scope) => shared[scope] !== undefined)
  const input = field({
    label: 'Name',
    name: 'name',
    value: name || (wrong ? '' : 'alice'),
    hint: wrong ? undefined : 'As alice you are alice@example.test.',
    error: wrong
      ? 'This name is not valid. Use a letter first, then letters, digits, single dots or dashes.'
      : undefined,
    attributes: {
      required: true,
      maxlength: '31',
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
      autofocus: true,
    },
  })
  const list = markup(html`<div><p id="shared">Latchkey will see:</p>
<ul aria-labelledby="shared">${items.map((scope) => markup(html`<li>• ${shared[scope]}</li>`))}</ul></div>`)
  // "Allow" comes first, because the enter key presses the first button of a form.
  const buttons = [
    submitButton('Allow', { kind: 'main', name: 'answer', value: 'allow' }),
    '\n',
    markup(
      html`<button class="button" name="answer" value="refuse" formnovalidate>Refuse</button>`,
    ),
  ]
  return {
    title: 'Who do you want to be?',
    lead: 'A pretend identity provider for trying things out. Any name will do; there is no password.',
    status: wrong ? 400 : 200,
    content: html`${postForm([input, '\n', list, '\n', buttons])}`,
    theme,
  }
}

/** Asks whether somebody wants to sign out of the development identity provider. */
export function signOutPage({ action, xsrf }: { action: string; xsrf: string }): Page {
  const buttons = [
    submitButton('Sign out', { kind: 'main', name: 'logout', value: 'yes' }),
    '\n',
    submitButton('Stay signed in'),
  ]
  return {
    title: 'Sign out here, too?',
    lead: 'A site from which you signed out sent you here.',
    content: html`${postForm(buttons, { action, hidden: { xsrf } })}`,
    theme,
  }
}
