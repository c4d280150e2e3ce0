import type { JsonObject } from '../../plugin-kit.ts'

/** Who let a program in, and how they had proved who they are. */
export type Approval = {
  readonly userId: string
  /** Seconds since the epoch. */
  readonly authTime: number
  readonly amr: readonly string[]
  /** What has to be the same when the session begins. */
  readonly before: JsonObject
}
