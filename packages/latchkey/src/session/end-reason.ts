/** Why a session ended. */
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

/** Why a session ended; `failed`: it never began. */
export type EndReason = (typeof endReasons)[number] | 'failed'
