import { type Host, loadOnce } from '../../entries/plugin.ts'
import { flowCookie } from '../../entries/plugin-accounts.ts'
import { warnWithoutLimits } from '../../entries/plugin-limits.ts'
import type { Own } from './own.ts'
import { createPasswords } from './records/passwords.ts'
import { createResets } from './records/resets.ts'
import { createSignUps } from './records/sign-ups.ts'
import { createUnproved } from './records/unproved.ts'
import type { Settings } from './settings.ts'

/** Creates what the routes share. */
export function createOwn(host: Host, settings: Settings): Own {
  if (!settings.limits) warnWithoutLimits('passwords', host)
  return {
    host,
    settings,
    hasher: loadOnce(async () => {
      const { createHasher } = await import('./hashing/hasher.ts')
      const { sayEngine } = await import('./hashing/say-engine.ts')
      const hasher = createHasher(settings.hashes, host)
      await sayEngine(hasher, host.logger)
      return hasher
    }),
    passwords: createPasswords(host, settings),
    signUps: createSignUps(host),
    unproved: createUnproved(host),
    resets: createResets(host),
    cookies: {
      signUp: flowCookie(host, 'sign-up'),
      link: flowCookie(host, 'sign-up-link'),
      reset: flowCookie(host, 'password-reset'),
      signIn: flowCookie(host, 'sign-in'),
      forgot: flowCookie(host, 'forgot'),
    },
  }
}
