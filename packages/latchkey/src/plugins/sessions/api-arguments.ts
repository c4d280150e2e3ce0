import { endReasons } from '../../entries/plugin.ts'
import {
  type ArgumentsOf,
  aNumber,
  aRequest,
  aSession,
  aText,
  aUser,
  aUserOfId,
  oneOf,
  only,
  optional,
  someTexts,
} from '../../entries/plugin-checks.ts'
import type { EndOptions, SessionsApi } from './sessions-api.ts'

const ending = { reason: optional(oneOf(...endReasons, 'failed')), by: optional(aText) }

/** The arguments that the functions of the plugin accept. */
export const sessionsArguments: ArgumentsOf<SessionsApi> = {
  list: { who: aUser },
  current: { request: aRequest },
  confirm: { request: aRequest },
  end: { who: aSession, how: optional(only<EndOptions>(ending)) },
  rename: { who: aSession, name: aText },
  endOthers: { request: aRequest },
  endAll: {
    who: aUserOfId,
    how: optional(only<EndOptions & { except?: string }>({ ...ending, except: optional(aText) })),
  },
  isFresh: { request: aRequest, seconds: optional(aNumber) },
  revocationState: {},
  renew: { request: aRequest, proof: only<{ amr: readonly string[] }>({ amr: someTexts }) },
}
