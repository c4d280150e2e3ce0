import { type ArgumentsOf, aText, aUser, aUserOfId } from '../../entries/plugin-checks.ts'
import type { UsernamesApi } from './usernames-api.ts'

/** The arguments that the functions of the plugin accept. */
export const usernamesArguments: ArgumentsOf<UsernamesApi> = {
  isFree: { name: aText },
  find: { name: aText },
  nameOf: { who: aUser },
  set: { who: aUserOfId, name: aText },
}
