import type { SiteRequest } from '../http/request.ts'
import type { Host } from '../plugin/host.ts'
import { profilesOf } from './profile.ts'

/**
 * Returns a copy of a request that asks for the language which a user chose, so that a mail to this user is written in it.
 * If the user chose none, or the store fails, it returns the request itself.
 */
export async function inLanguageOf(
  userId: string,
  request: SiteRequest,
  host: Pick<Host, 'records' | 'ports' | 'logger'>,
): Promise<SiteRequest> {
  const profile = await profilesOf(host)
    .get(userId)
    .catch(() => null)
  const { locale } = profile?.data ?? {}
  if (locale === undefined) return request
  const headers = new Headers(request.original.headers)
  // A cookie may name the language that the visitor chose on a page.
  headers.delete('cookie')
  headers.set('accept-language', locale)
  return { ...request, original: new Request(request.original.url, { headers }) }
}
