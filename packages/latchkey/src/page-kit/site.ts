import { type AuthRequest, hostOf, type SiteRequest, splitUrl } from '../http/request.ts'
import type { Theme } from '../options/pages.ts'
import { nameOf } from '../options/theme/theme-values.ts'

/** The site that a page belongs to. */
export interface PageSite {
  readonly theme: Theme
  /** The name of the application: that of the theme, else the host. */
  readonly name: string
  /** The first letter of the name, for the tile in place of a logo. */
  readonly letter: string
  /** The address of the application. */
  readonly home: string
  /**
   * Links to this page in another language, without the language at their end. `undefined` if the address of the page shows
   * nothing to a browser that opens it.
   */
  readonly languages?: string | undefined
}

/** What a page needs to know about the configuration. */
interface Configured {
  readonly theme: Theme
  readonly languages?: object | undefined
  readonly plugins?:
    | { readonly router: { find(pathname: string): { plugin: object; route: string } | undefined } }
    | undefined
}

/** What a plugin of the router says about its paths. */
interface Routed {
  readonly routes?: Readonly<Record<string, { readonly GET?: object | undefined }>> | undefined
}

/** Returns the site of a request. @param request a URL is that of a page of the application. */
export function siteOf(request: SiteRequest | URL, configured: Configured): PageSite {
  const { theme } = configured
  const name = nameOf(theme) ?? hostOf(request)
  const languages =
    request instanceof URL || !configured.languages ? undefined : linksOf(request, configured)
  return { theme, name, letter: letterOf(name), home: request.origin, languages }
}

/** The query stays: a page may need the token of a link. */
function linksOf(
  request: SiteRequest & Partial<Pick<AuthRequest, 'action' | 'providerId'>>,
  { plugins }: Configured,
): string | undefined {
  const { method, query, action, providerId } = request
  // The second step of the sign-in page has the address of the first one.
  const isSignIn = action === 'signin' && providerId === undefined
  if (method === 'POST' && !isSignIn) {
    const { pathname } = splitUrl(request.original.url)
    const match = plugins?.router.find(pathname)
    const { routes = {} } = (match?.plugin ?? {}) as Routed
    if (!routes[match?.route ?? '']?.GET) return undefined
  }
  const kept = new URLSearchParams(query)
  kept.delete('lang')
  kept.append('lang', '')
  return `?${kept}`
}

/** Returns the first letter of a name. */
export function letterOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase()
}
