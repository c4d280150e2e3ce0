import type { TextKey } from '../../base/texts/catalogue.ts'
import type { Texts } from '../../base/texts/texts.ts'
import type { Html } from '../../http/html.ts'
import type { SafeUrl } from '../../http/safe-url.ts'
import { siteNameOf } from '../../mail/mail-frame.ts'
import type { Host } from '../../plugin/host.ts'
import type { Call } from '../../plugin/route.ts'

/** What every page of a plugin is made with. */
export interface PageParts<Key extends string = never> {
  readonly texts: Texts<Key | TextKey>
  readonly csrfField: Html
  /** The name of the site. */
  readonly name: string
  path(route: string, params?: Readonly<Record<string, string>>): SafeUrl
}

/** Returns what the pages of a plugin are made with, in the preferred language of the call. */
export async function pageParts<Key extends string>(
  { request, csrfField }: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { site }: Pick<Host, 'site'>,
): Promise<PageParts<Key>> {
  return {
    texts: await site.text<Key>(request),
    csrfField,
    name: siteNameOf({ theme: site.theme, origin: request.origin }),
    path: (...asked) => site.path(...asked),
  }
}
