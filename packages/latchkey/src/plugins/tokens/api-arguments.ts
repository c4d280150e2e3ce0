import {
  type ArgumentsOf,
  aBoolean,
  aDate,
  aNumber,
  anId,
  anObject,
  aRequest,
  aText,
  aUser,
  only,
  optional,
  orNull,
  someTexts,
} from '../../entries/plugin-checks.ts'
import type { KeyNeeds } from './api-keys/keys.ts'
import type { NewKey } from './api-keys/new-key.ts'
import type { KeyRate } from './api-keys/settings.ts'
import type { TokensApi } from './tokens-api.ts'

const rate = only<KeyRate>({ limit: aNumber, seconds: aNumber })

const newKey = only<NewKey>({
  name: aText,
  scopes: optional(someTexts),
  expires: optional(orNull(aDate)),
  rate: optional(rate),
  networks: optional(someTexts),
  data: optional(anObject),
})

/** The arguments that the functions of the plugin accept. */
export const tokensArguments: ArgumentsOf<TokensApi> = {
  issue: {
    request: aRequest,
    options: optional(
      only<NonNullable<Parameters<TokensApi['issue']>[1]>>({
        audience: optional(aText),
        scopes: optional(someTexts),
      }),
    ),
  },
  rotate: {
    how: optional(
      only<NonNullable<Parameters<TokensApi['rotate']>[0]>>({ compromised: optional(aBoolean) }),
    ),
  },
  createKey: { who: aUser, key: newKey },
  listKeys: { who: aUser },
  endKey: { who: aUser, id: anId },
  replaceKey: {
    who: aUser,
    id: anId,
    options: optional(
      only<NonNullable<Parameters<TokensApi['replaceKey']>[2]>>({ overlap: optional(aNumber) }),
    ),
  },
  verifyKey: {
    input: (value, name) => (typeof value === 'string' ? undefined : aRequest(value, name)),
    needs: optional(only<KeyNeeds>({ scopes: optional(someTexts), user: optional(aBoolean) })),
  },
}
