import type { Ports } from '../base/ports.ts'
import type { SiteRequest } from '../http/request.ts'
import type { EventMessages } from '../options/events.ts'
import type { Mail } from '../options/mail/mail-options.ts'
import type { ProviderTokenRules } from '../options/provider-options.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import type { HostAttempts, LimitRules, LimitSubjects, LimitVerdict } from './attempts.ts'
import type { FormerHost } from './former-host.ts'
import type {
  HostKeys,
  HostProviders,
  HostSessions,
  HostSite,
  HostUsers,
  HostWork,
} from './host-groups.ts'
import type { HostPlugins, SessionControl, UserNames } from './provides.ts'

/** The object that a plugin receives. */
export interface Host extends FormerHost {
  readonly ports: Ports
  readonly logger: Logger
  /** The records of the plugin in the store. */
  readonly records: Records
  /** Whether there is a record store, for plugins to which records are optional. */
  readonly hasRecords: boolean
  /** Whether a provider can send mails of plugins, for plugins to which mails are optional. */
  readonly hasMail: boolean
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
  readonly users: HostUsers
  /** Limits of attempts, known browsers and wrong proofs: what the plugin `limits` does for all others. */
  readonly attempts: HostAttempts
  /** The rules that the plugins of the configuration have for their actions, as in `limits` of a plugin. */
  readonly limitRules: LimitRules
  /**
   * Counts an attempt by the rules of this name, and leaves the refusal to the plugin. Without such a rule, or without
   * the plugin `limits`, every attempt is allowed.
   */
  limit(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /**
   * Sends a mail with the first mail provider of the configuration that has `sendMail`. It waits for at most 10 seconds.
   * In development without such a provider, `developmentMailbox` of `latchkey/plugin/mailbox` keeps the mail.
   *
   * @param request determines the address of the site in the mail.
   * @throws {Problem} `mail_unavailable` if the mail could not be sent; the log has the reason.
   */
  mail(mail: Mail, request: SiteRequest): Promise<void>
  /** What plugins do for others. */
  readonly plugins: HostPlugins
  /** Returns the user names; `undefined` without the plugin `usernames`. */
  userNames(): UserNames | undefined
  /** Calls the event handler of the application. Its errors are logged and have no other effect. */
  tell<Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]): Promise<void>
  /** Returns an object that outlives the plan: one for all plans with the same store, or one for the process. */
  shared<Kept extends object>(make: () => Kept): Kept
}
