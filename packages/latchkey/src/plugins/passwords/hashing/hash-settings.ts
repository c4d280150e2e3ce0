import { checkOptions, optionError } from '../../../entries/plugin.ts'
import type { ForeignHash } from '../foreign/foreign-hash.ts'

/** Parameters of argon2id for new hashes. */
export interface HashOptions {
  /**
   * Memory in KiB.
   *
   * @default 19456
   */
  readonly memory?: number | undefined
  /**
   * Passes over the memory.
   *
   * @default 2
   */
  readonly passes?: number | undefined
  /**
   * Lanes. Node.js computes them one after another.
   *
   * @default 1
   */
  readonly parallelism?: number | undefined
}

/** Limits of all hashing in this process. */
export interface HashingOptions {
  /**
   * KiB of memory that hashing may use at once.
   *
   * @default 262144
   */
  readonly maxMemory?: number | undefined
  /**
   * Number of hashes that are computed at once.
   *
   * @default as many as `maxMemory`, the processors and the thread pool allow
   */
  readonly concurrency?: number | undefined
  /**
   * Number of requests that may wait for their turn.
   *
   * @default 256
   */
  readonly queue?: number | undefined
  /**
   * Seconds after which a waiting request is refused.
   *
   * @default 5
   */
  readonly patience?: number | undefined
}

/** The options of hashing. */
export interface HashSettingsOptions {
  readonly hash?: HashOptions | undefined
  readonly hashing?: HashingOptions | undefined
  readonly foreign?: readonly ForeignHash[] | undefined
  readonly dummy?: 'own' | 'foreign' | undefined
}

/** The options of hashing with their defaults. */
export interface HashSettings {
  readonly hash: { readonly memory: number; readonly passes: number; readonly parallelism: number }
  readonly hashing: {
    readonly maxMemory: number
    /** `undefined`: determined by the memory, the processors and the thread pool. */
    readonly concurrency: number | undefined
    readonly queue: number
    readonly patience: number
  }
  readonly foreign: readonly ForeignHash[]
  readonly dummy: 'own' | 'foreign'
}

const LEAST_MEMORY = 7168
/** The weakest of the equally strong configurations of OWASP: 7 MiB and 5 passes. */
const LEAST_WORK = 35_840
const GIBIBYTE = 1_048_576
export const MOST_PASSES = 20
export const MOST_LANES = 16

/** @throws {TypeError} for an invalid option. */
export function hashSettingsOf(options: HashSettingsOptions): HashSettings {
  const { hash = {}, hashing = {}, foreign = [], dummy = 'own' } = options
  checkOptions(
    'passwords',
    hash,
    { memory: true, passes: true, parallelism: true },
    { member: 'hash' },
  )
  checkOptions(
    'passwords',
    hashing,
    { maxMemory: true, concurrency: true, queue: true, patience: true },
    { member: 'hashing' },
  )
  const { memory = 19_456, passes = 2, parallelism = 1 } = hash
  const { maxMemory = 262_144, concurrency, queue = 256, patience = 5 } = hashing
  whole('hash.memory', memory, LEAST_MEMORY, GIBIBYTE)
  whole('hash.passes', passes, 1, MOST_PASSES)
  whole('hash.parallelism', parallelism, 1, MOST_LANES)
  if (memory * passes < LEAST_WORK) {
    const enough = Math.ceil(LEAST_WORK / memory)
    throw refused(
      `\`hash.memory\` × \`hash.passes\` must be at least ${LEAST_WORK}, got ${memory} × ${passes}; with this memory, set \`hash.passes\` to ${enough} or more`,
    )
  }
  if (memory < 8 * parallelism)
    throw refused(`\`hash.memory\` must be at least 8 KiB for each lane, got ${memory}`)
  whole('hashing.maxMemory', maxMemory, memory, 1024 * GIBIBYTE)
  if (concurrency !== undefined) whole('hashing.concurrency', concurrency, 1, 1024)
  whole('hashing.queue', queue, 0, 100_000)
  if (typeof patience !== 'number' || !(patience > 0 && patience <= 60))
    throw refused(`\`hashing.patience\` must be seconds from above 0 to 60, got ${shown(patience)}`)
  if (dummy !== 'own' && dummy !== 'foreign')
    throw refused(`\`dummy\` must be 'own' or 'foreign', got ${shown(dummy)}`)
  checkForeign(foreign, dummy)
  return {
    hash: { memory, passes, parallelism },
    hashing: { maxMemory, concurrency, queue, patience },
    foreign,
    dummy,
  }
}

/** The compiler does not check options that JavaScript passes. */
function checkForeign(foreign: readonly ForeignHash[], dummy: 'own' | 'foreign'): void {
  if (!Array.isArray(foreign))
    throw refused(`\`foreign\` must be a list, for example [bcrypt()], got ${shown(foreign)}`)
  const ids = new Set<string>()
  for (const [at, each] of foreign.entries()) {
    const { id, matches, verify } = Object(each) as Partial<ForeignHash>
    if (typeof id !== 'string' || !/^[a-z][a-z\d-]{0,31}$/.test(id))
      throw refused(
        `\`foreign[${at}].id\` must be 1 to 32 lower-case letters, digits and hyphens, got ${shown(id)}`,
      )
    if (typeof matches !== 'function' || typeof verify !== 'function')
      throw refused(`\`foreign[${at}]\` (${id}) must have the methods \`matches\` and \`verify\``)
    if (ids.has(id)) throw refused(`\`foreign\` has ${shown(id)} twice; remove one of them`)
    ids.add(id)
  }
  const [first] = foreign
  if (dummy === 'foreign' && (first?.dummy === undefined || !first.matches(first.dummy)))
    throw refused(
      "`dummy: 'foreign'` needs a first entry of `foreign` that has a hash as its `dummy`; the built-in ones have",
    )
}

function whole(name: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most) return
  throw refused(`\`${name}\` must be a whole number from ${least} to ${most}, got ${shown(value)}`)
}

function refused(message: string): TypeError {
  return optionError(`passwords(): ${message}`, 'passwords')
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
}
