import type { Call, ChallengePart } from '../../../entries/plugin.ts'
import { pageParts } from '../../../entries/plugin-accounts.ts'
import type { Own } from '../own.ts'
import type { PageParts } from '../pages.ts'
import type { EmailCodeKey } from '../texts.ts'

export async function partsOf(
  call: Pick<Call<unknown>, 'request' | 'csrfField'>,
  { host, settings }: Own,
  challenge?: ChallengePart,
): Promise<PageParts> {
  return {
    ...(await pageParts<EmailCodeKey>(call, host)),
    settings,
    challenge,
  }
}
