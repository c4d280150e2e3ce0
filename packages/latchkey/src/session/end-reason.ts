/** The reasons for the end of a session. */
export const endReasons = [
  'sign-out',
  'ended-by-user',
  'ended-by-administrator',
  'password-changed',
  'factor-changed',
  'account-unlinked',
  'user-disabled',
  'user-deleted',
  'replaced',
  'evicted',
  'idle',
  'absolute',
  'binding',
  'token-reuse',
  'back-channel',
  'front-channel',
  'application',
] as const

/** The reason for the end of a session. `failed`: it never began. */
export type EndReason = (typeof endReasons)[number] | 'failed'
