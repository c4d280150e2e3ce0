import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import {
  AuthError,
  type Host,
  isTexts,
  type JsonObject,
  recordKind,
} from '../../../entries/plugin.ts'
import type { SigningAlgorithm } from '../../../protocols/jose/access-token.ts'
import { type PublicKey, publicKey } from './key-ring.ts'
import type { JwtSettings } from './settings.ts'

/** Records of keys, by their `kid`. */
const KEY_KIND = 'signing-key'
/** The one record with the list of keys. */
const LIST_KIND = 'signing-keys'
const LIST_KEY = 'current'

/** Milliseconds after which a key outside of the list is left over from a stopped process. */
const LEFT = 3_600_000

/** The stored data of a key. Times are in milliseconds since the epoch. */
interface KeyData {
  readonly alg: SigningAlgorithm
  readonly public: PublicKey
  /** The private key, sealed for this record. */
  readonly sealed: string
  readonly made: number
  /** When it begins to sign. */
  readonly from: number
}

/** The list of keys. */
interface ListData {
  readonly order: readonly string[]
}

interface NamedKey extends KeyData {
  readonly kid: string
}

/** A key that was read. */
export interface Known extends NamedKey {
  /** `undefined` if no configured secret opens it. */
  readonly key: CryptoKey | undefined
  /** When it stops being published; `undefined` for the newest. */
  readonly until: number | undefined
}

/** The keys that a process knows. */
export interface Snapshot {
  /** Their ids, including damaged ones. */
  readonly order: readonly string[]
  /** By the time from which they sign. */
  readonly keys: readonly Known[]
  readonly at: number
  readonly monotonic: number
}

/** The ids of the keys to keep, and the time from which a new one signs. */
export interface Change {
  readonly keep: readonly string[]
  readonly from?: number
}

/** The keys in records. */
export interface StoredKeys {
  /**
   * Reads the list of keys, and applies the change that `decide` returns.
   *
   * @returns the keys afterwards.
   */
  change(decide: (keys: readonly Known[]) => Change | undefined): Promise<Snapshot>
  /** Removes keys outside of the list. @param order the ids in the list. */
  removeLeft(order: readonly string[]): Promise<void>
}

export function createStoredKeys(
  host: Pick<Host, 'records' | 'ports' | 'keys' | 'logger'>,
  { alg, keepAfter, longestAge }: JwtSettings,
  memory: { readonly opened: Map<string, CryptoKey>; readonly reported: Set<string> },
): StoredKeys {
  const { records, ports, keys, logger } = host
  const seals = keys.sealer(KEY_KIND)
  const keyRecords = recordKind(host, KEY_KIND, {
    shape: keyData,
    onDamaged: 'another key signs, and the tokens of this key are refused',
  })
  const lists = recordKind<ListData>(host, LIST_KIND, {
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

  /** Opens keys, and computes until when each is published. */
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
    change,
    async removeLeft(order) {
      const query = { kind: KEY_KIND, limit: 500 }
      const { records: all } = await records.list(query, { damaged: 'return' })
      for (const { key, createdAt } of all) {
        const isLeft = createdAt.getTime() <= ports.now() - LEFT
        if (isLeft && !order.includes(key)) await keyRecords.delete(key)
      }
    },
  }
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
