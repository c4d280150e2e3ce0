import { Problem } from '../../entries/plugin.ts'
import type { NameFault } from './rules.ts'

/** The refusal of a name that nobody may have. */
export const invalidName = (name: string, fault: NameFault): Problem =>
  new Problem('invalid_input', `the user name ${shown(name)} is refused: ${fault}`, {
    errors: [{ field: 'name', code: fault }],
  })

export const nameTaken = (name: string): Problem =>
  new Problem('username_taken', `the user name ${shown(name)} is taken`, {
    errors: [{ field: 'name', code: 'taken' }],
  })

const shown = (name: string): string => JSON.stringify(name.slice(0, 80))
