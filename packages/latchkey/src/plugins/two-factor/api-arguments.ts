import { type ArgumentsOf, anObject, aUserId, optional } from '../../entries/plugin-checks.ts'
import type { TwoFactorApi } from './two-factor-api.ts'

/** The arguments that the functions of the plugin accept. */
export const twoFactorArguments: ArgumentsOf<TwoFactorApi> = {
  status: { userId: aUserId },
  require: { userId: aUserId, options: optional(anObject) },
  reset: { userId: aUserId },
}
