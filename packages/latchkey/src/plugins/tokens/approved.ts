import { isTexts, type JsonObject } from '../../entries/plugin.ts'

/** Who let a program in, and how they had proved who they are. */
export type Approval = {
  readonly userId: string
  /** Seconds since the epoch. */
  readonly authTime: number
  readonly amr: readonly string[]
  /** What has to be the same when the session begins. */
  readonly before: JsonObject
  /** When their own session ends even if it is used, seconds since the epoch. What they let in ends then, too. */
  readonly until?: number
}

/** Returns whether a stored approval is whole. */
export function isApproval(value: unknown): value is Approval {
  if (typeof value !== 'object' || value === null) return false
  const {
    userId,
    authTime,
    amr,
    before,
    until = 0,
  } = value as Partial<Record<keyof Approval, unknown>>
  const isNoted = typeof before === 'object' && before !== null
  const areTimes = [authTime, until].every(Number.isFinite)
  return typeof userId === 'string' && areTimes && isTexts(amr) && isNoted
}
