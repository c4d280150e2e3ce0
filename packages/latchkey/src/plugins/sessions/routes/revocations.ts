import * as v from 'valibot'
import {
  type Answer,
  type Call,
  encodeBase64url,
  equal,
  type Host,
  hashKey,
  Problem,
  readStrictBody,
  type SessionFacts,
  SHORT_BODY,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { sidFingerprint, userFingerprint } from '../../../protocols/revocation/fingerprint.ts'
import {
  CHECK_KEY,
  PROOF_HEADER,
  PROOF_KEY,
  proveCheck,
  proveSnapshot,
  READ_KEY,
} from '../../../protocols/revocation/proof.ts'
import { packSnapshot } from '../../../protocols/revocation/snapshot-format.ts'
import type { Own } from '../own.ts'
import type { Entries, Snapshot } from '../revocations/snapshot.ts'

/** `GET revocations`: returns all ended sessions, or those since the last request. */
export async function snapshot(
  { request }: Call,
  { host, memory, revocations }: Own,
): Promise<Answer> {
  const which = await presentedKey(request, host)
  const nonce = request.query.get('n') ?? ''
  if (!NONCE.test(nonce)) throw invalid('n')
  const kept = await revocations()
  // The read must begin after the request, since the verifier measures from its own request.
  const isFresh = await kept?.log.refreshAnew()
  const { snapshot: known } = memory.revocations
  if (!isFresh || !known) throw unreadable()
  const { body, from } = await packed(known, request.query)
  const { seq, anchor } = known
  const digest = await digestOf(body)
  const key = await keyAt(PROOF_KEY, which, host)
  const mac = await proveSnapshot(key, nonce, { from, seq, anchor, digest })
  const etag = `"${seq}-${digest.slice(0, 22)}"`
  const headers = {
    etag,
    'cache-control': 'no-store',
    [PROOF_HEADER]: `v=1;f=${from};s=${seq};a=${anchor};d=${digest};m=${mac}`,
  }
  if (request.original.headers.get('if-none-match') === etag) return { status: 304, headers }
  return { bytes: body, headers: { ...headers, 'content-type': 'application/octet-stream' } }
}

/** `POST revocations/check`: returns whether one session is active. */
export async function check({ request }: Call, { host, revocations }: Own): Promise<Answer> {
  const which = await presentedKey(request, host)
  const body = await readStrictBody(request.original, SHORT_BODY)
  if (typeof body === 'string') throw new Problem(body)
  const { success, output } = v.safeParse(question, body.fields)
  if (!success || body.isForm) throw invalid('body')
  const { n, sid, hashed, sub, epo } = output
  const key = sid ?? hashed ?? ''
  const kept = await revocations()
  if (!kept) throw unreadable()
  const session: SessionFacts = {
    key,
    sid: () => key,
    strategy: 'jwt',
    userId: sub,
    expires: host.ports.now(),
    known: () => (epo === undefined ? {} : { epo }),
  }
  const live = (await kept.truth(session, 'verifier')).reason === undefined
  const asked = { sid: key, userId: sub ?? '', epoch: epo ?? 0 }
  const mac = await proveCheck(await keyAt(CHECK_KEY, which, host), n, asked, live)
  return { json: { live }, headers: { [PROOF_HEADER]: `v=1;m=${mac}` } }
}

const NONCE = /^[\w-]{22}$/
const sidField = v.optional(v.pipe(v.string(), v.regex(NONCE)))

const question = v.strictObject({
  n: v.pipe(v.string(), v.regex(NONCE)),
  sid: sidField,
  /** The hash that stands for the id of a session whose token has none. */
  hashed: sidField,
  /** Missing for a session without a user. */
  sub: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
  epo: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

/** @returns the index of the caller's secret. @throws {Problem} `unauthenticated` */
async function presentedKey({ original }: SiteRequest, host: Host): Promise<number> {
  const { 1: presented = '' } =
    /^Bearer ([\w-]{43})$/.exec(original.headers.get('authorization') ?? '') ?? []
  const keys = (await host.keys.derive(READ_KEY)).map(encodeBase64url)
  // All secrets are compared, so the time does not reveal which one matches.
  const fitting = keys.map((key) => equal(key, presented))
  const which = fitting.indexOf(true)
  if (which >= 0) return which
  throw new Problem(
    'unauthenticated',
    'the key of the verifier is missing, or derived from another secret',
    {
      headers: { 'www-authenticate': 'Bearer' },
    },
  )
}

async function keyAt(purpose: string, which: number, host: Host): Promise<CryptoKey> {
  const bytes = (await host.keys.derive(purpose))[which]
  return hashKey(new Uint8Array(bytes ?? []))
}

/** Returns the records since the number of the caller if they are known, otherwise everything. */
async function packed(
  known: Snapshot,
  query: URLSearchParams,
): Promise<{ body: Uint8Array<ArrayBuffer>; from: number }> {
  const { seq, isFull, recent } = known
  const after = Number(query.get('after') ?? 0)
  const isKnown = after > 0 && after <= seq && recent.get(after)?.id === query.get('a')
  if (isFull) return { body: packSnapshot({ seq, isFull, sessions: [], users: [] }), from: 0 }
  if (!isKnown) {
    const ended = [...known.users].map(([userId, { epoch }]) => [userId, epoch] as const)
    return { body: await pack(seq, known.sids.prefixes(), ended), from: 0 }
  }
  const entries: Entries[] = []
  for (let number = after + 1; number <= seq; number++) entries.push(recent.get(number) ?? NOTHING)
  const sids = entries.flatMap(({ s }) => s.map(([sid]) => sidFingerprint(sid)))
  const ended = entries.flatMap(({ u }) => u.map(([userId, epoch]) => [userId, epoch] as const))
  const sessions = [...new Set(sids)].sort((a, b) => a - b)
  return { body: await pack(seq, sessions, ended), from: after }
}

const NOTHING: Entries = { s: [], u: [] }

async function pack(
  seq: number,
  sessions: Uint32Array | readonly number[],
  ended: readonly (readonly [userId: string, epoch: number])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const users = new Map<number, number>()
  for (const [userId, epoch] of ended) {
    const fingerprint = await userFingerprint(userId)
    users.set(fingerprint, Math.max(epoch, users.get(fingerprint) ?? 0))
  }
  const inOrder = [...users].sort(([a], [b]) => a - b)
  return packSnapshot({ seq, isFull: false, sessions, users: inOrder })
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

const invalid = (field: string): Problem =>
  new Problem('invalid_input', `${field} is missing or wrong`, {
    errors: [{ field, code: 'invalid' }],
  })

const unreadable = (): Problem =>
  new Problem('session_unreadable', 'the log of ended sessions could not be read', {
    headers: { 'retry-after': '1' },
  })
