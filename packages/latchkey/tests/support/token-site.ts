import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import type { PluginRecord } from '../../src/entries/plugin.ts'
import { type Adapter, type AtomicAbilities, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { Provider, ProviderTokenRules } from '../../src/options/provider-options.ts'
import {
  type ProviderTokensApi,
  type ProviderTokensOptions,
  providerTokens,
} from '../../src/plugins/provider-tokens/index.ts'
import { createWorld, type World } from '../../src/testing/world.ts'

export const HOUR = 3600

type Answer = Response | undefined | Promise<Response | undefined>

/** A provider whose refresh tokens work once; a second use ends all tokens of the grant (RFC 9700 section 4.14.2). */
export function strictProvider() {
  let given = 0
  const used = new Set<string>()
  const valid = new Map<string, string>()
  const it = {
    /** What the token endpoint was asked for. */
    grants: [] as string[],
    /** Grants that ended since a refresh token was used twice. */
    endedFamilies: 0,
    /** Tokens that were revoked. */
    revoked: [] as string[],
    /** Members of the token response. */
    more: {} as Record<string, unknown>,
    /** Who signs in. */
    who: 'ada',
    /** What is answered instead. */
    answer: undefined as undefined | ((form: URLSearchParams, path: string) => Answer),
    /** What its API was asked with. */
    asked: [] as string[],
    fetch: (async (input, init) => {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const form = new URLSearchParams(request.method === 'POST' ? await request.text() : '')
      if (pathname === '/me') return Response.json({ id: it.who, email: `${it.who}@example.com` })
      if (pathname === '/token')
        it.grants.push(
          [form.get('grant_type'), form.get('refresh_token')].filter(Boolean).join(' '),
        )
      const other = await it.answer?.(form, pathname)
      if (other) return other
      if (pathname === '/revoke') {
        it.revoked.push(form.get('token') ?? '')
        return new Response(null)
      }
      if (pathname === '/api') {
        it.asked.push(request.headers.get('authorization') ?? '')
        return Response.json({ asked: it.asked.length })
      }
      const token = form.get('refresh_token')
      let family = `family-${given}`
      if (form.get('grant_type') === 'refresh_token') {
        family = valid.get(token ?? '') ?? ''
        if (used.has(token ?? '')) {
          it.endedFamilies++
          for (const [each, of] of valid) if (of === family) valid.delete(each)
        }
        if (!valid.has(token ?? '') || used.has(token ?? ''))
          return Response.json({ error: 'invalid_grant' }, { status: 400 })
        used.add(token ?? '')
      }
      given++
      valid.set(`refresh-${given}`, family)
      return Response.json({
        access_token: `access-${given}`,
        refresh_token: `refresh-${given}`,
        token_type: 'bearer',
        scope: 'read',
        expires_in: HOUR,
        ...it.more,
      })
    }) as typeof fetch,
  }
  return it
}

export type StrictProvider = ReturnType<typeof strictProvider>

export function acmeProvider(tokens?: ProviderTokenRules, more: object = {}): Provider {
  return {
    id: 'acme',
    name: 'Acme',
    type: 'oauth',
    clientId: 'id',
    clientSecret: 'secret',
    authorization: { url: 'https://acme.example/authorize', params: { scope: 'read' } },
    token: 'https://acme.example/token',
    userinfo: 'https://acme.example/me',
    profile: (profile: object) => profile,
    tokens: { revocation: 'https://acme.example/revoke', ...tokens },
    ...more,
  }
}

export interface TokenSetting {
  readonly provider?: StrictProvider
  readonly adapter?: Adapter | undefined
  readonly options?: ProviderTokensOptions
  readonly rules?: ProviderTokenRules | undefined
  readonly seed?: number
  readonly config?: Partial<AuthConfig>
}

/** A site with the plugin, and nobody signed in yet. */
export function tokenSite({
  provider = strictProvider(),
  adapter: chosen,
  options,
  rules,
  seed = 3,
  config,
}: TokenSetting = {}) {
  const adapter = chosen ?? memoryAdapter()
  const world = createWorld(
    {
      adapter,
      providers: [acmeProvider(rules)],
      plugins: [providerTokens(options)],
      ...config,
    },
    { fetch: provider.fetch, seed },
  )
  return { world, provider, adapter, api: tokensApi(world) }
}

/** What the plugin offers in code, by the clock of a world. */
export const tokensApi = ({ core, config }: World) =>
  core.plan(config).plugins?.api('providerTokens') as unknown as ProviderTokensApi

export function requestFrom({ jar, origin }: World, path = '/', init: RequestInit = {}): Request {
  const headers = new Headers(init.headers)
  headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
  return new Request(origin + path, { ...init, headers })
}

/** Signs in with the provider. @returns the last answer. */
export async function signInWith(world: World, id = 'acme'): Promise<Response> {
  const begun = await world.post(`/auth/signin/${id}`)
  return comeBack(world, begun, id)
}

/** Has the provider agree, and the browser come back. */
export async function comeBack(world: World, begun: Response, id = 'acme'): Promise<Response> {
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  return world.get(`/auth/callback/${id}?${new URLSearchParams({ code: 'c', state })}`)
}

export const abilities = (adapter: Adapter): AtomicAbilities => adapter[atomic] ?? {}

/** All records of a kind. */
export async function recordsOf(adapter: Adapter, kind: string): Promise<PluginRecord[]> {
  const page = await abilities(adapter).listRecords?.({ kind, limit: 100 })
  return page?.records ?? []
}

/** The rows of accounts of the only user with an account. */
export async function accountsOf(adapter: Adapter, providerAccountId = 'ada') {
  const user = await adapter.getUserByAccount?.({ provider: 'acme', providerAccountId })
  return (await abilities(adapter).listAccountsByUserId?.(user?.id ?? '')) ?? []
}
