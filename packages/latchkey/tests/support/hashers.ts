import { systemPorts } from '../../src/base/ports.ts'
import type { Logger } from '../../src/options/redacting-logger.ts'
import { createPlatform } from '../../src/plugins/passwords/hashing/engine/node.ts'
import type { HashPlatform } from '../../src/plugins/passwords/hashing/engine/platform.ts'
import {
  type HashSettingsOptions,
  hashSettingsOf,
} from '../../src/plugins/passwords/hashing/hash-settings.ts'
import { createHasher, type PasswordHasher } from '../../src/plugins/passwords/hashing/hasher.ts'

export const PASSWORD = 'correct horse battery staple'

/** The salt of the vectors. */
export const SALT: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 16 }, (_, i) => i)

export const ARGON2 =
  '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$gYJZtjEAJqjg26xdLmknq8/bB7MiWPrE9hsYuA+SkIU'
export const SCRYPT =
  '$scrypt$ln=17,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$GylG2nH0EXnoO5ncM4QtFXQbh8QSHIx/N4HB34ZPtYs'

/** The least that the options allow. */
export const CHEAP = { memory: 7168, passes: 5 }

/** A Node.js without an argon2 of its own, which has `@node-rs/argon2`. */
export const nodeRs: HashPlatform = createPlatform(['node'])

/** A process without any native argon2. */
export const scryptOnly: HashPlatform = createPlatform(['node', 'node-rs'])

/** A process without native argon2 and without packages. */
export const bare: HashPlatform = createPlatform(['node', 'node-rs'], [])

export interface LoggingHasher extends PasswordHasher {
  /** Messages of the errors that it logged. */
  readonly errors: readonly string[]
}

export function hasherOf(
  options: HashSettingsOptions = {},
  platform?: HashPlatform,
): LoggingHasher {
  const errors: string[] = []
  const logger: Logger = {
    error: ({ message }) => errors.push(message),
    warn: () => undefined,
    debug: () => undefined,
  }
  const hasher = createHasher(hashSettingsOf(options), { ports: systemPorts, logger }, platform)
  return { ...hasher, errors }
}

/** A hasher that draws the salt of the vectors. */
export function withSaltOfVectors(platform?: HashPlatform): PasswordHasher {
  const random = (length: number): Uint8Array<ArrayBuffer> =>
    length === SALT.length ? SALT : systemPorts.random(length)
  const logger: Logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  return createHasher(hashSettingsOf({}), { ports: { ...systemPorts, random }, logger }, platform)
}
