import {
  AuthError,
  type Carried,
  type CarriedValue,
  encodeBase64url,
  equal,
  type HeadlessSignIn,
  type Host,
  type JsonObject,
  type KindRecord,
  recordKind,
  type SessionHolder,
} from '../../../entries/plugin.ts'
import { PREFIX } from './prefix.ts'

/** Records of the sessions of programs, by the ids of sessions. */
export const KIND = 'bearer'

/** The session of a program. */
export interface Held extends Carried {
  readonly sid: string
  readonly userId: string
  readonly record: BearerRecord
}

/** A token response of OAuth (RFC 6749 section 5.1). */
export type BearerToken = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** Seconds until it expires without use. */
  readonly expires_in: number
}

/** The stored data. Times are in milliseconds since the epoch. */
type BearerData = {
  readonly via: SessionHolder['via']
  /** A keyed hash of the secret of the token. */
  readonly hash: string
  /** The value that a browser has in its cookie, sealed for this record. */
  readonly sealed: string
  /** When the token was issued. */
  readonly made: number
  /** The previous token. It is valid until then, and a renewal with it returns the same new token. */
  readonly prev?: { readonly hash: string; readonly until: number; readonly sealed: string }
}

type BearerRecord = KindRecord<BearerData>

export interface BearerStore {
  /** Begins the session of a program. @throws if it is refused. */
  begin(signIn: HeadlessSignIn): Promise<BearerToken & { readonly session: string }>
  /** Returns the session of a token; `null` if the token is invalid or the session is over. */
  find(token: string): Promise<Held | null>
  /** Stores the value of a session that was extended or changed. */
  update(held: Held, written: CarriedValue): Promise<void>
  /** Returns another token for the same session; the same token if it is not old enough. */
  renew(token: string, how: RenewalAges): Promise<BearerToken | null>
  /** Deletes the record of an ended session. */
  forget(sid: string): Promise<void>
}

/** In seconds. */
export interface RenewalAges {
  /** The age from which a token is renewed. */
  readonly renewAfter: number
  /** How long the previous token stays valid. */
  readonly grace: number
}

const DAY = 86_400_000
const TOKEN = /^lkb_([\w-]{22})([\w-]{43})$/

export function createBearerStore(
  host: Host,
  maxAges: Readonly<Record<SessionHolder['via'], number>>,
): BearerStore {
  const { ports, keys } = host
  const bearers = recordKind(host, KIND, { shape: bearerData, onDamaged: 'its token is refused' })
  const cookies = host.keys.sealer(KIND)
  const tokens = host.keys.sealer(`${KIND}-next`)

  const drawSecret = (): string => encodeBase64url(ports.random(32))

  const leftOf = ({ expires }: Pick<BearerRecord, 'expires'>): number =>
    Math.max(0, Math.floor(((expires?.getTime() ?? 0) - DAY - ports.now()) / 1000))

  async function fits(hash: string, candidates: readonly string[]): Promise<boolean> {
    return candidates.filter((each) => equal(each, hash)).length > 0
  }

  /** Ends a session whose replaced token was used, since it was copied. */
  async function endReused(userId: string, sid: string): Promise<null> {
    await host.sessions.control()?.end(userId, sid, { reason: 'token-reuse' })
    await store.forget(sid)
    return null
  }

  /** Returns the parts of a token to compare with its record; `undefined` for another text. */
  async function parse(
    token: string,
  ): Promise<{ sid: string; hashes: readonly string[] } | undefined> {
    const [, sid, secret] = TOKEN.exec(token) ?? []
    if (sid === undefined || secret === undefined) return undefined
    return { sid, hashes: await keys.hashes(KIND, sid, secret) }
  }

  /** Returns which token of a record has these hashes; `null` if no valid one has. */
  async function tokenOf(
    { key: sid, userId, data: { hash, prev } }: BearerRecord,
    hashes: readonly string[],
  ): Promise<{ userId: string; isPrevious: boolean } | null> {
    if (userId === undefined) return null
    if (await fits(hash, hashes)) return { userId, isPrevious: false }
    if (!prev || !(await fits(prev.hash, hashes))) return null
    if (ports.now() >= prev.until) return endReused(userId, sid)
    return { userId, isPrevious: true }
  }

  const answer = (token: string, expires_in: number): BearerToken => ({
    access_token: token,
    token_type: 'Bearer',
    expires_in,
  })

  const store: BearerStore = {
    async begin(signIn) {
      const { secure } = signIn.request
      const { via } = signIn.holder
      const holder = { ...signIn.holder, maxAge: maxAges[via] }
      const { value, current } = await host.sessions.begin({ ...signIn, holder })
      const sid = await current.facts.sid()
      const userId = String(current.facts.userId ?? current.user.id)
      const secret = drawSecret()
      const data: BearerData = {
        via,
        hash: await keys.hash(KIND, sid, secret),
        sealed: await cookies.seal({ value, secure }, { key: sid, userId }),
        made: ports.now(),
      }
      const expires = new Date(current.facts.expires + DAY)
      if (!(await bearers.create({ key: sid, userId, data, expires })))
        throw new AuthError('a session with this name already exists')
      return { ...answer(PREFIX + sid + secret, leftOf({ expires })), session: sid }
    },

    async find(token) {
      const asked = await parse(token)
      const record = asked ? await bearers.get(asked.sid) : null
      const found = asked && record && (await tokenOf(record, asked.hashes))
      if (!record || !found) return null
      const { userId } = found
      const { via, sealed } = record.data
      const opened = await cookies.open(sealed, { key: record.key, userId })
      if (!opened) return null
      const { value, secure } = opened
      const holder = { via, maxAge: maxAges[via] }
      const carried = { value: String(value), secure: secure === true, holder }
      return { ...carried, sid: record.key, userId, record }
    },

    async update({ sid, userId, secure, record }, { value, expires }) {
      const sealed = await cookies.seal({ value, secure }, { key: sid, userId })
      // Another process extended it or replaced its token meanwhile. The next read extends it.
      await bearers.replace(record, {
        data: { ...record.data, sealed },
        // A day longer, for fast clocks.
        expires: expires && new Date(expires.getTime() + DAY),
      })
    },

    async renew(token, { renewAfter, grace }) {
      const asked = await parse(token)
      let renewed: BearerToken | null = null
      if (!asked) return renewed
      await bearers.update(asked.sid, async (data, record) => {
        renewed = null
        const found = await tokenOf(record, asked.hashes)
        if (!found) return undefined
        const bound = { key: record.key, userId: found.userId }
        if (found.isPrevious && data.prev) {
          const next = (await tokens.open(data.prev.sealed, bound))?.['token']
          if (typeof next === 'string') renewed = answer(next, leftOf(record))
          return undefined
        }
        const now = ports.now()
        if (now - data.made < renewAfter * 1000) {
          renewed = answer(token, leftOf(record))
          return undefined
        }
        const secret = drawSecret()
        const next = PREFIX + record.key + secret
        renewed = answer(next, leftOf(record))
        const prev = {
          hash: data.hash,
          until: now + grace * 1000,
          sealed: await tokens.seal({ token: next }, bound),
        }
        const hash = await keys.hash(KIND, record.key, secret)
        return { data: { ...data, hash, made: now, prev } }
      })
      return renewed
    },

    async forget(sid) {
      await bearers.delete(sid)
    },
  }
  return store
}

function bearerData(data: JsonObject): BearerData | undefined {
  const { via, hash, sealed, made, prev = { hash: '', until: 0, sealed: '' } } = data
  const { hash: former, until, sealed: next } = Object(prev) as JsonObject
  const areTexts = [via, hash, sealed, former, next].every((each) => typeof each === 'string')
  const areTimes = [made, until].every(Number.isFinite)
  return areTexts && areTimes ? (data as unknown as BearerData) : undefined
}
