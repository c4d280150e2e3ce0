import { encodeBase64url } from '../../../base/encoding/base64url.ts'
import { definedOnly } from '../../../base/encoding/defined-only.ts'
import { type Host, type JsonObject, type PluginRecord, Problem } from '../../../entries/plugin.ts'
import { damagedRecord, WITH_DAMAGED } from '../../../model/damaged-record.ts'
import { type Approval, isApproval } from '../approved.ts'
import type { BearerStore, BearerToken } from '../bearer/store.ts'
import type { DeviceSettings } from './settings.ts'
import { drawUserCode, formatUserCode } from './user-code.ts'

/** Records of devices that wait; the key is a hash of the device code. */
const KIND = 'device'
/** By what their users type: the key is a hash of the user code. */
const USER_KIND = 'device-user'
/** Which device the session decides about that entered its code; the key is the name of the session. */
const SESSION_KIND = 'device-session'

/** What is stored of a device that waits. Times are milliseconds since the epoch. */
type DeviceData = {
  readonly client: string
  /** The device's own words. */
  readonly name?: string
  /** From where it asked. */
  readonly address?: string
  readonly made: number
  /** Seconds between two questions. */
  readonly interval: number
  readonly polled?: number
  /** The session that entered the code. */
  readonly sid?: string
  readonly decision?: 'deny' | 'allow'
  readonly approval?: Approval
}

/** A device that waits, as the one who entered its code sees it. */
export interface Waiting {
  /** Names it on the page with the question. It is no credential. */
  readonly device: string
  readonly client: string
  readonly name?: string | undefined
  readonly address?: string | undefined
  /** Milliseconds since the epoch. */
  readonly made: number
}

/** What a program is told (RFC 8628 section 3.2). */
export type DeviceCodes = {
  readonly device_code: string
  readonly user_code: string
  readonly expires_in: number
  readonly interval: number
}

/** Why a program gets no token (RFC 8628 section 3.5, RFC 6749 section 5.2). */
export type PollError =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'

export interface DeviceFlow {
  begin(device: { client: string; name?: string; address?: string }): Promise<DeviceCodes>
  /** A session enters a code. @returns whether there is such a device, and no other session entered its code. */
  enter(code: string, sid: string): Promise<boolean>
  /** The device whose code this session entered. */
  waiting(sid: string): Promise<Waiting | null>
  /**
   * @param approval left out: it is refused.
   * @param device which one the page showed; another whose code was entered since is not decided about.
   * @returns whether it was decided by this call.
   */
  decide(sid: string, approval: Approval | undefined, device?: string): Promise<boolean>
  /** A program asks whether it was let in. */
  poll(
    code: string,
    client: string,
    begin: (approval: Approval, client: string) => ReturnType<BearerStore['begin']>,
  ): Promise<(BearerToken & { session: string }) | { readonly error: PollError }>
}

/** How often a change is tried again because another call was faster. */
const TRIES = 10

export function createDeviceFlow(host: Host, settings: DeviceSettings): DeviceFlow {
  const { records, ports, keyedHash, keyedHashes } = host
  const expiresFrom = (made: number): Date => new Date(made + settings.maxAge * 1000)

  /** The first record that is found under a hash with one of the secrets. */
  async function recordFor(kind: string, purpose: string, code: string) {
    for (const key of await keyedHashes(purpose, code)) {
      const record = await records.get(kind, key, WITH_DAMAGED)
      if (!record) continue
      const isWhole = kind !== KIND || isDeviceData(record.data)
      if (isWhole && !record.isDamaged) return record
      host.logger.error(damagedRecord(record, 'the device must ask for another code', false))
    }
    return null
  }

  /** Changes a record, anew for each call that was faster. @param next `undefined` leaves it as it is. */
  async function change(
    key: string,
    next: (data: DeviceData) => DeviceData | undefined,
  ): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const record = await records.get(KIND, key, WITH_DAMAGED)
      const data = record && isDeviceData(record.data) ? next(record.data) : undefined
      if (!record || !data) return false
      if (await records.replace(record, { data })) return true
    }
    throw new Problem(
      'conflict',
      'too many requests change the code of a device at the same time; try again',
    )
  }

  async function keyOf(sid: string): Promise<string | undefined> {
    const key = (await records.get(SESSION_KIND, sid, WITH_DAMAGED))?.data['device']
    return typeof key === 'string' ? key : undefined
  }

  async function remember(sid: string, device: string, expires: Date): Promise<void> {
    const record = await records.get(SESSION_KIND, sid, WITH_DAMAGED)
    const change = { data: { device }, expires }
    if (record) await records.replace(record, change)
    else await records.create({ kind: SESSION_KIND, key: sid, ...change })
  }

  return {
    async begin({ client, name, address }) {
      const made = ports.now()
      const device_code = encodeBase64url(ports.random(32))
      const key = await keyedHash('device-code', device_code)
      const { interval, maxAge } = settings
      const data: DeviceData = { client, made, interval, ...definedOnly({ name, address }) }
      const expires = expiresFrom(made)
      await records.create({ kind: KIND, key, data, expires })
      for (let tries = 0; tries < TRIES; tries++) {
        const code = drawUserCode(ports.random)
        const user = await keyedHash('device-user-code', code)
        const index = { kind: USER_KIND, key: user, data: { device: key }, expires }
        if (!(await records.create(index))) continue
        return { device_code, user_code: formatUserCode(code), expires_in: maxAge, interval }
      }
      throw new Problem('conflict', 'no unused code was found; try again later')
    },

    async enter(code, sid) {
      const index = await recordFor(USER_KIND, 'device-user-code', code)
      const key = index?.data['device']
      if (!index || typeof key !== 'string') return false
      let isTheirs = false
      await change(key, (data) => {
        isTheirs = data.decision === undefined && (data.sid ?? sid) === sid
        return isTheirs && data.sid === undefined ? { ...data, sid } : undefined
      })
      if (isTheirs) await remember(sid, key, index.expires ?? expiresFrom(ports.now()))
      return isTheirs
    },

    async waiting(sid) {
      const key = await keyOf(sid)
      const record = key === undefined ? null : await records.get(KIND, key, WITH_DAMAGED)
      if (!record || !isDeviceData(record.data)) return null
      const { client, name, address, made, decision } = record.data
      if (record.data.sid !== sid || decision) return null
      const device = nameOf(record.key)
      return { device, client: settings.clients.get(client) ?? client, name, address, made }
    },

    async decide(sid, approval, device) {
      const key = await keyOf(sid)
      if (key === undefined || (device ?? nameOf(key)) !== nameOf(key)) return false
      return change(key, (data) =>
        data.sid === sid && data.decision === undefined
          ? { ...data, decision: approval ? 'allow' : 'deny', ...definedOnly({ approval }) }
          : undefined,
      )
    },

    async poll(code, client, begin) {
      const record = await recordFor(KIND, 'device-code', code)
      if (!record) return { error: 'expired_token' }
      const data = dataOf(record)
      if (data.client !== client) return { error: 'invalid_grant' }
      if (data.decision === undefined) return { error: await pending(record.key) }
      const taken = await records.take(KIND, record.key, WITH_DAMAGED)
      // Of parallel questions one gets the session.
      if (!taken || !isDeviceData(taken.data)) return { error: 'expired_token' }
      const { decision, approval } = dataOf(taken)
      if (decision !== 'allow' || !approval) return { error: 'access_denied' }
      return begin(approval, settings.clients.get(client) ?? client)
    },
  }

  async function pending(key: string): Promise<PollError> {
    const now = ports.now()
    let error: PollError = 'authorization_pending'
    await change(key, (data) => {
      const isEarly = data.polled !== undefined && now - data.polled < data.interval * 1000
      error = isEarly ? 'slow_down' : 'authorization_pending'
      if (data.decision !== undefined) return undefined
      return { ...data, polled: now, interval: data.interval + (isEarly ? 5 : 0) }
    })
    return error
  }
}

/** The beginning of the hash of its code. */
function nameOf(key: string): string {
  return key.slice(0, 16)
}

function dataOf({ data }: Pick<PluginRecord, 'data'>): DeviceData {
  return data as unknown as DeviceData & JsonObject
}

function isDeviceData(data: JsonObject): data is JsonObject & DeviceData {
  const { client, made, interval, name = '', address = '', sid = '', polled = 0, approval } = data
  return (
    [client, name, address, sid].every((each) => typeof each === 'string') &&
    [made, interval, polled].every(Number.isFinite) &&
    (approval === undefined || isApproval(approval))
  )
}
