import {
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  OAuthCallbackError,
  toError,
} from '../base/errors.ts'
import { withProviders } from '../core/compile/providers.ts'
import { createOAuthFlow } from '../flows/oauth/oauth-flow.ts'
import { refreshTokens } from '../flows/oauth/refresh-tokens.ts'
import type { AdapterAccount } from '../model/account.ts'
import type { AtomicAbilities } from '../model/adapter.ts'
import { withSecurityProfile } from '../option-checks/security-profile.ts'
import type { OAuth2Config } from '../options/provider-options.ts'
import type { Plan, SessionPlan } from '../plan/plan.ts'
import type { ProviderToken } from '../plugin/provides.ts'
import { isAboutGrant } from '../protocols/oauth/token-error.ts'
import type { SessionRequest } from '../session/strategy.ts'
import type { Store } from '../store/store.ts'

/** Seconds before its expiry at which a token is renewed. */
const MARGIN = 60

/** Milliseconds for which a process has the lease to renew a token: a request to a provider may take ten seconds. */
const TURN = 15_000

/** Milliseconds between two reads while another process renews the token. */
const PAUSE = 100

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
  return once(source.store, keyOf(account), () => renew(source))
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

function keyOf({ provider, providerAccountId }: AdapterAccount): string {
  return `provider-token:${provider}:${providerAccountId}`
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

/** Renewals in progress in this process. */
const running = new WeakMap<Store, Map<string, Promise<ProviderToken | null>>>()

/** Runs the work once for all concurrent callers. */
function once(
  store: Store,
  key: string,
  work: () => Promise<ProviderToken | null>,
): Promise<ProviderToken | null> {
  const all = running.get(store) ?? new Map<string, Promise<ProviderToken | null>>()
  running.set(store, all)
  const known = all.get(key)
  if (known) return known
  const begun = work().finally(() => all.delete(key))
  all.set(key, begun)
  return begun
}

/** Only the process that holds the lease renews the token; all others wait for its result. */
async function renew(source: Source): Promise<ProviderToken | null> {
  for (;;) {
    const account = await source.read()
    if (!account) return null
    const renewed = usable(account, source, MARGIN)
    if (renewed) return renewed
    if (await isOurTurn(account, source)) return refresh(account, source)
    // The old token is used as long as it is valid.
    const old = usable(account, source)
    if (old) return old
    const failed = failedTurns.get(source.store)?.get(keyOf(account))
    if (failed && failed.until > source.plan.ports.now()) return failed.answer()
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
}

async function isOurTurn(account: AdapterAccount, { plan, store }: Source): Promise<boolean> {
  if (!store.atomic.acquireLease) return true
  const now = plan.ports.now()
  const lease = { name: keyOf(account), now: new Date(now), expires: new Date(now + TURN) }
  return (await store.atomic.acquireLease(lease)) !== null
}

/** A failed renewal of this process. Until its lease expires, no other process can renew the token. */
interface FailedTurn {
  /** Milliseconds since the epoch. */
  readonly until: number
  answer(): null
}

const failedTurns = new WeakMap<Store, Map<string, FailedTurn>>()

function keepFailedTurn(key: string, turn: FailedTurn, { plan, store }: Source): void {
  const turns = failedTurns.get(store) ?? new Map<string, FailedTurn>()
  failedTurns.set(store, turns)
  for (const [each, { until }] of turns) if (until <= plan.ports.now()) turns.delete(each)
  turns.set(key, turn)
}

async function refresh(account: AdapterAccount, source: Source): Promise<ProviderToken | null> {
  const { plan, config, read, update } = source
  const until = plan.ports.now() + TURN
  try {
    const answer = await refreshTokens(createOAuthFlow(config, plan), account.refresh_token ?? '')
    const { access_token, refresh_token, scope, token_type, expires_in = USUAL } = answer
    const fresh = {
      access_token,
      token_type,
      expires_at: Math.floor(plan.ports.now() / 1000 + expires_in),
      // Providers omit what has not changed.
      ...(refresh_token ? { refresh_token } : {}),
      ...(scope ? { scope } : {}),
    }
    const { provider, providerAccountId } = account
    const isKept = await update({ provider, providerAccountId, ...fresh })
    return isKept ? usable({ ...account, ...fresh }, source) : null
  } catch (error) {
    const failure = new OAuthCallbackError(toError(error), { provider: account.provider })
    plan.logger.error(failure)
    const turn = {
      until,
      answer() {
        if (error instanceof Error && 'error' in error && isAboutGrant(error.error)) return null
        throw failure
      },
    }
    keepFailedTurn(keyOf(account), turn, source)
    // Without leases, another process may have renewed the token.
    const now = await read()
    return (now && usable(now, source)) ?? turn.answer()
  }
}
