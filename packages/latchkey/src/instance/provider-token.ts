import { definedOnly } from '../base/encoding/defined-only.ts'
import {
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  OAuthCallbackError,
  toError,
} from '../base/errors.ts'
import { oncePer } from '../base/once.ts'
import { withProviders } from '../core/compile/providers.ts'
import { createOAuthFlow } from '../flows/oauth/oauth-flow.ts'
import { type RenewalMemory, renewOnce, type TokenShelf } from '../flows/oauth/tokens/renew-once.ts'
import { renewTokens } from '../flows/oauth/tokens/renew-tokens.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AtomicAbilities } from '../model/adapter.ts'
import { withSecurityProfile } from '../option-checks/security-profile.ts'
import type { OAuth2Config } from '../options/provider-options.ts'
import type { Plan, SessionPlan } from '../plan/plan.ts'
import type { ProviderToken } from '../plugin/provides.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { Store } from '../store/store.ts'

/** Seconds before its expiry at which a token is renewed. */
const MARGIN = 60

/** Milliseconds for which a process has the lease to renew a token: a request to a provider may take ten seconds. */
const TURN = 15_000

/** Seconds of validity, if the provider returns none. */
const USUAL = 3600

/** Where a token is stored, and how it is renewed. */
interface Source {
  readonly plan: Plan
  readonly store: Store
  readonly config: OAuth2Config<unknown>
  readonly update: NonNullable<AtomicAbilities['updateAccount']>
  /** Reads the account from the store. */
  read(): Promise<AdapterAccount | undefined>
}

/**
 * Returns the access token of the signed-in user at a provider. Renews it if it is about to expire.
 *
 * @returns `null` without a session, without an account, without a valid token or refresh token, or if the provider
 *   says that the grant has ended.
 * @throws {MissingAdapter} without an adapter, unless a plugin stores the tokens.
 * @throws {InvalidProvider} for a provider with `dpop`, whose tokens only a plugin stores.
 * @throws {OAuthCallbackError} if the token has expired, and the provider cannot be reached or refuses the client or the
 *   request (`invalid_client`, `temporarily_unavailable`, …), so that a new sign-in would not help.
 */
export async function providerToken(
  asked: SessionRequest,
  providerId: string,
  plan: SessionPlan,
): Promise<ProviderToken | null> {
  const keeper = plan.plugins?.accounts.tokens
  if (keeper) return keeper.get(asked, providerId)
  const source = await sourceOf(asked, providerId, withProviders(plan))
  const account = source && (await source.read())
  if (!account) return null
  const token = usable(account, source, MARGIN)
  if (token) return token
  if (!account.refresh_token) return usable(account, source)
  return renew(account, source)
}

async function sourceOf(
  asked: SessionRequest,
  providerId: string,
  plan: Plan,
): Promise<Source | undefined> {
  const { store } = plan
  if (!store)
    throw new MissingAdapter('tokens of providers are stored by an adapter; set `adapter`')
  const { listAccountsByUserId: list, updateAccount: update } = store.atomic
  if (!list || !update) {
    throw new MissingAdapterMethods(
      'tokens of providers need an adapter that lists and updates accounts',
    )
  }
  const provider = plan.provider(providerId)
  if (provider?.type !== 'oauth' && provider?.type !== 'oidc') return undefined
  if (withSecurityProfile(provider.config as OAuth2Config<unknown>).dpop) {
    throw new InvalidProvider(
      `provider ${providerId}: its tokens are bound to a key (\`dpop\`), which only the plugin providerTokens stores; add the plugin`,
    )
  }
  const user = await plan.session.currentUser(asked)
  if (!user) return undefined
  return {
    plan,
    store,
    config: provider.config as OAuth2Config<unknown>,
    update: update.bind(store.atomic),
    read: async () =>
      (await list.call(store.atomic, user.id)).find(({ provider }) => provider === providerId),
  }
}

/** Returns the token of an account if it is valid for at least `margin` seconds. */
function usable(
  { access_token, expires_at, scope, token_type }: AdapterAccount,
  { plan }: Source,
  margin: number = 0,
): ProviderToken | null {
  if (!access_token) return null
  if (expires_at && expires_at <= plan.ports.now() / 1000 + margin) return null
  return {
    access_token,
    ...(expires_at ? { expires_at } : {}),
    ...(scope ? { scope } : {}),
    ...(token_type ? { token_type } : {}),
  }
}

/** The renewals that this process knows. */
const memories = oncePer(
  (_store: Store): RenewalMemory<ProviderToken | null> => ({
    running: new Map(),
    paused: new Map(),
  }),
  new WeakMap(),
)

/** Renews the token of an account. */
function renew(account: AdapterAccount, source: Source): Promise<ProviderToken | null> {
  const { plan, config, store } = source
  const flow = createOAuthFlow(config, plan)
  return renewOnce(rowShelf(account, source), {
    memory: memories(store),
    ports: plan.ports,
    refresh: (tokens) => renewTokens(flow, tokens, { ignoresIdToken: true }),
  })
}

/** Returns the row of an account as a shelf of tokens. */
function rowShelf(account: AdapterAccount, source: Source): TokenShelf<ProviderToken | null> {
  const { plan, store, read, update } = source
  const { provider, providerAccountId } = account
  const key = `provider-token:${provider}:${providerAccountId}`
  const { paused } = memories(store)
  let known: AdapterAccount | undefined
  /** Without leases, another process may have renewed the token. The old one is used while it is valid. */
  const stored = async (): Promise<ProviderToken | null> => {
    const now = await read()
    return now ? usable(now, source) : null
  }
  const report = (error: Error): void =>
    plan.logger.error(new OAuthCallbackError(error, { provider }))
  const unavailable = async (error?: Error): Promise<ProviderToken | null> => {
    const old = await stored()
    if (old || !error) return old
    throw new OAuthCallbackError(error, { provider })
  }
  /** Returns this result as long as no other process acquires the lease. */
  const pause = (result: () => Promise<ProviderToken | null>): Promise<ProviderToken | null> => {
    paused.set(key, { until: plan.ports.now() + TURN, pause: TURN, result })
    return result()
  }
  return {
    key,
    rests: [TURN, TURN],
    async acquire() {
      const now = plan.ports.now()
      const lease = { name: key, now: new Date(now), expires: new Date(now + TURN) }
      const isOurs = store.atomic.acquireLease
        ? (await store.atomic.acquireLease(lease)) !== null
        : true
      // The lease is not released, so no process sends a request after a failure until it expires.
      return isOurs ? { release: async () => undefined } : null
    },
    async read(isOurs) {
      // The caller has just read the row, and waits only if that token has expired.
      const isFirst = known === undefined
      known = isFirst && !isOurs ? account : await read()
      if (!known) return { result: null }
      const renewed = usable(known, source, isOurs ? MARGIN : 0)
      if (renewed) return { result: renewed }
      const { access_token, refresh_token, scope } = known
      return { due: { tokens: definedOnly({ access_token, refresh_token, scope }) } }
    },
    async write({ tokens }) {
      const { access_token, refresh_token, scope, token_type, expires_in = USUAL } = tokens
      const fresh = {
        access_token,
        ...(token_type && { token_type }),
        expires_at: Math.floor(plan.ports.now() / 1000 + expires_in),
        // Providers omit members that have not changed.
        ...(refresh_token ? { refresh_token } : {}),
        ...(scope ? { scope } : {}),
      }
      try {
        const isKept = await update({ provider, providerAccountId, ...fresh })
        return known && isKept ? usable({ ...known, ...fresh }, source) : null
      } catch (error) {
        report(toError(error))
        return pause(() => unavailable(toError(error)))
      }
    },
    async refuse({ error }) {
      report(error)
      return pause(stored)
    },
    report,
    unavailable,
  }
}
