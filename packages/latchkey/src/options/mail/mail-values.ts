/** The values of every mail. */
export interface SiteMailValues {
  /** The name of the site: that of the theme, or the host. */
  readonly site: string
  /** The origin of the site, for example `https://app.example`. */
  readonly origin: string
  /** A sentence in the language of the mail: when and with which browser it was asked for. */
  readonly requested: string
}

/** A link of the site, which is a secret of the receiver if it has a token. */
interface WithLink {
  readonly url: string
}

/** A notice with a link to the page that helps those who did not do it. */
type Notice = SiteMailValues & WithLink

/** A notice with the link of those who did not do it, which ends all sessions; without built-in pages of `account`, there is none. */
type UnwantedNotice = SiteMailValues & { readonly notMe?: string }

/**
 * The values of each kind of mail, which its template receives. Links lead to the origin of the site. Names that users chose are
 * short, on one line, and without links. Escape all values in HTML.
 *
 * Plugins of your own add their kinds with `declare module 'latchkey'`.
 */
export interface MailValues {
  /**
   * The code and the link that prove an address after a sign-up.
   *
   * @property isSignedIn whether the user may sign in before (`verify: 'after'`)
   * @property deletedAfter days until the account is deleted if its address stays unproved
   */
  'verify-address': SiteMailValues &
    WithLink & {
      readonly code: string
      readonly isSignedIn: boolean
      readonly deletedAfter?: number
    }
  /**
   * Somebody asked for an account, or for another address of theirs, with an address that has an account.
   *
   * @property signIn the address of the sign-in page, after a sign-up
   * @property reset the address of the page that mails a link to choose a password, after a sign-up
   */
  'already-registered': SiteMailValues & { readonly signIn?: string; readonly reset?: string }
  /** Somebody asked for a link to choose a password, and the address has no account. */
  'no-account': SiteMailValues
  /**
   * The link to choose a password.
   *
   * @property hasPassword whether it replaces one
   * @property passkeys number of passkeys of a user without a password
   * @property providers names of the providers of a user without a password
   * @property expiresIn seconds for which the link works
   * @property isFirst whether the account has no way in yet, since your code or the service created it
   */
  'password-reset': SiteMailValues &
    WithLink & {
      readonly hasPassword: boolean
      readonly passkeys: number
      readonly providers: readonly string[]
      readonly expiresIn: number
      readonly isFirst: boolean
    }
  'password-changed': Notice
  /** After too many wrong passwords, the password works only in known browsers. */
  'password-disabled': Notice
  /** The password is on a list of breaches. */
  'breached-password': Notice
  /**
   * A proof of the address removed what others had left in the account.
   *
   * @property accounts names of providers
   */
  'account-reset': SiteMailValues & {
    readonly hadPassword: boolean
    readonly hadFactors: boolean
    readonly passkeys: number
    readonly apiKeys: number
    readonly accounts: readonly string[]
  }
  /** A code without a link. @property minutes until it expires */
  'email-code': SiteMailValues & {
    readonly code: string
    readonly minutes: number
    readonly purpose: 'sign-in' | 'reauthenticate' | 'second-factor'
  }
  /** The code and the link that prove a new address. */
  'address-confirm': SiteMailValues & WithLink & { readonly code: string }
  /** To the present address: it is about to be replaced. */
  'address-changing': UnwantedNotice & { readonly newAddress: string }
  /**
   * The address was replaced.
   *
   * @property receiver the address that receives the mail
   * @property undo the link that brings the former address back, and `undoDays` how long it works; only to the former address
   */
  'address-changed': SiteMailValues & {
    readonly receiver: 'former' | 'new'
    readonly newAddress: string
    readonly undo?: string
    readonly undoDays?: number
  }
  /** @property passkey its name */
  'passkey-added': UnwantedNotice & { readonly passkey: string }
  /** @property passkey its name */
  'passkey-removed': UnwantedNotice & { readonly passkey: string }
  /** @property provider its name */
  'connection-added': UnwantedNotice & { readonly provider: string }
  /** @property provider its name */
  'connection-removed': UnwantedNotice & { readonly provider: string }
  /** The link that confirms a deletion. */
  'deletion-confirm': UnwantedNotice & WithLink
  /** @property date when the account is deleted; until then, `url` keeps it */
  'deletion-planned': SiteMailValues & WithLink & { readonly date: Date }
  deleted: SiteMailValues
  'factor-added': Notice
  'factor-removed': Notice
  /** After too many wrong codes, the factor does not work any more. */
  'factor-disabled': Notice
  'recovery-made': Notice
  /** @property left number of recovery codes that still work */
  'recovery-used': Notice & { readonly left: number }
  /** Somebody who proved the first factor typed wrong codes. */
  'wrong-codes': Notice
  /** @property key the name of the API key */
  'api-key-created': Notice & { readonly key: string }
  /** A sign-in with a browser that is new to its user. */
  'new-device': SiteMailValues & {
    readonly at: Date
    readonly browser?: string
    readonly system?: string
    readonly url?: string
  }
}
