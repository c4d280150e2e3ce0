import type { Cookie, Host, SiteRequest } from '../../entries/plugin.ts'
import { profilesOf } from '../../entries/plugin-accounts.ts'
import { forgetLanguage, keepLanguage, languageIn } from './cookie.ts'

/**
 * Returns the cookie for a browser in which a user signs in: it has the language of the profile from then on, unless
 * somebody chose one in this browser.
 */
export async function languageOfUser(
  userId: string,
  { original, secure }: Pick<SiteRequest, 'original' | 'secure'>,
  host: Pick<Host, 'records' | 'ports' | 'logger'>,
): Promise<readonly Cookie[]> {
  const kept = languageIn(original.headers.get('cookie'))
  if (kept && !kept.isOfProfile) return []
  const tag = (await profilesOf(host).get(userId))?.data.locale
  if (tag !== undefined) return [keepLanguage({ tag, isOfProfile: true }, secure, host.ports.now())]
  // The language of whoever signed in before.
  return kept ? [forgetLanguage(secure)] : []
}
