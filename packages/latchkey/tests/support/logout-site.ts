import { CompactSign, type JWTPayload } from 'jose'
import { memoryAdapter } from '../../src/adapters/memory/index.ts'
import { createWorld, type World } from '../../src/entries/testing.ts'
import { type Adapter, atomic } from '../../src/model/adapter.ts'
import type { Profile } from '../../src/model/profile.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { OAuthUserConfig } from '../../src/options/provider-options.ts'
import {
  type FederatedLogoutOptions,
  federatedLogout,
} from '../../src/plugins/federated-logout/index.ts'
import { type SessionsOptions, sessions } from '../../src/plugins/sessions/index.ts'
import { oidc } from '../../src/providers/define.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  ISSUER,
  key,
  type Misbehaviour,
  type SimulatedProvider,
  simulateProvider,
} from './simulated-provider.ts'

export const ORIGIN = 'https://app.example'
export const END_SESSION = `${ISSUER}/end-session`

/** How sessions are kept, and whether there is a store of records. */
export const keepings = {
  'sealed sessions': {},
  'sealed sessions and records': { strategy: 'jwt', adapter: memoryAdapter },
  'stored sessions and records': { strategy: 'database', adapter: memoryAdapter },
  'stored sessions without records': { strategy: 'database', adapter: withoutRecords },
} as const

export type Keeping = keyof typeof keepings

/** An adapter as Auth.js has them. */
function withoutRecords(): Adapter {
  const { [atomic]: _, ...adapter } = memoryAdapter()
  return adapter
}

export interface LogoutSite {
  readonly world: World
  readonly op: SimulatedProvider
  readonly adapter: Adapter | undefined
}

export interface LogoutSetting {
  readonly options?: FederatedLogoutOptions | undefined
  readonly provider?: OAuthUserConfig<Profile> | undefined
  readonly told?: Misbehaviour
  readonly config?: Partial<AuthConfig>
  readonly adapter?: Adapter
  readonly seed?: number
  readonly origin?: string
}

/** Sites without a store share the memory of the process, where equal randomness would give equal tickets. */
let drawn = 1

/** A site whose people sign in at an OpenID provider that signs them out, too. */
export function logoutSite(
  keeping: Keeping,
  {
    options,
    provider = {},
    told = {},
    config,
    seed = drawn++,
    origin,
    ...more
  }: LogoutSetting = {},
): LogoutSite {
  const kept: { strategy?: 'jwt' | 'database'; adapter?: () => Adapter } = keepings[keeping]
  const adapter = more.adapter ?? kept.adapter?.()
  const op = simulateProvider(() => world.now(), {
    claims: { sid: 'session-at-op' },
    ...told,
    metadata: { end_session_endpoint: END_SESSION, ...told.metadata },
  })
  const world: World = createWorld(
    {
      providers: [corp(provider)],
      plugins: [federatedLogout(options)],
      ...(kept.strategy && { session: { strategy: kept.strategy } }),
      ...(adapter && { adapter }),
      ...config,
    },
    { fetch: op.fetch, seed, ...(origin && { origin }) },
  )
  return { world, op, adapter }
}

/** Each site has keys and metadata of its own. */
export function corp(options: OAuthUserConfig<Profile> = {}) {
  return oidc<Profile>({
    id: 'corp',
    name: 'Corp',
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    checks: ['pkce', 'state', 'nonce'],
  })(options)
}

export const locationOf = (answer: Response): URL =>
  new URL(answer.headers.get('location') ?? '', ORIGIN)

/** Begins at the site, agrees at the provider, and comes back. */
export async function signInAtCorp(
  { world, op }: Pick<LogoutSite, 'op'> & { readonly world: World },
  fields: Record<string, string> = {},
): Promise<Response> {
  const begun = await world.post('/auth/signin/corp', fields)
  return world.get(`/auth/callback/corp?${op.authorize(locationOf(begun))}`)
}

/** Signs out, as far as the provider. @returns the request to the provider */
export async function signOutToCorp(
  world: World,
  fields: Record<string, string> = { federated: '1' },
): Promise<URL> {
  const answer = await world.post('/auth/signout', fields)
  return locationOf(await world.get(locationOf(answer).href))
}

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Claims of a logout token that is right. */
export function logoutClaims(world: World, claims: Record<string, unknown> = {}): JWTPayload {
  const iat = Math.floor(world.now() / 1000)
  return {
    iss: ISSUER,
    aud: CLIENT_ID,
    iat,
    exp: iat + 120,
    jti: `jti-${tokens++}`,
    sid: 'session-at-op',
    events: { [LOGOUT_EVENT]: {} },
    ...claims,
  }
}

let tokens = 0

/** A logout token, right but for what is given. */
export async function logoutToken(
  world: World,
  claims: Record<string, unknown> = {},
  { header = {}, signer = key('usual') }: { header?: object; signer?: ReturnType<typeof key> } = {},
): Promise<string> {
  const { alg, kid, privateKey } = await signer
  return new CompactSign(new TextEncoder().encode(JSON.stringify(logoutClaims(world, claims))))
    .setProtectedHeader({ alg, typ: 'logout+jwt', ...(kid ? { kid } : {}), ...header })
    .sign(privateKey)
}

/** What the provider posts. */
export const sendLogout = (world: World, token: string, provider = 'corp'): Promise<Response> =>
  world.otherBrowser().request(`/auth/logout/backchannel/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

/** A site with the plugin `sessions`, to which the provider says when its sessions end. */
export function backchannelSite(
  strategy: 'jwt' | 'database',
  { options, config, ...setting }: LogoutSetting & { more?: SessionsOptions } = {},
): LogoutSite {
  return logoutSite(
    strategy === 'jwt' ? 'sealed sessions and records' : 'stored sessions and records',
    {
      ...setting,
      config: {
        plugins: [sessions(setting.more), federatedLogout({ backchannel: true, ...options })],
        ...config,
      },
    },
  )
}
