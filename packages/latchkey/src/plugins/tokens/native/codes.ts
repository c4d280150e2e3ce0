import { equal } from '../../../base/crypto/equal.ts'
import { encodeBase64url } from '../../../base/encoding/base64url.ts'
import { encodeUtf8 } from '../../../base/encoding/utf8.ts'
import type { Host, JsonObject, PluginRecord } from '../../../entries/plugin.ts'
import { damagedRecord, WITH_DAMAGED } from '../../../model/damaged-record.ts'
import { type Approval, isApproval } from '../approved.ts'
import type { BearerStore, BearerToken } from '../bearer/store.ts'
import type { Begun } from './flow-cookie.ts'
import type { NativeSettings } from './settings.ts'

/** Records of codes that apps trade for a session; the key is a hash of the code. */
const KIND = 'native-code'
/** Of the same codes, for longer: whether one came twice, and which session it made. */
const USED_KIND = 'native-used'
/** Milliseconds after the end of a code. */
const USED_FOR = 600_000

type CodeData = Pick<Begun, 'client' | 'redirectUri' | 'challenge'> & {
  readonly approval: Approval
}

/** What an app sends to trade a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface Redemption {
  readonly code: string
  readonly client: string
  readonly redirectUri: string
  readonly verifier: string
}

export interface NativeCodes {
  /** A code for the app that a sign-in was begun by. */
  issue(begun: Begun, approval: Approval): Promise<string>
  redeem(
    redemption: Redemption,
    begin: (approval: Approval, name: string) => ReturnType<BearerStore['begin']>,
  ): Promise<(BearerToken & { session: string }) | { readonly error: 'invalid_grant' }>
}

const INVALID = { error: 'invalid_grant' } as const

export function createNativeCodes(host: Host, settings: NativeSettings): NativeCodes {
  const { records, ports, keyedHash, keyedHashes } = host

  const endSession = async (userId: string, sid: unknown): Promise<void> => {
    if (typeof sid === 'string') await host.sessions()?.end(userId, sid, { reason: 'token-reuse' })
  }

  /** A code comes a second time: somebody else has it, and the session of the first one ends. */
  async function noteReuse(hashes: readonly string[]): Promise<void> {
    for (const key of hashes) {
      const used = await records.get(USED_KIND, key)
      if (!used?.userId) continue
      // Where the session is about to begin, whoever begins it finds this.
      const isNoted = await records.replace(used, { data: { ...used.data, isReused: true } })
      const { data } = isNoted ?? (await records.get(USED_KIND, key)) ?? used
      await endSession(used.userId, data['sid'])
    }
  }

  async function take(hashes: readonly string[]): Promise<PluginRecord | null> {
    for (const key of hashes) {
      const record = await records.take(KIND, key, WITH_DAMAGED)
      if (record) return record
    }
    return null
  }

  return {
    async issue({ client, redirectUri, challenge }, approval) {
      const code = encodeBase64url(ports.random(32))
      const data: CodeData = { client, redirectUri, challenge, approval }
      const key = await keyedHash(KIND, code)
      const { userId } = approval
      const end = ports.now() + settings.codeMaxAge * 1000
      // First: whenever the code is gone, it is known that it was there.
      const used = { kind: USED_KIND, key, userId, data: {} }
      await records.create({ ...used, expires: new Date(end + USED_FOR) })
      await records.create({ kind: KIND, key, userId, data, expires: new Date(end) })
      return code
    },

    async redeem({ code, client, redirectUri, verifier }, begin) {
      const hashes = await keyedHashes(KIND, code)
      const taken = await take(hashes)
      if (!taken) {
        await noteReuse(hashes)
        return INVALID
      }
      // The code of a damaged record is gone, too: the app begins again.
      if (!isCodeData(taken.data)) {
        host.logger.error(damagedRecord(taken, 'the code is refused', false))
        return INVALID
      }
      const { approval, ...own } = taken.data
      const { userId } = approval
      const fits =
        own.client === client &&
        own.redirectUri === redirectUri &&
        equal(own.challenge, await challengeOf(verifier))
      if (!fits) return INVALID
      const token = await begin(approval, settings.clients.get(client)?.name ?? client)
      const noted = await records.get(USED_KIND, taken.key)
      const { session: sid } = token
      if (noted && (await records.replace(noted, { data: { ...noted.data, sid } }))) {
        if (noted.data['isReused'] !== true) return token
      }
      await endSession(userId, sid)
      return INVALID
    },
  }
}

function isCodeData(data: JsonObject): data is JsonObject & CodeData {
  const { client, redirectUri, challenge, approval } = data
  const areTexts = [client, redirectUri, challenge].every((each) => typeof each === 'string')
  return areTexts && isApproval(approval)
}

/** RFC 7636 section 4.6, S256. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encodeUtf8(verifier))
  return encodeBase64url(new Uint8Array(digest))
}
