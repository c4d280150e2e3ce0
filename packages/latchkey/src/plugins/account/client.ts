/**
 * The functions of the plugin `account` for a page of the application.
 *
 * @module
 */

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface AccountPage {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store: { changed(): Promise<void> }
}

/** The user, how the account is protected, and what can be added. */
export type AccountInfo = {
  readonly user: AccountUser
  readonly has: {
    readonly password: boolean
    /** How many. */
    readonly passkeys: number
    /** How many authenticator apps. */
    readonly totp: number
    /** How many recovery codes are left. */
    readonly recoveryCodes: number
    /** How many accounts of providers. */
    readonly connections: number
  }
  /** The authentication context of the session, for example `urn:latchkey:acr:1`. */
  readonly acr: string
  /** When the user proved their identity last, in seconds since the epoch. */
  readonly authTime?: number
  /** Until when a user who must have a second factor and has none can sign in without one, in ISO 8601; `null` for all others. */
  readonly secondFactorBy: string | null
  /** Always empty: no plugin has groups. */
  readonly groups: readonly string[]
  /** What the account does not have and the configuration allows. */
  readonly offers: readonly ('passkey' | 'totp' | 'password')[]
}

/** The user who is signed in. What is not known is `null`. */
export type AccountUser = {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly emailVerified: boolean
  readonly image: string | null
  readonly username: string | null
  /** Always `null`: no plugin has telephone numbers. */
  readonly phone: null
  /** The language (BCP 47) that the user chose. */
  readonly locale: string | null
  /** In ISO 8601; `null` for users from before the plugin `account`. */
  readonly createdAt: string | null
  /** @deprecated `locale` */
  readonly language?: string
}

/** A passkey. */
export type AccountPasskey = {
  /** A public id, which only its owner can use. */
  readonly id: string
  readonly name: string
  /** The model of the authenticator, as a UUID; `null` if it is unknown. */
  readonly aaguid: string | null
  /** The name of that model. */
  readonly model: string | null
  /** Whether it is on one device only. */
  readonly deviceBound: boolean
  /** Whether its owner signs in with it; `false` for a security key that is only a second factor. */
  readonly firstFactor: boolean
  /** Whether it is a second factor. */
  readonly secondFactor: boolean
  /** In ISO 8601; `null` if it is unknown. */
  readonly createdAt: string | null
  /** In ISO 8601; `null` before its first use. */
  readonly lastUsedAt: string | null
  /**
   * Whether the device of the request made it itself, in this browser. `false` for keys and telephones that were only connected,
   * and without the plugin `limits`, which knows browsers.
   */
  readonly thisDevice: boolean
}

/** A linked account of a provider. */
export interface AccountLink {
  readonly id: string
  /** The id of the provider. */
  readonly provider: string
  readonly name: string
  /** In ISO 8601. */
  readonly linkedAt?: string
}

/** What is stored about the user. Times are in ISO 8601. It has no secret, hash, code or token. */
export interface AccountFile {
  readonly version: 1
  readonly exportedAt: string
  readonly user: Pick<
    AccountUser,
    'id' | 'name' | 'email' | 'image' | 'username' | 'locale' | 'createdAt'
  > & { readonly emailVerified: string | null }
  /** `setAt` is missing without a password. */
  readonly password: { readonly isSet: boolean; readonly setAt?: string }
  readonly passkeys: readonly Omit<AccountPasskey, 'thisDevice'>[]
  /** Linked accounts of providers. */
  readonly accounts: readonly {
    readonly provider: string
    readonly providerAccountId: string
    readonly type: string
    readonly scope?: string
    readonly linkedAt?: string
  }[]
  readonly sessions: readonly Readonly<Record<string, unknown>>[]
  /** Browsers in which the user signed in. */
  readonly devices: readonly {
    readonly firstAt?: string
    readonly lastAt?: string
    readonly trustedUntil?: string
  }[]
  /** Second factors that are no passkeys. */
  readonly factors: readonly { readonly type: 'totp' | 'email'; readonly createdAt: string }[]
  readonly recoveryCodes: { readonly madeAt: string; readonly left: number } | null
  /** The entries of the application. */
  readonly export?: readonly Readonly<Record<string, unknown>>[]
}

/** The codes of refusals, which `code` of a `ClientError` has. */
export type AccountErrorCode =
  | 'invalid_input'
  | 'invalid_code'
  | 'last_way_in'
  | 'last_factor'
  | 'undo_open'
  | 'address_not_accepted'
  | 'not_found'
  | 'conflict'
  | 'forbidden'
  | 'too_many_attempts'
  | 'unauthenticated'
  | 'reauthentication_required'
  | 'address_unproved'
  | 'mail_unavailable'
  | 'store_unavailable'
  | 'csrf'

/** What a function returns. `settle` of `latchkey/client` gives the error the type of its codes. */
type Refusable<Answer> = Promise<Answer> & { readonly refusal?: AccountErrorCode }

/** The account, for a page. Each function throws a `ClientError` whose `code` is an {@link AccountErrorCode}. */
export interface AccountClient {
  me(): Refusable<AccountInfo>
  /** @param fields `null` removes a value. */
  update(fields: {
    readonly name?: string | null
    readonly image?: string | null
    /** One of the languages of the site. */
    readonly locale?: string
    /** @deprecated `locale`. Any language, for the application */
    readonly language?: string
  }): Refusable<{ readonly user: AccountUser }>
  /** Mails a code to a new address. The result is the same for every address. */
  changeAddress(fields: { readonly email: string }): Refusable<{ readonly status: 'mail_sent' }>
  /** Changes the address with the code of the mail. */
  confirmAddress(proof: {
    readonly code: string
  }): Refusable<{ readonly status: 'changed'; readonly email: string }>
  readonly passkeys: {
    list(): Refusable<readonly AccountPasskey[]>
    /**
     * Lets the browser create a passkey, and adds it.
     *
     * @param fields `second`: a security key that is only a second factor, and need not verify its user.
     * @returns the passkey, and recovery codes to show once if it is the first second factor.
     * @throws {TypeError} if the browser cannot; {@link DOMException} if the visitor declines.
     */
    add(fields?: {
      readonly name?: string
      readonly second?: boolean
    }): Refusable<AccountPasskey & { readonly recoveryCodes?: readonly string[] }>
    rename(fields: { readonly id: string; readonly name: string }): Refusable<void>
    remove(fields: { readonly id: string }): Refusable<void>
  }
  readonly connections: {
    list(): Refusable<{
      readonly links: readonly AccountLink[]
      /** Providers that are not linked. */
      readonly available: readonly { readonly id: string; readonly name: string }[]
    }>
    /** @returns the address of the provider, to which the page goes next. */
    link(fields: { readonly provider: string }): Refusable<{ readonly url: string }>
    unlink(fields: { readonly id: string }): Refusable<void>
  }
  /** Returns what is stored about the user, after a recent proof of identity: the content of the file that the page downloads. */
  export(): Refusable<AccountFile>
  /** Deletes the account. @param fields `confirm`: the address of the user */
  delete(fields: { readonly confirm: string }): Refusable<{ readonly deletedAt?: string }>
  /** Keeps an account that is about to be deleted, after its user signed in. */
  keep(): Refusable<{ readonly url?: string }>
}

/** Creates the functions for a page. */
export function accountClient({ ask, store }: AccountPage): AccountClient {
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await ask(`account/${path}`)) as Answer
  const send = async <Answer>(path: string, fields: object = {}): Promise<Answer> =>
    (await ask(`account/${path}`, fields)) as Answer
  /** The session has changed or ended. */
  const changing = async <Answer>(path: string, fields?: object): Promise<Answer> => {
    const answer = await send<Answer>(path, fields)
    await store.changed()
    return answer
  }
  return {
    me: () => get('me'),
    update: (fields) => changing('update', fields),
    changeAddress: (fields) => send('change-address', fields),
    confirmAddress: (proof) => changing('confirm-address', proof),
    passkeys: {
      list: async () => (await get<{ passkeys: AccountPasskey[] }>('passkeys')).passkeys,
      async add({ second = false, ...fields } = {}) {
        if (typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON !== 'function')
          throw new TypeError('the browser cannot create passkeys')
        const options = await send<PublicKeyCredentialCreationOptionsJSON>(
          'passkey-options',
          second ? { second } : {},
        )
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
        const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
        const data = JSON.stringify(made.toJSON())
        const { passkey, ...codes } = await send<{
          passkey: AccountPasskey
          recoveryCodes?: readonly string[]
        }>('add-passkey', { ...fields, data })
        return { ...passkey, ...codes }
      },
      rename: async (fields) => void (await send('rename-passkey', fields)),
      remove: async (fields) => void (await changing('remove-passkey', fields)),
    },
    connections: {
      list: () => get('links'),
      link: (fields) => send('link', fields),
      unlink: async (fields) => void (await changing('unlink', fields)),
    },
    export: () => get('export'),
    // Without a grace, the response has no content.
    delete: async (fields) =>
      (await changing<{ deletedAt?: string } | null>('delete', fields)) ?? {},
    keep: () => changing('keep'),
  }
}
