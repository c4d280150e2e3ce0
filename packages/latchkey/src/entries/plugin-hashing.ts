/**
 * Slow hashes of short secrets, within the limits of one process. The code that hashes is loaded with the first hasher.
 *
 * @module
 */
import type { Host } from '../plugin/host.ts'
import type { HashSettings } from '../plugins/passwords/hashing/hash-settings.ts'
import type { PasswordHasher } from '../plugins/passwords/hashing/hasher.ts'

export {
  type HashOptions,
  type HashSettings,
  hashSettingsOf,
} from '../plugins/passwords/hashing/hash-settings.ts'
export type { PasswordHasher, PlaceOptions } from '../plugins/passwords/hashing/hasher.ts'

/** Creates a hasher with these costs. */
export async function createHasher(
  settings: HashSettings,
  host: Pick<Host, 'ports' | 'logger'>,
): Promise<PasswordHasher> {
  return (await import('../plugins/passwords/hashing/hasher.ts')).createHasher(settings, host)
}
