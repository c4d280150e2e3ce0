import {
  type ArgumentsOf,
  aBoolean,
  aNumber,
  anId,
  anObject,
  aRequest,
  aText,
  aUserId,
  oneOf,
  only,
  optional,
} from '../../entries/plugin-checks.ts'
import type { PasswordsApi, ResetLinkOptions, SetOptions } from './passwords-api.ts'

/** The arguments that the functions of the plugin accept. */
export const passwordsArguments: ArgumentsOf<PasswordsApi> = {
  set: {
    userId: aUserId,
    password: aText,
    options: optional(
      only<SetOptions>({
        by: optional(oneOf('admin')),
        mustChange: optional(aBoolean),
        endSessions: optional(aBoolean),
        skipRules: optional(aBoolean),
      }),
    ),
  },
  verify: { userId: aUserId, password: aText, request: optional(aRequest) },
  has: { userId: aUserId },
  remove: { userId: aUserId },
  createResetLink: {
    userId: aUserId,
    options: optional(
      only<ResetLinkOptions>({
        origin: optional(anId),
        expiresIn: optional(aNumber),
        send: optional(aBoolean),
      }),
    ),
  },
  check: {
    password: aText,
    about: optional(
      only<{ email?: string; username?: string; name?: string }>({
        email: optional(aText),
        username: optional(aText),
        name: optional(aText),
      }),
    ),
  },
  importHash: { userId: aUserId, hash: anObject },
}
