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
export function createOwn(host: Host, given: Settings): Own {
  const settings = withLength(given, host)
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

/** A password that never signs in alone may be shorter (NIST SP 800-63B-4 section 3.1.1.2). */
const BESIDE_FACTOR = 8

function withLength(given: Settings, { plugins }: Host): Settings {
  if (given.isLengthGiven || !plugins.factors()?.isForAll) return given
  return { ...given, rules: { ...given.rules, minLength: BESIDE_FACTOR } }
}
