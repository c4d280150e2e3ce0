import { type FieldProblem, type ProblemTable } from '../../entries/plugin.ts'
import type { PasswordReason } from './rules/check-password.ts'

/** The problems of this plugin. */
export const problems: ProblemTable = {
  invalid_credentials: { status: 401, text: 'passwords:invalid_credentials' },
  password_refused: { status: 422, text: 'passwords:password_refused' },
  username_taken: { status: 409, text: 'passwords:username_taken' },
  address_not_accepted: { status: 422, text: 'passwords:address_not_accepted' },
  sign_up_refused: { status: 403, text: 'passwords:sign_up_refused' },
  last_way_in: { status: 409, text: 'passwords:last_way_in' },
  busy: { status: 503, text: 'passwords:busy' },
  hash_unknown: { status: 400, text: 'passwords:hash_unknown' },
  hash_too_costly: { status: 400, text: 'passwords:hash_too_costly' },
}

/** Codes of fields, each of which has a text. */
export type FieldCode =
  | PasswordReason['code']
  | 'required'
  | 'invalid_address'
  | 'wrong'
  | 'wrong_credentials'
  | 'taken'
  | 'not_accepted'
  | 'invalid'
  | 'wrong_code'

/** What is wrong with a field. */
export interface Fault extends FieldProblem {
  readonly code: FieldCode | (string & {})
}

/** Returns the faults of a password. */
export function faultsOf(reasons: readonly PasswordReason[], field = 'password'): Fault[] {
  return reasons.map(({ code, params }) => ({
    field,
    code,
    ...(params && { params }),
  }))
}
