import type { Ports } from '../base/ports.ts'
import type { SiteRequest } from '../http/request.ts'
import type { EventMessages } from '../options/events.ts'
import type { Mail, ProviderTokenRules } from '../options/provider-options.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import type { FormerHost } from './former-host.ts'
import type { HostKeys, HostProviders, HostSessions, HostSite, HostWork } from './host-groups.ts'
import type { LimitSubjects, LimitVerdict, SessionControl } from './provides.ts'

/** The object that a plugin receives. */
export interface Host extends FormerHost {
  readonly ports: Ports
  readonly logger: Logger
  /** The records of the plugin in the store. */
  readonly records: Records
  /** Whether there is a record store, for plugins to which records are optional. */
  readonly hasRecords: boolean
  /** The store of users, accounts and sessions; `undefined` without an adapter. */
  readonly store: Store | undefined
  readonly site: HostSite
  readonly sessions: HostSessions & {
    /** @deprecated `sessions.control` */
    (): SessionControl | undefined
  }
  readonly providers: HostProviders & {
    /** @deprecated `providers.ids` */
    (rotation?: ProviderTokenRules['rotation']): readonly string[]
  }
  readonly keys: HostKeys
  readonly work: HostWork
  /**
   * Counts an attempt by the rules of this name. Without such a rule, or without the plugin `limits`, every attempt is
   * allowed.
   */
  limit(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /**
   * Sends a mail with the first mail provider of the configuration that has `sendMail`. It waits for at most 10 seconds.
   *
   * @param request determines the address of the site in the mail.
   * @throws {Problem} `mail_unavailable` if the mail could not be sent; the log has the reason.
   */
  mail(mail: Mail, request: SiteRequest): Promise<void>
  /** Calls the event handler of the application. Its errors are logged and have no other effect. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
  /** Returns an object that outlives the plan: one for all plans with the same store, or one for the process. */
  shared<Kept extends object>(make: () => Kept): Kept
}
