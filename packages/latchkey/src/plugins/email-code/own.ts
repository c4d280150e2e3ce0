import type { Host } from '../../entries/plugin.ts'
import type { FlowCookie, MailedCodes } from '../../entries/plugin-accounts.ts'
import type { Settings } from './settings.ts'

/** The step that began in this browser. */
export type Begun = {
  /** A random value of this browser. */
  readonly browser: string
  readonly email: string
  readonly callbackUrl: string
}

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly codes: MailedCodes
  readonly cookie: FlowCookie<Begun>
}
