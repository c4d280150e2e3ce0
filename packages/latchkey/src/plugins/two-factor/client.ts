/**
 * The functions of the plugin `twoFactor` for a page of the application.
 *
 * @module
 */
import type { TwoFactorStatus } from './two-factor-api.ts'

export type { FactorInfo, TrustedBrowser, TwoFactorStatus } from './two-factor-api.ts'

/** The part of a client that is used here. `createAuthClient` of `latchkey/client` creates such a client. */
export interface TwoFactorPage {
  ask(path: string, fields?: object): Promise<unknown>
  readonly store: { changed(): Promise<void> }
}

/** A secret for an authenticator app. It is shown only now. */
export interface TotpSecret {
  /** The id for `confirm`. */
  readonly id: string
  /** Base32 */
  readonly secret: string
  /** The address that the QR code has. */
  readonly uri: string
  /** The QR code, an `svg` element. */
  readonly svg: string
}

/** What a confirmed authenticator app brings. */
export interface Confirmed {
  /** `signed_in` if a sign-in waited for it. */
  readonly status: 'added' | 'signed_in' | 'step_required'
  readonly url?: string
  /** With the first factor: the codes for somebody who loses it. They are shown only now. */
  readonly recoveryCodes?: readonly string[]
}

/** What a proof of the second factor brings. */
export interface ProvedFactor {
  /** `step_required`: nobody is signed in yet, and the page `url` comes first. */
  readonly status: 'signed_in' | 'step_required'
  readonly url: string
  readonly detour?: true
}

/** The codes of refusals, which `code` of a `ClientError` has. */
export type TwoFactorErrorCode =
  | 'invalid_input'
  | 'invalid_code'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'last_factor'
  | 'too_many_attempts'
  | 'reauthentication_required'
  | 'address_unproved'
  | 'busy'
  | 'mail_unavailable'
  | 'store_unavailable'
  | 'csrf'

/** What a function returns. `settle` of `latchkey/client` gives the error the type of its codes. */
type Refusable<Answer> = Promise<Answer> & { readonly refusal?: TwoFactorErrorCode }

/** Second factors, for a page. Each function throws a `ClientError` whose `code` is a {@link TwoFactorErrorCode}. */
export interface TwoFactorClient {
  status(): Refusable<TwoFactorStatus>
  /** Makes a secret, which counts for nothing until it is confirmed. @param fields `name`: how the user calls the app */
  enrol(fields?: { readonly name?: string }): Refusable<TotpSecret>
  /** Confirms a secret with a code of it. */
  confirm(fields: { readonly id: string; readonly code: string }): Refusable<Confirmed>
  /**
   * Proves the second factor of the sign-in that waits in this browser.
   *
   * @param fields `trust`: the browser is not asked again for a while.
   */
  verify(fields: {
    readonly method: 'totp' | 'recovery' | 'email'
    readonly code: string
    readonly trust?: boolean
  }): Refusable<ProvedFactor>
  /**
   * Lets the browser prove a passkey or security key of the user, for the sign-in that waits in it.
   *
   * @param fields `trust`: the browser is not asked again for a while.
   * @throws {TypeError} if the browser cannot; {@link DOMException} if the visitor declines.
   */
  passkey(fields?: { readonly trust?: boolean }): Refusable<ProvedFactor>
  /** Mails a code for the sign-in that waits in this browser. Times are in ISO 8601. */
  send(): Refusable<{
    readonly status: 'mail_sent'
    readonly expires: string
    /** Until then, no other code is mailed. */
    readonly resendAt: string
  }>
  rename(fields: { readonly id: string; readonly name: string }): Refusable<void>
  remove(fields: { readonly id: string } | { readonly all: true }): Refusable<void>
  /** Turns the passkeys of the user on or off as second factors. */
  usePasskeys(use: boolean): Refusable<{ readonly recoveryCodes?: readonly string[] }>
  /** Turns codes by mail on or off as a second factor. */
  useEmail(use: boolean): Refusable<{ readonly recoveryCodes?: readonly string[] }>
  /** Makes new recovery codes. */
  recoveryCodes(): Refusable<readonly string[]>
  /** Ends the trust in one browser, or in all: each is asked for the second factor again. @param fields `id`: of `trusted` in the status */
  forgetDevices(fields?: { readonly id: string }): Refusable<void>
}

/** Creates the functions for a page. */
export function twoFactorClient({ ask, store }: TwoFactorPage): TwoFactorClient {
  const send = async <Answer>(path: string, fields: object = {}): Promise<Answer> =>
    (await ask(`two-factor/${path}`, fields)) as Answer
  /** The session may have begun or changed. */
  const changing = async <Answer>(path: string, fields: object): Promise<Answer> => {
    const answer = await send<Answer>(path, fields)
    await store.changed()
    return answer
  }
  return {
    status: async () => (await ask('two-factor/status')) as TwoFactorStatus,
    enrol: (fields) => send('enrol-totp', fields),
    confirm: (fields) => changing('confirm-totp', fields),
    verify: (fields) => changing('verify', fields),
    async passkey(fields) {
      if (typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function')
        throw new TypeError('the browser cannot use passkeys')
      const { options } = await send<{ options: PublicKeyCredentialRequestOptionsJSON }>(
        'passkey-options',
      )
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      const proof = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      return changing('passkey', { ...fields, data: JSON.stringify(proof.toJSON()) })
    },
    send: () => send('send', { method: 'email' }),
    rename: async (fields) => void (await send('rename', fields)),
    remove: async (fields) => void (await changing('remove', fields)),
    usePasskeys: (use) => changing('use-passkeys', { use }),
    useEmail: (use) => changing('use-email', { use }),
    recoveryCodes: async () => (await send<{ codes: readonly string[] }>('recovery-codes')).codes,
    forgetDevices: async (fields) => void (await send('forget-devices', fields)),
  }
}
