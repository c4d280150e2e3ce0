import {
  definedOnly,
  encodeBase64url,
  type Host,
  type JsonObject,
  type KindRecord,
  Problem,
  type RecordKind,
  recordKind,
} from '../../../entries/plugin.ts'
import { type Approval, isApproval } from '../approved.ts'
import type { BearerStore, BearerToken } from '../bearer/store.ts'
import type { DeviceSettings } from './settings.ts'
import { drawUserCode, formatUserCode } from './user-code.ts'

/** Records of waiting devices, by a hash of the device code. */
const KIND = 'device'
/** Records of the typed codes, by a hash of the user code. */
const USER_KIND = 'device-user'
/** Records of the device that a session decides about, by the id of the session. */
const SESSION_KIND = 'device-session'

/** The stored data of a waiting device. Times are in milliseconds since the epoch. */
type DeviceData = {
  readonly client: string
  /** The name that the device sent. */
  readonly name?: string
  /** The network of its request. */
  readonly address?: string
  readonly made: number
  /** Seconds between two polls. */
  readonly interval: number
  readonly polled?: number
  /** The session that entered the code. */
  readonly sid?: string
  readonly decision?: 'deny' | 'allow'
  readonly approval?: Approval
}

/** A waiting device, as the user who entered its code sees it. */
export interface Waiting {
  /** Identifies the device on the page with the question. It is not a credential. */
  readonly device: string
  readonly client: string
  readonly name?: string | undefined
  readonly address?: string | undefined
  /** In milliseconds since the epoch. */
  readonly made: number
}

/** The response to a device authorization request (RFC 8628 section 3.2). */
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
  /** Enters a code in a session. @returns whether there is such a device, and no other session has entered its code. */
  enter(code: string, sid: string): Promise<boolean>
  /** Returns the device whose code this session entered. */
  waiting(sid: string): Promise<Waiting | null>
  /**
   * @param approval missing for a refusal.
   * @param device the one that the page showed. If the session has entered another code since, nothing is decided.
   * @returns whether this call decided.
   */
  decide(sid: string, approval: Approval | undefined, device?: string): Promise<boolean>
  /** Answers the poll of a program. */
  poll(
    code: string,
    client: string,
    begin: (approval: Approval, client: string) => ReturnType<BearerStore['begin']>,
  ): Promise<(BearerToken & { session: string }) | { readonly error: PollError }>
}

/** Attempts to draw a user code that no other device has. */
const DRAWS = 10

/** A reference to the key of a device. */
type ToDevice = { readonly device: string }

export function createDeviceFlow(host: Host, settings: DeviceSettings): DeviceFlow {
  const { ports, keys } = host
  const ofCode = { hasSecretKeys: true, onDamaged: 'the device must ask for another code' }
  const devices = recordKind<DeviceData>(host, KIND, { shape: deviceData, ...ofCode })
  const byUserCode = recordKind<ToDevice>(host, USER_KIND, { shape: toDevice, ...ofCode })
  const bySession = recordKind<ToDevice>(host, SESSION_KIND, { shape: toDevice })
  const expiresFrom = (made: number): Date => new Date(made + settings.maxAge * 1000)

  /** Returns the first record under a hash with one of the secrets. */
  async function recordFor<Data extends object>(
    kind: RecordKind<Data>,
    purpose: string,
    code: string,
  ): Promise<KindRecord<Data> | null> {
    for (const key of await keys.hashes(purpose, code)) {
      const record = await kind.get(key)
      if (record) return record
    }
    return null
  }

  /** Changes a waiting device. @returns whether `next` returned other data. */
  async function change(
    key: string,
    next: (data: DeviceData) => DeviceData | undefined,
  ): Promise<boolean> {
    const changed = await devices.update(key, (before) => {
      const data = next(before)
      return data && { data }
    })
    return changed?.isChanged === true
  }

  const keyOf = async (sid: string): Promise<string | undefined> =>
    (await bySession.get(sid))?.data.device

  return {
    async begin({ client, name, address }) {
      const made = ports.now()
      const device_code = encodeBase64url(ports.random(32))
      const key = await keys.hash('device-code', device_code)
      const { interval, maxAge } = settings
      const data: DeviceData = { client, made, interval, ...definedOnly({ name, address }) }
      const expires = expiresFrom(made)
      await devices.create({ key, data, expires })
      for (let draws = 0; draws < DRAWS; draws++) {
        const code = drawUserCode(ports.random)
        const user = await keys.hash('device-user-code', code)
        if (!(await byUserCode.create({ key: user, data: { device: key }, expires }))) continue
        return { device_code, user_code: formatUserCode(code), expires_in: maxAge, interval }
      }
      throw new Problem('conflict', 'no unused code was found; try again later')
    },

    async enter(code, sid) {
      const index = await recordFor(byUserCode, 'device-user-code', code)
      if (!index) return false
      const { device: key } = index.data
      let isTheirs = false
      await change(key, (data) => {
        isTheirs = data.decision === undefined && (data.sid ?? sid) === sid
        return isTheirs && data.sid === undefined ? { ...data, sid } : undefined
      })
      const { expires = expiresFrom(ports.now()) } = index
      if (isTheirs) await bySession.upsert(sid, () => ({ data: { device: key }, expires }))
      return isTheirs
    },

    async waiting(sid) {
      const key = await keyOf(sid)
      const record = key === undefined ? null : await devices.get(key)
      if (!record) return null
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
      const record = await recordFor(devices, 'device-code', code)
      if (!record) return { error: 'expired_token' }
      const { data } = record
      if (data.client !== client) return { error: 'invalid_grant' }
      if (data.decision === undefined) return { error: await pending(record.key) }
      const taken = await devices.take(record.key)
      // One of parallel polls gets the session.
      if (!taken) return { error: 'expired_token' }
      const { decision, approval } = taken.data
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

/** Returns the beginning of the hash of its code. */
function nameOf(key: string): string {
  return key.slice(0, 16)
}

function deviceData(data: JsonObject): DeviceData | undefined {
  const { client, made, interval, name = '', address = '', sid = '', polled = 0, approval } = data
  const isWhole =
    [client, name, address, sid].every((each) => typeof each === 'string') &&
    [made, interval, polled].every(Number.isFinite) &&
    (approval === undefined || isApproval(approval))
  return isWhole ? (data as JsonObject & DeviceData) : undefined
}

const toDevice = ({ device }: JsonObject): ToDevice | undefined =>
  typeof device === 'string' ? { device } : undefined
