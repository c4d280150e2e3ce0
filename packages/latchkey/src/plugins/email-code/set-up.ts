import type { Host } from '../../entries/plugin.ts'
import { flowCookie, mailedCodes } from '../../entries/plugin-accounts.ts'
import { warnWithoutLimits } from '../../entries/plugin-limits.ts'
import type { Own } from './own.ts'
import type { Settings } from './settings.ts'

/** Creates what the routes share. */
export function createOwn(host: Host, settings: Settings): Own {
  if (!settings.limits) warnWithoutLimits('emailCode', host)
  return {
    host,
    settings,
    codes: mailedCodes(host, settings),
    cookie: flowCookie(host, 'email-code'),
  }
}
