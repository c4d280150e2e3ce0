import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import {
  AuthError,
  type Host,
  isTexts,
  type JsonObject,
  recordKind,
} from '../../../entries/plugin.ts'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'
import { type KeyRing, type PublicKey, publicKey } from './key-ring.ts'
import type { JwtSettings } from './settings.ts'

/** Records of keys; the key of one is its `kid`. */
const KEY_KIND = 'signing-key'
/** The one record that says which of them there are. */
const LIST_KIND = 'signing-keys'
const LIST_KEY = 'current'

/** Milliseconds after which a process reads again which keys there are. */
const FRESH = 60_000
/** Milliseconds after which a `kid` that nobody knows is looked for again. */
const LOOKS_AGAIN = 1000
/** Milliseconds after which a key that is in no list was left by a process that was stopped. */
const LEFT = 3_600_000

/** What is stored of a key. Times are milliseconds since the epoch. */
interface KeyData {
  readonly alg: SigningAlgorithm
  readonly public: PublicKey
  /** The private key, bound to this record. */
  readonly sealed: string
  readonly made: number
  /** When it begins to sign. */
  readonly from: number
}

/** Which keys there are. */
interface ListData {
  readonly order: readonly string[]
}

interface NamedKey extends KeyData {
  readonly kid: string
}

/** A key that was read. */
interface Known extends NamedKey {
  /** `undefined` where no configured secret opens it. */
  readonly key: CryptoKey | undefined
  /** When it stops being published; none of the newest. */
  readonly until: number | undefined
}

/** What a process knows of the keys. */
interface Snapshot {
  /** Their names, also of those that are damaged. */
  readonly order: readonly string[]
  /** By the time from which they sign. */
  readonly keys: readonly Known[]
  readonly at: number
  readonly monotonic: number
}

/** What outlives a plan. */
export interface KeyMemory {
  snapshot?: Snapshot | undefined
  reading?: Promise<Snapshot> | undefined
  /** Of keys that were opened, by `kid`. */
  readonly opened: Map<string, CryptoKey>
  readonly reported: Set<string>
  /** How often this process had another key sign: what was read before that is old. */
  rotations: number
}

type Needs = Pick<Host, 'records' | 'ports' | 'keys' | 'logger'>

/**
 * Keys in records. Each is published before it signs, so that verifiers have it by then, and stays published until its
 * last token is over. Which there are is one record, changed over its version: of processes that make a key at the same
 * moment one does.
 */
export function recordKeys(
  { records, ports, keys: { sealer }, logger }: Needs,
  { alg, rotateEvery, publishAhead, keepAfter, longestAge }: JwtSettings,
  memory: KeyMemory,
): KeyRing {
  const seals = sealer(KEY_KIND)
  const keyRecords = recordKind({ records, ports, logger }, KEY_KIND, {
    shape: keyData,
    onDamaged: 'another key signs, and the tokens of this key are refused',
  })
  const lists = recordKind<ListData>({ records, ports, logger }, LIST_KIND, {
    shape: ({ order }) => (isTexts(order) ? { order } : undefined),
    onDamaged: 'a new key signs, and tokens of earlier keys are refused',
  })

  async function open(kid: string, { sealed, alg: own }: KeyData): Promise<CryptoKey | undefined> {
    const known = memory.opened.get(kid)
    if (known) return known
    const jwk = await seals.open(sealed, { key: kid })
    if (!jwk) {
      if (!memory.reported.has(kid)) logger.error(new AuthError(unopened(kid)))
      memory.reported.add(kid)
      return undefined
    }
    const key = (await importJWK(jwk as unknown as JWK, own)) as CryptoKey
    memory.opened.set(kid, key)
    return key
  }

  /** Opens keys, and finds out until when each is published. */
  async function opened(datas: readonly NamedKey[]): Promise<readonly Known[]> {
    const inOrder = datas.toSorted((a, b) => a.from - b.from)
    return Promise.all(
      inOrder.map(async (data, at) => {
        const next = inOrder[at + 1]
        const until = next && next.from + (longestAge + keepAfter) * 1000
        return { ...data, key: await open(data.kid, data), until }
      }),
    )
  }

  async function readKeys(order: readonly string[]): Promise<readonly NamedKey[]> {
    const found = await Promise.all(order.map((kid) => keyRecords.get(kid)))
    return found.flatMap((record) => (record ? [{ kid: record.key, ...record.data }] : []))
  }

  /**
   * Reads which keys there are, and makes and removes those that `decide` names.
   *
   * @returns the keys that there are then.
   */
  async function change(decide: (keys: readonly Known[]) => Change | undefined): Promise<Snapshot> {
    const [at, monotonic] = [ports.now(), ports.monotonic()]
    let order: readonly string[] = []
    let before: readonly NamedKey[] = []
    let after: readonly NamedKey[] = []
    let made: NamedKey | undefined
    const takeBack = async (): Promise<void> => {
      if (made) await keyRecords.delete(made.kid)
      made = undefined
    }
    try {
      await lists.upsert(LIST_KEY, async (list) => {
        await takeBack()
        order = list?.order ?? []
        before = after = await readKeys(order)
        const due = decide(await opened(before))
        if (!due) return undefined
        if (due.from !== undefined) made = await make(due.from)
        after = [...before.filter(({ kid }) => due.keep.includes(kid)), ...(made ? [made] : [])]
        order = after.map(({ kid }) => kid)
        return { data: { order } }
      })
    } catch (error) {
      await takeBack()
      throw error
    }
    for (const { kid } of before.filter((key) => !after.includes(key))) await keyRecords.delete(kid)
    return { order, keys: await opened(after), at, monotonic }
  }

  /** Reads which keys there are, and makes and removes those that are due. */
  async function refresh(): Promise<Snapshot> {
    const { rotations } = memory
    const snapshot = await change(dueOf)
    if (memory.rotations !== rotations) return refresh()
    memory.snapshot = snapshot
    return snapshot
  }

  /** Milliseconds since it was read. A clock that was set back does not make it younger. */
  const ageOf = ({ at, monotonic }: Snapshot): number =>
    Math.max(ports.now() - at, ports.monotonic() - monotonic)

  async function known(oldest: number): Promise<Snapshot> {
    const { snapshot } = memory
    if (snapshot && ageOf(snapshot) < oldest) return snapshot
    memory.reading ??= refresh().finally(() => {
      memory.reading = undefined
    })
    try {
      return await memory.reading
    } catch (error) {
      // Whoever knew of the next key before it signs may go on without the store for as long.
      if (snapshot && ageOf(snapshot) < publishAhead * 1000) return snapshot
      throw error
    }
  }

  const signerOf = ({ keys }: Pick<Snapshot, 'keys'>): (Known & { key: CryptoKey }) | undefined => {
    const usable = keys.filter(
      (each): each is Known & { key: CryptoKey } => each.key !== undefined && each.alg === alg,
    )
    // The very first is good from the start, by whichever clock it was made.
    return usable.findLast(({ from }) => from <= ports.now()) ?? usable[0]
  }

  /** What has to be changed now: a key that is to be made, and those that nobody needs any more. */
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

  /** Stores a new key. */
  async function make(from: number): Promise<NamedKey> {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = await exportJWK(privateKey)
    const kid = await calculateJwkThumbprint(jwk)
    const data: KeyData = {
      alg,
      public: publicKey(jwk, kid, alg),
      sealed: await seals.seal(jwk, { key: kid }),
      made: ports.now(),
      from,
    }
    await keyRecords.create({ key: kid, data })
    return { kid, ...data }
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
      await change((keys) => {
        const now = ports.now()
        const keep = compromised ? [] : keys.map(({ kid }) => kid)
        return { keep, from: compromised || keep.length === 0 ? now : now + publishAhead * 1000 }
      })
      memory.rotations++
      memory.snapshot = undefined
    },

    async cleanUp() {
      const { order } = await known(0)
      const query = { kind: KEY_KIND, limit: 500 }
      const { records: all } = await records.list(query, { damaged: 'return' })
      for (const { key, createdAt } of all) {
        const isLeft = createdAt.getTime() <= ports.now() - LEFT
        if (isLeft && !order.includes(key)) await keyRecords.delete(key)
      }
    },
  }
}

/** Names of the keys that stay, and the moment from which a new one signs. */
interface Change {
  readonly keep: readonly string[]
  readonly from?: number
}

function keyData(data: JsonObject): KeyData | undefined {
  const { alg, public: jwk, sealed, made, from } = data
  const isKnown = alg === 'ES256' || alg === 'EdDSA'
  const isKey = typeof jwk === 'object' && jwk !== null && 'kid' in jwk
  const isWhole = typeof sealed === 'string' && [made, from].every(Number.isFinite)
  return isKnown && isKey && isWhole ? (data as unknown as KeyData) : undefined
}

const unopened = (kid: string): string =>
  `the signing key ${kid} was sealed with a secret that is not configured any more; another key signs instead. Its tokens are still accepted. Put the old secret at the end of the list \`secret\` to use it again`
