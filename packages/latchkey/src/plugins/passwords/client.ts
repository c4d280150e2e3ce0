/**
 * The functions of the plugin `passwords` for a page of the application.
 *
 * @module
 */

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface PasswordsPage {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store: { changed(): Promise<void> }
}

/** What a sign-in ended with: the browser is signed in, or has another page to visit first. */
export interface SignInResult {
  /**
   * `second_factor_required`: nobody is signed in yet, and the plugin `twoFactor` waits for a second factor. `step_required`: nobody is
   * signed in yet, and the page `url` comes first, for example for another password.
   */
  readonly status: 'signed_in' | 'second_factor_required' | 'step_required'
  readonly url: string
  /** With `second_factor_required`: what the user can prove. Empty if the user must set up a factor first. */
  readonly factors?: readonly ('totp' | 'passkey' | 'email' | 'recovery')[]
  /** Until when the sign-in waits for the further page, in ISO 8601. */
  readonly expires?: string
  /** `passkey`: the user has none, and {@link PasswordsClient.offerPasskey} may make one. */
  readonly offers?: readonly 'passkey'[]
  /** Until when a user who must have a second factor and has none can sign in without one, in ISO 8601. */
  readonly secondFactorBy?: string
  /** Whether `url` is a page that must be visited before the session begins. */
  readonly detour?: true
}

/** The rules for a form of the application. */
export interface PasswordRules {
  readonly minLength: number
  readonly maxLength: number
  readonly signUp: boolean
  readonly usernames: boolean
  readonly breached: boolean
}

/** What the form of a sign-up has; further fields have the names of the option `fields`. */
export interface SignUpFields {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly username?: string
  /** The page of the site to which {@link PasswordsClient.verify} leads, for example `callbackUrl` in the query of your page. */
  readonly redirectTo?: string
  readonly [field: string]: string | undefined
}

/** The codes of refusals, which `code` of a `ClientError` has. */
export type PasswordsErrorCode =
  | 'invalid_input'
  | 'invalid_code'
  | 'invalid_credentials'
  | 'password_refused'
  | 'username_taken'
  | 'address_not_accepted'
  | 'sign_up_refused'
  | 'challenge_required'
  | 'too_many_attempts'
  | 'busy'
  | 'conflict'
  | 'unauthenticated'
  | 'reauthentication_required'
  | 'last_way_in'
  | 'not_found'
  | 'mail_unavailable'
  | 'store_unavailable'
  | 'csrf'

/** What a function returns. `settle` of `latchkey/client` gives the error the type of its codes. */
type Refusable<Answer> = Promise<Answer> & { readonly refusal?: PasswordsErrorCode }

/** Passwords, for a page. Each function throws a `ClientError` whose `code` is a {@link PasswordsErrorCode}. */
export interface PasswordsClient {
  /** Begins a sign-up. The address gets a mail with a code, or one that says that it has an account. */
  signUp(fields: SignUpFields): Refusable<{ status: 'mail_sent'; flow: string }>
  /** Finishes the sign-up of this browser with the code of the mail, and signs in. */
  verify(proof: { readonly code: string }): Refusable<SignInResult>
  /** Sends the mail of the sign-up again, at most once a minute. */
  resend(): Refusable<{ status: 'mail_sent' }>
  signIn(fields: {
    readonly identifier: string
    readonly password: string
    readonly remember?: boolean
    /** The page of the site for `url`, for example `callbackUrl` in the query of your page. */
    readonly redirectTo?: string
  }): Refusable<SignInResult>
  /** Mails a link to choose a password. The result is the same for every identifier. */
  forgot(fields: { readonly identifier: string }): Refusable<{ status: 'mail_sent' }>
  /** Sets the password of the link that was opened in this browser. */
  reset(fields: {
    readonly password: string
    readonly token?: string
  }): Refusable<{ status: string; next: string }>
  /** Changes the password. @returns how many other sessions ended. */
  change(fields: {
    readonly current: string
    readonly password: string
    /** @default true */
    readonly endOthers?: boolean
  }): Refusable<{ status: 'changed'; ended: number }>
  /** Sets the first password of a user. */
  set(fields: { readonly password: string }): Refusable<{ status: 'changed' }>
  remove(): Refusable<void>
  rules(): Refusable<PasswordRules>
  /**
   * Lets a browser that saved the password of a sign-in make a passkey beside it, without a question. Call it after a sign-in
   * whose result has `passkey` in `offers`.
   *
   * @returns whether there is a passkey now. `false` from a browser that cannot, or does not want to.
   */
  offerPasskey(): Refusable<boolean>
  /** Notes that the visitor wants no passkey: this browser gets no offer for 180 days. */
  refusePasskey(): Refusable<void>
}

/** Creates the functions for a page. */
export function passwordsClient({ ask, store }: PasswordsPage): PasswordsClient {
  const send = async <Answer>(path: string, fields: object = {}): Promise<Answer> =>
    (await ask(`password/${path}`, fields)) as Answer
  /** The session may have begun or changed. */
  const changing = async <Answer>(path: string, fields: object): Promise<Answer> => {
    const answer = await send<Answer>(path, fields)
    await store.changed()
    return answer
  }
  return {
    signUp: (fields) => send('sign-up', withTarget(fields)),
    verify: (proof) => changing('verify', proof),
    resend: () => send('resend'),
    signIn: (fields) => changing('sign-in', withTarget(fields)),
    forgot: (fields) => send('forgot', fields),
    reset: (fields) => changing('reset', fields),
    change: (fields) => changing('change', fields),
    set: (fields) => send('set', fields),
    remove: async () => void (await send('remove')),
    rules: async () => (await ask('password/rules')) as PasswordRules,
    async offerPasskey() {
      const { PublicKeyCredential: browser } = globalThis
      const can = await browser?.getClientCapabilities?.()
      if (!can?.['conditionalCreate']) return false
      const options = (await ask(
        'account/passkey-options',
        {},
      )) as PublicKeyCredentialCreationOptionsJSON
      const publicKey = browser.parseCreationOptionsFromJSON(options)
      // The types of browsers do not have it yet.
      const asked = { publicKey, mediation: 'conditional' } as CredentialCreationOptions
      const made = await navigator.credentials
        .create(asked)
        // The browser decides, and does not ask.
        .catch(() => null)
      if (!made) return false
      const data = JSON.stringify((made as PublicKeyCredential).toJSON())
      await ask('account/add-passkey', { data, conditional: true })
      return true
    },
    refusePasskey: async () => void (await ask('account/refuse-passkey', {})),
  }
}

/** Names the target as the routes do. */
function withTarget({ redirectTo, ...fields }: { readonly redirectTo?: string }): object {
  return redirectTo === undefined ? fields : { ...fields, callbackUrl: redirectTo }
}
