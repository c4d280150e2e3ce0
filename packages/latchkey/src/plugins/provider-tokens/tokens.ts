import { definedOnly } from '../../encoding/defined-only.ts'
import type { Host, ProviderClient } from '../../plugin-kit.ts'
import { type Grant, keyOf } from './grant.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import type { Memory, Renewed } from './memory.ts'
import { createRenewer } from './renewal.ts'
import { createRevoker, type RevokedBy, type Revoker } from './revocation.ts'
import type { Settings } from './settings.ts'
import type {
  GetOptions,
  ProviderStatus,
  ProviderTokenError,
  ProviderTokenResult,
} from './tokens-api.ts'
import { isRenewable, marginOf, missingScopes, works } from './validity.ts'

/** Milliseconds within which a token is renewed once, however often an API refuses it. */
const FORCED = 10_000

/** The tokens of users, kept as records. */
export interface UserTokens extends Pick<Keeper, 'keep'> {
  get(userId: string, provider: string, options?: GetOptions): Promise<ProviderTokenResult>
  status(userId: string): Promise<Record<string, ProviderStatus>>
  /** @returns `undefined` where there is nothing to forget. */
  forget(userId: string, provider: string, by: RevokedBy): Promise<boolean | undefined>
  forgetAccount(account: { provider: string; providerAccountId: string }): Promise<void>
  readonly all: Keeper['all']
  readonly find: Keeper['find']
  isKept(provider: string): boolean
  readonly revoker: Revoker
}

export function createUserTokens(host: Host, settings: Settings, memory: Memory): UserTokens {
  const keeper = createKeeper(host, settings, memory)
  const revoker = createRevoker(host, settings)
  const renewer = createRenewer({ host, settings, memory, keeper, revoker })
  const { ports } = host
  const isKept = (provider: string): boolean => settings.providers?.includes(provider) ?? true

  async function renewIfDue(
    grant: Grant,
    client: ProviderClient,
    { minTtl, force = false }: GetOptions,
  ): Promise<Renewed> {
    const now = ports.now()
    const isForced = force && now - grant.obtained >= FORCED
    const margin = marginOf(client, settings)
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
      // The store is away, and has said so.
      if (!isForced && works(grant, now)) return { kind: 'ok', grant }
      throw error
    }
  }

  async function find(
    userId: string,
    provider: string,
  ): Promise<{ grant: Grant; client: ProviderClient } | undefined> {
    const client = isKept(provider) ? await host.provider(provider) : undefined
    const grant = client && (await keeper.find(userId, provider))
    return grant && { grant, client }
  }

  const statusOf = (grant: Grant | undefined, provider: string): ProviderStatus => {
    const now = ports.now()
    const isRefused = grant !== undefined && missingScopes(grant, grant.asked).length > 0
    const ended = grant !== undefined && (grant.error !== undefined || grant.tokens === undefined)
    return {
      connected: grant !== undefined && !ended && (works(grant, now) || isRenewable(grant, now)),
      ...(isRefused && { error: 'ScopeMissing' as const }),
      ...(ended && { error: 'RefreshTokenError' as const }),
      scopes: grant?.scope ?? [],
      ...(grant?.expires_at !== undefined && { expires_at: grant.expires_at }),
      reconnect: reconnectPath(host, provider),
    }
  }

  return {
    all: keeper.all,
    find: keeper.find,
    isKept,
    revoker,
    async keep(account, ...others) {
      if (isKept(account.provider)) await keeper.keep(account, ...others)
    },
    async get(userId, provider, options = {}) {
      const found = await find(userId, provider)
      if (!found) return refusal(host, provider, 'NoToken')
      const { grant, client } = found
      if (grant.error || !grant.tokens) return refusal(host, provider, 'RefreshTokenError')
      if (missingScopes(grant, options.scopes).length > 0)
        return refusal(host, provider, 'ScopeMissing')
      const result = await renewIfDue(grant, client, options)
      if (result.kind === 'failed') return refusal(host, provider, result.error)
      if (missingScopes(result.grant, options.scopes).length > 0)
        return refusal(host, provider, 'ScopeMissing')
      return given(result.grant)
    },
    async status(userId) {
      const grants = await keeper.all(userId)
      const status: Record<string, ProviderStatus> = {}
      for (const provider of host.providers().filter(isKept)) {
        const grant = latestOf(grants, provider) ?? (await keeper.find(userId, provider))
        status[provider] = statusOf(grant, provider)
      }
      return status
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

function latestOf(grants: readonly Grant[], provider: string): Grant | undefined {
  return grants
    .filter((grant) => grant.provider === provider)
    .toSorted((one, other) => other.obtained - one.obtained)[0]
}

function given({ tokens = {}, expires_at, scope }: Grant): ProviderTokenResult {
  return {
    ok: true,
    access_token: tokens.access_token ?? '',
    token_type: tokens.token_type ?? 'bearer',
    ...definedOnly({ expires_at, scope: scope.length > 0 ? scope.join(' ') : undefined }),
    setCookie: [],
  }
}

export function refusal(
  host: Host,
  provider: string,
  error: ProviderTokenError,
): Extract<ProviderTokenResult, { ok: false }> {
  const helps = error === 'NoToken' || error === 'RefreshTokenError' || error === 'ScopeMissing'
  return {
    ok: false,
    error,
    ...(helps &&
      host.providers().includes(provider) && { reconnect: reconnectPath(host, provider) }),
    setCookie: [],
  }
}

function reconnectPath(host: Host, provider: string): string {
  return host.path(`provider-tokens/connect/${encodeURIComponent(provider)}`)
}
