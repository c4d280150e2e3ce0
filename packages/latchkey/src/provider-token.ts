import { withProviders } from './compile/providers.ts'
import {
  InvalidProvider,
  MissingAdapter,
  MissingAdapterMethods,
  OAuthCallbackError,
  toError,
} from './errors.ts'
import { createOAuthFlow } from './flows/oauth/oauth-flow.ts'
import { refreshTokens } from './flows/oauth/refresh-tokens.ts'
import type { AdapterAccount } from './model/account.ts'
import type { AtomicAbilities } from './model/adapter.ts'
import type { OAuth2Config } from './options/provider-options.ts'
import { withSecurityProfile } from './options/security-profile.ts'
import type { Plan, SessionPlan } from './plan.ts'
import type { ProviderToken } from './plugin.ts'
import type { SessionRequest } from './session/strategy.ts'
import type { Store } from './store/store.ts'

/** Seconds before its end from which on a token is renewed. */
const MARGIN = 60

/** Milliseconds within which nobody else renews a token: a request to a provider may take ten seconds. */
const TURN = 15_000

/** Milliseconds until somebody who waits looks again. */
const PAUSE = 100

/** Seconds that a token lasts whose provider does not say. */
const USUAL = 3600

/** Where a token is kept, and how another one is had. */
interface Source {
  readonly plan: Plan
  readonly store: Store
  readonly config: OAuth2Config<unknown>
  readonly update: NonNullable<AtomicAbilities['updateAccount']>
  /** The account as it is stored now. */
  read(): Promise<AdapterAccount | undefined>
}

/**
 * The access token that a provider gave for who is signed in, renewed when it is about to end.
 *
 * @returns `null` when there is none: nobody is signed in, no such account, no token that still works and none that renews
 *   it, or the provider refuses.
 * @throws {MissingAdapter} without an adapter, which keeps it; a plugin may keep it elsewhere.
 * @throws {InvalidProvider} for a provider with `dpop`, whose tokens only a plugin keeps.
 * @throws {OAuthCallbackError} when the provider cannot be asked, and the token has come to its end.
 */
export async function providerToken(
  asked: SessionRequest,
  providerId: string,
  plan: SessionPlan,
): Promise<ProviderToken | null> {
  const keeper = plan.plugins?.tokenKeeper
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
  if (!store) throw new MissingAdapter('tokens of providers are kept in an adapter')
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
      `provider ${providerId}: its tokens are bound to a key (\`dpop\`), which only the plugin providerTokens keeps; add the plugin`,
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

/** The token of an account that works for some seconds more. */
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

/** Renewals that are under way in this process. */
const running = new WeakMap<Store, Map<string, Promise<ProviderToken | null>>>()

/** However many ask at once, the work is done once. */
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

/** Other processes renew it as well: who has the lease does, and the others wait for what they get. */
async function renew(source: Source): Promise<ProviderToken | null> {
  for (;;) {
    const account = await source.read()
    if (!account) return null
    const renewed = usable(account, source, MARGIN)
    if (renewed) return renewed
    if (await isOurTurn(account, source)) return refresh(account, source)
    // The old one does while it lasts.
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

/** A turn of this process that brought nothing: until it is over there is nobody to wait for. */
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
      // Where it does not change, it is not said again.
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
        if (error instanceof Error && 'error' in error) return null
        throw failure
      },
    }
    keepFailedTurn(keyOf(account), turn, source)
    // Where there are no leases, another process may have been faster.
    const now = await read()
    return (now && usable(now, source)) ?? turn.answer()
  }
}
