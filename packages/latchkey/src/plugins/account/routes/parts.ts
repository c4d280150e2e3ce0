import type { Call } from '../../../entries/plugin.ts'
import { type PageParts as Parts, pageParts } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { AccountKey } from '../texts.ts'

/** What every page of the plugin is made with. */
export interface PageParts extends Parts<AccountKey> {
  readonly settings: Own['settings']
}

export async function partsOf(
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
): Promise<PageParts> {
  return { ...(await pageParts<AccountKey>(call, host)), settings }
}
