import type {
  AdapterUser,
  Host,
  HostPasskeys,
  RecordKind,
  SiteRequest,
} from '../../entries/plugin.ts'
import type { FlowCookie, MailedCodes } from '../../entries/plugin-accounts.ts'
import type { TrustedBrowsers } from './records/browsers.ts'
import type { Enforcement } from './records/enforcement.ts'
import type { RecoveryCodes } from './records/recovery.ts'
import type { FactorState } from './records/state.ts'
import type { Totp } from './records/totp.ts'
import type { Settings } from './settings.ts'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly states: RecordKind<FactorState>
  readonly totp: Totp
  readonly recovery: RecoveryCodes
  /** Codes that were mailed as second factor. */
  readonly mailed: MailedCodes
  /** `undefined` without a provider for passkeys. */
  passkeys(): Promise<HostPasskeys | undefined>
  readonly browsers: TrustedBrowsers
  readonly enforcement: Enforcement
  /** Recovery codes that are shown on the next page of this browser. */
  readonly shown: FlowCookie<{
    readonly codes: readonly string[]
    readonly to: string
    readonly userId: string
    /** What the page that follows says. */
    readonly notice?: { readonly id: string; readonly params: string[] }
  }>
}

/** Who proves a second factor, and where. */
export interface Prover {
  readonly user: AdapterUser
  readonly request: SiteRequest
  /** The id of the session, or the key of the waiting sign-in. */
  readonly sid: string | undefined
}
