import {
  type AnswerPage,
  html,
  htmlOf,
  markup,
  type Texts,
  timeAgo,
  visibleText,
} from '../../entries/plugin.ts'
import { empty, leftToRight, linkButton, type Markup } from '../../entries/plugin-pages.ts'
import { codeIn, type KeptMail, linkIn } from './store.ts'
import type { MailboxKey } from './texts.ts'

/** Returns the page with the kept mails. */
export function mailboxPage(
  mails: readonly KeptMail[],
  { origin, address, texts }: { origin: string; address: string; texts: Texts<MailboxKey> },
): AnswerPage {
  const { text } = texts
  return {
    title: text('mailbox:title'),
    lead: text('mailbox:lead'),
    body: html`${mails.length === 0 && empty('mail', text('mailbox:none'), text('mailbox:none.about'))}${mails.map((mail) => mailPart(mail, origin, texts))}
<div class="stack">
${linkButton(text('mailbox:again'), address)}
</div>`,
    style: STYLE,
  }
}

/** A frame without rights, and with the policy of the page: nothing of the mail runs, and nothing is loaded for it. */
function mailPart(mail: KeptMail, origin: string, { text, lang }: Texts<MailboxKey>): Markup {
  const { to, at, subject, text: words, html: look } = mail
  const address = linkIn(mail, origin)
  const code = codeIn(mail)
  const about = {
    email: markup(html`<strong>${leftToRight(visibleText(to))}</strong>`),
    time: markup(html`${timeAgo(new Date(at).toISOString(), lang)}`),
  }
  const coded =
    code !== undefined &&
    markup(
      html`<p>${htmlOf(text('mailbox:code'), { code: markup(html`<code>${leftToRight(code)}</code>`) })}</p>`,
    )
  return markup(html`<article class="mail"><h2 dir="auto">${visibleText(subject)}</h2>
<p class="note">${htmlOf(text('mailbox:to'), about)}</p>
${coded}${address !== undefined && linkButton(text('mailbox:open'), address, { isSmall: true })}
<details><summary>${text('mailbox:text')}</summary><pre tabindex="0" dir="auto">${words}</pre></details>
<details><summary>${text('mailbox:html')}</summary><iframe sandbox title="${text('mailbox:html')}" srcdoc="${String(look)}" loading="lazy"></iframe></details></article>
`)
}

const STYLE =
  '.mail{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}.empty{display:grid;justify-items:center;gap:.25rem;margin-top:1.5rem;padding:2rem 1rem;border:1px solid var(--line);border-radius:var(--radius);color:var(--soft);text-align:center}.mail h2{margin:0;font-size:1rem;overflow-wrap:anywhere}.mail p{margin:.25rem 0;overflow-wrap:anywhere}.mail pre{margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:var(--radius);font:.8125rem/1.6 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}.mail iframe{display:block;width:100%;height:24rem;margin-top:.5rem;border:1px solid var(--line);border-radius:var(--radius);background:#fff;color-scheme:light}.mail summary{padding-block:.375rem}'
