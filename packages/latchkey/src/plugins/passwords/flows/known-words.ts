import { type AdapterUser, type SiteRequest, siteNameOf } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { KnownWords } from '../rules/expected.ts'

/**
 * Returns names of the site that nobody should use as a password.
 *
 * @param request of a visitor; code of the application has none, and then the host is not known.
 */
export function siteNames(
  request: Pick<SiteRequest, 'origin'> | undefined,
  { host }: Own,
): readonly string[] {
  const { theme } = host.site
  if (request)
    return [siteNameOf({ theme, origin: request.origin }), new URL(request.origin).hostname]
  return typeof theme.name === 'string' ? [theme.name] : []
}

/** Returns what is known about a user and the site, for the rules of a new password. */
export async function wordsAbout(
  { id, email, name }: Pick<AdapterUser, 'id' | 'email' | 'name'>,
  request: Pick<SiteRequest, 'origin'> | undefined,
  own: Own,
): Promise<KnownWords> {
  const username = await own.host.userNames()?.nameOf(id)
  return { email, name, username, siteNames: siteNames(request, own) }
}
