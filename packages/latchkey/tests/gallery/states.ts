import { serviceStates } from '../../../server/tests/gallery/states.ts'
import { coreStates } from './core-states.ts'
import { pluginStates } from './plugin-states.ts'
import { signInStates } from './sign-in-states.ts'
import type { PageState } from './visitor.ts'

/** Every page of the library and of the service in every state. */
export const states: readonly PageState[] = [
  ...signInStates,
  ...coreStates,
  ...pluginStates,
  ...serviceStates,
]
