import type { FieldProblem, ProblemTable } from '../../entries/plugin.ts'

/** The problems of this plugin. */
export const problems: ProblemTable = {
  last_way_in: { status: 409, text: 'account:last_way_in' },
  last_factor: { status: 409, text: 'account:last_factor' },
  undo_open: { status: 409, text: 'account:undo_open' },
  address_not_accepted: { status: 422, text: 'account:address_not_accepted' },
}

/** What is wrong with a field. Each code has a text. */
export interface Fault extends FieldProblem {
  readonly code: FaultCode
}

export type FaultCode =
  | 'required'
  | 'too_long'
  | 'invalid_name'
  | 'invalid_image'
  | 'invalid_address'
  | 'unchanged'
  | 'not_accepted'
  | 'wrong_code'
  | 'wrong_confirm'
  | 'fixed'
  | 'invalid_language'
