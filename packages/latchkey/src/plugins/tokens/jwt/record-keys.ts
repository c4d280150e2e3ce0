import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { AuthError } from '../../../base/errors.ts'
import { type Host, type JsonObject, type PluginRecord, Problem } from '../../../entries/plugin.ts'
import { isTexts, reportDamaged, WITH_DAMAGED } from '../../../model/damaged-record.ts'
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
/** How often a change is tried again because another process was faster. */
const TRIES = 10
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

/** A key that was read. */
interface Known extends KeyData {
  readonly kid: string
  /** `undefined` where no configured secret opens it. */
  readonly key: CryptoKey | undefined
  /** When it stops being published; none of the newest. */
  readonly until: number | undefined
}

/** What a process knows of the keys. */
interface Snapshot {
  readonly list: PluginRecord | null
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

type Needs = Pick<Host, 'records' | 'ports' | 'sealer' | 'logger'>

/**
 * Keys in records. Each is published before it signs, so that verifiers have it by then, and stays published until its
 * last token is over. Which there are is one record, changed over its version: of processes that make a key at the same
 * moment one does.
 */
export function recordKeys(
  { records, ports, sealer, logger }: Needs,
  { alg, rotateEvery, publishAhead, keepAfter, longestAge }: JwtSettings,
  memory: KeyMemory,
): KeyRing {
  const seals = sealer(KEY_KIND)

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

  async function readKeys(list: PluginRecord | null): Promise<readonly Known[]> {
    const found = await Promise.all(
      orderOf(list).map((kid) => records.get(KEY_KIND, kid, WITH_DAMAGED)),
    )
    const datas = found
      .flatMap((record) => {
        if (!record) return []
        if (isKeyData(record.data)) return [{ kid: record.key, ...record.data }]
        reportDamaged(logger, record, 'another key signs, and the tokens of this key are refused')
        return []
      })
      .sort((a, b) => a.from - b.from)
    return Promise.all(
      datas.map(async (data, at) => {
        const next = datas[at + 1]
        const until = next && next.from + (longestAge + keepAfter) * 1000
        return { ...data, key: await open(data.kid, data), until }
      }),
    )
  }

  async function read(): Promise<Snapshot> {
    const [at, monotonic] = [ports.now(), ports.monotonic()]
    const list = await records.get(LIST_KIND, LIST_KEY, WITH_DAMAGED)
    if (list && !isTexts(list.data['order']))
      reportDamaged(logger, list, 'a new key signs, and tokens of earlier keys are refused')
    return { list, keys: await readKeys(list), at, monotonic }
  }

  /** Reads which keys there are, and makes and removes those that are due. */
  async function refresh(): Promise<Snapshot> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { rotations } = memory
      const snapshot = await read()
      if (memory.rotations !== rotations) continue
      const next = dueOf(snapshot)
      if (!next || (await change(snapshot, next))) {
        if (next) continue
        memory.snapshot = snapshot
        return snapshot
      }
    }
    throw new Problem(
      'conflict',
      'too many processes write the list of signing keys at the same time',
    )
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
  function dueOf({ keys }: Snapshot): Change | undefined {
    const now = ports.now()
    const keep = keys.filter(({ until }) => until === undefined || until > now)
    const newest = keys.findLast(({ key, alg: own }) => key !== undefined && own === alg)
    const from = newest ? now + publishAhead * 1000 : now
    const isDue = !newest || newest.from + rotateEvery * 1000 <= now
    return isDue || keep.length < keys.length
      ? { keep: keep.map(({ kid }) => kid), ...(isDue && { from }) }
      : undefined
  }

  /** @returns whether this call made the change. */
  async function change({ list, keys }: Snapshot, { keep, from }: Change): Promise<boolean> {
    const made = from === undefined ? undefined : await make(from)
    const data = { order: made ? [...keep, made] : [...keep] }
    const isChanged = list
      ? (await records.replace(list, { data })) !== null
      : await records.create({ kind: LIST_KIND, key: LIST_KEY, data })
    if (!isChanged) {
      if (made) await records.take(KEY_KIND, made, WITH_DAMAGED)
      return false
    }
    for (const { kid } of keys)
      if (!keep.includes(kid)) await records.take(KEY_KIND, kid, WITH_DAMAGED)
    return true
  }

  /** Stores a new key. @returns its `kid` */
  async function make(from: number): Promise<string> {
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
    await records.create({ kind: KEY_KIND, key: kid, data: data as unknown as JsonObject })
    return kid
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
      for (let tries = 0; tries < TRIES; tries++) {
        const snapshot = await read()
        const now = ports.now()
        const keep = compromised ? [] : snapshot.keys.map(({ kid }) => kid)
        const from = compromised || keep.length === 0 ? now : now + publishAhead * 1000
        if (!(await change(snapshot, { keep, from }))) continue
        memory.rotations++
        memory.snapshot = undefined
        return
      }
      throw new Problem(
        'conflict',
        'too many processes write the list of signing keys at the same time',
      )
    },

    async cleanUp() {
      const { list } = await known(0)
      const order = orderOf(list)
      const { records: all } = await records.list({ kind: KEY_KIND, limit: 500 }, WITH_DAMAGED)
      for (const record of all) {
        const isLeft = record.createdAt.getTime() <= ports.now() - LEFT
        if (isLeft && !order.includes(record.key))
          await records.take(KEY_KIND, record.key, WITH_DAMAGED)
      }
    },
  }
}

/** Names of the keys that stay, and the moment from which a new one signs. */
interface Change {
  readonly keep: readonly string[]
  readonly from?: number
}

function orderOf(list: PluginRecord | null): readonly string[] {
  const order = list?.data['order']
  return isTexts(order) ? order : []
}

function isKeyData(data: JsonObject): data is JsonObject & KeyData {
  const { alg, public: jwk, sealed, made, from } = data
  const isKnown = alg === 'ES256' || alg === 'EdDSA'
  const isKey = typeof jwk === 'object' && jwk !== null && 'kid' in jwk
  return isKnown && isKey && typeof sealed === 'string' && [made, from].every(Number.isFinite)
}

const unopened = (kid: string): string =>
  `the signing key ${kid} was sealed with a secret that is not configured any more; another key signs instead. Its tokens are still accepted. Put the old secret at the end of the list \`secret\` to use it again`
