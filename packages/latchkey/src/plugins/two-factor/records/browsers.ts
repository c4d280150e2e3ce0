import {
  type AdapterUser,
  agentNameOf,
  type Host,
  isTime,
  type JsonObject,
  type KindRecord,
  recordKind,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import { findPublic, publicId } from '../../../entries/plugin-accounts.ts'
import type { TrustedBrowser } from '../two-factor-api.ts'
import type { FactorState } from './state.ts'

export interface TrustedBrowsers {
  /** Returns what is stored with a browser that is trusted from now on. */
  mark(user: Owner, state: FactorState, seconds: number, request: SiteRequest): Promise<JsonObject>
  isTrusted(user: Owner, state: FactorState, request: SiteRequest): Promise<boolean>
  /**
   * Returns the trusted browsers of a user, the one that was used last first.
   *
   * @param request of the browser that is this device.
   */
  list(user: Owner, state: FactorState, request?: SiteRequest): Promise<readonly Trusted[]>
  /** Asks in all browsers of a user again. */
  forget(userId: string): Promise<void>
  /**
   * Asks in one browser of a user again.
   *
   * @param raised the revisions of the factors before and after they were raised for it: so a sign-in that is under way in this
   *   browser is not trusted either. The other browsers get the new one.
   */
  forgetOne(
    userId: string,
    pool: string,
    raised: readonly [from: number, to: number],
  ): Promise<void>
}

/** A trusted browser, and the name under which the plugin `limits` counts its attempts. */
export interface Trusted {
  readonly pool: string
  readonly shown: TrustedBrowser
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
    async mark(user, { rev }, seconds, { original }) {
      const trustedFor = await keys.hash('trusted-browser', ...(await boundTo(user)))
      const { browser, system } = agentNameOf(original.headers)
      const trustedName = [browser, system].flatMap((part) => part ?? []).join(', ')
      return {
        trustedUntil: ports.now() + seconds * 1000,
        trustedRev: rev,
        trustedFor,
        ...(trustedName && { trustedName }),
      }
    },
    async isTrusted(user, state, request) {
      const key = await attempts.browserOf(user.id, request)
      const record = key === undefined ? null : await kind.get(key)
      if (record?.userId !== user.id || record.data['trustedUntil'] === undefined) return false
      return (await validity(user, state))(record.data)
    },
    async list(user, state, request) {
      const isValid = await validity(user, state)
      const here = request && (await attempts.poolOf(user.id, request))
      const found = new Map<string, JsonObject>()
      for await (const record of kind.each(user.id)) {
        const { data } = record
        const pool = poolOf(record)
        // Tabs that signed in at once left several records of one browser.
        if (isValid(data) && timeIn(data, 'lastAt') >= timeIn(found.get(pool) ?? {}, 'lastAt'))
          found.set(pool, data)
      }
      const newest = [...found].toSorted(
        ([, one], [, other]) => timeIn(other, 'lastAt') - timeIn(one, 'lastAt'),
      )
      return Promise.all(
        newest.map(async ([pool, data]) => {
          const { trustedName } = data
          const shown = {
            id: await publicId(PUBLIC, pool, host),
            name: typeof trustedName === 'string' ? trustedName : null,
            lastUsedAt: new Date(timeIn(data, 'lastAt')).toISOString(),
            until: new Date(timeIn(data, 'trustedUntil')).toISOString(),
            thisDevice: pool === here,
          }
          return { pool, shown }
        }),
      )
    },
    async forget(userId) {
      for await (const record of kind.each(userId)) {
        if (record.data['trustedUntil'] === undefined) continue
        await kind.update(record, (data) => ({ data: withoutMark(data) }))
      }
    },
    async forgetOne(userId, pool, [from, to]) {
      for await (const record of kind.each(userId)) {
        if (record.data['trustedUntil'] === undefined) continue
        const isAsked = poolOf(record) === pool
        await kind.update(record, (data) => {
          if (isAsked) return { data: withoutMark(data) }
          return data['trustedRev'] === from ? { data: { ...data, trustedRev: to } } : undefined
        })
      }
    },
  }
}

/** The kind of the public ids of browsers. */
const PUBLIC = 'trusted-browser'

/** Returns the browser of a user with a public id. */
export async function findBrowser(
  id: string,
  all: readonly Trusted[],
  host: Host,
): Promise<Trusted | undefined> {
  return findPublic(id, PUBLIC, all, ({ pool }) => pool, host)
}

/** Returns the name of a browser, which stays when a sign-in makes a new record of it. */
function poolOf({ key, data: { pool } }: KindRecord<JsonObject>): string {
  return typeof pool === 'string' ? pool : key
}

function timeIn(data: JsonObject, name: 'lastAt' | 'trustedUntil'): number {
  const time = data[name]
  return isTime(time) ? time : 0
}

function withoutMark(data: JsonObject): JsonObject {
  const { trustedUntil: _, trustedRev: __, trustedFor: ___, trustedName: ____, ...rest } = data
  return rest
}
