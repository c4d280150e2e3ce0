import type { Host } from '../../entries/plugin.ts'
import type { Names } from './names.ts'
import type { Rules } from './rules.ts'
import type { Settings } from './settings.ts'

/** The values that the routes share. */
export interface Own {
  readonly host: Host
  readonly settings: Settings
  readonly rules: Rules
  /** Loaded with the first name that is read. */
  names(): Promise<Names>
}
