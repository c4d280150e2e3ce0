import {
  type AdapterUser,
  type Host,
  type RecordKind,
  recordKind,
  type SiteRequest,
} from '../../../entries/plugin.ts'
import type { Settings } from '../settings.ts'

/** Since when a user must have a second factor. The key is the id of the user. */
interface Enforced {
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Until when the user can sign in without one. */
  readonly until: number
  /** Whether the application requires it of this user, whatever the option `require` is. */
  readonly isOwn?: true
}

export interface Enforcement {
  /** Returns until when a user can do without a second factor that the user must have; `undefined` for others. */
  untilOf(user: AdapterUser, request: SiteRequest | undefined): Promise<number | undefined>
  /** Requires a second factor of a user. @param until milliseconds since the epoch */
  require(userId: string, until: number): Promise<void>
}

/** Creates the records of those who must have a second factor. */
export function createEnforcement(host: Host, settings: Settings): Enforcement {
  const kind: RecordKind<Enforced> = recordKind<Enforced>(host, 'enforcement', {
    shape: ({ since, until, isOwn }) =>
      typeof since === 'number' && typeof until === 'number'
        ? { since, until, ...(isOwn === true && { isOwn }) }
        : undefined,
    onDamaged(_, report) {
      report('the user must have a second factor at once')
      return { since: 0, until: 0, isOwn: true }
    },
  })
  async function isRequired(user: AdapterUser, request?: SiteRequest): Promise<boolean> {
    const { require } = settings
    if (typeof require !== 'function') return require === 'all'
    return require(user, { request: request?.original })
  }

  return {
    async untilOf(user, request) {
      const found = (await kind.get(user.id))?.data
      if (found?.isOwn) return found.until
      if (!(await isRequired(user, request))) return undefined
      if (found) return found.until
      const now = host.ports.now()
      const began = { since: now, until: now + settings.grace * 1000 }
      let { until } = began
      await kind.upsert(user.id, (before) => {
        until = before?.until ?? began.until
        return before ? undefined : { data: began, userId: user.id }
      })
      return until
    },
    async require(userId, until) {
      const data: Enforced = { since: host.ports.now(), until, isOwn: true }
      await kind.upsert(userId, () => ({ data, userId }))
    },
  }
}
