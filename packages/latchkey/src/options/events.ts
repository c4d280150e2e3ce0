import type { Awaitable } from '../base/awaitable.ts'
import type { Account } from '../model/account.ts'
import type { JWT } from '../model/jwt.ts'
import type { Profile } from '../model/profile.ts'
import type { AdapterSession, Session } from '../model/session.ts'
import type { AdapterUser, IdentifiedUser } from '../model/user.ts'

/** What happened to the security of an account. */
export type SecurityEventType =
  | 'signup.begun'
  | 'signup.finished'
  | 'signup.refused'
  | 'address.proved'
  | 'account.reset'
  | 'password.set'
  | 'password.changed'
  | 'password.removed'
  | 'password.reset-asked'
  | 'password.reset'
  | 'password.rehashed'
  | 'password.refused'
  | 'password.unreadable'
  | 'password.disabled'
  | 'code.sent'
  | 'code.wrong'
  | 'username.set'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.renamed'
  | 'factor.disabled'
  | 'factor.reset'
  | 'factor.wrong'
  | 'recovery.made'
  | 'recovery.used'
  | 'signin.step-up'
  | 'address.change-begun'
  | 'user.address-changed'
  | 'address.change-undone'
  | 'account.linked'
  | 'account.unlinked'
  | 'account.exported'
  | 'account.deletion-planned'
  | 'account.deletion-stopped'
  | 'account.secured'
  | 'user.updated'
  | 'user.deleted'
  | 'device.new'
  | 'device.trusted'
  | 'device.forgotten'
  | 'challenge.failed'
  | 'limit.reached'

/** The message of each event. */
export interface EventMessages {
  /** @property fields what was typed into the further `fields` of a sign-up with `passwords` */
  createUser: { user: IdentifiedUser; fields?: Readonly<Record<string, string>> }
  updateUser: { user: IdentifiedUser }
  /**
   * With the plugin `account`: a user is about to be deleted with everything that Latchkey stores. An error of the handler
   * postpones the deletion by an hour, ten times.
   *
   * @property reason `user`: the user asked for it
   */
  deleteUser: { userId: string; reason: string }
  linkAccount: {
    user: IdentifiedUser | AdapterUser
    account: Account
    profile: IdentifiedUser | AdapterUser
  }
  signIn: { user: IdentifiedUser; account: Account | null; profile?: Profile; isNewUser?: boolean }
  signOut: { session: AdapterSession | null | undefined | void } | { token: JWT | null }
  session: { session: Session; token?: JWT }
  /**
   * With the plugin `sessions`.
   *
   * @property amr the authentication methods (RFC 8176)
   * @property device families of browser and system, and the kind of device; not with `device: false`
   * @property isNewDevice whether no other active session of the user began with the same families
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
  /** With the plugin `sessions`, once for each session that was ended or replaced, or was found to be expired. */
  sessionEnded: { sid: string; userId: string; reason: string; by?: string; at: Date }
  /**
   * With the option `bind` of the plugin `sessions`, once for each session and property: a request of the session comes from
   * another browser, system or network than its sign-in.
   *
   * @property changed the properties that differ
   */
  sessionSuspected: {
    sid: string
    userId: string
    changed: readonly ('browser' | 'system' | 'network')[]
  }
  /**
   * With the plugin `sessions` and sealed sessions: a session was looked up in the store. For counters; it has no user.
   *
   * @property why `start`: the snapshot was not read yet; `named`: the snapshot may contain the session; `full`: more sessions
   *   were ended than fit into the snapshot; `verifier`: a verifier requested it; `confirm`: an action or the application
   *   requires certainty
   * @property ended whether the session has ended
   */
  truthRead: { why: 'start' | 'named' | 'full' | 'verifier' | 'confirm'; ended: boolean }
  /** With API keys of the plugin `tokens`: seven days before a key expires, once. `latchkey.maintain()` emits it. */
  apiKeyExpiring: { id: string; name: string; userId: string; expires: Date }
  /**
   * With plugins of accounts, for example `passwords`: something happened that matters to the security of an account. One event
   * for each act or refusal. It never has a password, a code, a token or an address.
   *
   * @property type what happened, for example `password.changed`
   * @property reason why it was refused: the code of the problem
   * @property sid the session in which it happened, or the key of the sign-in that waits
   * @property address a keyed hash of the address or name that was typed, if there is no user
   */
  security: {
    type: SecurityEventType
    outcome: 'success' | 'failure' | 'refused'
    reason?: string
    userId?: string
    address?: string
    sid?: string
    at: Date
  }
  /** With the plugin `federatedLogout`, once for each logout token: the number of sessions that it ended, and their users. */
  backchannelLogout: { provider: string; ended: number; userIds: readonly string[] }
  /**
   * With the plugin `federatedLogout`, once for each logout token that was refused, or whose sessions could not be ended.
   *
   * @property why `check`: a check failed; `limit`: too many were forged; `failure`: the sessions could not be ended
   * @property check the number of the check, as in the response
   */
  backchannelLogoutRefused: {
    provider: string
    why: 'check' | 'limit' | 'failure'
    check?: number
  }
  /** With the plugin `providerTokens`: tokens of a user were renewed. */
  providerTokensRenewed: { provider: string; userId: string; expiresAt?: Date }
  /**
   * With the plugin `providerTokens`: tokens cannot be renewed, and the user must sign in with the provider again.
   *
   * @property error the error code of the provider
   * @property lost set if the response to an earlier renewal, with the new tokens, may have been lost
   */
  providerTokensFailed: { provider: string; userId: string; error: string; lost?: true }
  /** With the plugin `providerTokens`: the provider could not be reached to renew tokens. The renewal is tried again. */
  providerTokensUnavailable: { provider: string; userId: string }
  /** With the plugin `providerTokens`: tokens of a user were deleted, and revoked if the provider supports it. */
  providerTokensRevoked: {
    provider: string
    userId: string
    by: 'unlink' | 'disconnect' | 'user-deleted' | 'sign-out' | 'back-channel' | 'application'
  }
}

/** Handlers that are called after an event, for example for audit logs. They are awaited; their errors are only logged. */
export type EventHandlers = {
  [Name in keyof EventMessages]?: (message: EventMessages[Name]) => Awaitable<void>
}
