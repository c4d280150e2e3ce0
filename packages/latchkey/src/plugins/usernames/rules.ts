import { reservedNames } from './reserved.ts'
import { isOneScript } from './scripts.ts'
import type { Settings } from './settings.ts'

/** Why nobody may have a name. */
export type NameFault = 'too_short' | 'too_long' | 'not_allowed' | 'mixed_scripts' | 'reserved'

/** Which names are allowed, and which spellings are the same name. */
export interface Rules {
  /** Whether names may have letters that are not in ASCII, so that they may look like others. */
  readonly isWide: boolean
  /** Returns the form in which names are compared. */
  fold(name: string): string
  /** Returns the name as it is shown. */
  shown(name: string): string
  faultOf(name: string): NameFault | undefined
  /** The reserved names, folded. */
  readonly reserved: ReadonlySet<string>
}

/** Letters and digits, and single marks between them. */
const BUILT_IN = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/
/** What no name has, whatever its pattern: characters of addresses, spaces, and characters that are not visible. */
const NEVER = /[@\s\p{C}\p{Default_Ignorable_Code_Point}]/u

export function createRules({ least, most, pattern, reserved: more }: Settings): Rules {
  const reserved = new Set([...reservedNames(), ...more.map(fold)])
  return {
    isWide: pattern !== undefined,
    fold,
    shown,
    reserved,
    faultOf(name) {
      // Work is bounded before anything is compared.
      if (name.length > 8 * most) return 'too_long'
      const folded = fold(name)
      const { length } = Array.from(folded)
      if (length < least) return 'too_short'
      if (length > most) return 'too_long'
      const isAllowed = (pattern ?? BUILT_IN).exec(folded)?.[0] === folded
      if (NEVER.test(folded) || !folded.isWellFormed() || !isAllowed) return 'not_allowed'
      if (!isOneScript(folded)) return 'mixed_scripts'
      return reserved.has(folded) ? 'reserved' : undefined
    },
  }
}

/** The case of a letter may depend on its neighbours, and a letter in lower case may be composed of several. */
function fold(name: string): string {
  return shown(name).toLowerCase().normalize('NFKC').replaceAll('ς', 'σ')
}

function shown(name: string): string {
  return name.normalize('NFKC').trim()
}
