import { type Host, type RecordKind, recordKind } from '../../../entries/plugin.ts'
import type { PasswordHasher, PlaceOptions } from '../../../entries/plugin-hashing.ts'
import type { Settings } from '../settings.ts'

/** The set of recovery codes of a user, whose id is the key. */
interface CodeSet {
  /** A hash of no code, with the salt and the costs of the hashes of this set. */
  readonly parameters: string
  readonly generation: number
  readonly madeAt: number
}

/** A code that was not used yet. Its key is a hash of the code. */
interface RecoveryCode {
  readonly generation: number
}

/** Crockford's Base32, which has no letters that are read as digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
/** A code in the form that is hashed. */
const CODE = /^[\dA-HJKMNP-TV-Z]{12}$/
/** 60 bits. */
const LENGTH = 12

export interface RecoveryCodes {
  /** Makes a new set; the codes of the one before end. They are returned only here. */
  make(userId: string): Promise<readonly string[]>
  /** Takes a code. @returns whether it is one of the user, and no other call was faster. */
  take(userId: string, typed: string, place: PlaceOptions): Promise<boolean>
  /** Returns how many codes are left. */
  left(userId: string): Promise<number>
  /** Returns the number of the present set, for {@link RecoveryCodes.end}. */
  generation(userId: string): Promise<number>
  /** Ends a set, and not one that was made in the meantime. */
  end(userId: string, generation: number): Promise<void>
  /** Returns when the set was made, in milliseconds since the epoch; `undefined` without one. */
  madeAt(userId: string): Promise<number | undefined>
}

/** Reads a code as it was typed. @returns `undefined` if it is none. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return CODE.test(code) ? code : undefined
}

/** Creates the records of recovery codes. */
export function createRecovery(
  host: Host,
  { recovery }: Settings,
  hasher: () => Promise<PasswordHasher>,
): RecoveryCodes {
  const { ports, keys } = host
  const sets: RecordKind<CodeSet> = recordKind<CodeSet>(host, 'recovery', {
    shape: ({ parameters, generation, madeAt }) =>
      typeof parameters === 'string' && typeof generation === 'number' && typeof madeAt === 'number'
        ? { parameters, generation, madeAt }
        : undefined,
    onDamaged: 'no code of it works',
  })
  const codes = recordKind<RecoveryCode>(host, 'recovery-code', {
    shape: ({ generation }) => (typeof generation === 'number' ? { generation } : undefined),
    onDamaged: 'it does not work',
    hasSecretKeys: true,
  })

  function draw(): string {
    const code = Array.from(ports.random(LENGTH), (byte) => LETTERS[byte & 31]).join('')
    return (code.match(/.{4}/g) ?? []).join('-')
  }

  async function tagOf(code: string, { parameters }: CodeSet, place?: PlaceOptions) {
    return (await hasher()).tag(code, parameters, place)
  }

  return {
    async make(userId) {
      const parameters = await (await hasher()).parameters()
      let set: CodeSet = { parameters, generation: 1, madeAt: ports.now() }
      await sets.upsert(userId, (before) => {
        set = { ...set, generation: (before?.generation ?? 0) + 1 }
        return { data: set, userId }
      })
      const { generation } = set
      const made = Array.from({ length: recovery.count }, draw)
      for (const code of made) {
        const tag = await tagOf(readRecoveryCode(code) ?? '', set)
        const key = await keys.hash('recovery-code', userId, tag)
        await codes.create({ key, userId, data: { generation } })
      }
      for await (const { key, data } of codes.each(userId))
        if (data.generation < generation) await codes.delete(key)
      return made
    },
    async take(userId, typed, place) {
      const code = readRecoveryCode(typed)
      const set = (await sets.get(userId))?.data
      if (code === undefined || !set) return false
      const tag = await tagOf(code, set, place)
      for (const key of await keys.hashes('recovery-code', userId, tag)) {
        const taken = await codes.take(key)
        if (taken?.userId === userId && taken.data.generation === set.generation) return true
      }
      return false
    },
    async left(userId) {
      const set = (await sets.get(userId))?.data
      const all = set ? await codes.some(userId, 200) : []
      return all.filter(({ data }) => data.generation === set?.generation).length
    },
    madeAt: async (userId) => (await sets.get(userId))?.data.madeAt,
    generation: async (userId) => (await sets.get(userId))?.data.generation ?? 0,
    async end(userId, generation) {
      await sets.update(userId, (set) =>
        set.generation === generation
          ? { data: { ...set, generation: generation + 1 } }
          : undefined,
      )
      for await (const { key, data } of codes.each(userId))
        if (data.generation <= generation) await codes.delete(key)
    },
  }
}
