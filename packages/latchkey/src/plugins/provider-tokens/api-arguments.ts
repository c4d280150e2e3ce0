import {
  type ArgumentsOf,
  aBoolean,
  among,
  aNumber,
  anAddress,
  anObject,
  aRequest,
  aText,
  aUser,
  aUserId,
  oneOf,
  only,
  optional,
  someTexts,
} from '../../entries/plugin-checks.ts'
import type { GetOptions, ProviderTokensApi, TokenExchange } from './tokens-api.ts'

const getting = optional(
  only<GetOptions>({
    scopes: optional(someTexts),
    resource: optional(aText),
    minTtl: optional(aNumber),
    force: optional(aBoolean),
  }),
)

const exchanging = only<TokenExchange>({
  audience: optional(aText),
  resource: optional(aText),
  scopes: optional(someTexts),
  subjectToken: optional(oneOf('access', 'id')),
  requestedTokenType: optional(aText),
  actorToken: optional(aText),
  extra: optional(anObject),
})

/** The arguments that the functions of the plugin accept. */
export const providerTokensArguments: ArgumentsOf<ProviderTokensApi> = {
  get: { request: aRequest, provider: aText, options: getting },
  fetch: {
    request: aRequest,
    provider: aText,
    input: anAddress,
    // Runtimes add members of their own to the options of `fetch`.
    init: optional(
      among<Pick<GetOptions, 'scopes' | 'resource'>>({
        scopes: optional(someTexts),
        resource: optional(aText),
      }),
    ),
  },
  exchange: { request: aRequest, provider: aText, params: exchanging },
  status: { request: aRequest },
  revoke: { who: aUser, provider: aText },
  forUser: { userId: aUserId, provider: aText, options: getting },
  sealColumns: { userId: aUserId },
  restoreColumns: { userId: aUserId },
}
