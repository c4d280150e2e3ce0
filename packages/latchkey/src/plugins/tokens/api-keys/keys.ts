import {
  type AddedWithin,
  type Budget,
  bearerToken,
  definedOnly,
  equal,
  type Host,
  Problem,
} from '../../../entries/plugin.ts'
import { mayTry } from '../counted.ts'
import {
  type ApiKey,
  apiKeyRecords,
  infoOf,
  type KeyData,
  type KeyRecord,
  KIND,
} from './key-record.ts'
import { drawKey, formatKey, parseKey } from './key-token.ts'
import { isWithin } from './networks.ts'
import { checkNewKey, endOfNewKey, type NewKey } from './new-key.ts'
import type { ApiKeysSettings, KeyRate } from './settings.ts'

/** A new key, and its text, which is not stored. */
export interface MadeKey {
  readonly token: string
  readonly key: ApiKey
}

/** The requirements for a key. */
export interface KeyNeeds {
  /** Scopes that the key must have, all of them. */
  readonly scopes?: readonly string[] | undefined
  /** Reads the user, and refuses the key if the user is not in the store. @default false */
  readonly user?: boolean | undefined
}

/** The user of a key, or the reason of a refusal: status and code of the response. */
export type KeyVerdict =
  | { readonly ok: true; readonly key: ApiKey; readonly userId: string }
  | {
      readonly ok: false
      readonly status: 401 | 403 | 429
      readonly code: 'invalid_token' | 'insufficient_scope' | 'too_many_attempts'
      /** In seconds. */
      readonly retryAfter?: number
    }

export interface ApiKeys {
  create(userId: string, key: NewKey): Promise<MadeKey>
  list(userId: string): Promise<ApiKey[]>
  /** @returns whether this call ended it; `false` if it is unknown or belongs to another user. */
  end(userId: string, id: string): Promise<boolean>
  /** Ends the keys of a user that were made within a time. */
  endAdded(userId: string, time: AddedWithin): Promise<number>
  /** @returns `null` if it is unknown, expired, belongs to another user, or another call replaced it. */
  replace(userId: string, id: string, overlap: number): Promise<MadeKey | null>
  verify(input: Request | string, needs?: KeyNeeds): Promise<KeyVerdict>
  /** Sends events for keys that end soon. */
  maintain(budget: Budget): Promise<void>
}

const DAY = 86_400_000
/** Milliseconds before the end of a key at which the event is sent. */
const SOON = 7 * DAY
/** Milliseconds for which an expired key is still listed. */
const LISTED = 30 * DAY
const INVALID: KeyVerdict = { ok: false, status: 401, code: 'invalid_token' }

/** Creates the keeper of API keys. It stores a keyed hash of each. */
export function createApiKeys(host: Host, settings: ApiKeysSettings): ApiKeys {
  const { records, ports, store } = host
  const keys = apiKeyRecords(host)
  const { prefix } = settings
  const longestAge = settings.maxAge === null ? Number.POSITIVE_INFINITY : settings.maxAge * 1000

  const isLive = ({ until = Number.POSITIVE_INFINITY }: Pick<KeyData, 'until'>): boolean =>
    until > ports.now()

  const expiresOf = (until: number | undefined): { expires?: Date } =>
    until === undefined ? {} : { expires: new Date(until + LISTED) }

  async function storeKey(userId: string, data: Omit<KeyData, 'hash'>): Promise<MadeKey> {
    const { id, secret } = drawKey(ports.random)
    const all: KeyData = { ...data, hash: await host.keys.hash(KIND, id, secret) }
    if (!(await keys.create({ key: id, userId, data: all, ...expiresOf(data.until) })))
      throw new Problem('conflict', 'a key with this id already exists')
    return { token: formatKey(prefix, { id, secret }), key: infoOf(id, data, prefix) }
  }

  /** Returns whether a key, which may be damaged, belongs to the user. */
  const isOwn = async (userId: string, id: string): Promise<boolean> =>
    (await records.get(KIND, id, { damaged: 'return' }))?.userId === userId

  async function keysOf(userId: string): Promise<KeyRecord[]> {
    const all: KeyRecord[] = []
    for await (const record of keys.each(userId)) all.push(record)
    return all
  }

  async function isAllowedFrom(input: Request | string, networks: readonly string[] | undefined) {
    if (!networks) return true
    const address = typeof input === 'string' ? undefined : await host.site.clientAddress(input)
    return address !== undefined && isWithin(address, networks)
  }

  async function isCounted(id: string, rate: KeyRate | false): Promise<boolean> {
    if (rate === false) return true
    return mayTry(host, `api-key:${id}`, rate)
  }

  /** Sets an earlier end of a key. @returns whether this call set it. */
  async function retire({ key, data: { until } }: KeyRecord, end: number): Promise<boolean> {
    if (end <= ports.now()) return keys.delete(key)
    const retired = await keys.update(key, (data) => {
      // Another call ended it, or set another end.
      if (data.until !== until) return undefined
      const next = Math.min(end, until ?? Number.POSITIVE_INFINITY)
      return { data: { ...data, until: next }, ...expiresOf(next) }
    })
    return retired?.isChanged === true
  }

  /** Stores when the key was last used. The first of concurrent calls writes. */
  async function touch(record: KeyRecord): Promise<void> {
    const { data } = record
    const now = ports.now()
    if (settings.touch === 0 || now - (data.used ?? 0) < settings.touch * 1000) return
    await host.work.background('api-key-used', () =>
      keys.replace(record, { data: { ...data, used: now } }),
    )
  }

  return {
    async create(userId, key) {
      await checkNewKey(key, settings)
      const { name, scopes = [], rate, networks, data } = key
      const until = endOfNewKey(key, settings, ports.now())
      const made = await storeKey(userId, {
        name,
        scopes,
        made: ports.now(),
        ...definedOnly({ until, rate, networks, data }),
      })
      // After the key was created: of concurrent calls, only the allowed number of keys stays.
      const live = (await keysOf(userId)).filter((each) => isLive(each.data))
      if (live.length > settings.maxPerUser) {
        await keys.delete(made.key.id)
        throw new Problem('limit_reached', `the user has ${settings.maxPerUser} keys`)
      }
      return made
    },

    async list(userId) {
      const all = (await keysOf(userId)).map(({ key, data }) => infoOf(key, data, prefix))
      return all.sort((a, b) => b.created.localeCompare(a.created) || a.id.localeCompare(b.id))
    },

    async end(userId, id) {
      return (await isOwn(userId, id)) && keys.delete(id)
    },

    async endAdded(userId, { after, until }) {
      let ended = 0
      for (const { key, data } of await keysOf(userId))
        if (data.made > after && data.made <= until && (await keys.delete(key))) ended++
      return ended
    },
    async replace(userId, id, overlap) {
      const record = await keys.get(id)
      if (record?.userId !== userId || !isLive(record.data)) return null
      const now = ports.now()
      const { hash: _, used: __, isTold: ___, until: end, ...kept } = record.data
      const age = Math.min((end ?? Number.POSITIVE_INFINITY) - kept.made, longestAge)
      const until = Number.isFinite(age) ? now + age : undefined
      const made = await storeKey(userId, { ...kept, made: now, ...definedOnly({ until }) })
      // Of concurrent calls, one replaces the key. The keys of the others are deleted.
      if (await retire(record, now + overlap * 1000)) return made
      await keys.delete(made.key.id)
      return null
    },

    async verify(input, { scopes = [], user = false } = {}) {
      const token = typeof input === 'string' ? input : bearerToken(input.headers)
      const parsed = token ? parseKey(prefix, token) : undefined
      if (!parsed) return INVALID
      const { id, secret } = parsed
      const [record, hashes] = await Promise.all([keys.get(id), host.keys.hashes(KIND, id, secret)])
      // Also for an unknown key, so the time of a response reveals nothing.
      const hash = record?.data.hash ?? DUMMY
      const fits = hashes.filter((each) => equal(each, hash)).length > 0
      if (!fits || !record?.userId || !isLive(record.data)) return INVALID
      const { data: stored, userId } = record
      const { networks, rate = settings.rate } = stored
      if (!(await isAllowedFrom(input, networks))) return INVALID
      if (user && !(await store?.getUser(userId))) return INVALID
      if (scopes.some((scope) => !stored.scopes.includes(scope)))
        return { ok: false, status: 403, code: 'insufficient_scope' }
      if (!(await isCounted(id, rate))) return tooMany(rate)
      await touch(record)
      return { ok: true, key: infoOf(id, stored, prefix), userId }
    },

    async maintain(budget) {
      for await (const record of keys.each()) {
        if (budget.isOver()) return
        const { until, isTold, name } = record.data
        const now = ports.now()
        if (until === undefined || isTold || until <= now || until > now + SOON) continue
        const told = await keys.replace(record, { data: { ...record.data, isTold: true } })
        if (!told || record.userId === undefined) continue
        const message = { id: record.key, name, userId: record.userId, expires: new Date(until) }
        await host.tell('apiKeyExpiring', message)
      }
    },
  }
}

function tooMany(rate: KeyRate | false): KeyVerdict {
  const retryAfter = rate === false ? 1 : rate.seconds
  return { ok: false, status: 429, code: 'too_many_attempts', retryAfter }
}

/** As long as a hash, and never equal to one. */
const DUMMY = '-'.repeat(43)
