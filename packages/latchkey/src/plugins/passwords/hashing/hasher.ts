import { platform as platformOfRuntime } from '#password-engine'
import { encodeBase64url, equal, type Host, Problem } from '../../../entries/plugin.ts'
import type { ForeignHash, ForeignHashInput } from '../foreign/foreign-hash.ts'
import { isTooLongToRead, normalizePassword } from '../rules/normal-form.ts'
import { encodeBase64 } from './base64.ts'
import { type Bytes, type HashPlatform, MissingPackage } from './engine/platform.ts'
import { isTooCostly, memoryOf } from './hash-costs.ts'
import type { HashSettings } from './hash-settings.ts'
import { type PhcHash, parsePhc, serializePhc } from './phc.ts'
import { turnLimitsOf } from './turn-limits.ts'
import { inTurn, type Turn } from './turns.ts'
import { isWrapped, parseWrapped, serializeWrapped } from './wrapped.ts'

export type { HashSettings } from './hash-settings.ts'

/** What is known about the request that needs a hash. */
export interface PlaceOptions {
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal | undefined
  /** Whether the user signed in with this browser before. Its password is then checked before those of unknown browsers. */
  readonly isKnownBrowser?: boolean | undefined
}

/** Hashes and verifies passwords, within the limits of the process. */
export interface PasswordHasher {
  /**
   * Hashes a new password in its normal form.
   *
   * @throws {Problem} `busy`
   */
  hash(password: string, place?: PlaceOptions): Promise<string>
  /**
   * Returns whether this is the password of a stored hash.
   *
   * @param stored `undefined` for a user without a password: the work is the same, and the result `false`.
   * @throws {Problem} `busy`
   */
  verify(password: string, stored: string | undefined, place?: PlaceOptions): Promise<boolean>
  /** Returns a hash that no password has: the parameters and the salt for {@link PasswordHasher.tag}. */
  parameters(): Promise<string>
  /**
   * Returns the bytes of a hash of a text, base64url, with the parameters and the salt of a stored hash. The same text has
   * the same, so it can be the key of a record.
   *
   * @throws {Problem} `busy`
   */
  tag(text: string, parameters: string, place?: PlaceOptions): Promise<string>
  /** Returns whether a stored hash is weaker than a new one would be. */
  isWeaker(stored: string): Promise<boolean>
  /**
   * Returns the text to store for a hash of another system.
   *
   * @throws {Problem} `hash_unknown` if it is of no known system, `hash_too_costly` if verifying it would take too long,
   *   `busy`.
   */
  accept(hash: ForeignHashInput): Promise<string>
  /** Returns the implementation and the algorithm of new hashes in this process. */
  engine(): Promise<HashEngine>
  /** Returns what this process lacks, with the commands that install it, for the log of the start and for `doctor`. */
  lacks(): Promise<readonly string[]>
}

export interface HashEngine {
  readonly name: 'node' | 'node-rs' | 'scrypt'
  readonly algorithm: 'argon2id' | 'scrypt'
}

/** For worlds of the test kit, where argon2 is not available. */
const CHEAP_SCRYPT: HashPlatform['newScrypt'] = { ln: 1, r: 8, p: 1 }
const SALT_LENGTH = 16
const TAG_LENGTH = 32

/** How a stored hash is verified. */
interface Method {
  /** KiB */
  readonly memory: number
  readonly verify: (password: string) => Promise<boolean>
}

const NONE: Method = { memory: 0, verify: async () => false }

/** Creates the hasher of one configuration. */
export function createHasher(
  settings: HashSettings,
  { ports, logger }: Pick<Host, 'ports' | 'logger'>,
  platform: HashPlatform = platformOfRuntime,
): PasswordHasher {
  const { hash, foreign } = settings
  const parameters = ports.hashCosts ?? hash
  const newScrypt = ports.hashCosts ? CHEAP_SCRYPT : platform.newScrypt
  const limits = turnLimitsOf(settings, platform)
  const logged = new Set<string>()
  let dummy: string | undefined

  /** Logs a failure of the installation once, since each sign-in has it. */
  const logOnce = (error: Error): void => {
    if (logged.has(error.message)) return
    logged.add(error.message)
    logger.error(error)
  }

  const run = async <Result>(work: () => Promise<Result>, turn: Turn): Promise<Result> => {
    try {
      return await inTurn(work, turn, { limits, random: ports.random })
    } catch (error) {
      if (!(error instanceof MissingPackage)) throw error
      logOnce(error)
      throw new Problem('busy', error.message, { headers: { 'retry-after': '3' } })
    }
  }

  /** Returns the parameters of a new hash, with a tag that no password has. */
  const nextHash = async (): Promise<PhcHash> => {
    const salt = new Uint8Array(ports.random(SALT_LENGTH))
    const tag = new Uint8Array(ports.random(TAG_LENGTH))
    return (await platform.argon2(19))
      ? { type: 'argon2id', version: 19, ...parameters, salt, tag }
      : { type: 'scrypt', ...newScrypt, salt, tag }
  }

  const hashAnew = async (text: string, place: PlaceOptions): Promise<PhcHash> => {
    const next = await nextHash()
    const tag = await run(() => compute(next, text, platform), {
      ...place,
      memory: memoryOf(next),
    })
    return { ...next, tag }
  }

  const dummyHash = async (): Promise<string> => {
    const [first] = foreign
    if (settings.dummy === 'foreign' && first?.dummy !== undefined) return first.dummy
    dummy ??= serializePhc(await nextHash())
    return dummy
  }

  const methodOf = (stored: string): Method | undefined => {
    if (isWrapped(stored)) return methodOfWrapped(stored, foreign, platform)
    const own = parsePhc(stored)
    const other = isCurrent(own, parameters)
      ? undefined
      : foreign.find((each) => each.matches(stored))
    if (other) {
      return {
        memory: other.memory?.(stored) ?? parameters.memory,
        verify: (password) =>
          someForm(other, password, (candidate) => other.verify(candidate, stored)),
      }
    }
    if (!own || isTooCostly(own)) return undefined
    return {
      memory: memoryOf(own),
      verify: (password) => fits(own, normalizePassword(password) ?? '', platform),
    }
  }

  const algorithmIs = async (): Promise<HashEngine['algorithm']> =>
    (await platform.argon2(19)) ? 'argon2id' : 'scrypt'

  return {
    async hash(password, place = {}) {
      const text = normalizePassword(password)
      if (text === undefined || isTooLongToRead(password))
        throw new TypeError('the password must be checked with checkPassword before it is hashed')
      return serializePhc(await hashAnew(text, place))
    },
    async verify(password, stored, place = {}) {
      const instead = methodOf(await dummyHash())
      const own = stored === undefined ? undefined : methodOf(stored)
      if (stored !== undefined && !own) logOnce(new Error(UNREADABLE))
      const { memory, verify } = own ?? instead ?? NONE
      const isReadable = password.isWellFormed() && !isTooLongToRead(password)
      const isRight = await run(() => verify(isReadable ? password : ''), { ...place, memory })
      return isRight && isReadable && own !== undefined
    },
    parameters: async () => serializePhc(await nextHash()),
    async tag(text, parameters, place = {}) {
      const own = parsePhc(parameters)
      if (!own || isTooCostly(own)) throw new TypeError('the parameters of a hash cannot be read')
      const memory = memoryOf(own)
      return encodeBase64url(await run(() => compute(own, text, platform), { ...place, memory }))
    },
    async isWeaker(stored) {
      const own = parsePhc(stored)
      if (!own) return true
      if (own.type === 'scrypt') {
        const { ln, r, p } = newScrypt
        return (await algorithmIs()) === 'argon2id' || 2 ** own.ln * own.r * own.p < 2 ** ln * r * p
      }
      // A process without native argon2 leaves it to the others.
      if ((await algorithmIs()) === 'scrypt') return false
      if (own.type !== 'argon2id' || own.version !== 19 || own.tag.length < TAG_LENGTH) return true
      return own.memory * own.passes < parameters.memory * parameters.passes
    },
    async accept(input) {
      const found = findSystem(input, foreign)
      if (!found) return acceptOwn(input)
      const { system, stored } = found
      if (system.isTooCostly?.(stored)) throw new Problem('hash_too_costly', TOO_COSTLY)
      if (!system.wrap) return stored
      const parts = system.wrap.split(stored)
      if (!parts) throw new Problem('hash_unknown', UNKNOWN)
      const { digest, data } = parts
      return serializeWrapped({ id: system.id, data, hash: await hashAnew(digest, {}) })
    },
    async engine() {
      const native = await platform.argon2(19)
      return native
        ? { name: native.name, algorithm: 'argon2id' }
        : { name: 'scrypt', algorithm: 'scrypt' }
    },
    async lacks() {
      const native = await platform.argon2(19)
      const ofSystems = foreign.flatMap(({ id, needs }) =>
        needs !== undefined && platform.has(needs) === false
          ? [new MissingPackage(needs, `\`foreign\` has ${id}, which`).message]
          : [],
      )
      if (native) return ofSystems
      return [
        `passwords are hashed with scrypt, since this runtime has no argon2: use Node.js 24.7 or later, or run npm install @node-rs/argon2`,
        ...(platform.has('@noble/hashes') === false
          ? [
              'hashes of argon2 that other processes made cannot be verified: run npm install @noble/hashes',
            ]
          : []),
        ...ofSystems,
      ]
    },
  }
}

const UNKNOWN =
  'the hash is of no known system; add the system to `foreign` of passwords(), for example bcrypt() of latchkey/plugins/passwords/foreign'
const TOO_COSTLY =
  'verifying the hash would take too much memory or time; let these users reset their passwords'
const UNREADABLE =
  'a stored password hash is of no known system, so nobody can sign in with its password: add the system to `foreign` of passwords() again, or let the users reset their passwords'

/** Returns the system of a hash, and the text to store. */
function findSystem(
  { hash, kind, params = {} }: ForeignHashInput,
  foreign: readonly ForeignHash[],
): { readonly system: ForeignHash; readonly stored: string } | undefined {
  if (kind !== undefined && !foreign.some(({ id }) => id === kind)) {
    const ids = foreign.map(({ id }) => id).join(', ') || 'none'
    throw new Problem(
      'hash_unknown',
      `\`kind\` must be the id of one of \`foreign\` (${ids}), got ${JSON.stringify(String(kind).slice(0, 40))}`,
    )
  }
  for (const system of foreign) {
    if (kind !== undefined && system.id !== kind) continue
    const stored = system.store?.(hash, params) ?? hash
    if (system.matches(stored)) return { system, stored }
  }
  if (kind !== undefined)
    throw new Problem('hash_unknown', `the hash is not one of ${kind}; look at its format`)
  return undefined
}

/** Hashes of our own are accepted as they are, from an export of another site. */
function acceptOwn({ hash }: ForeignHashInput): string {
  const own = parsePhc(hash)
  if (!own || own.type === 'argon2i' || (own.type === 'argon2id' && own.version !== 19))
    throw new Problem('hash_unknown', UNKNOWN)
  if (isTooCostly(own)) throw new Problem('hash_too_costly', TOO_COSTLY)
  return hash
}

function methodOfWrapped(
  stored: string,
  foreign: readonly ForeignHash[],
  platform: HashPlatform,
): Method | undefined {
  const wrapped = parseWrapped(stored)
  const system = foreign.find(({ id }) => id === wrapped?.id)
  const { wrap } = system ?? {}
  if (!wrapped || !system || !wrap || isTooCostly(wrapped.hash)) return undefined
  const { hash, data } = wrapped
  return {
    memory: memoryOf(hash),
    verify: (password) =>
      someForm(system, password, async (candidate) =>
        fits(hash, await wrap.digest(candidate, data), platform),
      ),
  }
}

/** Returns whether one of the candidates for a password in another system is right. They are tried one after another. */
async function someForm(
  { normalize }: ForeignHash,
  password: string,
  isRight: (candidate: string) => Promise<boolean>,
): Promise<boolean> {
  const forms = [password, password.normalize('NFC'), password.normalize('NFKC')]
  const candidates = new Set(normalize ? [normalize(password), ...forms] : forms)
  for (const each of candidates) if (await isRight(each)) return true
  return false
}

async function fits(hash: PhcHash, text: string, platform: HashPlatform): Promise<boolean> {
  const tag = await compute(hash, text, platform)
  return equal(encodeBase64(tag), encodeBase64(hash.tag))
}

async function compute(hash: PhcHash, text: string, platform: HashPlatform): Promise<Bytes> {
  const bytes = new TextEncoder().encode(text)
  if (hash.type === 'scrypt') return platform.scrypt(bytes, hash, hash.tag.length)
  const native = await platform.argon2(hash.version)
  return native
    ? native.hash(bytes, hash, hash.tag.length)
    : platform.portableArgon2(bytes, hash, hash.tag.length)
}

/** Returns whether a hash is one that this configuration makes. */
function isCurrent(hash: PhcHash | undefined, parameters: HashSettings['hash']): boolean {
  if (hash?.type !== 'argon2id' || hash.version !== 19) return false
  const { memory, passes, parallelism, salt, tag } = hash
  return (
    memory === parameters.memory &&
    passes === parameters.passes &&
    parallelism === parameters.parallelism &&
    salt.length === SALT_LENGTH &&
    tag.length === TAG_LENGTH
  )
}
