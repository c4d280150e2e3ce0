import { hostOf, type SiteRequest } from '../http/request.ts'
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
}

/** Returns the site of a request. */
export function siteOf(
  request: Pick<SiteRequest, 'origin'>,
  { theme }: { readonly theme: Theme },
): PageSite {
  const name = nameOf(theme) ?? hostOf(request)
  return { theme, name, letter: letterOf(name), home: request.origin }
}

/** Returns the first letter of a name. */
export function letterOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase()
}
