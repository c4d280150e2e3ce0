import { type Host, toError } from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'

/** Reports renewed tokens to the application. An error of the application is logged. */
export async function tellRenewed(
  {
    provider,
    userId,
    n,
    e,
  }: {
    readonly provider: string
    readonly userId: string
    /** The provider's id of the account. */
    readonly n: string
    /** When the tokens expire, in seconds since the epoch. */
    readonly e?: number | undefined
  },
  { host, settings }: { readonly host: Host; readonly settings: Settings },
): Promise<void> {
  await host.tell('providerTokensRenewed', {
    provider,
    userId,
    ...(e !== undefined && { expiresAt: new Date(e * 1000) }),
  })
  try {
    await settings.onRenew?.({
      provider,
      userId,
      account: { provider, providerAccountId: n, userId },
    })
  } catch (error) {
    host.logger.error(toError(error))
  }
}
