import type { Host } from '../../plugin-kit.ts'
import type { Settings } from './settings.ts'
import type { UserTokens } from './tokens.ts'

/** What the routes of the plugin are given. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly tokens: () => Promise<UserTokens>
}
