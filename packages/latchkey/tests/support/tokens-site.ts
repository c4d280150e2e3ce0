import type { Adapter } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import { type TokensApi, type TokensOptions, tokens } from '../../src/plugins/tokens/index.ts'
import type { World } from '../../src/testing/world.ts'
import { createSite, type Strategy } from '../attacks/support/site.ts'

export const API = 'https://api.example'
export const ISSUER = 'https://app.example/auth'
export const DAY = 24 * 60 * 60

/** Of one API, with keys in records. */
export const oneApi: TokensOptions = {
  jwt: { audiences: { [API]: { scopes: ['read', 'write'] } } },
}

interface Setting {
  readonly strategy?: Strategy
  readonly options?: TokensOptions
  readonly adapter?: Adapter
  readonly seed?: number
  readonly config?: Partial<AuthConfig>
}

/** A site with the plugin, and nobody signed in yet. */
export async function tokensSite({
  strategy = 'database',
  options = oneApi,
  adapter,
  seed = 7,
  config,
}: Setting = {}) {
  return createSite({
    strategy,
    seed,
    config: { plugins: [tokens(options)], ...config },
    ...(adapter && { adapter }),
  })
}

/** What the plugin offers in code, by the clock of a world. */
export const tokensApi = ({ core, config }: World) =>
  core.plan(config).plugins?.api('tokens') as unknown as TokensApi

export interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope?: string
}

export async function tokenOf(world: World, query = ''): Promise<string> {
  const answer = await world.get(`/auth/token${query}`)
  return ((await answer.json()) as TokenAnswer).access_token
}

/** The published keys. */
export async function keysOf(world: World): Promise<JsonWebKey[]> {
  const answer = await world.get('/auth/jwks')
  return ((await answer.json()) as { keys: JsonWebKey[] }).keys
}

export interface Decoded {
  readonly header: Record<string, unknown>
  readonly claims: Record<string, unknown>
}

/** The parts of a token, which nobody verified. */
export function decoded(token: string): Decoded {
  const [header, claims] = token
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, claims }
}
