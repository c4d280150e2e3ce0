import { primitives } from '#crypto'
import { hashKey, KEY_SALT } from '../base/crypto/keyed-hash.ts'
import { definedOnly } from '../base/encoding/defined-only.ts'
import { withoutEndSlashes } from '../base/encoding/end-slashes.ts'
import { isJsonObject } from '../base/encoding/json.ts'
import { toError } from '../base/errors.ts'
import { oncePer } from '../base/once.ts'
import { optionError } from '../base/option-error.ts'
import { systemPorts } from '../base/ports.ts'
import { isSafeWay } from '../http/paths/safe-way.ts'
import { sidFingerprint, userFingerprint } from '../protocols/revocation/fingerprint.ts'
import { createJudge, Unreadable } from '../protocols/revocation/judge.ts'
import { type Moment, momentOf } from '../protocols/revocation/moment.ts'
import {
  CHECK_KEY,
  PROOF_HEADER,
  PROOF_KEY,
  parseProof,
  proveCheck,
  proveSnapshot,
  READ_KEY,
} from '../protocols/revocation/proof.ts'
import { LONGEST_SNAPSHOT, unpackSnapshot } from '../protocols/revocation/snapshot-format.ts'
import { createState, type Known } from '../protocols/revocation/state.ts'
import { sessionName } from '../session/facts.ts'

export interface RevocationsOptions {
  /** URL of the endpoint of the application: `https://app.example/auth/revocations`. */
  url: string
  /** Maximum time in milliseconds until an ended session is refused: 100 to 60000. @default 1000 */
  bound?: number
  /**
   * What a read does if the list of ended sessions is older than `bound`: `read` or `refuse`.
   *
   * With `'read'` it waits for a new list, for at most two seconds. With `'refuse'` the session cannot be read.
   *
   * @default 'read'
   */
  stale?: 'read' | 'refuse'
  /** The secret of the application, or a list during its rotation. @default the secret of the verifier */
  secret?: string | readonly string[]
  /** Sends the requests to the application. @default the global `fetch` */
  fetch?: typeof fetch
}

/** The claims of a token about its session. */
export interface SessionClaims {
  /** The public id of the session. */
  readonly sid?: unknown
  /** The id of the user. */
  readonly sub?: unknown
  /** The epoch of the user; missing in tokens from before the plugin `sessions`. */
  readonly epo?: unknown
}

/** Tells a verifier which sessions were ended. */
export interface Revocations {
  /**
   * @param secrets the secrets of the verifier's configuration, which authenticate requests and responses.
   * @throws {TypeError} without a secret.
   */
  with(secrets: readonly string[]): RevocationReader
}

export interface RevocationReader {
  /**
   * Returns whether a session was ended.
   *
   * @param token its hash identifies a session without a public id.
   * @throws if this cannot be determined.
   */
  isEnded(claims: SessionClaims, token?: string): Promise<boolean>
}

/** A session and the names under which it may have been ended. */
interface NamedSession {
  readonly sid: string | undefined
  readonly hashed: string
  readonly userId: string | undefined
  readonly epoch: number | undefined
}

/** The maximum time until a response, in milliseconds. */
const MAX_WAIT = 2000

/**
 * Tells a verifier which sealed sessions were ended. The application needs the plugin `sessions` with
 * `revocations: { endpoint: true }`.
 *
 * @throws {TypeError} for invalid options.
 */
export function revocations({
  url,
  bound = 1000,
  stale = 'read',
  secret = [],
  fetch = (...asked) => globalThis.fetch(...asked),
}: RevocationsOptions): Revocations {
  if (!URL.canParse(url) || !isSafeWay(new URL(url))) {
    throw optionError(
      `revocations(): \`url\` must be an https URL, or an http URL of this machine, got ${JSON.stringify(url)}`,
      'revocations',
    )
  }
  if (!(bound >= 100 && bound <= 60_000)) {
    throw optionError(
      `revocations(): \`bound\` must be 100 to 60000 milliseconds, got ${String(bound)}`,
      'revocations',
    )
  }
  return {
    with(configured) {
      const own = [secret].flat()
      const secrets = own.length > 0 ? own : configured
      if (secrets.length === 0)
        throw optionError(
          'revocations(): set `secret` to the secret of the application',
          'revocations',
        )
      return createReader({ url: withoutEndSlashes(url), bound, stale, fetch }, secrets)
    },
  }
}

/** The ended sessions that this verifier knows. */
interface EdgeSnapshot extends Known {
  seq: number
  anchor: string
  asOf: Moment
  isFull: boolean
  /** The first bytes of the names of sessions, sorted. */
  sessions: Uint32Array
  /** Sessions that were added later. */
  readonly more: Set<number>
  readonly users: Map<number, number>
  /** The `ETag` of the last response, so that it is not sent twice. */
  etag: string
  digest: string
}

interface Keys {
  readonly read: string
  readonly proof: CryptoKey
  readonly check: CryptoKey
}

function createReader(
  options: Required<Omit<RevocationsOptions, 'secret'>>,
  secrets: readonly string[],
): RevocationReader {
  const { url, bound, stale } = options
  const state = createState<EdgeSnapshot>()
  const ask = createAsk(options, secrets)
  /** The error of the last read. */
  let failure: Error | undefined

  const refresh = (): Promise<boolean> => {
    const running = (state.refreshing ??= readSnapshot(state, url, ask)
      .then(
        () => {
          failure = undefined
          return true
        },
        (error: unknown) => {
          failure = toError(error)
          return false
        },
      )
      .finally(() => {
        if (state.refreshing === running) state.refreshing = undefined
      }))
    return running
  }

  const judge = createJudge(state, {
    clocks,
    bound,
    stale,
    refresh,
    usesTimer: false,
    tellFull: () => {},
  })

  return {
    async isEnded(claims, token = '') {
      const session = await named(claims, token)
      state.reads += 2
      const { sid, hashed, userId, epoch } = session
      const name = sid ?? hashed
      // A session that began before the plugin may name no user, and is ended by its own name.
      const user = userId === undefined ? undefined : await userFingerprint(userId)
      const verdict = judge.confirm({
        key: `${name}.${epoch ?? ''}`,
        isHit: ({ isFull, sessions, more, users }) => {
          const fingerprint = sidFingerprint(name)
          const isNamed = more.has(fingerprint) || isAmong(sessions, fingerprint)
          const isEarlier = user !== undefined && (epoch ?? 0) < (users.get(user) ?? 0)
          return isFull || isNamed || isEarlier
        },
        truth: async () => ((await isLive(session, url, ask)) ? undefined : 'ended'),
      })
      const ended = await verdict.catch((error: unknown) => {
        if (!(error instanceof Unreadable) || !failure) throw error
        throw new Unreadable(`${error.message} (${failure.message})`, { cause: failure })
      })
      return ended !== undefined
    },
  }
}

const clocks = systemPorts

/** Sends a request to the application. @returns its response, and the keys of the secret that it accepted. */
type SendRequest = (
  path: string,
  init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
) => Promise<{ answer: Response; keys: Keys }>

function createAsk(
  { url, fetch }: Pick<Required<RevocationsOptions>, 'url' | 'fetch'>,
  secrets: readonly string[],
): SendRequest {
  const keysAt = oncePer((index: number) => keysOf(secrets[index] ?? ''))
  /** The index of the secret that the application last accepted. */
  let acceptedIndex = 0
  return async (path, init) => {
    const first = acceptedIndex
    // With that secret, then with the others, since a rotation reaches both sides in any order.
    for (let tries = 0; tries < secrets.length; tries++) {
      const index = (first + tries) % secrets.length
      const keys = await keysAt(index)
      const headers = { ...init.headers, authorization: `Bearer ${keys.read}` }
      const signal = AbortSignal.timeout(MAX_WAIT)
      const answer = await fetch(path, { ...init, headers, signal, redirect: 'error' }).catch(
        (error: unknown) => {
          throw unreachable(url, error)
        },
      )
      if (answer.status === 401) continue
      acceptedIndex = index
      return { answer, keys }
    }
    throw new Error(
      `revocations(): ${url} does not accept the secret of this verifier; set \`secret\` to that of the application`,
    )
  }
}

type State = ReturnType<typeof createState<EdgeSnapshot>>

/** The content of a response about the log, with the proof of the application. */
type SnapshotHead = Pick<EdgeSnapshot, 'seq' | 'anchor' | 'digest' | 'etag' | 'asOf'> & {
  /** The sequence number after which the entries begin; 0 for all. */
  readonly from: number
}

/** Reads the entries that are new since the last read, or all. */
async function readSnapshot(state: State, url: string, ask: SendRequest): Promise<void> {
  const { snapshot } = state
  const nonce = primitives.toBase64url(clocks.random(16))
  const params = new URLSearchParams({ n: nonce })
  // A full snapshot has no entries to add to: another process may not be full.
  if (snapshot && !state.isLost && !snapshot.isFull) {
    params.set('after', String(snapshot.seq))
    params.set('a', snapshot.anchor)
  }
  const asOf = momentOf(clocks)
  const { answer, keys } = await ask(`${url}?${params}`, {
    headers: { ...(snapshot && { 'if-none-match': snapshot.etag }) },
  })
  const unchanged = answer.status === 304 ? snapshot : undefined
  if (!answer.ok && !unchanged) throw refused(url, answer)
  const body = unchanged ? undefined : await bytesOf(answer)
  const digest = body ? await digestOf(body) : (snapshot?.digest ?? '')
  const { head, d, m } = headOf(answer, digest, asOf)
  const isProven = d === digest && m === (await proveSnapshot(keys.proof, nonce, head))
  if (!isProven || !isAnswer(head, params.get('after'), snapshot, unchanged !== undefined))
    throw new Error('the list of ended sessions has no valid proof from the application')
  if (snapshot && !state.isLost && head.seq < snapshot.seq) {
    state.isLost = true
    throw new Error('the application uses another log of ended sessions than before')
  }
  if (body) take(state, body, head)
  else if (unchanged) keep(state, unchanged, head)
}

function headOf(
  { headers }: Response,
  digest: string,
  asOf: Moment,
): { head: SnapshotHead; d: string | undefined; m: string | undefined } {
  const { f, s, a: anchor = '', d, m } = parseProof(headers.get(PROOF_HEADER))
  const etag = headers.get('etag') ?? ''
  return { head: { from: Number(f), seq: Number(s), anchor, digest, etag, asOf }, d, m }
}

/** Returns whether a response is one to this request, and about the log that is known. */
function isAnswer(
  { from, seq, anchor }: SnapshotHead,
  after: string | null,
  snapshot: EdgeSnapshot | undefined,
  isUnchanged: boolean,
): boolean {
  if (from !== 0 && String(from) !== after) return false
  // Another log may have the same content: then only a complete snapshot is accepted.
  const isSameLog = from === 0 || anchor === snapshot?.anchor
  return !isUnchanged || (seq === snapshot?.seq && isSameLog)
}

/** Keeps a snapshot whose content has not changed. */
function keep(state: State, snapshot: EdgeSnapshot, { from, anchor, asOf }: SnapshotHead): void {
  // After a restored backup, a log with the same content has other records: live sessions may have ended.
  if (anchor !== snapshot.anchor) forgetLive(state)
  Object.assign(snapshot, { asOf, anchor })
  if (from === 0) state.isLost = false
}

function take(state: State, body: Uint8Array, { from, ...head }: SnapshotHead): void {
  const { isFull, sessions, users, seq } = unpackSnapshot(body)
  if (seq !== head.seq) throw new Error('the proof belongs to another snapshot')
  const { snapshot } = state
  if (from === 0 || !snapshot) {
    const all = sessions as Uint32Array
    state.snapshot = { ...head, isFull, sessions: all, more: new Set(), users: new Map(users) }
    state.isLost = false
  } else {
    for (const session of sessions) snapshot.more.add(session)
    for (const [user, epoch] of users) {
      snapshot.users.set(user, Math.max(epoch, snapshot.users.get(user) ?? 0))
    }
    Object.assign(snapshot, head, { isFull })
  }
  if (from !== 0 && sessions.length === 0 && users.length === 0) return
  forgetLive(state)
}

/** Discards the sessions that were found to be live. */
function forgetLive(state: State): void {
  state.version++
  state.alive.clear()
}

/** Asks the application whether a session has not ended. */
async function isLive(
  { sid, hashed, userId: sub, epoch: epo }: NamedSession,
  url: string,
  ask: SendRequest,
): Promise<boolean> {
  const n = primitives.toBase64url(clocks.random(16))
  const session = sid === undefined ? { hashed } : { sid }
  const { answer, keys } = await ask(`${url}/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      n,
      ...session,
      ...definedOnly({ sub }),
      ...(epo !== undefined && { epo }),
    }),
  })
  if (!answer.ok) throw refused(url, answer)
  const body: unknown = await answer.json().catch(() => undefined)
  const live = isJsonObject(body) && body['live'] === true
  const { m } = parseProof(answer.headers.get(PROOF_HEADER))
  const asked = { sid: sid ?? hashed, userId: sub ?? '', epoch: epo ?? 0 }
  if (m !== (await proveCheck(keys.check, n, asked, live))) {
    throw new Error(
      `revocations(): the response of ${url}/check has no valid proof; check that \`url\` is the endpoint of the application, and that no proxy changes or caches its responses`,
    )
  }
  return live
}

async function named({ sid, sub, epo }: SessionClaims, token: string): Promise<NamedSession> {
  return {
    sid: typeof sid === 'string' ? sid : undefined,
    hashed: await sessionName(token),
    userId: typeof sub === 'string' && sub !== '' ? sub : undefined,
    epoch: typeof epo === 'number' ? epo : undefined,
  }
}

function unreachable(url: string, error: unknown): Error {
  const { message, cause } = toError(error)
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  return new Error(
    `revocations(): ${url} cannot be reached (${reason}); check \`url\`, and that the application is running`,
    { cause: error },
  )
}

function refused(url: string, { status }: Response): Error {
  const fix =
    status >= 500
      ? 'the log of the application has the reason'
      : 'check `url`, and that the application has `sessions({ revocations: { endpoint: true } })`'
  return new Error(`revocations(): ${url} returned status ${status}; ${fix}`)
}

async function keysOf(secret: string): Promise<Keys> {
  const bytes = (purpose: string) => primitives.hkdf(secret, KEY_SALT, purpose, 32)
  return {
    read: primitives.toBase64url(await bytes(READ_KEY)),
    proof: await hashKey(await bytes(PROOF_KEY)),
    check: await hashKey(await bytes(CHECK_KEY)),
  }
}

async function bytesOf(answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(answer.headers.get('content-length') ?? 0) > LONGEST_SNAPSHOT) throw tooLong()
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.length > LONGEST_SNAPSHOT) throw tooLong()
  return bytes
}

const tooLong = (): Error => new Error('the snapshot of ended sessions is longer than 64 MiB')

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return primitives.toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function isAmong(sorted: Uint32Array, sought: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return sorted[low] === sought
}
