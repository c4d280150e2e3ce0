import type { Cookie } from '../../http/cookies.ts'
import type { RevokedBy } from './revocation.ts'
import type { UserTokens } from './tokens.ts'
import type { GetOptions, ProviderStatus, TokenResult } from './tokens-api.ts'

/** The connections to providers of who sent a request. */
export interface Connections {
  /** @param mayRenew with cookies, whether a new one can be set. */
  get(
    provider: string,
    options?: GetOptions,
    mayRenew?: boolean,
  ): Promise<{ readonly result: TokenResult; readonly cookies: readonly Cookie[] }>
  status(): Promise<Record<string, ProviderStatus>>
  /** @returns `revoked` is `undefined` where there was nothing to forget. */
  forget(
    provider: string,
    by: RevokedBy,
  ): Promise<{ readonly revoked: boolean | undefined; readonly cookies: readonly Cookie[] }>
  /** What is known of the account that a provider has of them. */
  account(provider: string): Promise<
    | {
        readonly account: string | undefined
        readonly scope: readonly string[]
        readonly id_token: string | undefined
      }
    | undefined
  >
}

/** Those of a user whose tokens are records. */
export function recordConnections(tokens: UserTokens, userId: string): Connections {
  return {
    get: async (provider, options) => ({
      result: await tokens.get(userId, provider, options),
      cookies: [],
    }),
    status: () => tokens.status(userId),
    forget: async (provider, by) => ({
      revoked: await tokens.forget(userId, provider, by),
      cookies: [],
    }),
    async account(provider) {
      const grant = await tokens.find(userId, provider)
      return (
        grant && { account: grant.account, scope: grant.scope, id_token: grant.tokens?.id_token }
      )
    },
  }
}
