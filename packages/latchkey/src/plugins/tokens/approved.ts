import { isTexts, type JsonObject } from '../../entries/plugin.ts'

/** The user who approved a program, and the proof of their identity. */
export type Approval = {
  readonly userId: string
  /** In seconds since the epoch. */
  readonly authTime: number
  readonly amr: readonly string[]
  /** The facts that must be unchanged when the session begins. */
  readonly before: JsonObject
  /** The absolute end of the approving session, in seconds since the epoch. The approved session ends then. */
  readonly until?: number
}

/** Returns whether a stored approval is complete. */
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
