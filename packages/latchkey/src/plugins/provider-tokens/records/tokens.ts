import type { Host, ProviderClient, TokenSet } from '../../../entries/plugin.ts'
import { reconnectPath } from '../connections/ended.ts'
import type { RevokedBy, Revoker } from '../connections/revocation.ts'
import type { Memory, Renewed } from '../renewal/memory.ts'
import { refusal } from '../renewal/refusal.ts'
import { createRenewer, type Renewer } from '../renewal/renewal.ts'
import type { Settings } from '../settings.ts'
import type { GetOptions, ProviderStatus, TokenExchange, TokenResult } from '../tokens-api.ts'
import {
  FORCED,
  furtherToken,
  given,
  givenFurther,
  isRenewable,
  marginOf,
  missingScopes,
  type TokenFacts,
  works,
} from '../validity.ts'
import { type Grant, keyOf } from './grant.ts'
import { createKeeper, type Keeper } from './keeper.ts'

/** The tokens of users, stored as records. */
export interface UserTokens extends Pick<Keeper, 'keep'> {
  get(userId: string, provider: string, options?: GetOptions): Promise<TokenResult>
  exchange(userId: string, provider: string, params: TokenExchange): Promise<TokenResult>
  status(userId: string): Promise<Record<string, ProviderStatus>>
  /**
   * Returns the tokens of a user, by provider, in the order of the configuration. If there are several accounts, the
   * latest counts.
   */
  known(userId: string): Promise<ReadonlyMap<string, Grant>>
  /** @returns `undefined` if there are no tokens. */
  forget(userId: string, provider: string, by: RevokedBy): Promise<boolean | undefined>
  forgetAccount(account: { provider: string; providerAccountId: string }): Promise<void>
  /** Stores tokens from a session. @returns whether the user has such an account. */
  moveIn(userId: string, provider: string, tokens: TokenSet): Promise<boolean>
  readonly all: Keeper['all']
  readonly moveRow: Keeper['moveRow']
  readonly find: Keeper['find']
  isKept(provider: string): boolean
}

export function createUserTokens(
  host: Host,
  settings: Settings,
  memory: Memory,
  revoker: Revoker,
): UserTokens {
  const keeper = createKeeper(host, settings, memory)
  const renewer = createRenewer({ host, settings, memory, keeper, revoker })
  const renewing: Renewing = { host, settings, renewer }
  const { ports } = host
  const isKept = (provider: string): boolean => settings.providers?.includes(provider) ?? true

  async function find(
    userId: string,
    provider: string,
  ): Promise<{ grant: Grant; client: ProviderClient } | undefined> {
    const client = isKept(provider) ? await host.providers.client(provider) : undefined
    const grant = client && (await keeper.find(userId, provider))
    return grant && { grant, client }
  }

  return {
    all: keeper.all,
    moveRow: keeper.moveRow,
    find: keeper.find,
    isKept,
    async keep(account, ...others) {
      if (isKept(account.provider)) await keeper.keep(account, ...others)
    },
    async moveIn(userId, provider, tokens) {
      const rows = (await host.store?.atomic.listAccountsByUserId?.(userId)) ?? []
      const row = rows.find((each) => each.provider === provider)
      if (!row) return false
      await keeper.move({ ...row, ...tokens })
      return true
    },
    async get(userId, provider, options = {}) {
      const found = await find(userId, provider)
      if (!found) return refusal(host, provider, 'NoToken')
      const { grant, client } = found
      if (grant.error || !grant.tokens) return refusal(host, provider, 'RefreshTokenError')
      if (missingScopes(grant, options.scopes).length > 0)
        return refusal(host, provider, 'ScopeMissing')
      if (options.resource !== undefined)
        return forResource(grant, client, options.resource, renewing)
      const result = await renewIfDue(grant, client, options, renewing)
      if (result.kind === 'failed') return refusal(host, provider, result.error)
      if (missingScopes(result.grant, options.scopes).length > 0)
        return refusal(host, provider, 'ScopeMissing')
      return given(result.grant, client)
    },
    async exchange(userId, provider, params) {
      const given = await this.get(userId, provider)
      if (!given.ok) return given
      const found = await find(userId, provider)
      if (!found?.grant.tokens) return refusal(host, provider, 'NoToken')
      const { exchangeFor } = await import('../renewal/exchange.ts')
      return exchangeFor(found.grant, found.client, params, { host, keeper })
    },
    async known(userId) {
      const grants = await keeper.all(userId)
      const providers = host.providers.ids().filter(isKept)
      const isMissing = (provider: string): boolean => !latestOf(grants, provider)
      // Tokens from before the plugin are still in rows.
      const rows = providers.some(isMissing)
        ? ((await host.store?.atomic.listAccountsByUserId?.(userId)) ?? [])
        : []
      const known = new Map<string, Grant>()
      for (const provider of providers) {
        const hasRow = rows.some((row) => row.provider === provider)
        const grant =
          latestOf(grants, provider) ?? (hasRow ? await keeper.find(userId, provider) : undefined)
        if (grant) known.set(provider, grant)
      }
      return known
    },
    async status(userId) {
      const known = await this.known(userId)
      const now = ports.now()
      return Object.fromEntries(
        host.providers
          .ids()
          .filter(isKept)
          .map((provider) => [
            provider,
            statusOf(known.get(provider), now, reconnectPath(host, provider)),
          ]),
      )
    },
    async forget(userId, provider, by) {
      const grants = (await keeper.all(userId)).filter((grant) => grant.provider === provider)
      if (grants.length === 0) {
        const moved = await keeper.find(userId, provider)
        if (moved) grants.push(moved)
      }
      let isRevoked: boolean | undefined
      for (const { key } of grants) {
        const forgotten = await keeper.forget(key)
        if (!forgotten) continue
        isRevoked = (await revoker.revoke(forgotten, by)) && isRevoked !== false
      }
      return isRevoked
    },
    async forgetAccount({ provider, providerAccountId }) {
      const forgotten = await keeper.forget(await keyOf(provider, providerAccountId))
      if (forgotten) await revoker.revoke(forgotten, 'unlink')
    },
  }
}

/** The services of a renewal. */
interface Renewing {
  readonly host: Host
  readonly settings: Settings
  readonly renewer: Renewer
}

async function renewIfDue(
  grant: Grant,
  client: ProviderClient,
  { minTtl, force = false }: GetOptions,
  { host: { ports }, settings, renewer }: Renewing,
): Promise<Renewed> {
  const now = ports.now()
  const isForced = force && now - grant.obtained >= FORCED
  const margin = marginOf(client, settings, grant)
  if (!isForced && works(grant, now, minTtl ?? (margin || 0))) return { kind: 'ok', grant }
  if (!isForced && margin === false) return { kind: 'failed', error: 'NoToken' }
  if (!isRenewable(grant, now)) {
    if (!isForced && works(grant, now)) return { kind: 'ok', grant }
    const hadOne = grant.tokens?.refresh_token !== undefined || isForced
    return { kind: 'failed', error: hadOne ? 'RefreshTokenError' : 'NoToken' }
  }
  try {
    return await renewer.renew(grant, client, !isForced)
  } catch (error) {
    // The store fails, which was logged.
    if (!isForced && works(grant, now)) return { kind: 'ok', grant }
    throw error
  }
}

/** Returns an access token for one resource. The refresh token is the same for all. */
async function forResource(
  grant: Grant,
  client: ProviderClient,
  resource: string,
  { host, renewer }: Renewing,
): Promise<TokenResult> {
  const { ports } = host
  if (!client.rules.resources?.includes(resource))
    throw new TypeError(
      `the provider ${client.id} has no resource ${JSON.stringify(resource)}; add it to its \`tokens.resources\``,
    )
  const known = furtherToken(grant, resource, ports.now())
  if (known) return givenFurther(known, grant.tokens?.dpop, client)
  if (!isRenewable(grant, ports.now())) return refusal(host, client.id, 'NoToken')
  const result = await renewer.renew(grant, client, false, resource)
  if (result.kind === 'failed') return refusal(host, client.id, result.error)
  const fresh = furtherToken(result.grant, resource, ports.now())
  return fresh
    ? givenFurther(fresh, result.grant.tokens?.dpop, client)
    : refusal(host, client.id, 'ProviderUnavailable')
}

function latestOf(grants: readonly Grant[], provider: string): Grant | undefined {
  return grants
    .filter((grant) => grant.provider === provider)
    .toSorted((one, other) => other.obtained - one.obtained)[0]
}

/** Returns the state of tokens without the tokens. */
export function statusOf(
  grant: TokenFacts | undefined,
  now: number,
  reconnect: string,
): ProviderStatus {
  const isLess = grant !== undefined && missingScopes(grant, grant.asked).length > 0
  const ended = grant !== undefined && (Boolean(grant.error) || grant.tokens === undefined)
  return {
    connected: grant !== undefined && !ended && (works(grant, now) || isRenewable(grant, now)),
    ...(isLess && { error: 'ScopeMissing' as const }),
    ...(ended && { error: 'RefreshTokenError' as const }),
    scopes: grant?.scope ?? [],
    ...(grant?.expires_at !== undefined && { expires_at: grant.expires_at }),
    reconnect,
  }
}
