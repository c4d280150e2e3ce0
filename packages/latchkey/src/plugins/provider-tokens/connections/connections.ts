import type { Cookie } from '../../../entries/plugin.ts'
import type { UserTokens } from '../records/tokens.ts'
import type { GetOptions, ProviderStatus, TokenResult } from '../tokens-api.ts'
import type { TokenFacts } from '../validity.ts'
import type { RevokedBy } from './revocation.ts'

/** The stored facts of the tokens of a provider. */
export interface KnownTokens extends TokenFacts {
  /** When the account was connected, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** When the provider refused to renew the tokens, in milliseconds since the epoch. */
  readonly refused?: number | undefined
}

/** The connections of the signed-in user to providers. */
export interface Connections {
  /** @param mayRenew for tokens in cookies: whether the response can set a cookie. */
  get(
    provider: string,
    options?: GetOptions,
    mayRenew?: boolean,
  ): Promise<{ readonly result: TokenResult; readonly cookies: readonly Cookie[] }>
  status(): Promise<Record<string, ProviderStatus>>
  /** Returns the stored tokens, by provider, in the order of the configuration. */
  known(): Promise<ReadonlyMap<string, KnownTokens>>
  /** @returns `revoked`, which is `undefined` if there were no tokens. */
  forget(
    provider: string,
    by: RevokedBy,
  ): Promise<{ readonly revoked: boolean | undefined; readonly cookies: readonly Cookie[] }>
  /** Returns the account of the user at a provider. */
  account(provider: string): Promise<
    | {
        readonly account: string | undefined
        readonly scope: readonly string[]
        readonly id_token: string | undefined
      }
    | undefined
  >
}

/** Returns the connections of a user whose tokens are in records. */
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
