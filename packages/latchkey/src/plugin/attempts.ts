import type { Awaitable } from '../base/awaitable.ts'
import type { Html } from '../http/html.ts'
import type { SiteRequest } from '../http/request.ts'
import type { JsonObject } from '../model/json.ts'

/**
 * The subject of a count: the network of a client, a typed identifier, both together, a browser that is known to the
 * user, a user, a session, or the site.
 */
export type LimitBy = 'network' | 'identifier' | 'pair' | 'device' | 'user' | 'session' | 'site'

/** A number of attempts within a time. */
export interface LimitRule {
  /** What is counted: `network`, `identifier`, `pair` (both), `device`, `user`, `session` or `site`. */
  readonly by: LimitBy
  /** Number of attempts. */
  readonly limit: number
  /** Seconds in which they are counted. */
  readonly window: number
  /** `process` counts in this process alone, whatever the option `store` is. */
  readonly store?: 'process'
  /**
   * The rule does not apply to a browser in which the user signed in before. No network has a share of this limit for
   * itself, so it also holds against attackers with many networks.
   */
  readonly unknownDevices?: true
  /** What happens when the limit is reached. With `challenge`, attempts need the answer to one, if there is a challenge. @default 'refuse' */
  readonly over?: 'challenge'
}

/** The rules of actions, by name; `false` removes those of an action. */
export type LimitRules = Readonly<Record<string, readonly LimitRule[] | false>>

/** An attempt, as plugins count it. */
export interface AttemptSubjects extends Omit<LimitSubjects, 'userId'> {
  /**
   * The id of the user whom the attempt concerns, or a function that looks it up. It is called after the rules by network
   * and site, so that a flood of one network causes no look-ups.
   */
  readonly userId?: string | undefined | (() => Awaitable<string | undefined>)
  /**
   * With this member, the attempt may need the answer to a challenge: `true` reads it from the form, and a text is the
   * answer. The form should then have what {@link HostAttempts.challenge} returns.
   */
  readonly challenge?: true | string | undefined
}

/** What a form needs so that its visitor can answer a challenge. */
export interface ChallengePart {
  /** Goes into the form. */
  readonly field: Html
  /** A script. It must be constant text, never input of a visitor. The policy of the page allows it by its hash. */
  readonly script?: string | undefined
  /** Sources of another site that the policy of the page must allow. */
  readonly sources?:
    | {
        readonly scripts?: readonly string[]
        readonly frames?: readonly string[]
        readonly styles?: readonly string[]
        readonly connects?: readonly string[]
      }
    | undefined
}

/** Limits of attempts. Without the plugin `limits`, every attempt is allowed, and no browser is known. */
export interface HostAttempts {
  /** Whether a plugin limits attempts. */
  readonly areLimited: boolean
  /**
   * Counts an attempt, before the work that it limits.
   *
   * @throws {Problem} `too_many_attempts`, or `challenge_required` with the member `challenge`.
   */
  count(name: string, subjects: AttemptSubjects): Promise<void>
  /**
   * Returns what a form needs for the challenge of an action; `undefined` if the visitor will not need one, as far as this
   * process knows. Put `field` into the form, and the whole into `challenge` of the page.
   *
   * @param isRequired `true` after an attempt was refused with `challenge_required`.
   */
  challenge(
    name: string,
    request: SiteRequest,
    isRequired?: boolean,
  ): Promise<ChallengePart | undefined>
  /**
   * Notes that an attempt failed, for example because there is no such account. `wrong` of {@link Strikes} does it, too.
   * Many failures of the whole site at once are an attack, in which attempts need the answer to a challenge.
   */
  failed(): Promise<void>
  /** Returns whether an address belongs to a service for throw-away mailboxes, by the hook of the application. */
  isDisposable(address: string): Promise<boolean>
  /** Returns whether somebody signed in as this user with the requesting browser before. */
  isKnownBrowser(userId: string, request: SiteRequest): Promise<boolean>
  /**
   * Returns the key of the record `device` of the requesting browser, if somebody signed in as this user with it before.
   * The record has what the sign-in stored with the browser.
   */
  browserOf(userId: string, request: SiteRequest): Promise<string | undefined>
  /**
   * Returns the name under which attempts of the requesting browser are counted, if somebody signed in as this user with it
   * before. Further sign-ins do not change it.
   */
  poolOf(userId: string, request: SiteRequest): Promise<string | undefined>
  /**
   * Deletes what says that browsers are known to be of this user, for example after the password was reset.
   *
   * @param except the request of a browser that stays known, for example because its user has set up a second factor there.
   */
  forgetBrowsers(userId: string, except?: SiteRequest): Promise<void>
  /**
   * Counts a mail to an address that somebody typed. Nobody can cause more than 15 mails a day to one address, over all
   * kinds. Notices to the owner of an account, and links to sign in, which have limits of their own, are not counted.
   *
   * @returns whether the mail may be sent.
   */
  mayMail(address: string, request: SiteRequest): Promise<boolean>
  /**
   * Counts a guess of a code that was mailed to an address. Guesses from all unknown browsers share one count, together with
   * those of codes beside sign-in links. Each browser that is known to the user with this address, if it is proved, has a
   * count of its own. Also without the plugin `limits`, which alone knows browsers.
   *
   * @param rule of unknown browsers, and of each known one; ten times as many for all known ones together.
   *   @default 10 guesses within 24 hours
   * @returns whether the code may be compared.
   */
  guessCode(
    guess: CodeGuess,
    rule?: { readonly limit: number; readonly window: number },
  ): Promise<boolean>
  /**
   * Returns the counter of consecutive wrong proofs with one authenticator, for example `password`.
   *
   * @param most wrong proofs after which it is disabled. @default 80
   */
  strikes(authenticator: string, most?: number): Strikes
}

/** A guess of a code that was mailed. */
export interface CodeGuess {
  /** The address to which the code was mailed. */
  readonly address: string
  readonly request: SiteRequest
  /**
   * The user whose session or first factor was proved before, and what the code is for, for example `reauthenticate`. Such
   * guesses are counted apart from those of all who know the address.
   */
  readonly proved?: { readonly userId: string; readonly purpose: string } | undefined
}

/**
 * Consecutive wrong proofs of one user with one authenticator. They are counted apart for each browser that is known to
 * the user, and for all other browsers together: who attacks an account from elsewhere does not lock its owner out.
 */
export interface Strikes {
  /** Returns whether the authenticator is disabled for the requesting browser. */
  isDisabled(userId: string, request: SiteRequest): Promise<boolean>
  /**
   * Counts a wrong proof.
   *
   * @returns `mustTell`: whether the owner of the account has to be told by mail that it is disabled, which is so once;
   *   `count`: how many there are, 0 if they are not counted.
   */
  wrong(
    userId: string,
    request: SiteRequest,
  ): Promise<{ readonly mustTell: boolean; readonly count: number }>
  /** Forgets the wrong proofs of this browser, after a right one. */
  right(userId: string, request: SiteRequest): Promise<void>
  /** Forgets all wrong proofs, for example after the password was reset. */
  clear(userId: string): Promise<void>
}

/** The subjects of an attempt: who attempts it, and which user or address it concerns. */
export interface LimitSubjects {
  readonly request: SiteRequest
  /** The input: an address or a user name. */
  readonly identifier?: string | undefined
  readonly userId?: string | undefined
  readonly sid?: string | undefined
  /** Whether a page of this site sent the request, as its CSRF token shows. Else the headers of the browser decide. */
  readonly isProven?: boolean | undefined
}

/** Whether the attempt is allowed. */
export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
      /** Further response headers for programs, by lower-case names. */
      readonly headers: Readonly<Record<string, string>>
      /** Further members of the problem. */
      readonly members: JsonObject
    }

/** The same for an attempt that may need the answer to a challenge. */
export type AttemptVerdict =
  | LimitVerdict
  | {
      readonly allowed: false
      /** What the client has to solve. */
      readonly challenge: JsonObject
    }
