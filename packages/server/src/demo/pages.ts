import { type Html, html, markup } from 'latchkey/plugin'
import type { Session } from 'latchkey/types'
import { type Page, safeHeaders } from '../http/page.ts'
import { addPasskeyForm, addPasskeyScript } from './add-passkey.ts'
import { codeOf, linkOf, type Mail } from './mailbox.ts'

/** What the home page shows. */
export interface HomeContent {
  readonly session: Session | null
  readonly basePath: string
  readonly mailbox: boolean
  readonly passkeys: boolean
  /** Whether there is a page with the sessions of a user. */
  readonly sessionsPage: boolean
}

/** The home page of development: whether the visitor is signed in, and the session. */
export function homePage({
  session,
  basePath,
  mailbox,
  passkeys,
  sessionsPage,
}: HomeContent): Page {
  const links = html`<nav aria-label="More">${
    session !== null &&
    sessionsPage &&
    markup(html`<a href="${basePath}/account/sessions">Where you are signed in</a>`)
  }${
    mailbox && markup(html`<a href="/mailbox">Mailbox</a>`)
  }<a href="${basePath}/session">Session as JSON</a><a href="${basePath}/providers">Providers</a></nav>`
  if (!session)
    return {
      title: 'Latchkey',
      content: html`<div class="card">
<p class="badge">Not signed in</p>
<h1>Welcome to Latchkey</h1>
<p class="soft">The service is running. Sign in to see a session.</p>
<div class="actions"><a class="button" href="${basePath}/signin">Sign in</a></div>
${markup(links)}
</div>`,
    }
  const { user } = session
  return {
    title: 'Signed in · Latchkey',
    ...(passkeys ? { script: addPasskeyScript } : {}),
    content: html`<div class="card">
<p class="badge good">Signed in</p>
<h1>Hello, ${user?.name ?? user?.email ?? 'you'}</h1>
<p class="soft" id="session">This is your session, as an application sees it.</p>
<pre tabindex="0" role="region" aria-labelledby="session">${JSON.stringify(session, null, 2)}</pre>
<div class="actions"><a class="button second" href="${basePath}/signout">Sign out</a></div>
${passkeys && markup(addPasskeyForm(basePath))}${markup(links)}
</div>`,
  }
}

/** What the mailbox page shows. */
export interface MailboxContent {
  readonly mails: readonly Mail[]
  readonly origin: string
  /** Where mails go instead, if they do. */
  readonly smtpHost: string | undefined
}

/** The mails that would have been sent, newest first. */
export function mailboxPage({ mails, origin, smtpHost }: MailboxContent): Page {
  const intro =
    smtpHost === undefined
      ? 'In development mails are kept here instead of being sent.'
      : `Mails are sent to ${smtpHost}, because SMTP_URL is set. They do not appear here.`
  return {
    title: 'Mailbox · Latchkey',
    wide: true,
    frames: true,
    content: html`<div class="card">
<p class="eyebrow">Latchkey</p>
<h1>Mailbox</h1>
<p class="soft">${intro}</p>
<div class="actions row"><a class="button second" href="/mailbox">Look again</a><a class="button second" href="/">Home</a></div>
</div>
${mails.length === 0 && smtpHost === undefined && markup(html`<div class="card"><p>No mail yet. Sign in with an email address, then come back.</p></div>`)}
${mails.map((mail) => markup(mailCard(mail, linkOf(mail, origin), codeOf(mail))))}`,
  }
}

function mailCard(mail: Mail, link: string | undefined, code: string | undefined): Html {
  const { id, at, to, from, subject, text } = mail
  return html`<article class="card">
<h2>${subject || '(no subject)'}</h2>
<dl>
<dt>To</dt><dd>${to}</dd>
<dt>From</dt><dd>${from}</dd>
<dt>At</dt><dd><time datetime="${at.toISOString()}">${at.toISOString().replace('T', ' ').slice(0, 19)} UTC</time></dd>
${
  code !== undefined &&
  markup(html`<dt>Code</dt><dd><code>${code}</code></dd>
`)
}</dl>
${link !== undefined && markup(html`<div class="actions"><a class="button" href="${link}">Open the link</a></div>`)}
<details><summary>Text</summary><pre tabindex="0">${text || '(empty)'}</pre></details>
${mail.html !== '' && markup(html`<details><summary>As it looks</summary><iframe sandbox title="The mail to ${to}" src="/mailbox/${id}" loading="lazy"></iframe></details>`)}
</article>
`
}

/** The HTML of a mail, harmless: no script, nothing loaded, an origin of its own. */
export function mailResponse(mail: Mail): Response {
  return new Response(mail.html, {
    headers: {
      ...safeHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    },
  })
}
