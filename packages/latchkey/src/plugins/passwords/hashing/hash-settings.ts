import {
  checkOptions,
  listOf,
  type OptionKinds,
  oneOf,
  optionError,
  required,
  someFunction,
  wholeNumber,
} from '../../../entries/plugin.ts'
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

const KINDS: OptionKinds<HashSettingsOptions> = {
  hash: {
    memory: wholeNumber(LEAST_MEMORY, GIBIBYTE),
    passes: wholeNumber(1, MOST_PASSES),
    parallelism: wholeNumber(1, MOST_LANES),
  },
  hashing: {
    maxMemory: wholeNumber(LEAST_MEMORY, 1024 * GIBIBYTE),
    concurrency: wholeNumber(1, 1024),
    queue: wholeNumber(0, 100_000),
    patience: {
      expected: 'seconds from above 0 to 60',
      fits: (value) => typeof value === 'number' && value > 0 && value <= 60,
    },
  },
  foreign: listOf('hashes, for example [bcrypt()]'),
  dummy: oneOf('own', 'foreign'),
}

const FOREIGN: OptionKinds<Pick<ForeignHash, 'id' | 'matches' | 'verify'>> = {
  id: required({
    expected: '1 to 32 lower-case letters, digits and hyphens',
    fits: (id) => typeof id === 'string' && /^[a-z][a-z\d-]{0,31}$/.test(id),
  }),
  matches: required(someFunction),
  verify: required(someFunction),
}

/** Whose options they are, for messages. */
interface Owner {
  readonly of: 'passwords' | 'twoFactor'
  /** The option that has them. */
  readonly member?: string
}

/** @throws {TypeError} for an invalid option. */
export function hashSettingsOf(
  options: HashSettingsOptions,
  { of, member }: Owner = { of: 'passwords' },
): HashSettings {
  const { hash = {}, hashing = {}, foreign = [], dummy = 'own' } = options
  checkOptions(of, { hash, hashing, foreign, dummy }, KINDS, { member })
  const { memory = 19_456, passes = 2, parallelism = 1 } = hash
  const { maxMemory = 262_144, concurrency, queue = 256, patience = 5 } = hashing
  const prefix = member === undefined ? '' : `${member}.`
  const refused = (message: string): TypeError => optionError(`${of}(): ${message}`, of)
  if (memory * passes < LEAST_WORK) {
    const enough = Math.ceil(LEAST_WORK / memory)
    throw refused(
      `\`${prefix}hash.memory\` × \`${prefix}hash.passes\` must be at least ${LEAST_WORK}, got ${memory} × ${passes}; with this memory, set \`${prefix}hash.passes\` to ${enough} or more`,
    )
  }
  if (memory < 8 * parallelism)
    throw refused(`\`${prefix}hash.memory\` must be at least 8 KiB for each lane, got ${memory}`)
  if (maxMemory < memory)
    throw refused(
      `\`hashing.maxMemory\` must be at least \`hash.memory\`, which is ${memory}, got ${maxMemory}`,
    )
  checkForeign(foreign, dummy)
  return {
    hash: { memory, passes, parallelism },
    hashing: { maxMemory, concurrency, queue, patience },
    foreign,
    dummy,
  }
}

function checkForeign(foreign: readonly ForeignHash[], dummy: 'own' | 'foreign'): void {
  const ids = new Set<string>()
  for (const [at, each] of foreign.entries()) {
    const { id, matches, verify } = Object(each) as ForeignHash
    checkOptions('passwords', { id, matches, verify }, FOREIGN, { member: `foreign[${at}]` })
    if (ids.has(id))
      throw optionError(
        `passwords(): \`foreign\` has "${id}" twice; remove one of them`,
        'passwords',
      )
    ids.add(id)
  }
  const [first] = foreign
  if (dummy === 'foreign' && (first?.dummy === undefined || !first.matches(first.dummy)))
    throw optionError(
      "passwords(): `dummy: 'foreign'` needs a first entry of `foreign` that has a hash as its `dummy`; the built-in ones have",
      'passwords',
    )
}
