import {
  type AnswerPage,
  type Host,
  type Html,
  html,
  htmlOf,
  markup,
  type Texts,
  time,
  visibleText,
} from '../../../entries/plugin.ts'
import type { ConnectionInfo, WhyEnded } from '../connection-info.ts'
import { reconnectPath } from '../ended.ts'
import { PAGE } from '../own.ts'
import type { ProviderTokensKey } from '../texts.ts'

/** Texts, addresses and the hidden field of forms. */
export interface PageParts {
  readonly texts: Texts<ProviderTokensKey>
  readonly host: Pick<Host, 'site'>
  readonly csrfField: Html
}

const STYLE = `
.connections{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:16px}
.connections>li{padding:16px;border:1px solid var(--line);border-radius:10px;display:grid;gap:12px}
.connections h2{margin:0;font-size:16px;overflow-wrap:anywhere}
.connections p{margin:0;font-size:14px;color:var(--soft);overflow-wrap:anywhere}
.connections .ended{color:inherit;font-weight:500}
`

/**
 * The accounts of a user, with a form to connect an ended one again and a link to disconnect each.
 *
 * @param notice what was done before the page was shown.
 */
export function connectionsPage(
  connections: readonly ConnectionInfo[],
  notice: string | undefined,
  parts: PageParts,
): AnswerPage {
  const { text } = parts.texts
  const title = text('providerTokens:title')
  const status =
    notice !== undefined && html`<p role="status" tabindex="-1" autofocus>${notice}</p>\n`
  const body = html`<h1>${title}</h1>
${status && markup(status)}${markup(
  connections.length === 0
    ? html`<p class="lead">${text('providerTokens:none')}</p>`
    : html`<p class="lead">${text('providerTokens:lead')}</p>
<ul class="connections">
${connections.map((connection) => markup(item(connection, parts)))}</ul>`,
)}`
  return { title, body, style: STYLE }
}

function item(connection: ConnectionInfo, parts: PageParts): Html {
  const { provider: id, name: provider, scopes, since, ended } = connection
  const { texts, host } = parts
  const { text, lang } = texts
  const disconnect = text('providerTokens:disconnect')
  return html`<li>
<h2>${provider}</h2>
${ended && markup(html`<p class="ended">${text('providerTokens:ended', { provider })}</p>\n${why(ended, provider, texts)}`)}${since !== undefined && markup(html`<p>${htmlOf(text('providerTokens:since'), { time: time(since, lang) })}</p>\n`)}${scopes.length > 0 && markup(html`<p>${text('providerTokens:scopes', { scopes: visibleText(scopes.join(', ')) })}</p>\n`)}${ended && markup(connectForm(connection, parts))}<a class="button" href="${host.site.path(PAGE, { confirm: id })}" aria-label="${text('providerTokens:disconnect-it', { provider })}">${disconnect}</a>
</li>
`
}

/** Why a connection has ended, as far as that is known. */
function why(
  { why, at }: WhyEnded,
  provider: string,
  { text, lang }: PageParts['texts'],
): { readonly html: Html } | undefined {
  const when = at === undefined ? undefined : time(at, lang)
  if (why === 'unreadable') return line(text('providerTokens:ended.unreadable'))
  if (why === 'refused')
    return when
      ? line(htmlOf(text('providerTokens:ended.refused-on'), { provider, time: when }))
      : line(text('providerTokens:ended.refused', { provider }))
  return when && line(htmlOf(text('providerTokens:ended.expired'), { time: when }))
}

function line(content: Parameters<typeof html>[1]): { readonly html: Html } {
  return markup(html`<p>${content}</p>\n`)
}

function connectForm(
  { provider: id, name: provider }: ConnectionInfo,
  { texts: { text }, host, csrfField }: PageParts,
): Html {
  return html`<form action="${reconnectPath(host, id)}" method="post">
${markup(csrfField)}<input type="hidden" name="callbackUrl" value="${host.site.path(PAGE, { connected: id })}">
<button class="button main" type="submit" aria-label="${text('providerTokens:connect-it', { provider })}">${text('providerTokens:connect')}</button>
</form>
`
}

/** Asks before an account is disconnected. */
export function questionPage(
  { provider: id, name: provider }: Pick<ConnectionInfo, 'provider' | 'name'>,
  { texts: { text }, host, csrfField }: PageParts,
): AnswerPage {
  const title = text('providerTokens:question', { provider })
  const body = html`<h1>${title}</h1>
<p class="lead">${text('providerTokens:question.lead', { provider })}</p>
<div class="stack">
<form action="${host.site.path('provider-tokens/disconnect')}" method="post">
${markup(csrfField)}<input type="hidden" name="provider" value="${id}">
<input type="hidden" name="callbackUrl" value="${host.site.path(PAGE, { disconnected: id })}">
<button class="button main" type="submit">${text('providerTokens:disconnect')}</button>
</form>
<a class="button" href="${host.site.path(PAGE)}">${text('providerTokens:back')}</a>
</div>`
  return { title, body }
}
