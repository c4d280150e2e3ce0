import { listOf, type OptionRule } from '../../entries/plugin.ts'

/** A scope of OAuth (RFC 6749 section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

export const SCOPES: OptionRule = listOf(
  'scopes without blanks or quotes',
  (scope) => typeof scope === 'string' && SCOPE.test(scope),
)
