import type { LimitRules } from '../../../entries/plugin.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * By action. A user mistypes a password three to five times, and each user in an office behind one address signs in
 * once a day.
 */
export const DEFAULT_RULES: LimitRules = {
  post: [{ by: 'network', limit: 300, window: MINUTE, store: 'process' }],
  'credentials.sign-in': [
    { by: 'network', limit: 30, window: 15 * MINUTE },
    { by: 'network', limit: 300, window: DAY },
    { by: 'pair', limit: 5, window: MINUTE },
  ],
  'mail.send': [
    { by: 'network', limit: 20, window: HOUR },
    { by: 'identifier', limit: 5, window: HOUR },
    { by: 'identifier', limit: 10, window: DAY },
  ],
  'mail-code.verify': [{ by: 'network', limit: 60, window: 15 * MINUTE }],
  'passkey.options': [{ by: 'network', limit: 120, window: 15 * MINUTE, store: 'process' }],
  'callback.failed': [{ by: 'network', limit: 60, window: 15 * MINUTE, store: 'process' }],
  'device.code': [
    { by: 'network', limit: 20, window: 15 * MINUTE },
    { by: 'site', limit: 1000, window: MINUTE },
  ],
  'device.token': [{ by: 'network', limit: 300, window: MINUTE, store: 'process' }],
  'device.enter': [{ by: 'network', limit: 20, window: 15 * MINUTE }],
  'native.token': [{ by: 'network', limit: 60, window: 15 * MINUTE, store: 'process' }],
  'token.issue': [{ by: 'session', limit: 60, window: MINUTE, store: 'process' }],
}
