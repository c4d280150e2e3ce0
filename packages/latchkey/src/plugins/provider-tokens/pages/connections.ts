import {
  type AnswerPage,
  type Host,
  type Html,
  html,
  htmlOf,
  type TextKey,
  type Texts,
  timeAgo,
  visibleText,
} from '../../../entries/plugin.ts'
import {
  acts,
  type Content,
  empty,
  linkButton,
  type Markup,
  notice,
  pane,
  postForm,
  row,
  section,
  submitButton,
  tag,
} from '../../../entries/plugin-pages.ts'
import type { ConnectionInfo, WhyEnded } from '../connections/connection-info.ts'
import { reconnectPath } from '../connections/ended.ts'
import { PAGE } from '../own.ts'
import type { ProviderTokensKey } from '../texts.ts'

/** Texts, addresses and the hidden field of forms. */
export interface PageParts {
  readonly texts: Texts<ProviderTokensKey | TextKey>
  readonly host: Pick<Host, 'site'>
  readonly csrfField: Html
}

interface ListParts extends PageParts {
  /** The marks of providers, by id. */
  readonly marks: ReadonlyMap<string, Markup>
}

/**
 * The accounts of a user, with a form to connect an ended one again and a link to disconnect each.
 *
 * @param done what was done before the page was shown.
 */
export function connectionsPage(
  connections: readonly ConnectionInfo[],
  done: string | undefined,
  parts: ListParts,
): AnswerPage {
  const { text } = parts.texts
  const list =
    connections.length === 0
      ? empty('link', text('providerTokens:none'), text('providerTokens:none.about'))
      : section(
          { title: text('providerTokens:count', { count: connections.length }) },
          connections.map((connection) => item(connection, parts)),
        )
  return {
    title: text('providerTokens:title'),
    lead: text('providerTokens:lead'),
    notice: done !== undefined && notice(done, 'good'),
    body: html`${list}`,
    layout: 'account',
  }
}

function item(connection: ConnectionInfo, parts: ListParts): Markup {
  const { provider: id, name: provider, scopes, since, ended } = connection
  const { texts, host, marks } = parts
  const { text, lang } = texts
  const granted = visibleText(scopes.join(', '))
  return row({
    picture: marks.get(id) ?? 'link',
    title: provider,
    tags: ended && tag(text('providerTokens:ended'), 'warn'),
    facts: [
      ended && why(ended, provider, texts),
      since !== undefined && htmlOf(text('providerTokens:since'), { time: timeAgo(since, lang) }),
      scopes.length > 0 && text('providerTokens:scopes', { scopes: granted }),
    ],
    acts: [
      ended && connectForm(connection, parts),
      linkButton(text('providerTokens:disconnect'), host.site.path(PAGE, { confirm: id }), {
        isSmall: true,
        of: provider,
      }),
    ],
  })
}

/** Why a connection has ended, as far as that is known. */
function why(
  { why: reason, at }: WhyEnded,
  provider: string,
  { text, lang }: PageParts['texts'],
): Content {
  const when = at === undefined ? undefined : timeAgo(at, lang)
  if (reason === 'unreadable') return text('providerTokens:ended.unreadable')
  if (reason === 'refused')
    return when
      ? htmlOf(text('providerTokens:ended.refused-on'), { provider, time: when })
      : text('providerTokens:ended.refused', { provider })
  return when && htmlOf(text('providerTokens:ended.expired'), { time: when })
}

function connectForm(
  { provider: id, name: provider }: ConnectionInfo,
  { texts: { text }, host, csrfField }: PageParts,
): Markup {
  const submit = submitButton(text('providerTokens:connect'), { isSmall: true, of: provider })
  const callbackUrl = host.site.path(PAGE)
  return postForm(submit, { action: reconnectPath(host, id), csrfField, hidden: { callbackUrl } })
}

/** Asks before an account is disconnected. */
export function questionPage(
  { provider: id, name: provider }: Pick<ConnectionInfo, 'provider' | 'name'>,
  { texts: { text }, host, csrfField }: PageParts,
): AnswerPage {
  const buttons = acts(
    submitButton(text('providerTokens:disconnect'), { kind: 'danger main', of: provider }),
    linkButton(text('page.cancel'), host.site.path(PAGE)),
  )
  const form = postForm(buttons, {
    action: host.site.path('provider-tokens/disconnect'),
    csrfField,
    hidden: { provider: id, callbackUrl: host.site.path(PAGE) },
  })
  return {
    title: text('providerTokens:question', { provider }),
    lead: text('providerTokens:question.lead', { provider }),
    body: html`${pane(form)}`,
    layout: 'account',
  }
}
