import type { SafeUrl } from './http/safe-url.ts'
import type { JsonObject } from './model/json.ts'
import type { ProblemTable } from './plugin.ts'

export type ProblemCode =
  | 'invalid_input'
  | 'invalid_code'
  | 'csrf'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'server_error'
  | 'store_unavailable'
  | 'too_many_attempts'

/** What every plugin may refuse with. The codes are stable; programs read them. */
export const problems: ProblemTable & Readonly<Record<ProblemCode, ProblemTable[string]>> = {
  invalid_input: { status: 400, title: 'Something in the form is missing or wrong.' },
  invalid_code: { status: 400, title: 'This link or code does not work any more.' },
  csrf: { status: 403, title: 'The form is too old, or another site sent it. Try again.' },
  unauthenticated: { status: 401, title: 'Sign in first.' },
  forbidden: { status: 403, title: 'You may not do this.' },
  not_found: { status: 404, title: 'There is nothing here.' },
  method_not_allowed: { status: 405, title: 'This address does not take that.' },
  conflict: { status: 409, title: 'Somebody was faster. Look again.' },
  too_large: { status: 413, title: 'That is too much at once.' },
  unsupported_media_type: { status: 415, title: 'Send a form or JSON.' },
  server_error: {
    status: 500,
    title: 'The server could not do this. Its operator finds the details in the log.',
  },
  too_many_attempts: { status: 429, title: 'This was tried too often. Try again later.' },
  store_unavailable: { status: 503, title: 'This does not work right now. Try again in a moment.' },
}

/** What is wrong with one field. */
export interface FieldProblem {
  readonly field: string
  readonly code: string
}

/** A refusal: `application/problem+json` for programs (RFC 9457), a page for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: string
  readonly errors: readonly FieldProblem[] | undefined
  /** Further headers, by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Where people go on, instead of a page that says what is wrong; programs are told. */
  readonly next: SafeUrl | undefined
  /** Further members of the JSON. */
  readonly members: JsonObject

  /** @param detail for the log; nobody else reads it. */
  constructor(
    code: string,
    detail: string = code,
    {
      errors,
      headers = {},
      next,
      members = {},
    }: {
      errors?: readonly FieldProblem[]
      headers?: Readonly<Record<string, string>>
      next?: SafeUrl
      members?: JsonObject
    } = {},
  ) {
    super(detail)
    this.code = code
    this.errors = errors
    this.headers = headers
    this.next = next
    this.members = members
  }
}
