import { type ArgumentsOf, aText, aUserId, only, optional } from '../../entries/plugin-checks.ts'
import type { LimitSubject, LimitsApi } from './api.ts'

const aSubject = optional(
  only<LimitSubject>({
    identifier: optional(aText),
    userId: optional(aUserId),
    address: optional(aText),
  }),
)

/** The arguments that the functions of the plugin accept. */
export const limitsArguments: ArgumentsOf<LimitsApi> = {
  reset: { action: aText, subject: aSubject },
  peek: { action: aText, subject: aSubject },
  unlock: { userId: aUserId },
}
