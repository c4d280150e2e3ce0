import type {
  Awaitable,
  ChallengePart,
  Host,
  JsonObject,
  SiteRequest,
} from '../../../entries/plugin.ts'

/** What a challenge is for. */
export interface ChallengeContext {
  /** The name of the action, for example `password.sign-in`. */
  readonly action: string
  readonly request: SiteRequest
  /** The address of the client, if it is known. */
  readonly address: string | undefined
  /** By how much the work is greater than usual, during an attack on the whole site: 1, 4 or 16. */
  readonly factor: number
  readonly fetch: typeof fetch
  readonly host: Host
}

/** Whether an answer is right; `unavailable` if the service that knows could not be asked. */
export type ChallengeResult = 'passed' | 'failed' | 'unavailable'

/** A kind of challenge: what a page shows, and whether an answer is right. */
export interface ChallengePort {
  /** The id that programs read, for example `turnstile`. */
  readonly id: string
  /** The name of the form field with the answer. */
  readonly field: string
  /** Other names of this field, and fields that come along with it. */
  readonly otherFields?: readonly string[] | undefined
  /** Returns what a form needs, so that the visitor can answer. */
  render(context: ChallengeContext): Awaitable<ChallengePart>
  /** Returns what a program needs to answer. */
  parameters?(context: ChallengeContext): Awaitable<JsonObject>
  /** Checks an answer. It must accept each answer only once. */
  verify(answer: string, context: ChallengeContext): Promise<ChallengeResult>
  /**
   * What follows if the service that checks answers cannot be reached: the attempt is refused with 503, needs the answer
   * of another challenge, or is allowed.
   *
   * @default 'refuse'
   */
  readonly whenUnavailable?: 'refuse' | 'allow' | ChallengePort | undefined
}
