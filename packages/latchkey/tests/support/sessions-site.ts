import { type Adapter, type AtomicAbilities, atomic } from '../../src/model/adapter.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import {
  type SessionInfo,
  type SessionsApi,
  type SessionsOptions,
  sessions,
} from '../../src/plugins/sessions/index.ts'
import type { World } from '../../src/testing/world.ts'
import { createSite, passwordSignIn, type Strategy } from '../attacks/support/site.ts'

export const DAY = 24 * 60 * 60
export const SID = /^[A-Za-z0-9_-]{22}$/
const JSON_OF_OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

export interface Setting {
  /** Processes with the same draw the same values. */
  readonly seed?: number
  readonly adapter?: Adapter
  readonly options?: SessionsOptions
  readonly config?: Partial<AuthConfig>
}

/** A site with the plugin, and nobody signed in yet. */
export async function siteOf(
  strategy: Strategy,
  { seed = 7, adapter, options, config }: Setting = {},
) {
  const plugins = [sessions(options)]
  return createSite({
    strategy,
    seed,
    config: { plugins, ...config },
    ...(adapter && { adapter }),
  })
}

/** Ada in the browser of a site, and Ada in another one. */
export async function twoBrowsers(strategy: Strategy, setting: Setting = {}) {
  const { world, adapter } = await siteOf(strategy, setting)
  const other = world.otherBrowser()
  await passwordSignIn(world)
  world.advance(5)
  await passwordSignIn(other)
  return { world, other, adapter }
}

/** What the plugin offers in code, by the clock of a world. */
export const apiOf = ({ core, config }: World) =>
  core.plan(config).plugins?.api('sessions') as unknown as SessionsApi

export const requestOf = ({ jar, origin }: World, path = '/') =>
  new Request(origin + path, {
    headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
  })

export const listOf = (world: World): Promise<SessionInfo[]> => apiOf(world).list(requestOf(world))

export async function idOf(world: World): Promise<string> {
  return (await apiOf(world).current(requestOf(world)))?.id ?? ''
}

export const nameOf = async (world: World) => (await world.session())?.user?.['name'] ?? null

export const postJson = (world: World, path: string, body: object = {}) =>
  world.request(`/auth/sessions/${path}`, {
    method: 'POST',
    headers: JSON_OF_OURS,
    body: JSON.stringify(body),
  })

export const abilitiesOf = (world: World): AtomicAbilities => world.config.adapter?.[atomic] ?? {}

export async function recordOf(world: World, sid: string) {
  return abilitiesOf(world).getRecord?.({ kind: 'session', key: sid })
}

export const isoDate = (time: number) => new Date(time).toISOString()

interface Process extends Pick<Setting, 'seed' | 'options'> {
  readonly strategy: Strategy
  readonly email: string
}

/** A process on a store, with the one user who has an address there, whatever their id is. */
export async function worldOn(adapter: Adapter, { strategy, seed = 1, email, options }: Process) {
  const created = { id: crypto.randomUUID(), name: 'Eve', email, emailVerified: null }
  const user =
    (await adapter.getUserByEmail?.(email)) ?? (await adapter.createUser?.(created)) ?? null
  const { world } = await createSite({
    strategy,
    adapter: { ...adapter, createUser: adapter.createUser ?? (async (each) => each) },
    seed,
    config: {
      plugins: [sessions(options)],
      providers: [
        {
          id: 'credentials',
          name: 'Password',
          type: 'credentials',
          credentials: { username: {}, password: {} },
          authorize: async () => user,
        },
      ],
    },
  })
  return { world, userId: user?.id ?? '' }
}
