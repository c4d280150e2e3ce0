import { memoryAdapter } from '../../../src/adapters/memory/index.ts'
import {
  definePlugin,
  type Host,
  html,
  markup,
  type Plugin,
  Problem,
} from '../../../src/entries/plugin.ts'
import { limitsOfPlugins } from '../../../src/entries/plugin-limits.ts'
import { withClientAddress } from '../../../src/http/origin/client-address.ts'
import type { SiteRequest } from '../../../src/http/request.ts'
import type { Adapter } from '../../../src/model/adapter.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { PluginOption } from '../../../src/options/plugin-option.ts'
import { createWorld, type World } from '../../../src/testing/world.ts'

const ANYTHING = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value: value as Record<string, string> }),
  },
} as const

const DAY = 86_400

/** The rules of the plugin, as those for a sign-in with a password are. */
export const VAULT_RULES = {
  'vault.open': [
    { by: 'network', limit: 30, window: 900 },
    { by: 'network', limit: 300, window: DAY },
    { by: 'identifier', limit: 10, window: 900, unknownDevices: true },
    { by: 'identifier', limit: 50, window: DAY, unknownDevices: true },
    { by: 'pair', limit: 5, window: 60 },
    { by: 'device', limit: 10, window: 900 },
    { by: 'device', limit: 50, window: DAY },
  ],
} as const satisfies Plugin['limits']

/** A plugin with a way to sign in of its own: a name and a word. */
export function vault(options: Partial<Pick<Plugin, 'limits' | 'brings'>> = {}) {
  const told: string[] = []
  const worked: string[] = []
  const held: { host?: Host } = {}
  const plugin = definePlugin<'vault', object, Host>({
    name: 'vault',
    needs: ['records'],
    limits: VAULT_RULES,
    brings: [limitsOfPlugins()],
    ...options,
    routes: {
      'vault/open': {
        POST: {
          who: 'anyone',
          input: async () => ANYTHING,
          run: async () => async (call, host) => {
            const { request, callbackUrl } = call
            const { identifier = '', word } = call.input as Record<string, string>
            const user = await host.store?.getUserByEmail(identifier)
            await host.attempts.count('vault.open', {
              request,
              identifier,
              userId: () => user?.id,
              challenge: true,
            })
            worked.push(identifier)
            const strikes = host.attempts.strikes('word')
            const isDisabled = user ? await strikes.isDisabled(user.id, request) : true
            if (!user || isDisabled || word !== 'open sesame') {
              if (!user) await host.attempts.failed()
              const told_ = user ? await strikes.wrong(user.id, request) : { mustTell: false }
              if (told_.mustTell) told.push(user?.id ?? '')
              throw new Problem('forbidden')
            }
            await strikes.right(user.id, request)
            const before = await host.sessions.beforeProof(user.id)
            return host.sessions.establish({ request, callbackUrl }, { user, amr: ['pwd'], before })
          },
        },
      },
      'vault/page': {
        GET: {
          who: 'anyone',
          run: async () => async (call, host) => {
            const challenge = await host.attempts.challenge('vault.open', call.request)
            const field = challenge?.field ?? ''
            const body = html`<form method="post">${field === '' ? '' : markup(field)}</form>`
            return { page: { title: 'Vault', body, challenge } }
          },
        },
      },
      'vault/known': {
        POST: {
          who: 'anyone',
          input: async () => ANYTHING,
          run: async () => async (call, host) => {
            const { id = '' } = call.input as Record<string, string>
            return { json: { known: await host.attempts.isKnownBrowser(id, call.request) } }
          },
        },
      },
    },
    setUp(host) {
      held.host = host
      return { own: host }
    },
  })
  return {
    plugin,
    told,
    worked,
    /** Of the plugin, after its first request. */
    host(): Host {
      if (!held.host) throw new Error('the plugin was not set up')
      return held.host
    },
  }
}

/** A site with that plugin, and the user `ada@example.com`. */
export async function vaultSite(
  plugins: readonly PluginOption[] = [],
  {
    config,
    own = vault(),
    adapter = memoryAdapter(),
    fetch: fetching,
  }: {
    config?: Partial<AuthConfig>
    fetch?: typeof fetch
    own?: ReturnType<typeof vault>
    adapter?: Adapter
  } = {},
) {
  const before = await adapter.getUserByEmail?.('ada@example.com')
  const ada =
    before ??
    (await adapter.createUser?.({
      id: crypto.randomUUID(),
      email: 'ada@example.com',
      emailVerified: new Date(0),
    }))
  const world = createWorld(
    { adapter, ...config, plugins: [own.plugin, ...plugins] },
    { ...(fetching && { fetch: fetching }) },
  )
  const ask = async (
    path: string,
    body: Record<string, string>,
    { from = '192.0.2.1', browser = world }: { from?: string; browser?: World } = {},
  ): Promise<Response> => {
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(`${world.origin}${path}`, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: JSON.stringify(body),
    })
    const response = await world.core.auth(withClientAddress(request, from), world.config)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') browser.jar.delete(name)
      else browser.jar.set(name, value)
    }
    return response
  }
  return {
    ...own,
    ada: ada ?? { id: '', email: '' },
    adapter,
    world,
    /** Signs in at the plugin. */
    open: (
      word: string,
      how?: { from?: string; browser?: World; as?: string; more?: Record<string, string> },
    ) =>
      ask(
        '/auth/vault/open',
        { identifier: how?.as ?? 'ada@example.com', word, ...how?.more },
        how,
      ),
    isKnown: async (browser: World = world, id: string = ada?.id ?? '') =>
      ((await (await ask('/auth/vault/known', { id }, { browser })).json()) as { known: boolean })
        .known,
    ask,
    /** A request of the browser, as a route of the plugin has it. */
    request: (from: string): SiteRequest => {
      const { jar, origin } = world
      const original = withClientAddress(
        new Request(`${origin}/auth/vault/open`, { method: 'POST' }),
        from,
      )
      return {
        original,
        origin,
        base: '/auth',
        method: 'POST',
        secure: true,
        cookies: { get: (name) => jar.get(name), names: () => [...jar.keys()] },
        query: new URLSearchParams(),
        form: {},
      }
    },
  }
}
