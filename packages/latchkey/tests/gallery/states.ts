import { serviceStates } from '../../../server/tests/gallery/states.ts'
import { accountStates } from './account-states.ts'
import { coreStates } from './core-states.ts'
import { emailCodeStates } from './email-code-states.ts'
import { mailboxStates } from './mailbox-states.ts'
import { passwordsStates } from './passwords-states.ts'
import { pluginStates } from './plugin-states.ts'
import { reauthenticateStates } from './reauthenticate-states.ts'
import { signInStates } from './sign-in-states.ts'
import { twoFactorStates } from './two-factor-states.ts'
import { usernamesStates } from './usernames-states.ts'
import type { PageState } from './visitor.ts'

/** Every page of the library and of the service in every state. */
export const states: readonly PageState[] = [
  ...signInStates,
  ...coreStates,
  ...pluginStates,
  ...mailboxStates,
  ...emailCodeStates,
  ...passwordsStates,
  ...twoFactorStates,
  ...reauthenticateStates,
  ...accountStates,
  ...usernamesStates,
  ...serviceStates,
]
