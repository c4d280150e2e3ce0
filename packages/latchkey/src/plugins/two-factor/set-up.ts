import { type Host, loadOnce } from '../../entries/plugin.ts'
import { flowCookie, mailedCodes } from '../../entries/plugin-accounts.ts'
import { createHasher } from '../../entries/plugin-hashing.ts'
import { warnWithoutLimits } from '../../entries/plugin-limits.ts'
import { CODE_RULES } from './limits.ts'
import type { Own } from './own.ts'
import { createBrowsers } from './records/browsers.ts'
import { createEnforcement } from './records/enforcement.ts'
import { createRecovery } from './records/recovery.ts'
import { createStates } from './records/state.ts'
import { createTotp } from './records/totp.ts'
import type { Settings } from './settings.ts'

/** Creates what the routes share. */
export function createOwn(host: Host, settings: Settings): Own {
  if (!settings.limits) warnWithoutLimits('twoFactor', host)
  const states = createStates(host)
  const hasher = loadOnce(() => createHasher(settings.hashes, host))
  return {
    host,
    settings,
    states,
    totp: createTotp(host, states),
    recovery: createRecovery(host, settings, hasher),
    mailed: mailedCodes(host, CODE_RULES),
    passkeys: loadOnce(() => host.providers.passkeys()),
    browsers: createBrowsers(host),
    enforcement: createEnforcement(host, settings),
    shown: flowCookie(host, 'recovery-codes'),
  }
}
