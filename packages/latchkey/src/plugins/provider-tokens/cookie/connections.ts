import type {
  Cookie,
  CurrentSession,
  Host,
  ProviderClient,
  SessionRequest,
} from '../../../entries/plugin.ts'
import type { Connections } from '../connections/connections.ts'
import { reconnectPath } from '../connections/ended.ts'
import type { Revoker } from '../connections/revocation.ts'
import { statusOf } from '../records/tokens.ts'
import type { CookieMemory } from '../renewal/memory.ts'
import { refusal } from '../renewal/refusal.ts'
import type { Settings } from '../settings.ts'
import type { GetOptions, ProviderTokenError } from '../tokens-api.ts'
import { FORCED, given, isRenewable, marginOf, missingScopes, works } from '../validity.ts'
import { type Content, type Entry, factsIn } from './content.ts'
import type { TokenJar } from './jar.ts'
import { renewalsOf } from './latest.ts'
import type { CookieRenewer } from './renewal.ts'

/** Milliseconds after which a second refusal of the same tokens is final. Another process may have renewed them. */
const SETTLED = 10_000

interface Services {
  readonly host: Host
  readonly settings: Settings
  readonly memory: CookieMemory
  readonly jar: TokenJar
  readonly revoker: Revoker
  readonly renew: CookieRenewer
  isKept(provider: string): boolean
}

/** Returns the connections whose tokens are in a cookie beside the session. */
export async function cookieConnections(
  { facts }: CurrentSession,
  request: SessionRequest,
  { host, settings, memory, jar, revoker, renew, isKept }: Services,
): Promise<Connections> {
  const { ports } = host
  const sid = await facts.sid()
  const content: Content = (await jar.open(request, sid)) ?? { p: {} }
  const entryFor = (provider: string): Entry | undefined =>
    Object.hasOwn(content.p, provider) ? content.p[provider] : undefined
  const write = async (provider: string, entry: Entry | undefined): Promise<Cookie[]> => {
    const { [provider]: _, ...others } = content.p
    const p = entry ? { ...others, [provider]: entry } : others
    if (Object.keys(p).length === 0) return jar.clear(request)
    await renewalsOf(others, host, memory)
    return jar.write(request, sid, { ...content, p }, facts.expires)
  }

  /** Falls back to the old token while it is valid. */
  const orOld = (
    entry: Entry,
    isForced: boolean,
    error: ProviderTokenError,
    client: ProviderClient,
    cookies: readonly Cookie[] = [],
  ): Awaited<ReturnType<Connections['get']>> => {
    const old = factsIn(entry)
    const isGood = !isForced && works(old, ports.now())
    return { result: isGood ? given(old, client) : refusal(host, client.id, error), cookies }
  }

  async function refused(
    entry: Entry,
    isForced: boolean,
    client: ProviderClient,
  ): Promise<Awaited<ReturnType<Connections['get']>>> {
    const provider = client.id
    const failure = await jar.failure(request, sid)
    if (failure?.g !== entry.g) {
      const noted = await jar.writeFailure(request, sid, { g: entry.g, at: ports.now() })
      return orOld(entry, isForced, 'ProviderUnavailable', client, [noted])
    }
    if (ports.now() - failure.at < SETTLED)
      return orOld(entry, isForced, 'ProviderUnavailable', client)
    const cookies = [...(await write(provider, { ...entry, x: 1 })), ...jar.clearFailure(request)]
    await host.tell('providerTokensFailed', {
      provider,
      userId: facts.userId ?? '',
      error: 'refused',
    })
    return { result: refusal(host, provider, 'RefreshTokenError'), cookies }
  }

  const none = (
    provider: string,
    error: ProviderTokenError,
  ): Awaited<ReturnType<Connections['get']>> => ({
    result: refusal(host, provider, error),
    cookies: [],
  })

  async function renewedOf(
    entry: Entry,
    { isForced, scopes }: Pick<GetOptions, 'scopes'> & { readonly isForced: boolean },
    client: ProviderClient,
  ): Promise<Awaited<ReturnType<Connections['get']>>> {
    const renewed = await renew({ entry, client, userId: facts.userId ?? '' })
    if (renewed.kind === 'unavailable') return orOld(entry, isForced, 'ProviderUnavailable', client)
    if (renewed.kind === 'refused') return refused(entry, isForced, client)
    const fresh = factsIn(renewed.entry)
    const cookies = await write(client.id, renewed.entry)
    if (missingScopes(fresh, scopes).length > 0)
      return { result: refusal(host, client.id, 'ScopeMissing'), cookies }
    return { result: given(fresh, client), cookies }
  }

  return {
    async get(
      provider,
      { scopes, resource, minTtl, force = false }: GetOptions = {},
      mayRenew = true,
    ) {
      refuseResource(resource)
      const client = isKept(provider) ? await host.providers.client(provider) : undefined
      const entry = client && entryFor(provider)
      if (!entry) return none(provider, 'NoToken')
      const now = ports.now()
      const old = factsIn(entry)
      const bad = faultOf(old, scopes)
      if (bad) return none(provider, bad)
      const isForced = force && now - entry.o >= FORCED
      const margin = marginOf(client, settings, old)
      const ok = { result: given(old, client), cookies: [] }
      if (!isForced && works(old, now, minTtl ?? (margin || 0))) return ok
      if (!isForced && margin === false) return none(provider, 'NoToken')
      if (!isRenewable(old, now)) {
        if (!isForced && works(old, now)) return ok
        return none(provider, isForced ? 'RefreshTokenError' : 'NoToken')
      }
      return mayRenew
        ? renewedOf(entry, { isForced, scopes }, client)
        : orOld(entry, isForced, 'RefreshElsewhere', client)
    },
    async status() {
      const now = ports.now()
      return Object.fromEntries(
        host.providers
          .ids()
          .filter(isKept)
          .map((provider) => {
            const entry = entryFor(provider)
            const reconnect = reconnectPath(host, provider)
            return [provider, statusOf(entry && factsIn(entry), now, reconnect)]
          }),
      )
    },
    async known() {
      const kept = host.providers.ids().filter(isKept)
      return new Map(
        kept.flatMap((provider) => {
          const entry = entryFor(provider)
          return entry ? [[provider, factsIn(entry)]] : []
        }),
      )
    },
    async forget(provider, by) {
      const entry = entryFor(provider)
      if (!entry) return { revoked: undefined, cookies: [] }
      const { tokens } = factsIn(entry)
      const revoked = await revoker.revoke({ provider, userId: facts.userId ?? '', tokens }, by)
      return { revoked, cookies: await write(provider, undefined) }
    },
    async account(provider) {
      const entry = entryFor(provider)
      return (
        entry && { account: entry.n || undefined, scope: factsIn(entry).scope, id_token: undefined }
      )
    },
  }
}

function faultOf(
  facts: ReturnType<typeof factsIn>,
  scopes: GetOptions['scopes'],
): ProviderTokenError | undefined {
  if (facts.error) return 'RefreshTokenError'
  return missingScopes(facts, scopes).length > 0 ? 'ScopeMissing' : undefined
}

function refuseResource(resource: string | undefined): void {
  if (resource === undefined) return
  throw new TypeError(
    'providerTokens: a token for a `resource` needs records, but the tokens are in a cookie',
  )
}
