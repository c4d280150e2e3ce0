import type { Awaitable } from '../base/awaitable.ts'
import type { Cookie } from '../http/cookies/cookies.ts'
import type { SiteRequest } from '../http/request.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { TokenSet } from '../model/account.ts'
import type { AdapterUser } from '../model/user.ts'
import type { SentMail } from '../options/mail/mail-options.ts'
import type { Markup } from '../page-kit/components.ts'
import type { EndReason } from '../session/end-reason.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type {
  AttemptSubjects,
  AttemptVerdict,
  HostAttempts,
  LimitSubjects,
  LimitVerdict,
} from './attempts.ts'
import type { BoundToken } from './provider-client.ts'
import type { Answer, Call } from './route.ts'

/** What one plugin of a configuration may do for all others and for the core. */
export interface Provided {
  /** Counts attempts for all plugins and for built-in actions. */
  readonly limiter: Limiter
  /** Lists and ends sessions for all plugins. */
  readonly sessions: SessionControl
  /** Stores the tokens of providers for `latchkey.getProviderToken`. */
  readonly tokens: TokenKeeper
  /** The user names, for plugins with which people sign up or sign in. */
  readonly userNames: UserNames
  /** Mails links to choose a password. */
  readonly passwords: PasswordControl
  /** Users who may sign in before their address is proved. */
  readonly unproved: UnprovedUsers
  /** Second factors of users. */
  readonly factors: FactorControl
  /** API keys of users. */
  readonly apiKeys: ApiKeyControl
  /** Makes the links of mails that say that something changed. */
  readonly notMe: NotMe
  /** Offers a passkey to people who sign in with a password. */
  readonly passkeyOffer: PasskeyOffer
  /** Keeps mails while the site has no mail service. */
  readonly mailbox: Mailbox
}

/** Keeps mails instead of sending them, in development. */
export interface Mailbox {
  keep(mail: SentMail, request: SiteRequest): Awaitable<void>
  /** Returns whether a visitor may read the kept mails. */
  isOpenTo(request: SiteRequest): boolean
}

/** What plugins do for others. Each member returns `undefined` without the plugin. */
export interface HostPlugins {
  /** Returns what the plugin `passwords` does. */
  passwords(): PasswordControl | undefined
  /** Returns what the plugin `passwords` knows of users who may sign in before their address is proved. */
  unproved(): UnprovedUsers | undefined
  /** Returns what the plugin `twoFactor` does. */
  factors(): FactorControl | undefined
  /** Returns what the plugin `tokens` does with API keys. */
  apiKeys(): ApiKeyControl | undefined
  /** Returns the links of the plugin `account` with which people say that a change was not theirs. */
  notMe(): NotMe | undefined
  /** Returns what the plugin `account` offers to people who sign in with a password. */
  passkeyOffer(): PasskeyOffer | undefined
}

/** Offers a passkey to people who have a password and no passkey, on a site with a passkey provider. */
export interface PasskeyOffer {
  /**
   * Returns the cookie that notes that a browser offers a passkey to a user now. There is no offer, and the result is
   * `undefined`, for a user who has a passkey, and in a browser that had an offer in the last 30 days, or refused one in
   * the last 180 days.
   */
  offer(userId: string, request: SiteRequest): Promise<readonly Cookie[] | undefined>
  /** Returns what the overview of the account shows, if there is something to offer, and the script of it. */
  box(call: Call): Promise<{ readonly content: Markup; readonly script?: string } | undefined>
}

/** What the plugin `passwords` does for others. */
export interface PasswordControl {
  /** Mails a link to choose a password to the address of a user, as the page for a forgotten password does. */
  mailReset(userId: string, request: SiteRequest): Promise<void>
  /** Returns when the password was set, in milliseconds since the epoch; `undefined` without a password. */
  setAt(userId: string): Promise<number | undefined>
  /** Returns when a mailed link set the password, in milliseconds since the epoch; `undefined` if another way did. */
  resetAt(userId: string): Promise<number | undefined>
  /** Returns a value that changes with each new password; `undefined` without a password. */
  version(userId: string): Promise<string | undefined>
  /** Removes the password. */
  remove(userId: string): Promise<void>
  /** Returns what this process lacks to hash passwords well, each with the command that installs it. */
  lacks(): Promise<readonly string[]>
}

/** Users who may sign in before their address is proved. Somebody else may have made such an account. */
export interface UnprovedUsers {
  /** Returns whether a user was let in so, and nobody has proved the address yet. */
  has(userId: string): Promise<boolean>
  /**
   * Call it before the address of a user is stored as proved: from then on the user is not deleted for want of a proof.
   *
   * @throws {Problem} `conflict` if the deletion has begun.
   */
  proving(userId: string): Promise<void>
  /** Forgets that a user was let in so, after what others may have put into the account was removed. */
  forget(userId: string): Promise<void>
  /** The page on which users prove their address; `undefined` if they may do everything before. */
  readonly page: SafeUrl | undefined
}

/** What the plugin `twoFactor` does for others. */
export interface FactorControl {
  /**
   * Removes the second factors of a user that were added within a time.
   *
   * @returns whether there were some.
   */
  removeAdded(userId: string, time: AddedWithin): Promise<boolean>
  /**
   * Removes a passkey, unless it is the last second factor of a user who must have one. Parallel calls leave the last one, too.
   *
   * @param name of the passkey, the same in each call for it.
   * @throws {Problem} `last_factor`, which the caller names in its own `problems`.
   */
  removePasskey<Result>(
    userId: string,
    name: string,
    remove: () => Promise<Result>,
  ): Promise<Result>
  /** Whether everybody must have a second factor, so that no password signs in alone. */
  readonly isForAll?: boolean
  /** Returns whether a browser stands for the second factor of a user at a sign-in. */
  isTrusted(user: Pick<AdapterUser, 'id' | 'email'>, request: SiteRequest): Promise<boolean>
  /** Whether people may set up authenticator apps. */
  readonly takesApps: boolean
  /** Returns the second factors of a user that are no passkeys, with their recovery codes. */
  held(userId: string): Promise<HeldFactors>
  /**
   * Returns until when a user who must have a second factor and has none can sign in without one, and the sentence that says it in
   * the language of the request; `undefined` for all others.
   */
  grace?(
    userId: string,
    request: SiteRequest,
  ): Promise<{ readonly until: Date; readonly text: string } | undefined>
  /** Whether people may make passkeys and security keys a second factor. */
  readonly takesKeys: boolean
  /** Returns whether the passkeys and security keys of a user are second factors. */
  usesKeys(userId: string): Promise<boolean>
  /**
   * Makes the keys of the caller second factors, one of which was added just now.
   *
   * @returns `answer`, which with the first second factor shows recovery codes before it goes on.
   */
  useKeys(call: Call<unknown>, answer: Answer): Promise<Answer>
}

/** Second factors of a user, without their secrets. Times are in milliseconds since the epoch. */
export interface HeldFactors {
  /** How many confirmed authenticator apps. */
  readonly apps: number
  /** When codes by mail became a second factor; `undefined` if they are none. */
  readonly mailSince: number | undefined
  /** The present set of recovery codes, if codes of it are left. */
  readonly recovery: { readonly madeAt: number; readonly left: number } | undefined
}

/** What the plugin `tokens` does with API keys for others. */
export interface ApiKeyControl {
  /** Ends an API key of a user, if it is theirs. */
  end(userId: string, id: string): Promise<void>
  /** Ends the API keys of a user that were made within a time. @returns how many. */
  endAdded(userId: string, time: AddedWithin): Promise<number>
}

/** A time, in milliseconds since the epoch. */
export interface AddedWithin {
  /** The time itself is not within it. */
  readonly after: number
  readonly until: number
}

/** A change that is undone if it was not the user who made it. */
export type UnwantedChange = {
  /** The account that was linked, or that of a passkey that was added. */
  readonly account?: { readonly provider: string; readonly providerAccountId: string }
  /** The id of the API key that was made. */
  readonly apiKey?: string
}

/** Links with which people say that a change of their account was not theirs. */
export interface NotMe {
  /**
   * Returns the button of a mail with such a link, which works for 7 days. Its page has a button that ends all sessions and
   * mails a link to choose a password.
   *
   * @param what happened, as the page says it: a sentence in the language of the mail.
   * @param change what the button undoes besides.
   */
  button(
    userId: string,
    what: string,
    request: SiteRequest,
    change?: UnwantedChange,
  ): Promise<{ readonly button: string; readonly url: string }>
}

/** The user names of a site. Spellings that differ in case or width are the same name. */
export interface UserNames {
  /**
   * Returns why nobody may have this name, or `undefined`: `too_short`, `too_long`, `not_allowed` (a character or its place),
   * `mixed_scripts` or `reserved`. It does not say whether the name is taken.
   */
  faultOf(
    name: string,
  ): { readonly code: string; readonly params?: Readonly<Record<string, number>> } | undefined
  /** Returns the sentence for people about why nobody may have this name, in the language of a request. */
  faultText(name: string, request: SiteRequest): Promise<string | undefined>
  /** Returns the id of the user who signs in with this name; always `undefined` if user names are not for sign-ins. */
  find(name: string): Promise<string | undefined>
  /**
   * Reserves a name for a sign-up that is not complete. A further call with the same holder extends the reservation.
   *
   * @param holder a value that only this sign-up has; it is stored.
   * @returns whether the name is reserved; `false` if somebody else has or reserved it.
   */
  reserve(name: string, holder: string, expires: Date): Promise<boolean>
  /**
   * Gives a name to a user. The name that the user had is then given up.
   *
   * @param holder the holder of the reservation, if there is one.
   * @returns whether the user has the name now; `false` if somebody else has or reserved it.
   */
  give(name: string, userId: string, holder?: string): Promise<boolean>
  /** Returns the name of a user as it was typed. */
  nameOf(userId: string): Promise<string | undefined>
}

/** The sessions of users, by their public ids. */
export interface SessionControl {
  /** Returns the sessions that have not ended. */
  list(userId: string): Promise<readonly { readonly sid: string }[]>
  /** @returns whether this call ended the session; `false` if it has ended, is unknown or belongs to another user. */
  end(userId: string, sid: string, how: SessionEnding): Promise<boolean>
  /** @param how `except`: the id of a session to keep. @returns the number of sessions that this call ended. */
  endAll(userId: string, how: SessionEnding & { readonly except?: string }): Promise<number>
}

/** The reason for the end of a session, and who ended it. */
export interface SessionEnding {
  readonly reason: EndReason
  /** The id of the user who ends the session, if it belongs to another user. */
  readonly by?: string | undefined
}

/** Stores the tokens of providers. */
export interface TokenKeeper {
  /**
   * @returns a valid token; `null` if only a new sign-in can provide one.
   * @throws if the token has expired and the provider is unreachable.
   */
  get(
    request: Request | SiteRequest | SessionRequest,
    provider: string,
  ): Promise<ProviderToken | null>
}

/** A token for the API of a provider. */
export interface ProviderToken extends Pick<TokenSet, 'scope'> {
  access_token: string
  /** The token type in lower case; `DPoP` for a token that is bound to a key and needs a proof. */
  token_type?: string
  /** For a token that is bound to a key: returns the `DPoP` header of one request (RFC 9449). */
  proof?: BoundToken['proof']
  /** Seconds since the epoch; `undefined` if the provider did not send it. */
  expires_at?: number
}

/** Counts attempts. */
export interface Limiter extends Partial<Omit<HostAttempts, 'count' | 'areLimited'>> {
  /** Counts one attempt at a named action. Call it before the action runs. */
  count(name: string, subjects: LimitSubjects): Promise<LimitVerdict>
  /** The same for an attempt that may be answered with a challenge: see `host.attempts.count`. */
  attempt?(name: string, subjects: AttemptSubjects): Promise<AttemptVerdict>
  /** Returns the client address of a request; `undefined` if it is unknown. */
  clientAddress?(request: Request): Promise<string | undefined>
}
