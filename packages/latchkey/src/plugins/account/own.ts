import type { Host, RecordKind } from '../../entries/plugin.ts'
import type { AccountProfile, FlowCookie } from '../../entries/plugin-accounts.ts'
import type { AddressChange, AddressUndo } from './records/addresses.ts'
import type { DeletionLink } from './records/deletion-links.ts'
import type { PlannedDeletion } from './records/deletions.ts'
import type { LinkInfo, PasskeyInfo } from './records/infos.ts'
import type { SecureLink } from './records/secure-links.ts'
import type { Settings } from './settings.ts'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly profiles: RecordKind<AccountProfile>
  readonly passkeys: RecordKind<PasskeyInfo>
  readonly links: RecordKind<LinkInfo>
  readonly changes: RecordKind<AddressChange>
  readonly undos: RecordKind<AddressUndo>
  readonly secureLinks: RecordKind<SecureLink>
  readonly deletions: RecordKind<PlannedDeletion>
  readonly deletionLinks: RecordKind<DeletionLink>
  /** Links of mails that were opened in this browser. */
  readonly cookies: Readonly<
    Record<'confirm' | 'undo' | 'secure' | 'deletion', FlowCookie<{ readonly token: string }>>
  >
  /** The provider that the browser was sent to, to link an account. */
  readonly linking: FlowCookie<{ readonly provider: string }>
}
