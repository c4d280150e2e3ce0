import type { Cookie } from '../http/cookies/cookies.ts'
import type { SafeUrl } from '../http/safe-url.ts'
import type { JsonObject } from '../model/json.ts'
import type { AnswerPage, ProblemTable } from './route.ts'

export type ProblemCode =
  | 'invalid_input'
  | 'invalid_code'
  | 'csrf'
  | 'unauthenticated'
  | 'forbidden'
  | 'reauthentication_required'
  | 'address_unproved'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'server_error'
  | 'session_unreadable'
  | 'store_unavailable'
  | 'mail_unavailable'
  | 'too_many_attempts'
  | 'challenge_required'

/** The problems that every plugin may throw. The codes are stable, since programs read them. */
export const problems: ProblemTable & Readonly<Record<ProblemCode, ProblemTable[string]>> = {
  invalid_input: { status: 400, text: 'problem.invalid_input' },
  invalid_code: { status: 400, text: 'problem.invalid_code' },
  csrf: { status: 403, text: 'problem.csrf' },
  unauthenticated: { status: 401, text: 'problem.unauthenticated' },
  forbidden: { status: 403, text: 'problem.forbidden' },
  reauthentication_required: { status: 403, text: 'problem.reauthentication_required' },
  address_unproved: { status: 403, text: 'problem.address_unproved' },
  challenge_required: { status: 403, text: 'problem.challenge_required' },
  not_found: { status: 404, text: 'problem.not_found' },
  method_not_allowed: { status: 405, text: 'problem.method_not_allowed' },
  conflict: { status: 409, text: 'problem.conflict' },
  too_large: { status: 413, text: 'problem.too_large' },
  unsupported_media_type: { status: 415, text: 'problem.unsupported_media_type' },
  server_error: { status: 500, text: 'problem.server_error' },
  too_many_attempts: { status: 429, text: 'problem.too_many_attempts' },
  session_unreadable: { status: 503, text: 'problem.session_unreadable' },
  store_unavailable: { status: 503, text: 'problem.store_unavailable' },
  mail_unavailable: { status: 503, text: 'problem.mail_unavailable' },
}

/** A problem with one field. */
export interface FieldProblem {
  readonly field: string
  readonly code: string
  /** Values for the text about it, for example a least length. */
  readonly params?: Readonly<Record<string, number>>
}

/** Thrown to refuse a request: `application/problem+json` for programs (RFC 9457), a page for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: string
  readonly errors: readonly FieldProblem[] | undefined
  /** Additional headers, by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The URL to which people are redirected instead of an error page; programs receive it as `next`. */
  readonly next: SafeUrl | undefined
  /** Additional members of the JSON. */
  readonly members: JsonObject
  /** Cookies that the response sets. */
  readonly cookies: readonly Cookie[]
  /** The page that people see instead of an error page: the form again, with what was typed. */
  readonly page: AnswerPage | undefined

  /** @param detail the message for the log; it is not sent to the client. */
  constructor(
    code: string,
    detail: string = code,
    {
      errors,
      headers = {},
      next,
      members = {},
      cookies = [],
      page,
    }: {
      errors?: readonly FieldProblem[]
      headers?: Readonly<Record<string, string>>
      next?: SafeUrl
      members?: JsonObject
      cookies?: readonly Cookie[]
      page?: AnswerPage | undefined
    } = {},
  ) {
    super(detail)
    this.code = code
    this.errors = errors
    this.headers = headers
    this.next = next
    this.members = members
    this.cookies = cookies
    this.page = page
  }
}
