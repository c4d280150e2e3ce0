import {
  definedOnly,
  encodeBase64url,
  encodeUtf8,
  equal,
  type Host,
  type JsonObject,
  type KindRecord,
  recordKind,
} from '../../../entries/plugin.ts'
import { type Approval, isApproval } from '../approved.ts'
import type { BearerStore, BearerToken } from '../bearer/store.ts'
import type { Begun } from './flow-cookie.ts'
import type { NativeSettings } from './settings.ts'

/** Records of codes that apps exchange for a session, by a hash of the code. */
const KIND = 'native-code'
/** Records of the same codes that last longer: whether a code was used twice, and its session. */
const USED_KIND = 'native-used'
/** Milliseconds after the expiry of a code. */
const USED_FOR = 600_000

type CodeData = Pick<Begun, 'client' | 'redirectUri' | 'challenge'> & {
  readonly approval: Approval
}

/** The request of an app with a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
export interface Redemption {
  readonly code: string
  readonly client: string
  readonly redirectUri: string
  readonly verifier: string
}

export interface NativeCodes {
  /** Returns a code for the app that began the sign-in. */
  issue(begun: Begun, approval: Approval): Promise<string>
  redeem(
    redemption: Redemption,
    begin: (approval: Approval, name: string) => ReturnType<BearerStore['begin']>,
  ): Promise<(BearerToken & { session: string }) | { readonly error: 'invalid_grant' }>
}

/** The stored facts of a code that was issued. */
type UsedData = { readonly sid?: string; readonly isReused?: boolean }

const INVALID = { error: 'invalid_grant' } as const

export function createNativeCodes(host: Host, settings: NativeSettings): NativeCodes {
  const { ports, keys } = host
  const codes = recordKind<CodeData>(host, KIND, {
    shape: codeData,
    onDamaged: 'the code is refused',
    hasSecretKeys: true,
  })
  const usedCodes = recordKind<UsedData>(host, USED_KIND, {
    shape: usedData,
    onDamaged: 'the code is refused',
    hasSecretKeys: true,
  })

  const endSession = async (userId: string, sid: string | undefined): Promise<void> => {
    if (sid !== undefined)
      await host.sessions.control()?.end(userId, sid, { reason: 'token-reuse' })
  }

  /** Handles a code that is used a second time. It was copied, so its session ends. */
  async function noteReuse(hashes: readonly string[]): Promise<void> {
    for (const key of hashes) {
      // A session that is about to begin finds this mark.
      const used = await usedCodes.update(key, (data) => ({ data: { ...data, isReused: true } }))
      const { userId, data } = used?.record ?? {}
      if (userId !== undefined) await endSession(userId, data?.sid)
    }
  }

  async function take(hashes: readonly string[]): Promise<KindRecord<CodeData> | null> {
    for (const key of hashes) {
      const record = await codes.take(key)
      if (record) return record
    }
    return null
  }

  return {
    async issue({ client, redirectUri, challenge }, approval) {
      const code = encodeBase64url(ports.random(32))
      const data: CodeData = { client, redirectUri, challenge, approval }
      const key = await keys.hash(KIND, code)
      const { userId } = approval
      const end = ports.now() + settings.codeMaxAge * 1000
      // First, so that a code is known as used as soon as it is deleted.
      await usedCodes.create({ key, userId, data: {}, expires: new Date(end + USED_FOR) })
      await codes.create({ key, userId, data, expires: new Date(end) })
      return code
    },

    async redeem({ code, client, redirectUri, verifier }, begin) {
      const hashes = await keys.hashes(KIND, code)
      const taken = await take(hashes)
      if (!taken) {
        await noteReuse(hashes)
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
      const { session: sid } = token
      const noted = await usedCodes.update(taken.key, (data) => ({ data: { ...data, sid } }))
      if (noted && !noted.record.data.isReused) return token
      await endSession(userId, sid)
      return INVALID
    },
  }
}

function codeData(data: JsonObject): CodeData | undefined {
  const { client, redirectUri, challenge, approval } = data
  const areTexts = [client, redirectUri, challenge].every((each) => typeof each === 'string')
  return areTexts && isApproval(approval) ? (data as JsonObject & CodeData) : undefined
}

function usedData({ sid, isReused }: JsonObject): UsedData | undefined {
  const isWhole = typeof (sid ?? '') === 'string' && typeof (isReused ?? false) === 'boolean'
  return isWhole ? (definedOnly({ sid, isReused }) as UsedData) : undefined
}

/** Returns the code challenge (RFC 7636 section 4.6, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encodeUtf8(verifier))
  return encodeBase64url(new Uint8Array(digest))
}
