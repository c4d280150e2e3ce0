import type { SiteRequest } from '../http/request.ts'
import type { Host } from '../plugin/host.ts'
import type { UnwantedChange } from '../plugin/provides.ts'

/**
 * Returns the part of a mail with which the owner of an account says that a change was not theirs; nothing without the plugin
 * `account`. The link of its button ends all sessions, and mails a link to choose a password.
 *
 * @param what the sentence of the page about what happened, in the language of the mail.
 * @param change a further change that the link undoes.
 */
export async function notMeButton(
  userId: string,
  what: string,
  request: SiteRequest,
  host: Pick<Host, 'plugins'>,
  change?: UnwantedChange,
): Promise<readonly { readonly button: string; readonly url: string }[]> {
  const links = host.plugins.notMe()
  return links ? [await links.button(userId, what, request, change)] : []
}
