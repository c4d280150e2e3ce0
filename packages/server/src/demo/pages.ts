import { html, markup, timeAgo } from 'latchkey/plugin'
import { codeIn, linkIn } from 'latchkey/plugin/mailbox'
import {
  acts,
  empty,
  identity,
  leftToRight,
  linkButton,
  type Markup,
  section,
  textLink,
} from 'latchkey/plugin/pages'
import type { Session } from 'latchkey/types'
import { type Page, safeHeaders } from '../http/page.ts'
import { addPasskeyForm, addPasskeyScript } from './add-passkey.ts'
import type { Mail } from './mailbox.ts'

/** What the home page shows. */
export interface HomeContent {
  readonly session: Session | null
  readonly basePath: string
  readonly mailbox: boolean
  readonly passkeys: boolean
  /** Whether there is a page with the account of a user. */
  readonly accountPage: boolean
}

/** The home page of development: whether the visitor is signed in, and the session. */
export function homePage({ session, basePath, mailbox, passkeys, accountPage }: HomeContent): Page {
  const links = [
    mailbox && textLink('Mailbox', '/mailbox'),
    textLink('Session as JSON', `${basePath}/session`),
    textLink('Providers', `${basePath}/providers`),
  ].flatMap((each) => (each ? [each, ' '] : []))
  const footer = markup(html`<nav class="links" aria-label="More">${links}</nav>`)
  if (!session)
    return {
      title: 'Latchkey is running',
      lead: 'You are not signed in. Sign in to see a session.',
      content: html`<div class="stack">
${linkButton('Sign in', `${basePath}/signin`, { kind: 'main' })}
</div>`,
      footer,
      style: STYLE,
    }
  const { user } = session
  return {
    title: `Hello, ${user?.name ?? user?.email ?? 'you'}`,
    lead: 'You are signed in. This is your session, as an application sees it.',
    ...(passkeys ? { script: addPasskeyScript } : {}),
    seal: { icon: 'check', tone: 'good' },
    content: html`<div class="stack">
${identity(user ?? {})}
${accountPage && linkButton('Your account', `${basePath}/account`, { kind: 'main' })}
${passkeys && markup(addPasskeyForm(basePath))}${linkButton('Sign out', `${basePath}/signout`)}
<details class="more"><summary class="button quiet">The session</summary>
<pre tabindex="0" role="region" aria-label="The session">${JSON.stringify(session, null, 2)}</pre></details>
</div>`,
    footer,
    style: STYLE,
  }
}

const STYLE =
  'pre{margin:.75rem 0 0;padding:.875rem;border:1px solid var(--line);border-radius:var(--radius);background:var(--tint);font:.8125rem/1.6 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}nav.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}iframe{display:block;width:100%;height:30rem;margin-top:.75rem;border:1px solid var(--line);border-radius:var(--radius);background:#fff;color-scheme:light}details{margin-top:.5rem}summary{padding-block:.25rem}'

/** What the mailbox page shows. */
export interface MailboxContent {
  readonly mails: readonly Mail[]
  readonly origin: string
  /** Where mails go instead, if they do. */
  readonly smtpHost: string | undefined
}

/** The mails that would have been sent, newest first. */
export function mailboxPage({ mails, origin, smtpHost }: MailboxContent): Page {
  const lead =
    smtpHost === undefined
      ? 'In development, mails are kept here instead of being sent.'
      : `Mails are sent to ${smtpHost}, because SMTP_URL is set. They do not appear here.`
  const none =
    mails.length === 0 &&
    smtpHost === undefined &&
    empty('mail', 'No mail yet', 'Sign in with an email address, then come back.')
  return {
    title: 'Mailbox',
    lead,
    wide: true,
    frames: true,
    style: STYLE,
    content: html`${acts(linkButton('Look again', '/mailbox', { isSmall: true }), linkButton('Home', '/', { isSmall: true }))}
<div class="section">
${none}${mails.map((mail) => mailCard(mail, linkIn(mail, origin), codeIn(mail)))}</div>`,
  }
}

function mailCard(mail: Mail, address: string | undefined, code: string | undefined): Markup {
  const { id, at, to, from, subject, text } = mail
  const facts = [
    markup(html`<span>to ${leftToRight(to)}</span>`),
    markup(html`<span>from ${leftToRight(from)}</span>`),
    markup(html`<span>${timeAgo(at.toISOString(), 'en')}</span>`),
    code !== undefined && markup(html`<span>code <code>${leftToRight(code)}</code></span>`),
  ]
  const frame =
    mail.html !== '' &&
    markup(
      html`<details><summary>As it looks</summary><iframe sandbox title="The mail to ${to}" src="/mailbox/${id}" loading="lazy"></iframe></details>`,
    )
  const open =
    address !== undefined && acts(linkButton('Open the link', address, { isSmall: true, of: to }))
  return section(
    { title: subject || '(no subject)', act: open },
    [],
    [
      markup(html`<article class="pane"><div class="inside"><p class="bits">${facts}</p>
<details><summary>Text</summary><pre tabindex="0">${text || '(empty)'}</pre></details>
${frame}</div></article>`),
    ],
  )
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
