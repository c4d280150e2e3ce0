import type { Cookie } from '../../entries/plugin.ts'
import type { RevokedBy } from './revocation.ts'
import type { UserTokens } from './tokens.ts'
import type { GetOptions, ProviderStatus, TokenResult } from './tokens-api.ts'
import type { TokenFacts } from './validity.ts'

/** What is known of the tokens of a provider. */
export interface KnownTokens extends TokenFacts {
  /** When the account was connected, milliseconds since the epoch. */
  readonly since?: number | undefined
  /** When the provider refused to renew them, milliseconds since the epoch. */
  readonly refused?: number | undefined
}

/** The connections to providers of who sent a request. */
export interface Connections {
  /** @param mayRenew with cookies, whether a new one can be set. */
  get(
    provider: string,
    options?: GetOptions,
    mayRenew?: boolean,
  ): Promise<{ readonly result: TokenResult; readonly cookies: readonly Cookie[] }>
  status(): Promise<Record<string, ProviderStatus>>
  /** The tokens that there are, by provider, in the order of the configuration. */
  known(): Promise<ReadonlyMap<string, KnownTokens>>
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
    async known() {
      const grants = await tokens.known(userId)
      return new Map(
        [...grants].map(([provider, grant]) => {
          const since = grant.record.createdAt.getTime()
          return [provider, { ...grant, since, refused: grant.error?.at }]
        }),
      )
    },
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
