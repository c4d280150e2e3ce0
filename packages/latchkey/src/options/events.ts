import type { Account } from '../model/account.ts'
import type { JWT } from '../model/jwt.ts'
import type { Profile } from '../model/profile.ts'
import type { AdapterSession, Session } from '../model/session.ts'
import type { AdapterUser, User } from '../model/user.ts'
import type { Awaitable } from './awaitable.ts'

/** What each event says. */
export interface EventMessages {
  createUser: { user: User }
  updateUser: { user: User }
  linkAccount: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }
  signIn: { user: User; account: Account | null; profile?: Profile; isNewUser?: boolean }
  signOut: { session: AdapterSession | null | undefined | void } | { token: JWT | null }
  session: { session: Session; token?: JWT }
  /**
   * With the plugin `sessions`.
   *
   * @property amr how they proved who they are (RFC 8176)
   * @property device families of browser and system, and the kind of device; not with `device: false`
   * @property isNewDevice no other session of theirs that goes on began with the same families
   */
  sessionStarted: {
    sid: string
    userId: string
    via: 'cookie' | 'native' | 'device'
    amr: readonly string[]
    provider: string
    device?: { readonly browser?: string; readonly system?: string; readonly kind: string }
    /** The network, with the option `address`. */
    address?: string
    isNewDevice: boolean
  }
  /** With the plugin `sessions`, once for each session that was ended or replaced, or is found expired. */
  sessionEnded: { sid: string; userId: string; reason: string; by?: string; at: Date }
  /**
   * With the option `bind` of the plugin `sessions`, once for each session and fact: a request of the session does not come
   * from where it began.
   *
   * @property changed which of the bound facts differ
   */
  sessionSuspected: {
    sid: string
    userId: string
    changed: readonly ('browser' | 'system' | 'network')[]
  }
  /**
   * With the plugin `sessions` and sealed sessions: the store was asked for one session. For counters; it names nobody.
   *
   * @property why `start`: nothing more was read yet; `named`: the snapshot may name the session; `full`: more was ended than
   *   fits; `verifier`: a verifier elsewhere asked; `confirm`: an action or the application wants to be sure
   * @property ended whether the session is over
   */
  truthRead: { why: 'start' | 'named' | 'full' | 'verifier' | 'confirm'; ended: boolean }
  /** With API keys of the plugin `tokens`: seven days before a key ends, once. `latchkey.maintain()` looks for them. */
  apiKeyExpiring: { id: string; name: string; userId: string; expires: Date }
  /** With the plugin `federatedLogout`, once for each logout token: how many sessions it ended, and of which users. */
  backchannelLogout: { provider: string; ended: number; userIds: readonly string[] }
  /**
   * With the plugin `federatedLogout`, once for each logout token that ended nothing because it was refused or something failed.
   *
   * @property why `check`: a check failed; `limit`: too many were forged; `failure`: the sessions could not be ended
   * @property check which one, as the answer says it
   */
  backchannelLogoutRefused: {
    provider: string
    why: 'check' | 'limit' | 'failure'
    check?: number
  }
  /** With the plugin `providerTokens`: tokens of a user were renewed. */
  providerTokensRenewed: { provider: string; userId: string; expiresAt?: Date }
  /**
   * With the plugin `providerTokens`: only another sign-in with the provider helps.
   *
   * @property error what the provider said
   * @property lost the answer to an earlier renewal may have been lost, and the new tokens with it
   */
  providerTokensFailed: { provider: string; userId: string; error: string; lost?: true }
  /** With the plugin `providerTokens`: the provider could not be asked to renew tokens. They are tried again. */
  providerTokensUnavailable: { provider: string; userId: string }
  /** With the plugin `providerTokens`: tokens of a user were forgotten, and are revoked where the provider can. */
  providerTokensRevoked: {
    provider: string
    userId: string
    by: 'unlink' | 'disconnect' | 'user-deleted' | 'sign-out' | 'back-channel' | 'application'
  }
}

/** Called after the fact, for audit logs. Awaited; an error is logged and changes nothing. */
export type EventHandlers = {
  [Name in keyof EventMessages]?: (message: EventMessages[Name]) => Awaitable<void>
}
