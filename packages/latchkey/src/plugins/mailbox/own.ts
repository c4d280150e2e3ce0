import type { Host } from '../../entries/plugin.ts'
import type { MailStore } from './store.ts'

/** The values that the route receives. */
export interface Own {
  readonly host: Host
  mails(): MailStore
}
