import { equal } from '../../../base/crypto/equal.ts'
import { encodeBase64url } from '../../../base/encoding/base64url.ts'
import { AuthError } from '../../../base/errors.ts'
import type { HeadlessSignIn, Host, JsonObject, PluginRecord } from '../../../entries/plugin.ts'
import { readChunked } from '../../../http/cookies/cookie-chunks.ts'
import { type Cookie, jarOf } from '../../../http/cookies/cookies.ts'
import { reportDamaged, WITH_DAMAGED } from '../../../model/damaged-record.ts'
import type { SessionHolder } from '../../../session/strategy.ts'
import { PREFIX } from './prefix.ts'

/** Records of sessions that programs hold; the key of one is the session's public name. */
export const KIND = 'bearer'

/** What the session would have in a browser: the value of its cookie, and whether that came over https. */
export interface Held {
  readonly sid: string
  readonly userId: string
  readonly value: string
  readonly secure: boolean
  readonly via: SessionHolder['via']
  readonly record: PluginRecord
}

/** A token, as OAuth answers with it (RFC 6749 section 5.1). */
export type BearerToken = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds until it ends unless it is used. */
  readonly expires_in: number
}

/** What is stored. Times are milliseconds since the epoch. */
type BearerData = {
  readonly via: SessionHolder['via']
  /** A keyed hash of the secret of the token. */
  readonly hash: string
  /** What a browser would keep, bound to this record. */
  readonly sealed: string
  /** When the token was made. */
  readonly made: number
  /** The token before: until then it is good, and renewing with it gives the same new one. */
  readonly prev?: { readonly hash: string; readonly until: number; readonly sealed: string }
}

export interface BearerStore {
  /** Begins a session that a program holds. @throws where it is refused. */
  begin(signIn: HeadlessSignIn): Promise<BearerToken & { readonly session: string }>
  /** The session of a token; `null` for one that is wrong or over. */
  find(token: string): Promise<Held | null>
  /** Keeps what a browser would have kept of an answer. @param name of the cookie */
  update(held: Held, cookies: readonly Cookie[], name: string): Promise<void>
  /** Another token for the same session; the same one if it is not old enough. */
  renew(token: string, how: RenewalAges): Promise<BearerToken | null>
  /** The session is over. */
  forget(sid: string): Promise<void>
}

/** Seconds. */
export interface RenewalAges {
  /** Age from which a token is renewed. */
  readonly renewAfter: number
  /** For which the token before is still good. */
  readonly grace: number
}

const DAY = 86_400_000
const TOKEN = /^lkb_([\w-]{22})([\w-]{43})$/
/** How often a change is tried again because another call was faster. */
const TRIES = 20

export function createBearerStore(host: Host): BearerStore {
  const { records, ports, keyedHash, keyedHashes } = host
  const cookies = host.sealer(KIND)
  const tokens = host.sealer(`${KIND}-next`)

  const drawSecret = (): string => encodeBase64url(ports.random(32))

  /** The value of a cookie among those that an answer sets; `undefined` if it is cleared or not among them. */
  const valueIn = (set: readonly Cookie[], name: string): string | undefined =>
    readChunked(jarOf(new Map(set.map((each) => [each.name, each.value]))), name)

  /** When the session ends unless it is used, with a day more for clocks that are fast. */
  const endOf = (set: readonly Cookie[], name: string): Date | undefined => {
    const own = set.find((each) => each.value !== '' && each.name.startsWith(name))
    const { expires } = own?.options ?? {}
    return expires && new Date(expires.getTime() + DAY)
  }

  const leftOf = ({ expires }: Pick<PluginRecord, 'expires'>): number =>
    Math.max(0, Math.floor(((expires?.getTime() ?? 0) - DAY - ports.now()) / 1000))

  async function fits(hash: string, candidates: readonly string[]): Promise<boolean> {
    return candidates.filter((each) => equal(each, hash)).length > 0
  }

  /** A token that another one replaced is used again: somebody has a copy. */
  async function endReused(userId: string, sid: string): Promise<null> {
    await host.sessions()?.end(userId, sid, { reason: 'token-reuse' })
    await store.forget(sid)
    return null
  }

  /** The record that a token fits, and which of its tokens it is. */
  async function recordFor(
    token: string,
  ): Promise<{ record: PluginRecord; userId: string; isPrevious: boolean } | null> {
    const [, sid, secret] = TOKEN.exec(token) ?? []
    if (sid === undefined || secret === undefined) return null
    const [record, hashes] = await Promise.all([
      records.get(KIND, sid, WITH_DAMAGED),
      keyedHashes(KIND, sid, secret),
    ])
    if (record?.userId === undefined) return null
    if (!isBearerData(record.data)) {
      reportDamaged(host.logger, record, 'its token is refused')
      return null
    }
    const { hash, prev } = dataOf(record)
    const { userId } = record
    if (await fits(hash, hashes)) return { record, userId, isPrevious: false }
    if (!prev || !(await fits(prev.hash, hashes))) return null
    if (ports.now() >= prev.until) return endReused(userId, sid)
    return { record, userId, isPrevious: true }
  }

  const answer = (token: string, expires_in: number): BearerToken => ({
    access_token: token,
    token_type: 'Bearer',
    expires_in,
  })

  const store: BearerStore = {
    async begin(signIn) {
      const { secure } = signIn.request
      const { cookies: set, current } = await host.begin(signIn)
      const sid = await current.facts.sid()
      const userId = String(current.facts.userId ?? current.user.id)
      const name = set.find(({ value }) => value !== '')?.name.replace(/\.\d+$/, '') ?? ''
      const value = valueIn(set, name)
      if (value === undefined) throw new AuthError('the session has no token')
      const secret = drawSecret()
      const { via } = signIn.holder
      const data: BearerData = {
        via,
        hash: await keyedHash(KIND, sid, secret),
        sealed: await cookies.seal({ value, secure }, { key: sid, userId }),
        made: ports.now(),
      }
      const expires = new Date(current.facts.expires + DAY)
      if (!(await records.create({ kind: KIND, key: sid, userId, data, expires })))
        throw new AuthError('a session with this name already exists')
      return { ...answer(PREFIX + sid + secret, leftOf({ expires })), session: sid }
    },

    async find(token) {
      const found = await recordFor(token)
      if (!found) return null
      const { record, userId } = found
      const opened = await cookies.open(dataOf(record).sealed, { key: record.key, userId })
      if (!opened) return null
      const { value, secure } = opened
      const { via } = dataOf(record)
      return { sid: record.key, userId, value: String(value), secure: secure === true, via, record }
    },

    async update({ sid, userId, secure, record }, set, name) {
      const own = set.filter((each) => each.name === name || each.name.startsWith(`${name}.`))
      if (own.length === 0) return
      const value = valueIn(own, name)
      if (value === undefined) {
        await store.forget(sid)
        return
      }
      const sealed = await cookies.seal({ value, secure }, { key: sid, userId })
      const expires = endOf(set, name)
      // Whoever was faster extended it as well, or gave it another token: the next read does it then.
      await records.replace(record, {
        data: { ...record.data, sealed },
        ...(expires && { expires }),
      })
    },

    async renew(token, { renewAfter, grace }) {
      for (let tries = 0; tries < TRIES; tries++) {
        const found = await recordFor(token)
        if (!found) return null
        const { record, userId, isPrevious } = found
        const data = dataOf(record)
        const bound = { key: record.key, userId }
        if (isPrevious && data.prev) {
          const next = (await tokens.open(data.prev.sealed, bound))?.['token']
          return typeof next === 'string' ? answer(next, leftOf(record)) : null
        }
        const now = ports.now()
        if (now - data.made < renewAfter * 1000) return answer(token, leftOf(record))
        const secret = drawSecret()
        const next = PREFIX + record.key + secret
        const changed: BearerData = {
          ...data,
          hash: await keyedHash(KIND, record.key, secret),
          made: now,
          prev: {
            hash: data.hash,
            until: now + grace * 1000,
            sealed: await tokens.seal({ token: next }, bound),
          },
        }
        if (await records.replace(record, { data: changed })) return answer(next, leftOf(record))
      }
      return null
    },

    async forget(sid) {
      await records.take(KIND, sid, WITH_DAMAGED)
    },
  }
  return store
}

function dataOf({ data }: PluginRecord): BearerData {
  return data as unknown as BearerData
}

function isBearerData({ via, hash, sealed, made, prev }: JsonObject): boolean {
  const isText = (value: unknown): boolean => typeof value === 'string'
  const isWhole = [via, hash, sealed].every(isText) && Number.isFinite(made)
  if (prev === undefined) return isWhole
  const { hash: former, until, sealed: next } = Object(prev) as JsonObject
  return isWhole && isText(former) && Number.isFinite(until) && isText(next)
}
