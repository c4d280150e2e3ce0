import type { Host, RecordKind } from '../../entries/plugin.ts'
import type { FlowCookie } from '../../entries/plugin-accounts.ts'
import type { PasswordHasher } from './hashing/hasher.ts'
import type { Passwords } from './records/passwords.ts'
import type { PasswordReset } from './records/resets.ts'
import type { PendingSignUp } from './records/sign-ups.ts'
import type { UnprovedUser } from './records/unproved.ts'
import type { Settings } from './settings.ts'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  hasher(): Promise<PasswordHasher>
  readonly passwords: Passwords
  readonly signUps: RecordKind<PendingSignUp>
  readonly unproved: RecordKind<UnprovedUser>
  readonly resets: RecordKind<PasswordReset>
  readonly cookies: {
    /** The sign-up that began in this browser. */
    readonly signUp: FlowCookie<{
      readonly flow: string
      readonly email: string
      readonly callbackUrl: string
    }>
    /** The link of a mail that was opened in this browser. */
    readonly link: FlowCookie<{ readonly email: string; readonly token: string }>
    readonly reset: FlowCookie<{ readonly token: string }>
    /** What was typed into the sign-in page, for a page that asks for it again. */
    readonly signIn: FlowCookie<{ readonly identifier: string; readonly callbackUrl: string }>
    /** The address for which a reset was asked. */
    readonly forgot: FlowCookie<{ readonly identifier: string }>
  }
}
