import {
  type Call,
  type Html,
  type SafeUrl,
  siteNameOf,
  type TextKey,
  type Texts,
} from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { AccountKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export interface PageParts {
  readonly texts: Texts<AccountKey | TextKey>
  readonly csrfField: Html
  readonly settings: Own['settings']
  /** The name of the site. */
  readonly name: string
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
}

export async function partsOf(
  { request, csrfField }: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
): Promise<PageParts> {
  const { theme } = host.site
  return {
    texts: await host.site.text<AccountKey>(request),
    csrfField,
    settings,
    name: siteNameOf({ theme, origin: request.origin }),
    path: (...asked) => host.site.path(...asked),
  }
}
