import type { Call, ChallengePart } from '../../../entries/plugin.ts'
import type { Own } from '../own.ts'
import type { PageParts } from '../pages.ts'
import type { EmailCodeKey } from '../texts.ts'

export async function partsOf(
  { request, csrfField }: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
  challenge?: ChallengePart,
): Promise<PageParts> {
  return {
    challenge,
    texts: await host.site.text<EmailCodeKey>(request),
    csrfField,
    settings,
    path: (route) => host.site.path(route),
  }
}
