import {
  type AdapterUser,
  type Host,
  type JsonObject,
  recordKind,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import type { FactorState } from './state.ts'

export interface TrustedBrowsers {
  /** Returns what is stored with a browser that is trusted from now on. */
  mark(user: Owner, state: FactorState, seconds: number): Promise<JsonObject>
  isTrusted(user: Owner, state: FactorState, request: SiteRequest): Promise<boolean>
  /** Returns how many browsers of a user are trusted. */
  count(user: Owner, state: FactorState): Promise<number>
  /** Asks in all browsers of a user again. */
  forget(userId: string): Promise<void>
}

type Owner = Pick<AdapterUser, 'id' | 'email'>

/** Creates what is known of trusted browsers: members of the records in which the plugin `limits` knows browsers. */
export function createBrowsers(host: Host): TrustedBrowsers {
  const { ports, attempts, keys, plugins } = host
  const kind = recordKind<JsonObject>(host, 'device', {
    shape: (data) => data,
    hasSecretKeys: true,
  })

  /**
   * Returns what the trust is bound to: it is over as soon as a new password or address is stored, also if what should happen
   * after that fails.
   */
  async function boundTo({ id, email }: Owner): Promise<readonly [string, string, string]> {
    return [id, email ?? '', (await plugins.passwords()?.version(id)) ?? '']
  }

  async function validity(user: Owner, { rev }: FactorState) {
    const bound = await keys.hashes('trusted-browser', ...(await boundTo(user)))
    return ({ trustedUntil, trustedRev, trustedFor }: JsonObject): boolean =>
      typeof trustedUntil === 'number' &&
      trustedUntil > ports.now() &&
      trustedRev === rev &&
      typeof trustedFor === 'string' &&
      bound.includes(trustedFor)
  }

  return {
    async mark(user, { rev }, seconds) {
      const trustedFor = await keys.hash('trusted-browser', ...(await boundTo(user)))
      return { trustedUntil: ports.now() + seconds * 1000, trustedRev: rev, trustedFor }
    },
    async isTrusted(user, state, request) {
      const key = await attempts.browserOf(user.id, request)
      const record = key === undefined ? null : await kind.get(key)
      if (record?.userId !== user.id || record.data['trustedUntil'] === undefined) return false
      return (await validity(user, state))(record.data)
    },
    async count(user, state) {
      const isValid = await validity(user, state)
      // Tabs that signed in at once left several records of one browser.
      const pools = new Set<unknown>()
      for await (const { key, data } of kind.each(user.id))
        if (isValid(data)) pools.add(data['pool'] ?? key)
      return pools.size
    },
    async forget(userId) {
      for await (const record of kind.each(userId)) {
        if (record.data['trustedUntil'] === undefined) continue
        await kind.update(record, (data) => ({ data: withoutMark(data) }))
      }
    },
  }
}

function withoutMark(data: JsonObject): JsonObject {
  const { trustedUntil: _, trustedRev: __, trustedFor: ___, ...rest } = data
  return rest
}
