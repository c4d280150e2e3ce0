import { AuthError, type Host, inTime } from '../../../entries/plugin.ts'
import type { KeyRing } from './key-ring.ts'
import type { JwtSettings } from './settings.ts'
import { type Change, createStoredKeys, type Known, type Snapshot } from './stored-keys.ts'

/** Milliseconds after which a process reads the list of keys. */
const FRESH = 60_000
/** Milliseconds after which an unknown `kid` is searched for a second time. */
const LOOKS_AGAIN = 1000
/** Milliseconds for a read of the keys. */
const PATIENCE = 10_000
/** The memory of a process, across configurations. */
export interface KeyMemory {
  snapshot?: Snapshot | undefined
  reading?: Promise<Snapshot> | undefined
  /** Opened keys, by `kid`. */
  readonly opened: Map<string, CryptoKey>
  readonly reported: Set<string>
  /** The number of rotations by this process. Earlier reads are outdated. */
  rotations: number
}

type Needs = Pick<Host, 'records' | 'ports' | 'keys' | 'logger'>

/**
 * Keeps keys in records. Each key is published before it signs, so that verifiers have loaded it, and stays published
 * until its last token expired. The list of keys is one record: of processes that create a key at the same time, one
 * succeeds.
 */
export function recordKeys(host: Needs, settings: JwtSettings, memory: KeyMemory): KeyRing {
  const { ports } = host
  const { alg, rotateEvery, publishAhead } = settings
  const stored = createStoredKeys(host, settings, memory)

  /** Reads the list of keys, and creates and removes those that are due. */
  async function refresh(): Promise<Snapshot> {
    const { rotations } = memory
    const snapshot = await stored.change(dueOf)
    if (memory.rotations !== rotations) return refresh()
    memory.snapshot = snapshot
    return snapshot
  }

  /** Returns the age of a snapshot in milliseconds. A clock that was set back does not make it younger. */
  const ageOf = ({ at, monotonic }: Snapshot): number =>
    Math.max(ports.now() - at, ports.monotonic() - monotonic)

  async function known(oldest: number): Promise<Snapshot> {
    const { snapshot } = memory
    if (snapshot && ageOf(snapshot) < oldest) return snapshot
    // All calls wait for one read: it must not keep them waiting for good.
    memory.reading ??= inTime(refresh(), PATIENCE).finally(() => {
      memory.reading = undefined
    })
    try {
      return await memory.reading
    } catch (error) {
      // While the store fails, known keys may be used until the next key signs.
      if (snapshot && ageOf(snapshot) < publishAhead * 1000) return snapshot
      throw error
    }
  }

  const signerOf = ({ keys }: Pick<Snapshot, 'keys'>): (Known & { key: CryptoKey }) | undefined => {
    const usable = keys.filter(
      (each): each is Known & { key: CryptoKey } => each.key !== undefined && each.alg === alg,
    )
    // The very first key is valid from the start, by any clock.
    return usable.findLast(({ from }) => from <= ports.now()) ?? usable[0]
  }

  /** Returns the change that is due: a new key, or keys to remove. */
  function dueOf(keys: readonly Known[]): Change | undefined {
    const now = ports.now()
    const keep = keys.filter(({ until }) => until === undefined || until > now)
    const newest = keys.findLast(({ key, alg: own }) => key !== undefined && own === alg)
    const from = newest ? now + publishAhead * 1000 : now
    const isDue = !newest || newest.from + rotateEvery * 1000 <= now
    return isDue || keep.length < keys.length
      ? { keep: keep.map(({ kid }) => kid), ...(isDue && { from }) }
      : undefined
  }

  return {
    async signing() {
      const signer = signerOf(await known(FRESH))
      if (!signer)
        throw new AuthError(
          'no signing key can be opened; add the secret that sealed them to the list `secret`',
        )
      return signer
    },

    async published(kid) {
      const fresh = await known(FRESH)
      const isKnown = kid === undefined || fresh.keys.some((each) => each.kid === kid)
      const { keys } = isKnown ? fresh : await known(LOOKS_AGAIN)
      const now = ports.now()
      return keys
        .filter(({ until }) => until === undefined || until > now)
        .map((each) => each.public)
    },

    async rotate({ compromised }) {
      await stored.change((keys) => {
        const now = ports.now()
        const keep = compromised ? [] : keys.map(({ kid }) => kid)
        return { keep, from: compromised || keep.length === 0 ? now : now + publishAhead * 1000 }
      })
      memory.rotations++
      memory.snapshot = undefined
    },

    async cleanUp() {
      const { order } = await known(0)
      await stored.removeLeft(order)
    },
  }
}
