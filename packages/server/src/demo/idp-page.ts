import { html, markup } from 'latchkey/plugin'
import type { Page } from '../http/page.ts'

const shared: Readonly<Record<string, string>> = {
  profile: 'Your name',
  email: 'Your email address',
}

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
  return {
    title: 'Development account',
    status: wrong ? 400 : 200,
    content: html`<div class="card">
<p class="eyebrow">Development account</p>
<h1>Who do you want to be?</h1>
<p class="soft">A pretend identity provider for trying things out. Any name will do; there is no password.</p>
<form method="post">
<fieldset>
<label for="name">Name</label>
<input id="name" name="name" type="text" value="${name || (wrong ? '' : 'alice')}" required maxlength="31" autocomplete="off"
 autocapitalize="none" spellcheck="false" autofocus aria-describedby="hint"${wrong && markup(html` aria-invalid="true"`)}>
<p class="hint" id="hint"${wrong && markup(html` role="alert"`)}>${
      wrong
        ? 'This name is not valid. Use a letter first, then letters, digits, single dots or dashes.'
        : 'As alice you are alice@example.test.'
    }</p>
</fieldset>
<p id="shared">Latchkey will see:</p>
<ul class="plain" aria-labelledby="shared">${items.map((scope) => markup(html`<li>${shared[scope]}</li>`))}</ul>
<div class="actions">
<button name="answer" value="allow">Allow and continue</button>
<button name="answer" value="refuse" class="second" formnovalidate>Refuse</button>
</div>
</form>
</div>`,
  }
}

/** Asks whether somebody wants to sign out of the development identity provider. */
export function signOutPage({ action, xsrf }: { action: string; xsrf: string }): Page {
  return {
    title: 'Development account',
    content: html`<div class="card">
<p class="eyebrow">Development account</p>
<h1>Sign out here, too?</h1>
<p class="soft">A site from which you signed out sent you here.</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<div class="actions">
<button name="logout" value="yes">Sign out</button>
<button class="second">Stay signed in</button>
</div>
</form>
</div>`,
  }
}
